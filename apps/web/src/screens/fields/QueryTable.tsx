import type { UseQueryResult } from '@tanstack/react-query';
import { useText } from '../../i18n/i18n.ts';
import { StaleBadge } from '../../ui/states.tsx';
import { Table, type TableProps } from '../../ui/tables/Table.tsx';

/** How what is read of an account stands. */
export type Reading = Pick<UseQueryResult<unknown>, 'data' | 'isError' | 'refetch'>;

/** Beside what was read before and cannot be read again. */
export function Stale({ query }: { readonly query: Reading }) {
  const t = useText();
  return query.isError && query.data !== undefined && <StaleBadge text={t('security.stale')} />;
}

/** A table of what a query reads. */
export function QueryTable<Row>({
  query,
  ...table
}: Omit<TableProps<Row>, 'status' | 'empty' | 'failure'> & { readonly query: Reading }) {
  const t = useText();
  return (
    <Table
      {...table}
      status={query.data !== undefined ? 'ready' : query.isError ? 'failed' : 'loading'}
      empty={{ title: t('common.empty') }}
      failure={{
        title: t('common.failed'),
        retry: t('common.retry'),
        onRetry: () => void query.refetch(),
      }}
    />
  );
}

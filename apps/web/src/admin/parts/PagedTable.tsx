import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Text, useText } from '../../i18n/i18n.ts';
import { ADMIN_KEY } from '../../stores/admin/admin-service.ts';
import { queryClient } from '../../stores/app/query-client.ts';
import { Button } from '../../ui/Button.tsx';
import { StaleBadge } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/tables/Table.tsx';

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Reads the back office again. @param name of one list; without it everything. */
export function readAgain(name?: string): void {
  const queryKey = name === undefined ? [ADMIN_KEY] : [ADMIN_KEY, name];
  void queryClient.invalidateQueries({ queryKey });
}

type Pages<Row, Page extends ListPage<Row> = ListPage<Row>> = UseInfiniteQueryResult<InfiniteData<Page>>;

/** A list that is read page by page. */
export function usePages<Row, Page extends ListPage<Row> = ListPage<Row>>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<Page>,
  /** How soon it is read again by itself, where a row waits for something; undefined: not. */
  everyMillis: (rows: readonly Row[]) => number | undefined = () => undefined,
): Pages<Row, Page> {
  return useInfiniteQuery(
    {
      queryKey: [ADMIN_KEY, ...key],
      initialPageParam: undefined as string | undefined,
      queryFn: ({ pageParam }) => read(pageParam),
      getNextPageParam: (page: Page) => page.next ?? undefined,
      refetchInterval: ({ state }) =>
        everyMillis(state.data?.pages.flatMap(({ rows }) => rows) ?? []) ?? false,
    },
    queryClient,
  );
}

/** The last column of a list: what opens its row. @param nameOf says which one, to who does not see the row. */
export function openColumn<Row>(
  t: Text,
  nameOf: (row: Row) => string,
  onOpen: (row: Row) => void,
): Column<Row> {
  return {
    id: 'open',
    head: <span className="sr-only">{t('admin.open')}</span>,
    sticky: 'always',
    numeric: true,
    cell: (row) => (
      <Button size="small" aria-label={nameOf(row)} onClick={() => onOpen(row)}>
        {t('admin.open')}
      </Button>
    ),
  };
}

/** Such a list with all its states: loading, empty, failed, not current, more. */
export function PagedTable<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly pages: Pages<Row>;
  readonly rowKey: (row: Row) => string;
  readonly above?: ReactNode;
  /** What it means that there is none. */
  readonly none?: string;
}) {
  const t = useText();
  const { pages, label } = props;
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const isStale = pages.isError && pages.data !== undefined;
  return (
    <section className="flex flex-col rounded-md border border-line bg-panel">
      <div className="flex flex-wrap items-end gap-2 px-3 py-3">
        {props.above}
        <span className="ml-auto flex items-center gap-2">
          {isStale && <StaleBadge text={t('admin.stale')} />}
          <Button size="small" busy={pages.isFetching} onClick={() => void pages.refetch()}>
            {t('common.refresh')}
          </Button>
        </span>
      </div>
      <Table
        label={label}
        columns={props.columns}
        rows={rows}
        rowKey={props.rowKey}
        status={pages.data !== undefined ? 'ready' : pages.isError ? 'failed' : 'loading'}
        empty={{ title: t('common.empty'), advice: props.none }}
        failure={{
          title: pages.error?.message ?? t('common.failed'),
          retry: t('common.retry'),
          onRetry: () => void pages.refetch(),
        }}
      />
      {pages.hasNextPage && (
        <Button
          className="m-3 self-center"
          busy={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {t('admin.more')}
        </Button>
      )}
    </section>
  );
}

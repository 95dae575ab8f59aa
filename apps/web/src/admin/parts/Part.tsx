import { useText } from '../../i18n/i18n.ts';
import { type Column, Table } from '../../ui/tables/Table.tsx';
import { readAgain } from './PagedTable.tsx';

/** On a phone amounts stand side by side. */
export const ON_PHONE = 'max-md:inline-block max-md:min-w-[5em] max-md:py-1.5 max-md:whitespace-normal';

/** A titled table of what was read. */
export function Part<Row>(props: {
  readonly title: string;
  readonly note?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly empty?: string;
}) {
  const t = useText();
  const { title, note, columns, rows, rowKey, empty = t('common.empty') } = props;
  return (
    // Without rows there is no table that has the name.
    <section
      aria-label={rows.length === 0 ? title : undefined}
      className="rounded-md border border-line bg-panel"
    >
      <h2 className="px-4 pt-3 pb-1 text-base font-medium">{title}</h2>
      {note !== undefined && <p className="px-4 pb-2 text-xs text-faint">{note}</p>}
      <Table
        label={title}
        {...{ columns, rows, rowKey }}
        status="ready"
        empty={{ title: empty }}
        failure={{ title: t('common.failed'), retry: t('common.retry'), onRetry: () => readAgain() }}
      />
    </section>
  );
}

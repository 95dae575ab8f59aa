import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../states.tsx';

/** A column: how its head and cells look. */
export interface Column<Row> {
  readonly id: string;
  readonly head: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand right, aligned by their digits. */
  readonly numeric?: boolean;
  /** What rows are compared by; absent: the table cannot be put in order by it. */
  readonly order?: (row: Row) => number | bigint | string;
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
  /** Stays at the right edge while the others scroll: on a phone, which has no room for wide ones, only `always`. */
  readonly sticky?: boolean | 'always';
  /** Class of its share of the width, where tables under each other must line up; absent = what it needs. */
  readonly width?: string;
}

/** Props of `Table`. */
export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly status: 'loading' | 'ready' | 'failed';
  /** "No MATCHING RECORDS" and what to do about it. */
  readonly empty: { readonly title: string; readonly advice?: ReactNode };
  readonly failure: { readonly title: string; readonly retry: string; readonly onRetry: () => void };
  readonly onRow?: (row: Row) => void;
  readonly dense?: boolean;
  /** How its rows stand, and what a press on a head does. */
  readonly sort?: {
    readonly order: { readonly column: string; readonly direction: 'asc' | 'desc' } | undefined;
    readonly press: (column: string) => void;
  };
}

function Head<Row>(props: {
  readonly column: Column<Row>;
  readonly sort: TableProps<Row>['sort'];
  readonly className: string;
}) {
  const { column, sort, className } = props;
  const direction = sort?.order?.column === column.id ? sort.order.direction : undefined;
  if (sort === undefined || column.order === undefined)
    return (
      <th scope="col" className={className}>
        {column.head}
      </th>
    );
  const sorted = direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" aria-sort={sorted} className={className}>
      <button type="button" onClick={() => sort.press(column.id)} className="hover:text-text max-lg:min-h-11">
        {column.head}
        {direction !== undefined && <span aria-hidden="true">{direction === 'asc' ? ' ↑' : ' ↓'}</span>}
      </button>
    </th>
  );
}

/** A table with all its states. Rows keep their height, so nothing jumps when data arrives. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, status, empty, failure, onRow, dense = false, sort } = props;
  const cellClass = (column: Column<Row>) =>
    classNames(
      // Dense tables are wide ones: their columns stand closer, the outer edges where every table has them.
      dense ? 'px-2 first:pl-3 last:pr-3' : 'px-3',
      'whitespace-nowrap',
      column.numeric === true ? 'num' : 'text-left',
      column.wideOnly === true && 'max-md:hidden',
      column.sticky === true && 'bg-panel lg:sticky lg:right-0',
      column.sticky === 'always' && 'sticky right-0 bg-panel',
    );
  const height = dense ? 'h-8' : 'h-11';
  if (status === 'failed') {
    return <ErrorState title={failure.title} retry={failure.retry} onRetry={failure.onRetry} />;
  }
  if (status === 'ready' && rows.length === 0)
    return <EmptyState title={empty.title} advice={empty.advice} />;
  return (
    // Positioned, so that what only a screen reader sees scrolls with it and does not widen the page.
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="relative overflow-x-auto"
      aria-label={label}
      aria-busy={status === 'loading'}
    >
      <table className={classNames('w-full border-collapse', dense ? 'text-xs' : 'text-[13px]')}>
        <thead>
          <tr className="text-xs text-faint">
            {columns.map((column) => (
              <Head
                key={column.id}
                {...{ column, sort }}
                className={classNames('h-8 font-normal', cellClass(column), column.width)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {status === 'loading' ? (
            <SkeletonRows columns={columns.length} rows={5} height={height} />
          ) : (
            rows.map((row) => (
              <tr
                key={rowKey(row)}
                onClick={onRow === undefined ? undefined : () => onRow(row)}
                className={classNames(
                  'border-t border-line hover:bg-hover',
                  height,
                  onRow !== undefined && 'cursor-pointer',
                )}
              >
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))
          )}
        </tbody>
      </table>
    </section>
  );
}

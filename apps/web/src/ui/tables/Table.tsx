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
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
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
}

/** A table with all its states. Rows keep their height, so nothing jumps when data arrives. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, status, empty, failure, onRow, dense = false } = props;
  const cellClass = (column: Column<Row>) =>
    classNames(
      // Dense tables are wide ones: their columns stand closer, the outer edges where every table has them.
      dense ? 'px-2 first:pl-3 last:pr-3' : 'px-3',
      'whitespace-nowrap',
      column.numeric === true ? 'num' : 'text-left',
      column.wideOnly === true && 'max-md:hidden',
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
              <th
                key={column.id}
                scope="col"
                className={classNames('h-8 font-normal', cellClass(column), column.width)}
              >
                {column.head}
              </th>
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

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { EmptyState, ErrorState, Skeleton } from '../states.tsx';

/** A column of a `WindowTable`. */
export interface WindowColumn<Row, Id extends string> {
  readonly id: Id;
  readonly head: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand right, aligned by their digits. */
  readonly numeric?: boolean;
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
  /** Class of its share of the width. */
  readonly width?: string;
  /** Whether the table can be sorted by it. */
  readonly sortable?: boolean;
}

/** Props of `WindowTable`. */
export interface WindowTableProps<Row, Id extends string> {
  readonly label: string;
  readonly columns: readonly WindowColumn<Row, Id>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly empty: { readonly title: string; readonly advice?: ReactNode };
  readonly failure: { readonly title: string; readonly retry: string; readonly onRetry: () => void };
  readonly sort: { readonly id: Id; readonly descending: boolean; readonly onSort: (id: Id) => void };
  readonly onRow?: (row: Row) => void;
  /** Class of a row: dimmed when its figures are old. */
  readonly rowClass?: (row: Row) => string | undefined;
  readonly rowPixels?: number;
  /** Indexes of the first and last row that are drawn, as the page scrolls. */
  readonly onShown?: (first: number, last: number) => void;
}

const ROW_PIXELS = 44;
const SKELETON_ROWS = Array.from({ length: 10 }, (_, row) => `row-${row}`);

function Head<Row, Id extends string>(props: {
  readonly column: WindowColumn<Row, Id>;
  readonly sort: WindowTableProps<Row, Id>['sort'];
}) {
  const { column, sort } = props;
  const sorted = sort.id === column.id;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  if (column.sortable !== true) return column.head;
  return (
    <button
      type="button"
      onClick={() => sort.onSort(column.id)}
      className={classNames(
        'inline-flex min-h-9 max-w-full items-center gap-1 rounded-sm hover:text-text max-md:min-h-11',
        sorted && 'text-text',
        column.numeric === true && 'flex-row-reverse',
      )}
    >
      <span className="truncate">{column.head}</span>
      <Arrow size={12} aria-hidden="true" className={classNames('shrink-0', !sorted && 'invisible')} />
    </button>
  );
}

/**
 * A long table that scrolls with the page and draws only the rows in the window. Its head sticks below the header bar;
 * pressing a column's head sorts by it.
 */
export function WindowTable<Row, Id extends string>(props: WindowTableProps<Row, Id>) {
  const { label, columns, rows, rowKey, status, empty, failure, sort, onRow, rowClass, onShown } = props;
  const rowPixels = props.rowPixels ?? ROW_PIXELS;
  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  // What stands above the rows may grow: a line about old figures, a wrapped row of tabs.
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top;
    if (top !== undefined) setOffset(Math.round(top + window.scrollY));
  });
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPixels,
    overscan: 10,
    scrollMargin: offset,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => onShown?.(first, last), [first, last, onShown]);
  if (status === 'failed') {
    return <ErrorState title={failure.title} retry={failure.retry} onRetry={failure.onRetry} />;
  }
  if (status === 'ready' && rows.length === 0)
    return <EmptyState title={empty.title} advice={empty.advice} />;
  const cellClass = (column: WindowColumn<Row, Id>) =>
    classNames(
      'truncate px-2 first:pl-3 last:pr-3',
      column.numeric === true ? 'num' : 'text-left',
      column.wideOnly === true && 'max-lg:hidden',
    );
  return (
    <table
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-busy={status === 'loading'}
      className="w-full table-fixed border-collapse text-[13px]"
    >
      <thead className="sticky top-12 z-10 bg-panel text-xs text-faint">
        <tr className="shadow-[inset_0_-1px_0_var(--line)]">
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              aria-sort={
                sort.id === column.id && column.sortable === true
                  ? sort.descending
                    ? 'descending'
                    : 'ascending'
                  : undefined
              }
              className={classNames('h-9 font-normal', cellClass(column), column.width)}
            >
              <Head column={column} sort={sort} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {status === 'loading' &&
          SKELETON_ROWS.map((key) => (
            <tr key={key} className="border-b border-line" style={{ height: rowPixels }}>
              {columns.map((column) => (
                <td key={column.id} className={cellClass(column)}>
                  <Skeleton className="h-3 w-16 max-w-full" />
                </td>
              ))}
            </tr>
          ))}
        {status === 'ready' && <Gap pixels={(items[0]?.start ?? offset) - offset} />}
        {status === 'ready' &&
          items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <tr
                key={rowKey(row)}
                aria-rowindex={item.index + 2}
                onClick={onRow === undefined ? undefined : () => onRow(row)}
                className={classNames(
                  'border-b border-line hover:bg-hover',
                  onRow !== undefined && 'cursor-pointer',
                  rowClass?.(row),
                )}
                style={{ height: rowPixels }}
              >
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        {status === 'ready' && (
          <Gap pixels={virtual.getTotalSize() - ((items.at(-1)?.end ?? offset) - offset)} />
        )}
      </tbody>
    </table>
  );
}

/** The place of rows that are not drawn. */
function Gap({ pixels }: { readonly pixels: number }) {
  return pixels > 0 ? <tr style={{ height: pixels }} /> : null;
}

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/states.tsx';

/** A column of a virtual table. */
export interface VirtualColumn<Row> {
  readonly id: string;
  readonly head: ReactNode;
  /** Share of the width. */
  readonly share: number;
  readonly numeric?: boolean;
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** Props of `VirtualTable`. */
export interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly VirtualColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly wide: boolean;
  readonly empty: { readonly title: string; readonly advice: ReactNode };
  readonly failure: { readonly title: string; readonly retry: string; readonly onRetry: () => void };
  /** The last rows come into view. */
  readonly onEnd?: () => void;
}

const ROW_PIXELS_WIDE = 32;
const ROW_PIXELS_PHONE = 48;

/** A table that draws only the rows in view. On a desktop it scrolls inside its panel, on a phone within a bounded box. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, rowKey, status, wide, empty, failure, onEnd } = props;
  const columns = props.columns.filter((column) => wide || column.wideOnly !== true);
  const scroller = useRef<HTMLElement>(null);
  const height = wide ? ROW_PIXELS_WIDE : ROW_PIXELS_PHONE;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (status === 'ready' && rows.length > 0 && lastShown >= rows.length - 5) onEnd?.();
  }, [lastShown, rows.length, status, onEnd]);
  const shares = columns.reduce((sum, column) => sum + column.share, 0);
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const cellClass = (column: VirtualColumn<Row>) =>
    classNames('truncate px-2 first:pl-3 last:pr-3', column.numeric === true ? 'num' : 'text-left');

  if (status === 'failed') {
    return <ErrorState title={failure.title} retry={failure.retry} onRetry={failure.onRetry} />;
  }
  if (status === 'ready' && rows.length === 0)
    return <EmptyState title={empty.title} advice={empty.advice} />;
  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      className="h-full overflow-y-auto text-xs max-lg:max-h-[60dvh]"
    >
      <table aria-rowcount={rows.length + 1} className="w-full table-fixed border-collapse tabular-nums">
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={{ width: `${(column.share / shares) * 100}%` }} />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-10 bg-panel text-[11px] text-faint">
          <tr className="h-7 shadow-[inset_0_-1px_0_var(--line)]">
            {columns.map((column) => (
              <th key={column.id} scope="col" className={classNames('font-normal', cellClass(column))}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {status === 'loading' && <SkeletonRows columns={columns.length} rows={4} height="h-8" />}
          {before > 0 && <tr style={{ height: before }} />}
          {items.map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <tr
                key={rowKey(row)}
                aria-rowindex={item.index + 2}
                className="border-b border-line hover:bg-hover"
                style={{ height: item.size }}
              >
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </section>
  );
}

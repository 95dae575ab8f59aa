import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import type { TableOrder } from '../../../calculators/tables/table-order.ts';
import { type OrderedColumn, type OrderedRows, useOrdered } from '../../../stores/trading/use-ordered.ts';
import { classNames } from '../../../ui/class-names.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { ColumnsButton, useColumns } from './ColumnsButton.tsx';
import { useRowTexts } from './use-row-texts.ts';

/** A column of a virtual table. Columns keep their width and stand at the left; what is over stays empty. */
export interface VirtualColumn<Row> extends OrderedColumn<Row> {
  readonly head: ReactNode;
  /** Pixels. */
  readonly width: number;
  readonly numeric?: boolean;
  /** Stays at the right edge while the others scroll. */
  readonly sticky?: true;
  readonly cell: (row: Row) => ReactNode;
}

/** Props of `VirtualTable`. */
export interface VirtualTableProps<Row> {
  /** Names the table where its order is kept. */
  readonly name: string;
  /** How rows stand until a head is pressed; absent: as they come. */
  readonly firstOrder?: TableOrder;
  readonly label: string;
  readonly columns: readonly VirtualColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly wide: boolean;
  /** A row on a phone: everything that matters of it, in lines. */
  readonly card: (row: Row) => ReactNode;
  /** Height of a card before it has been measured. */
  readonly cardPixels?: number;
  /** What a screen reader says of a row, where its cells do not say it in words. */
  readonly rowLabel?: (row: Row) => string;
  readonly rowPixels?: number;
  readonly empty: { readonly title: string; readonly advice: ReactNode };
  readonly failure: { readonly title: string; readonly retry: string; readonly onRetry: () => void };
  /** The last rows come into view. */
  readonly onEnd?: () => void;
}

const ROW_PIXELS_WIDE = 32;
const CARD_PIXELS = 96;
/** Room for the button of the columns where nothing stays at the edge. */
const BUTTON_PIXELS = 36;
/** Rows from the end at which the next page is asked for. */
const ROWS_BEFORE_END = 5;

/** Rows in view. Rows of a table have one height, cards are measured. */
function useRowsInView<Row>(props: VirtualTableProps<Row>, rows: readonly Row[]) {
  const { wide, status, onEnd, cardPixels = CARD_PIXELS, rowPixels = ROW_PIXELS_WIDE } = props;
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (wide ? rowPixels : cardPixels),
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (status === 'ready' && rows.length > 0 && lastShown >= rows.length - ROWS_BEFORE_END) onEnd?.();
  }, [lastShown, rows.length, status, onEnd]);
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return { scroller, virtual, items, before, after };
}

function Head<Row>(props: {
  readonly column: VirtualColumn<Row>;
  readonly ordered: OrderedRows<Row>;
  readonly className: string;
  /** Stands at the end of the head. */
  readonly end?: ReactNode;
}) {
  const { column, ordered, className, end } = props;
  const { order, press } = ordered;
  const direction = order?.column === column.id ? order.direction : undefined;
  if (column.order === undefined) {
    return (
      <th scope="col" className={classNames('font-normal', className)}>
        {column.head}
        {end !== undefined && <span className="flex justify-end">{end}</span>}
      </th>
    );
  }
  return (
    <th
      scope="col"
      aria-sort={direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}
      className={classNames('font-normal', className)}
    >
      <button type="button" onClick={() => press(column.id)} className="hover:text-text">
        {column.head}
        {direction !== undefined && <span aria-hidden="true">{direction === 'asc' ? ' ↑' : ' ↓'}</span>}
      </button>
    </th>
  );
}

function cellClass<Row>(column: VirtualColumn<Row>): string {
  return classNames(
    'overflow-hidden text-ellipsis whitespace-nowrap px-2 first:pl-3',
    column.numeric === true ? 'num' : 'text-left',
    column.sticky === true && 'sticky right-0 bg-panel',
  );
}

function Cards<Row>(props: VirtualTableProps<Row> & { readonly ordered: OrderedRows<Row> }) {
  const { label, rowKey, status, card, ordered } = props;
  const { scroller, virtual, items, before, after } = useRowsInView(props, ordered.rows);
  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      className="h-full max-h-[70dvh] overflow-y-auto text-xs tabular-nums"
    >
      {status === 'loading' && <SkeletonCards />}
      <ul style={{ paddingTop: before, paddingBottom: after }}>
        {items.map((item) => {
          const row = ordered.rows[item.index];
          return row === undefined ? null : (
            <li
              key={rowKey(row)}
              data-index={item.index}
              ref={virtual.measureElement}
              className="border-b border-line px-3 py-2"
            >
              {card(row)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function SkeletonCards() {
  return (
    <table className="w-full">
      <tbody>
        <SkeletonRows columns={2} rows={4} height="h-20" />
      </tbody>
    </table>
  );
}

/** What of a row a key presses: whatever is dead there is dead for the key too. */
const ROW_KEYS: Readonly<Record<string, string>> = {
  ...{ Enter: 'a', KeyE: '[data-edits]', Delete: '[data-removes]', Space: 'summary' },
};

function rowsOf(table: HTMLElement): readonly HTMLElement[] {
  return [...table.querySelectorAll<HTMLElement>('tr[data-row]')];
}

/**
 * Arrows go from row to row; on a row Enter opens its market, E edits it, Delete does what its button to end it does, and Space
 * unfolds what it has to unfold.
 */
function onRowKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  const { code } = event.nativeEvent;
  const onRow = target instanceof HTMLTableRowElement;
  const held = event.shiftKey || event.ctrlKey || event.altKey || event.metaKey;
  if ((!onRow && target !== currentTarget) || held || event.nativeEvent.isComposing) return;
  const pressed = event.repeat ? undefined : ROW_KEYS[code];
  const rows = rowsOf(currentTarget);
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  // From the table itself to the row in the place of the last one that had the focus.
  const place = onRow ? rows.indexOf(target) + step : Number(currentTarget.dataset.place ?? 0);
  const next = rows[Math.max(0, Math.min(place, rows.length - 1))];
  if (step !== 0) next?.focus();
  else if (onRow && pressed !== undefined) target.querySelector<HTMLElement>(pressed)?.click();
  else return;
  event.preventDefault();
}

/**
 * Keeps the focus in the table when the row that has it goes. It is then on the table and not on the next row, whose order a
 * Delete that was meant for the one before would cancel; arrows go on from its place.
 */
function useFocusKept<Row>(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  rowKey: (row: Row) => string,
): (event: FocusEvent) => void {
  const focused = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (focused.current === undefined || document.activeElement !== document.body) return;
    if (!rows.some((row) => rowKey(row) === focused.current)) scroller.current?.focus();
  }, [rows, rowKey, scroller]);
  // With its last row the table goes as well: the focus is then on the panel that it stood in.
  useLayoutEffect(() => {
    const table = scroller.current;
    return () => {
      if (table?.contains(document.activeElement) === true)
        table.closest<HTMLElement>('[role="tabpanel"]')?.focus();
    };
  }, [scroller]);
  return ({ target }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null;
    focused.current = row?.dataset.row;
    if (row === null || scroller.current === null) return;
    scroller.current.dataset.place = String(rowsOf(scroller.current).indexOf(row));
  };
}

function Rows<Row>(props: VirtualTableProps<Row> & { readonly ordered: OrderedRows<Row> }) {
  const { name, label, rowKey, status, ordered, rowLabel } = props;
  const { shown: columns, ...kept } = useColumns(name, props.columns);
  const textOf = useRowTexts(rowLabel, rowKey);
  const button = <ColumnsButton {...kept} label={label} />;
  const atEdge = columns.some(({ sticky }) => sticky === true);
  const { scroller, items, before, after } = useRowsInView(props, ordered.rows);
  const onFocus = useFocusKept(scroller, ordered.rows, rowKey);
  const pixels = columns.reduce((sum, column) => sum + column.width, atEdge ? 0 : BUTTON_PIXELS);
  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      onKeyDown={onRowKey}
      onFocus={onFocus}
      className="h-full overflow-auto text-xs"
    >
      <table
        aria-rowcount={ordered.rows.length + 1}
        className="w-full table-fixed border-collapse tabular-nums"
        style={{ minWidth: pixels }}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={{ width: column.width }} />
          ))}
          <col />
        </colgroup>
        <thead className="sticky top-0 z-10 bg-panel text-[11px] text-faint">
          <tr className="h-7 shadow-[inset_0_-1px_0_var(--line)]">
            {columns.map((column) => (
              <Head
                key={column.id}
                {...{ column, ordered }}
                end={column.sticky === true ? button : undefined}
                className={classNames(
                  cellClass(column),
                  column.sticky === true && 'shadow-[inset_0_-1px_0_var(--line)]',
                )}
              />
            ))}
            {atEdge ? (
              <td aria-hidden="true" className="p-0" />
            ) : (
              <th scope="col" className="sticky right-0 bg-panel pr-2 shadow-[inset_0_-1px_0_var(--line)]">
                <span className="flex justify-end">{button}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody onPointerEnter={() => ordered.hold(true)} onPointerLeave={() => ordered.hold(false)}>
          {status === 'loading' && <SkeletonRows columns={columns.length} rows={4} height="h-8" />}
          {before > 0 && <tr style={{ height: before }} />}
          {items.map((item) => {
            const row = ordered.rows[item.index];
            return row === undefined ? null : (
              <tr
                key={rowKey(row)}
                aria-rowindex={item.index + 2}
                aria-label={textOf(row)}
                data-row={rowKey(row)}
                tabIndex={-1}
                className="border-b border-line -outline-offset-2 hover:bg-hover focus:bg-selected [&:focus>td]:bg-selected [&:hover>td]:bg-hover"
                style={{ height: item.size }}
              >
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
                <td aria-hidden="true" className="p-0" />
              </tr>
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </section>
  );
}

/**
 * A table that draws only the rows in view, in the order that its heads were pressed for; on a phone a list of cards. It
 * scrolls inside its panel on a desktop, within a bounded box on a phone.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { name, firstOrder: first, rows, columns, rowKey, status, wide, empty, failure } = props;
  const ordered = useOrdered({ name, first }, rows, columns, rowKey);
  if (status === 'failed') {
    return <ErrorState title={failure.title} retry={failure.retry} onRetry={failure.onRetry} />;
  }
  if (status === 'ready' && rows.length === 0) {
    return <EmptyState title={empty.title} advice={empty.advice} />;
  }
  return wide ? <Rows {...props} ordered={ordered} /> : <Cards {...props} ordered={ordered} />;
}

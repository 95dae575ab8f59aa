import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  inOrder,
  nextTableOrder,
  type OrderKey,
  readTableOrders,
  type TableOrder,
  writeTableOrder,
} from '../../../calculators/tables/table-order.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';

/** What is needed of a column to put rows in order by it. */
export interface OrderedColumn<Row> {
  readonly id: string;
  /** What rows are compared by; absent = this column has no order. */
  readonly order?: (row: Row) => OrderKey;
}

/** What names a table, and how its rows stand until a head is pressed. */
export interface OrderedTable {
  readonly name: string;
  /** Absent: as they come. */
  readonly first?: TableOrder | undefined;
}

/** A table's rows in their order, and how to change it. */
export interface OrderedRows<Row> {
  readonly rows: readonly Row[];
  readonly order: TableOrder | undefined;
  readonly press: (column: string) => void;
  /** Rows hold still while the pointer is over them. */
  readonly hold: (still: boolean) => void;
}

/** Figures that change by themselves change the order at most this often. */
const REORDER_EVERY_MILLIS = 2_000;

/**
 * Puts rows in the order that was chosen for a table and is kept for it.
 * @param rowKey names a row; the order is made anew at once when rows come or go, else every two seconds.
 */
export function useOrdered<Row>(
  { name: table, first }: OrderedTable,
  rows: readonly Row[],
  columns: readonly OrderedColumn<Row>[],
  rowKey: (row: Row) => string,
): OrderedRows<Row> {
  const kept = useStore(tradeSettingsStore, (settings) => settings.tableOrders);
  const order = useMemo(() => readTableOrders(kept).get(table) ?? first, [kept, table, first]);
  const keyOf = columns.find((column) => column.id === order?.column)?.order;
  const [beat, setBeat] = useState(0);
  const still = useRef(false);
  const places = useRef<{ readonly names: string; readonly at: ReadonlyMap<string, number> }>(undefined);
  const names = rows.map(rowKey).toSorted().join('\n');
  const asked = `${order?.column}:${order?.direction}:${beat}:${names}`;
  useEffect(() => {
    if (order === undefined) return;
    const timer = setInterval(() => {
      if (!still.current) setBeat((before) => before + 1);
    }, REORDER_EVERY_MILLIS);
    return () => clearInterval(timer);
  }, [order]);
  const press = (column: string): void =>
    changeTradeSettings({ tableOrders: writeTableOrder(kept, table, nextTableOrder(order, column)) });
  const hold = (holding: boolean): void => {
    still.current = holding;
  };
  if (order === undefined || keyOf === undefined) return { rows, order: undefined, press, hold };
  if (places.current?.names !== asked) {
    const sorted = inOrder(rows, keyOf, order.direction);
    places.current = { names: asked, at: new Map(sorted.map((row, at) => [rowKey(row), at])) };
  }
  const { at } = places.current;
  const placed = inOrder(rows, (row) => at.get(rowKey(row)) ?? 0, 'asc');
  return { rows: placed, order, press, hold };
}

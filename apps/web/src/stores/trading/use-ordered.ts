import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  inOrder,
  nextStanding,
  nextTableOrder,
  type OrderKey,
  readTableOrders,
  type Standing,
  type TableOrder,
  writeTableOrder,
} from '../../calculators/tables/table-order.ts';
import { changeTradeSettings, tradeSettingsStore } from '../app/settings.ts';

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
  /** Puts them in an order that is named; `undefined`: as they come. */
  readonly choose: (order: TableOrder | undefined) => void;
  /** Rows hold still while the pointer is over them: what is new comes last. */
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
  const standing = useRef<Standing>(undefined);
  useEffect(() => {
    if (order === undefined) return;
    const timer = setInterval(() => {
      if (!still.current) setBeat((before) => before + 1);
    }, REORDER_EVERY_MILLIS);
    return () => clearInterval(timer);
  }, [order]);
  const choose = (next: TableOrder | undefined): void =>
    changeTradeSettings({ tableOrders: writeTableOrder(kept, table, next) });
  const press = (column: string): void => choose(nextTableOrder(order, column));
  const hold = (held: boolean): void => {
    still.current = held;
    // What came meanwhile takes its place.
    if (!held) setBeat((before) => before + 1);
  };
  const direction = keyOf === undefined ? undefined : order?.direction;
  const by = `${order?.column}:${direction}`;
  const byName = new Map(rows.map((row) => [rowKey(row), row]));
  const names = [...byName.keys()];
  const sorted =
    keyOf === undefined || direction === undefined
      ? {}
      : { sorted: () => inOrder(rows, keyOf, direction).map(rowKey) };
  standing.current = nextStanding(standing.current, { by, beat, held: still.current, ...sorted }, names);
  const placed = standing.current.names.flatMap((name) => byName.get(name) ?? []);
  return { rows: placed, order: direction === undefined ? undefined : order, press, choose, hold };
}

import { useEffect, useMemo, useReducer, useState } from 'react';
import { useStore } from 'zustand';
import {
  inOrder,
  nextTableOrder,
  type OrderKey,
  readTableOrders,
  type TableOrder,
  writeTableOrder,
} from '../../calculators/tables/table-order.ts';
import { changeTradeSettings, tradeSettingsStore } from '../app/settings.ts';
import { createRowPlaces } from './row-places.ts';

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
  const [places] = useState(createRowPlaces);
  const [, drawAnew] = useReducer((count: number) => count + 1, 0);
  const ordered = order !== undefined;
  useEffect(() => places.follow(drawAnew, ordered), [places, ordered]);
  const choose = (next: TableOrder | undefined): void =>
    changeTradeSettings({ tableOrders: writeTableOrder(kept, table, next) });
  const press = (column: string): void => choose(nextTableOrder(order, column));
  const direction = keyOf === undefined ? undefined : order?.direction;
  const byName = new Map(rows.map((row) => [rowKey(row), row]));
  const sorted =
    keyOf === undefined || direction === undefined
      ? undefined
      : () => inOrder(rows, keyOf, direction).map(rowKey);
  const names = places.stand(`${order?.column}:${direction}`, [...byName.keys()], sorted);
  const placed = names.flatMap((name) => byName.get(name) ?? []);
  return {
    rows: placed,
    order: direction === undefined ? undefined : order,
    press,
    choose,
    hold: places.hold,
  };
}

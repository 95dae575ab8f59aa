/** How a table is put in order: by which column, and which way. */
export interface TableOrder {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** What a cell is compared by. */
export type OrderKey = number | bigint | string;

/** Reads the kept orders: `positions=value:desc;open=time:asc`. What is not of that form is left out. */
export function readTableOrders(text: string): ReadonlyMap<string, TableOrder> {
  const orders = new Map<string, TableOrder>();
  for (const part of text.split(';')) {
    const match = /^([a-z-]+)=([a-z-]+):(asc|desc)$/i.exec(part);
    if (match === null) continue;
    const [, table = '', column = '', direction] = match;
    orders.set(table, { column, direction: direction === 'asc' ? 'asc' : 'desc' });
  }
  return orders;
}

/** Writes the kept orders with one table's changed; `undefined` forgets it. */
export function writeTableOrder(text: string, table: string, order: TableOrder | undefined): string {
  const orders = new Map(readTableOrders(text));
  if (order === undefined) orders.delete(table);
  else orders.set(table, order);
  return [...orders].map(([name, { column, direction }]) => `${name}=${column}:${direction}`).join(';');
}

/** A press on a column's head: largest first, then smallest first, then as the table comes. */
export function nextTableOrder(order: TableOrder | undefined, column: string): TableOrder | undefined {
  if (order?.column !== column) return { column, direction: 'desc' };
  return order.direction === 'desc' ? { column, direction: 'asc' } : undefined;
}

function compareKeys(left: OrderKey, right: OrderKey): number {
  if (typeof left === 'string' && typeof right === 'string') return left.localeCompare(right, 'en');
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Rows in order; rows that are equal stay as they came. */
export function inOrder<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => OrderKey,
  direction: TableOrder['direction'],
): readonly Row[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((left, right) => sign * compareKeys(left.key, right.key))
    .map(({ row }) => row);
}

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

/** How the rows of a table stand: by their names, and what they were put in order by. */
export interface Standing {
  /** Which column, and which way. */
  readonly by: string;
  /** What it was made of; while that is the same it stays. */
  readonly of: string;
  readonly names: readonly string[];
}

/** What rows are to be put in order by. */
export interface WantedOrder {
  readonly by: string;
  /** Rises when figures that change by themselves may change the order. */
  readonly beat: number;
  /** No row changes its place: the pointer is over them. */
  readonly held: boolean;
  /** The names in that order; absent: they stand as they come. */
  readonly sorted?: () => readonly string[];
}

/**
 * How rows stand next. They are put in order anew when rows come or go, at each beat, and when another order is asked for;
 * while they are held what is new comes last.
 * @param names as they come.
 */
export function nextStanding(
  before: Standing | undefined,
  { by, beat, held, sorted }: WantedOrder,
  names: readonly string[],
): Standing {
  const of = [by, beat, ...(sorted === undefined ? names : names.toSorted())].join('\n');
  if (before?.of === of) return before;
  if (before === undefined || !held || before.by !== by) return { by, of, names: sorted?.() ?? names };
  const there = new Set(names);
  const kept = before.names.filter((name) => there.has(name));
  const known = new Set(kept);
  return { by, of, names: [...kept, ...names.filter((name) => !known.has(name))] };
}

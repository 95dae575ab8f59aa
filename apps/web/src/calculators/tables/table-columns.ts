import { readChoices, writeChoice } from '../kept-choices.ts';

/** What is needed of a column to be hidden or moved. */
export interface KeptColumn {
  readonly id: string;
  /** Stays at the edge: it is neither hidden nor moved. */
  readonly sticky?: true;
}

/** A column of a table and whether it is shown. */
export interface Arranged<Column extends KeptColumn> {
  readonly column: Column;
  readonly shown: boolean;
}

/**
 * A table's columns in the order that was kept. Those that are not among the kept ones stand behind the one that they come
 * behind; what stays at the edge comes last.
 */
export function arrangeColumns<Column extends KeptColumn>(
  columns: readonly Column[],
  kept: string,
  table: string,
): readonly Arranged<Column>[] {
  const names = (readChoices(kept).get(table) ?? '').split(',').filter((name) => name !== '');
  const order = names.map((name) => name.replace(/^-/, ''));
  const movable = columns.filter(({ sticky }) => sticky !== true);
  const placed = order.filter((id) => movable.some((column) => column.id === id));
  for (const [at, { id }] of movable.entries()) {
    if (placed.includes(id)) continue;
    const before = movable[at - 1];
    placed.splice(before === undefined ? 0 : placed.indexOf(before.id) + 1, 0, id);
  }
  return [
    ...placed.flatMap((id) => movable.find((column) => column.id === id) ?? []),
    ...columns.filter(({ sticky }) => sticky === true),
  ].map((column) => ({ column, shown: column.sticky === true || !names.includes(`-${column.id}`) }));
}

/** The columns with some of them first, in the order of `first`: for a table that has little room. */
export function ledBy<Column extends KeptColumn>(
  columns: readonly Column[],
  first: readonly string[],
): readonly Column[] {
  const leading = first.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  return [...leading, ...columns.filter((column) => !leading.includes(column))];
}

/** The kept columns of all tables with a table's as they are now. */
export function writeColumns(
  kept: string,
  table: string,
  arranged: readonly Arranged<KeptColumn>[] | undefined,
): string {
  const names = arranged
    ?.filter(({ column }) => column.sticky !== true)
    .map(({ column, shown }) => `${shown ? '' : '-'}${column.id}`);
  return writeChoice(kept, table, names?.join());
}

/** The columns with one hidden or shown; the last that is shown stays. */
export function toggled<Column extends KeptColumn>(
  arranged: readonly Arranged<Column>[],
  id: string,
): readonly Arranged<Column>[] {
  const next = arranged.map((row) => (row.column.id === id ? { ...row, shown: !row.shown } : row));
  return next.some(({ column, shown }) => shown && column.sticky !== true) ? next : arranged;
}

/** The columns with one a place further to the left (-1) or right (1); at the edge it stays. */
export function movedBy<Column extends KeptColumn>(
  arranged: readonly Arranged<Column>[],
  id: string,
  by: -1 | 1,
): readonly Arranged<Column>[] {
  const at = arranged.findIndex(({ column }) => column.id === id);
  const [mine, other] = [arranged[at], arranged[at + by]];
  if (mine === undefined || other === undefined || other.column.sticky === true) return arranged;
  return arranged.with(at, other).with(at + by, mine);
}

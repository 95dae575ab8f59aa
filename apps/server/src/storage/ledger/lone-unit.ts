import type { AccountIds, CompanionRow, CompanionStatements, EncodedUnit } from './ledger-batch.ts';

/** A statement that is a whole unit: it changes one row exactly, or nothing at all. */
export interface LoneStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** Conditions of a row, by the operation of the command that comes with it: the row is written if the command took effect. */
const CONDITIONS = {
  H: (first: number) =>
    ` and ledger_hold_fresh($${first}::bigint, $${first + 1}::uuid, $${first + 2}::numeric, $${first + 3}::text)`,
  R: (first: number) => ` and ledger_release_fresh($${first}::uuid)`,
} as const;

function valuesOf(row: Readonly<Record<string, unknown>>, { columns }: CompanionRow): (string | null)[] {
  return columns.map((column) => {
    const value = row[column];
    return value === undefined || value === null ? null : String(value);
  });
}

/**
 * The one statement of a unit that is one row, with or without a hold or a release: no arrays, no JSON, no function around
 * it. Most units of a hub with little to do are such: an order with its hold, its progress, its end.
 * @returns nothing where the unit is of another shape.
 */
export function loneStatement(
  { commands, writes }: EncodedUnit,
  accounts: AccountIds,
  statements: CompanionStatements,
): LoneStatement | undefined {
  const [write] = writes;
  const [command] = commands;
  const one = write === undefined ? undefined : statements.get(write.table)?.one;
  if (write === undefined || one === undefined || writes.length > 1 || commands.length > 1) return undefined;
  const values = valuesOf(write.fields, one);
  const name = `ledger_one ${write.table}`;
  if (command === undefined) return { name, text: one.sql, values };
  const { op, hold, amount, kind } = command;
  if (op !== 'H' && op !== 'R') return undefined;
  const text = one.sql + CONDITIONS[op](values.length + 1);
  if (op === 'R') return { name: `${name} R`, text, values: [...values, hold] };
  const account = command.from === undefined ? undefined : accounts.get(command.from);
  if (account === undefined) return undefined;
  return { name: `${name} H`, text, values: [...values, account, hold, amount, kind] };
}

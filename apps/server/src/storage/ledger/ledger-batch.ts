import { AMOUNT_MAX, assert, formatAmount } from '@crossbook/domain';
import { type AccountKey, accountKey, type LedgerCommand, type LedgerUnit } from '@crossbook/ledger';

/**
 * A set-based companion statement: one statement whose only parameter `$1` is a jsonb array of rows, such as
 * `insert into orders select ... from jsonb_to_recordset($1) as r(id uuid, ...)`. It runs as the server's role in
 * the transaction of its units. It refuses its unit by a unique violation, or by
 * `ledger_expect(rows written, jsonb_array_length($1))`.
 */
export interface CompanionStatement {
  readonly sql: string;
  /**
   * Field of the row that names what is written, such as `order_id`; `id` by default where the statement updates. An
   * `update ... from` applies only one of several rows for the same target, so rows with one key in one batch go to
   * separate runs, in the order of their units. Statements that update one target must use the same values here.
   */
  readonly key?: string;
  /** The same for one row, for a unit that goes alone. */
  readonly one?: CompanionRow;
}

/** A statement that writes one row of plain values. */
export interface CompanionRow {
  /** Fields of the row, in the order of the parameters. */
  readonly columns: readonly string[];
  /** Changes one row or nothing, and ends in a condition: a hold or a release of its unit follows with `and`. */
  readonly sql: string;
}

const UPDATES = /\b(?:update\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set|do\s+update)\b/i;

/** Fills in the key of a statement that updates. */
export function companionStatement(given: string | CompanionStatement): CompanionStatement {
  const statement = typeof given === 'string' ? { sql: given } : given;
  return statement.key === undefined && UPDATES.test(statement.sql) ? { ...statement, key: 'id' } : statement;
}

/** Registered statements by name, in the order in which a batch runs them. */
export type CompanionStatements = ReadonlyMap<string, CompanionStatement>;

/** Ids of accounts as the database numbered them, for ever; decimal strings. */
export type AccountIds = ReadonlyMap<AccountKey, string>;

/** Arguments of the SQL function `ledger_commit` or `ledger_commit_fresh`, in its order. */
export type BatchArguments = readonly (string | readonly string[])[];

/** How many units one call may carry; a stored unit number is batch × 4096 + place in the batch. */
export const UNITS_PER_BATCH_MAX = 512;

/** Commands and companion rows that one unit may have. */
const PARTS_PER_UNIT_MAX = 1000;

/** One unit turned into cells, before it joins anybody's batch. */
export interface EncodedUnit {
  readonly commands: readonly EncodedCommand[];
  readonly writes: readonly EncodedWrite[];
}

interface EncodedCommand {
  readonly op: string;
  readonly id: string;
  readonly hold: string;
  readonly from: AccountKey | undefined;
  readonly to: AccountKey | undefined;
  readonly amount: string;
  readonly kind: string;
}

interface EncodedWrite {
  readonly table: string;
  readonly key: string | undefined;
  readonly json: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KIND = /^[a-z-]{1,40}$/;
// jsonb refuses NUL and lone surrogates, which JSON.stringify writes as escapes; and it would refuse the whole batch.
const UNSTORABLE = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

function encodeCommand(command: LedgerCommand): EncodedCommand {
  if (command.do === 'release') {
    assert(UUID.test(command.hold), 'a hold id');
    const none = { from: undefined, to: undefined, amount: 'NULL', kind: 'NULL' };
    return { op: 'R', id: 'NULL', hold: command.hold, ...none };
  }
  assert(UUID.test(command.id), 'a ledger id');
  assert(command.amount > 0n && command.amount <= AMOUNT_MAX, 'a ledger amount is above zero and in range');
  assert(KIND.test(command.kind), 'a kind of movement');
  const rest = { amount: formatAmount(command.amount), kind: command.kind };
  switch (command.do) {
    case 'post': {
      const sides = { from: accountKey(command.from), to: accountKey(command.to) };
      return { op: 'P', id: command.id, hold: 'NULL', ...sides, ...rest };
    }
    case 'hold': {
      const sides = { from: accountKey(command.account), to: undefined };
      return { op: 'H', id: 'NULL', hold: command.id, ...sides, ...rest };
    }
    case 'post-held': {
      assert(UUID.test(command.hold), 'a hold id');
      const sides = { from: undefined, to: accountKey(command.to) };
      return { op: 'C', id: command.id, hold: command.hold, ...sides, ...rest };
    }
  }
}

/**
 * Encodes a unit, and refuses one that breaks the ledger's contract before it can spoil other people's batch.
 * @throws Error always a mistake of ours: an amount out of range, an id that is none, an unknown companion statement.
 */
export function encodeUnit(unit: LedgerUnit, statements: CompanionStatements): EncodedUnit {
  const writes = unit.writes ?? [];
  assert(unit.commands.length + writes.length > 0, 'a unit holds something');
  assert(unit.commands.length + writes.length <= PARTS_PER_UNIT_MAX, 'a unit of a bounded size');
  return {
    commands: unit.commands.map(encodeCommand),
    writes: writes.map(({ table, row }) => {
      const statement = statements.get(table);
      assert(statement !== undefined, `a registered companion statement, not ${table}`);
      // Throws on a bigint: rows carry amounts as decimal strings.
      const json = JSON.stringify(row);
      assert(!UNSTORABLE.test(json), 'text that PostgreSQL can store');
      const key = statement.key === undefined ? undefined : String(row[statement.key]);
      assert(key !== 'undefined', `a row of ${table} with its key field ${statement.key}`);
      return { table, key, json, fields: row };
    }),
  };
}

/** Array literals are written by hand: every element is one of ours and needs no quoting but keys and rows. */
const literal = (parts: readonly (string | number)[]): string => `{${parts.join(',')}}`;

/** JSON text has no control characters: as a JSON string only its quotes and backslashes are escaped, as in an array. */
const quotedJson = (json: string): string => JSON.stringify(json);

class CommandColumns {
  readonly #accounts: AccountIds;
  readonly first: number[] = [];
  readonly unit: number[] = [];
  readonly op: string[] = [];
  readonly id: string[] = [];
  readonly hold: string[] = [];
  readonly from: string[] = [];
  readonly to: string[] = [];
  readonly amount: string[] = [];
  readonly kind: string[] = [];

  constructor(accounts: AccountIds) {
    this.#accounts = accounts;
  }

  add(unit: number, command: EncodedCommand): void {
    this.unit.push(unit);
    this.op.push(command.op);
    this.id.push(command.id);
    this.hold.push(command.hold);
    this.from.push(this.#id(command.from));
    this.to.push(this.#id(command.to));
    this.amount.push(command.amount);
    this.kind.push(command.kind);
  }

  #id(key: AccountKey | undefined): string {
    if (key === undefined) return 'NULL';
    const id = this.#accounts.get(key);
    assert(id !== undefined, `the id of account ${key} was looked up`);
    return id;
  }
}

/** Accounts of these units whose ids are not known yet. */
export function unknownAccounts(units: readonly EncodedUnit[], accounts: AccountIds): readonly AccountKey[] {
  const unknown = new Set<AccountKey>();
  for (const { commands } of units) {
    for (const { from, to } of commands) {
      if (from !== undefined && !accounts.has(from)) unknown.add(from);
      if (to !== undefined && !accounts.has(to)) unknown.add(to);
    }
  }
  return [...unknown];
}

/** A companion statement as a connection that commits must have prepared it. */
export interface PreparedCompanion {
  readonly name: string;
  readonly sql: string;
}

/** By its place in the registration, which never changes. */
const preparedName = (position: number): string => `ledger_companion_${position}`;

/** The statements that these units need. */
export function companionsOf(
  units: readonly EncodedUnit[],
  statements: CompanionStatements,
): readonly PreparedCompanion[] {
  const tables = new Set(units.flatMap(({ writes }) => writes.map(({ table }) => table)));
  return [...statements].flatMap(([table, { sql }], position) =>
    tables.has(table) ? [{ name: preparedName(position), sql }] : [],
  );
}

/** Sorts companion rows into runs of one statement each, so that the outcome is as if units came one by one. */
class CompanionColumns {
  readonly #statements: CompanionStatements;
  readonly #position: ReadonlyMap<string, number>;
  readonly #nameOfStage = new Map<number, string>();
  readonly #lastOfKey = new Map<string, number>();
  readonly unit: number[] = [];
  readonly stage: number[] = [];
  readonly row: string[] = [];

  constructor(statements: CompanionStatements) {
    this.#statements = statements;
    this.#position = new Map([...statements.keys()].map((name, index) => [name, index]));
  }

  add(unit: number, write: EncodedWrite): void {
    const position = this.#position.get(write.table) ?? 0;
    const stage = this.#place(position, write.key);
    this.#nameOfStage.set(stage, preparedName(position));
    this.unit.push(unit);
    this.stage.push(stage);
    this.row.push(write.json);
  }

  /** Wave times the number of statements plus the statement's position: later for the same key always runs later. */
  #place(position: number, key: string | undefined): number {
    if (key === undefined) return position;
    const last = this.#lastOfKey.get(key);
    const count = this.#statements.size;
    const wave = last === undefined ? 0 : Math.floor(last / count);
    const sameWave = wave * count + position;
    const stage = last !== undefined && sameWave <= last ? sameWave + count : sameWave;
    this.#lastOfKey.set(key, stage);
    return stage;
  }

  #stages(): readonly (readonly [stage: number, name: string])[] {
    return [...this.#nameOfStage].sort(([left], [right]) => left - right);
  }

  /** Each row with its unit and its stage. */
  columns(): BatchArguments {
    const stages = this.#stages();
    const number = new Map(stages.map(([stage], index) => [stage, index + 1]));
    return [
      stages.map(([, name]) => name),
      literal(this.unit),
      literal(this.stage.map((stage) => number.get(stage) ?? 0)),
      literal(this.row.map(quotedJson)),
    ];
  }

  /** The rows of each stage as one JSON array. */
  arrays(): BatchArguments {
    const stages = this.#stages();
    const rowsOf = (stage: number) => this.row.filter((_row, index) => this.stage[index] === stage);
    return [
      stages.map(([, name]) => name),
      literal(stages.map(([stage]) => quotedJson(`[${rowsOf(stage).join(',')}]`))),
    ];
  }
}

/**
 * Flattens units into what `ledger_commit` takes, or with `short` what `ledger_commit_fresh` does.
 * @param units at most `UNITS_PER_BATCH_MAX`.
 * @param accounts holds every account of these units.
 */
export function batchArguments(
  units: readonly EncodedUnit[],
  accounts: AccountIds,
  statements: CompanionStatements,
  short = false,
): BatchArguments {
  const commands = new CommandColumns(accounts);
  const companions = new CompanionColumns(statements);
  units.forEach((unit, index) => {
    commands.first.push(commands.unit.length + 1);
    for (const command of unit.commands) commands.add(index + 1, command);
    for (const write of unit.writes) companions.add(index + 1, write);
  });
  commands.first.push(commands.unit.length + 1);
  return [
    literal(commands.first),
    literal(commands.unit),
    literal(commands.op),
    literal(commands.id),
    literal(commands.hold),
    literal(commands.from),
    literal(commands.to),
    literal(commands.amount),
    literal(commands.kind),
    ...(short ? companions.arrays() : companions.columns()),
  ];
}

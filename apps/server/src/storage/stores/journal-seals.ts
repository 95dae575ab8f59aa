import { createHash } from 'node:crypto';
import type { Millis } from '@crossbook/domain';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';
import { appendAudit } from './audit-log.ts';
import { type Carried, carry, type JournalName, NOTHING_CARRIED } from './audit-start.ts';

/** The journals of money: what members decided, and every movement of the ledger. Rows have numbers and never change. */
const JOURNALS = {
  decisions: {
    table: 'money_decisions',
    number: 'x.id',
    from: 'money_decisions x',
    columns: 'x.id::text, x.at::text, x.member::text, x.kind, x.subject::text, x.facts::text',
  },
  transfers: {
    table: 'ledger_transfers',
    number: 'x.seq',
    // Keys of the accounts too: a movement says nothing once its account belongs to somebody else.
    from: `ledger_transfers x join ledger_accounts f on f.id = x.from_account
      join ledger_accounts t on t.id = x.to_account`,
    columns: `x.id::text, x.seq::text, x.unit::text, f.key, t.key, x.from_account::text, x.to_account::text, x.asset,
      x.amount::text, x.kind, x.hold::text, (extract(epoch from x.at) * 1000000)::bigint::text`,
  },
} as const satisfies Record<JournalName, object>;

const NAMES = Object.keys(JOURNALS) as JournalName[];

/** Numbers that one seal covers at most, and that are read at once. */
const NUMBERS_MAX = 4_096;
const MARK_BYTES = 24;
/** Ranges that one call seals at most: after an upgrade there are years of them. */
const RANGES_MAX = 16;
/** Rows of the chain that are read at once. */
const SEALS_MAX = 200;
/** The call of a row of the chain that seals. */
export const SEALED = 'journal/sealed';
/** Before every number that there can be, also those that nobody gave. */
const LOWEST = '-9223372036854775808';

/** What one row of the chain says of one journal: all numbers above `after`, up to `until`. */
interface Range {
  readonly after: number;
  readonly until: number;
  readonly rows: number;
  /** SHA-256 over the marks of its rows, in hex. */
  readonly digest: string;
}

/** The first row of a journal that is not as it was sealed. */
export interface JournalBreak {
  readonly journal: JournalName;
  /** Number of the row; of the first one where a whole range is meant. */
  readonly number: number;
  readonly what:
    | 'changed'
    | 'removed'
    | 'slipped in'
    | 'never sealed'
    | 'sealed twice'
    | 'marks of a seal changed';
  /** The row as it stands now, as JSON; absent where there is none. */
  readonly row?: string;
}

/** How far a verification came: the last row of the chain, and the number up to which each journal is intact. */
export interface JournalPlace {
  readonly entry: string;
  readonly until: Readonly<Record<JournalName, number>>;
  /** Over the seals up to there whose rows of the chain are gone. */
  readonly digest: Readonly<Record<JournalName, string>>;
}

/** Before everything. */
export const JOURNAL_BEGIN: JournalPlace = {
  entry: '0',
  until: { decisions: 0, transfers: 0 },
  digest: { decisions: '', transfers: '' },
};

/** What a verification of the journals found. */
export interface JournalVerdict {
  /** How far it came; where something is broken, where it began. */
  readonly place: JournalPlace;
  /** Whether everything sealed was looked at, or something is broken. */
  readonly done: boolean;
  /** Absent = as sealed. */
  readonly broken?: JournalBreak;
}

/** Seals over the journals, as rows of the audit chain. */
export interface JournalSeals {
  /**
   * Seals what is new and can get no more neighbours. One seals at a time.
   * @returns what is left: nothing; ranges, to be asked for again; or rows whose neighbours are still being written.
   */
  seal(): Promise<'nothing' | 'ranges' | 'neighbours'>;
  /** As `verifyJournals`. */
  verify(from: JournalPlace, rowsMax: number, carried?: Carried): Promise<JournalVerdict>;
}

const lineOf = (journal: JournalName) => `json_build_array(${JOURNALS[journal].columns})::text`;

/** Marks of all rows above a number, up to another. */
function marksOf(journal: JournalName): { readonly name: string; readonly text: string } {
  const { number, from } = JOURNALS[journal];
  const mark = `int8send(${number}) || substring(sha256(convert_to(${lineOf(journal)}, 'UTF8')) from 1 for 16)`;
  return {
    name: `journal-marks-${journal}`,
    text: `select coalesce(string_agg(${mark}, ''::bytea order by ${number}), ''::bytea) as marks
      from ${from} where ${number} > $1 and ${number} <= $2`,
  };
}

interface Marks {
  readonly marks: Buffer;
}

const digestOf = (marks: Uint8Array): string => createHash('sha256').update(marks).digest('hex');

/** Who may still be writing rows of a journal: an insert has its lock before it has its number. */
async function writersOf(database: Database, journal: JournalName): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ writer: string }>(
    {
      name: 'journal-writers',
      text: `select virtualtransaction as writer from pg_locks where locktype = 'relation' and relation = $1::regclass
        and database = (select oid from pg_database where datname = current_database()) and mode <> 'AccessShareLock'`,
    },
    [JOURNALS[journal].table],
  );
  return new Set(rows.map(({ writer }) => writer));
}

/**
 * The number up to which a journal gets no more rows. Numbers are given in order and commit in any: all up to the newest one seen
 * are there once everybody has ended who was writing at that moment.
 */
class ClosedNumbers {
  readonly #database: Database;
  readonly #journal: JournalName;
  #until = 0;
  #writers: ReadonlySet<string> = new Set();

  constructor(database: Database, journal: JournalName) {
    this.#database = database;
    this.#journal = journal;
  }

  /** @returns the number; `undefined` while somebody who may have a lower one writes. */
  async until(): Promise<number | undefined> {
    if (this.#writers.size === 0) {
      const { table, number } = JOURNALS[this.#journal];
      const [row] = await this.#database.query<{ until: string | null }>(
        `select max(${number})::text as until from ${table} x`,
      );
      this.#until = Number(row?.until ?? 0);
      this.#writers = await writersOf(this.#database, this.#journal);
    } else {
      const now = await writersOf(this.#database, this.#journal);
      this.#writers = new Set([...this.#writers].filter((writer) => now.has(writer)));
    }
    return this.#writers.size === 0 ? this.#until : undefined;
  }
}

/** The first mark that two lists do not share. */
function firstDifference(was: Buffer, is: Buffer): Pick<JournalBreak, 'number' | 'what'> | undefined {
  if (was.equals(is)) return undefined;
  for (let at = 0; ; at += MARK_BYTES) {
    const [before, now] = [was.subarray(at, at + MARK_BYTES), is.subarray(at, at + MARK_BYTES)];
    if (before.equals(now)) continue;
    const numberOf = (mark: Buffer) => (mark.length === 0 ? Infinity : Number(mark.readBigInt64BE(0)));
    const [old, found] = [numberOf(before), numberOf(now)];
    if (old === found) return { number: old, what: 'changed' };
    return old < found ? { number: old, what: 'removed' } : { number: found, what: 'slipped in' };
  }
}

/** What is wrong with ranges that follow one another. */
async function breakIn(
  database: Database,
  journal: JournalName,
  ranges: readonly Range[],
): Promise<JournalBreak | undefined> {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const stored = await database.query<Marks & { after: string; until: string }>(
    'select after::text, until::text, marks from journal_seals where journal = $1 and after >= $2 and after < $3',
    [journal, first.after, last.until],
  );
  const byAfter = new Map(stored.map((seal) => [Number(seal.after), seal]));
  const kept: Buffer[] = [];
  for (const { after, until, digest } of ranges) {
    const seal = byAfter.get(after);
    if (seal === undefined || Number(seal.until) !== until || digestOf(seal.marks) !== digest)
      return { journal, number: after + 1, what: 'marks of a seal changed' };
    kept.push(seal.marks);
  }
  const from = first.after === 0 ? LOWEST : first.after;
  const [found] = await database.query<Marks>(marksOf(journal), [from, last.until]);
  const broken = firstDifference(Buffer.concat(kept), found?.marks ?? Buffer.alloc(0));
  if (broken === undefined) return undefined;
  const { number, from: tables } = JOURNALS[journal];
  const [row] = await database.query<{ line: string }>(
    `select ${lineOf(journal)} as line from ${tables} where ${number} = $1`,
    [broken.number],
  );
  return { journal, ...broken, ...(row === undefined ? {} : { row: row.line }) };
}

/** Ranges of a journal that wait to be compared, and how far it has come. */
interface Pending {
  until: number;
  ranges: Range[];
  numbers: number;
}

/** Takes a range up. @returns what is wrong with where it begins. */
function follow(journal: JournalName, pending: Pending, range: Range): JournalBreak | undefined {
  if (range.after !== pending.until) {
    const isGap = range.after > pending.until;
    const number = Math.min(range.after, pending.until) + 1;
    return { journal, number, what: isGap ? 'never sealed' : 'sealed twice' };
  }
  pending.ranges.push(range);
  pending.numbers += range.until - range.after;
  pending.until = range.until;
  return undefined;
}

/** A seal as it is kept beside the chain. */
async function sealAfter(
  database: Database,
  journal: JournalName,
  after: number,
): Promise<Range | undefined> {
  const [seal] = await database.query<Marks & { until: string }>(
    'select until::text, marks from journal_seals where journal = $1 and after = $2',
    [journal, after],
  );
  if (seal === undefined) return undefined;
  const { marks } = seal;
  return { after, until: Number(seal.until), rows: marks.length / MARK_BYTES, digest: digestOf(marks) };
}

interface SealRow {
  readonly id: string;
  readonly details: Partial<Record<JournalName, Range>>;
}

/**
 * Compares the journals with what was sealed of them, some thousand rows at a time.
 * @param from where the one before ended.
 */
export async function verifyJournals(
  database: Database,
  from: JournalPlace,
  {
    rowsMax,
    carried = NOTHING_CARRIED,
  }: {
    /** Roughly so many rows are looked at. */
    readonly rowsMax: number;
    /** Seals whose rows of the chain were cut, as the cut has signed them. */
    readonly carried?: Carried | undefined;
  },
): Promise<JournalVerdict> {
  const pending = Object.fromEntries(
    NAMES.map((name) => [name, { until: from.until[name], ranges: [], numbers: 0 }]),
  ) as unknown as Record<JournalName, Pending>;
  const compare = async (least: number): Promise<JournalBreak | undefined> => {
    for (const name of NAMES) {
      if (pending[name].numbers < least) continue;
      const broken = await breakIn(database, name, pending[name].ranges);
      if (broken !== undefined) return broken;
      pending[name] = { ...pending[name], ranges: [], numbers: 0 };
    }
    return undefined;
  };
  let [entry, looked, done] = [from.entry, 0, false];
  const digest = { ...from.digest };
  for (const name of NAMES) {
    const { until, digest: signed } = carried[name];
    const wrong: JournalBreak = { journal: name, number: 1, what: 'marks of a seal changed' };
    while (pending[name].until < until && looked < rowsMax) {
      const seal = await sealAfter(database, name, pending[name].until);
      if (seal === undefined || seal.until > until) return { place: from, done: true, broken: wrong };
      digest[name] = carry(digest[name], seal);
      looked += seal.rows;
      const broken = follow(name, pending[name], seal) ?? (await compare(NUMBERS_MAX));
      if (broken !== undefined) return { place: from, done: true, broken };
    }
    if (from.until[name] < until && pending[name].until === until && digest[name] !== signed)
      return { place: from, done: true, broken: wrong };
    if (pending[name].until < until) looked = rowsMax;
  }
  while (looked < rowsMax && !done) {
    const seals = await database.query<SealRow>(
      `select l.id::text, l.details from audit_log l where l.call = $1 and l.id > $2 order by l.id limit ${SEALS_MAX}`,
      [SEALED, entry],
    );
    for (const { id, details } of seals) {
      entry = id;
      for (const name of NAMES) {
        const range = details[name];
        if (range === undefined) continue;
        looked += range.rows;
        const broken = follow(name, pending[name], range) ?? (await compare(NUMBERS_MAX));
        if (broken !== undefined) return { place: from, done: true, broken };
      }
    }
    done = seals.length < SEALS_MAX;
  }
  const broken = await compare(1);
  if (broken !== undefined) return { place: from, done: true, broken };
  const until = { decisions: pending.decisions.until, transfers: pending.transfers.until };
  return { place: { entry, until, digest }, done };
}

/** @param clock time of day, for the rows of the chain. */
export function createJournalSeals(database: Database, clock: () => Millis): JournalSeals {
  const closed = Object.fromEntries(
    NAMES.map((name) => [name, new ClosedNumbers(database, name)]),
  ) as unknown as Record<JournalName, ClosedNumbers>;

  /** Seals one range of each journal. @returns whether anything was left. */
  const sealOne = (limits: Readonly<Record<JournalName, number | undefined>>): Promise<boolean> =>
    database.withTransaction(async (client) => {
      const lock = await client.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [
        ADVISORY_LOCKS.journalSeals,
      ]);
      if (lock.rows[0]?.got !== true) return false;
      const details: Partial<Record<JournalName, Range>> = {};
      let isMore = false;
      for (const name of NAMES) {
        const sealed = await client.query<{ until: string }>(
          'select until::text from journal_seals where journal = $1 order by after desc limit 1',
          [name],
        );
        const after = Number(sealed.rows[0]?.until ?? 0);
        const limit = limits[name] ?? 0;
        const until = Math.min(limit, after + NUMBERS_MAX);
        if (until <= after) continue;
        isMore ||= until < limit;
        const found = await client.query<Marks>({
          ...marksOf(name),
          values: [after === 0 ? LOWEST : after, until],
        });
        const marks = found.rows[0]?.marks ?? Buffer.alloc(0);
        details[name] = { after, until, rows: marks.length / MARK_BYTES, digest: digestOf(marks) };
        await client.query(
          'insert into journal_seals (journal, after, until, marks) values ($1, $2, $3, $4)',
          [name, after, until, marks],
        );
      }
      if (Object.keys(details).length === 0) return false;
      await appendAudit(client, {
        ...{ at: clock(), actor: { kind: 'system', id: 'the journal' }, call: SEALED },
        ...{ outcome: 'ok', details },
      });
      return isMore;
    });

  return {
    async seal() {
      const limits = {
        decisions: await closed.decisions.until(),
        transfers: await closed.transfers.until(),
      };
      for (let ranges = 0; ranges < RANGES_MAX; ranges += 1) {
        if (!(await sealOne(limits)))
          return Object.values(limits).includes(undefined) ? 'neighbours' : 'nothing';
      }
      return 'ranges';
    },
    verify: (from, rowsMax, carried) => verifyJournals(database, from, { rowsMax, carried }),
  };
}

/** The newest seal: when it was made, up to which numbers, and how many numbers have been given since. */
export async function newestSeals(
  database: Database,
): Promise<Readonly<Record<JournalName | 'waiting', number>> & { readonly at: Millis | undefined }> {
  const numbers = NAMES.map(
    (
      name,
    ) => `(select until from journal_seals where journal = '${name}' order by after desc limit 1) as ${name},
      (select coalesce(max(${JOURNALS[name].number}), 0) from ${JOURNALS[name].table} x) as newest_${name}`,
  );
  const [row] = await database.query<Readonly<Record<string, string | null>>>(
    `select ${numbers.join(', ')}, (select at from audit_log where call = $1 order by id desc limit 1) as at`,
    [SEALED],
  );
  const numberOf = (name: string) => Number(row?.[name] ?? 0);
  const waiting = NAMES.reduce((sum, name) => sum + numberOf(`newest_${name}`) - numberOf(name), 0);
  const at = row?.at == null ? undefined : (Number(row.at) as Millis);
  return { at, decisions: numberOf('decisions'), transfers: numberOf('transfers'), waiting };
}

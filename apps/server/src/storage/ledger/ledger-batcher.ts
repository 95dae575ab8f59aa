import { setTimeout as delay } from 'node:timers/promises';
import { ok, refused } from '@crossbook/domain';
import type { AccountKey, LedgerCommit, LedgerRefusal, LedgerUnit } from '@crossbook/ledger';
import pg from 'pg';
import { clientConfig, type DatabaseAddress, isDefiniteRefusal } from '../postgres/database.ts';
import {
  type BatchArguments,
  batchArguments,
  type CompanionStatements,
  companionsOf,
  type EncodedUnit,
  encodeUnit,
  UNITS_PER_BATCH_MAX,
  unknownAccounts,
} from './ledger-batch.ts';
import { type LoneStatement, loneStatement } from './lone-unit.ts';

/** What the batcher writes through and its bounds. */
export interface LedgerBatcherOptions {
  readonly address: DatabaseAddress;
  readonly role?: string;
  readonly statements: CompanionStatements;
  /** Waiting units beyond this are refused as `busy`. */
  readonly unitsQueuedMax?: number;
  readonly unitsPerBatchMax?: number;
  /** How often a lost connection is tried again before the waiting units are refused as `unavailable`. */
  readonly reconnectsMax?: number;
  readonly reconnectDelayMillis?: number;
  /** Batches of at most so many commands go the short way; 0 for none. Both ways answer and write the same. */
  readonly shortCommandsMax?: number;
}

/** Figures since the start, for metrics. */
export interface BatcherStats {
  readonly batches: number;
  readonly units: number;
  readonly unitsQueued: number;
  readonly connectionsLost: number;
}

const UNITS_QUEUED_MAX = 20_000;
/**
 * A larger batch hardly costs less per unit, and while it runs nobody is woken: with a few hundred callers two batches
 * alternate, so that database and callers work at the same time (bench: ledger).
 */
const UNITS_PER_BATCH_DEFAULT = 128;
const COMMANDS_PER_BATCH_MAX = 2048;
/** Two seconds in all: callers of a database that is away have their answer before they give up themselves. */
const RECONNECTS_MAX = 20;
const RECONNECT_DELAY_MILLIS = 100;
const DEADLOCK_RETRIES_MAX = 3;
/** Remembered account ids; about 30 MB. Beyond it all are forgotten and looked up again. */
const ACCOUNT_IDS_MAX = 200_000;

/**
 * Up to so many commands go one by one, which costs a quarter less at 16 and about the same at 64; a batch of which any
 * part is refused, sent again or larger is judged as a set (0013-short-way, 0030-shorter-way), and the more units it has the
 * more often one of them is.
 */
const SHORT_COMMANDS_MAX = 16;
const COMMANDS = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10';
const COMMIT_AS_SET = {
  name: 'ledger_commit',
  text: `select ledger_commit(${COMMANDS}, $11, $12, $13) as answers`,
};
const COMMIT_SHORT = {
  name: 'ledger_commit_short',
  text: `select ledger_commit_fresh(${COMMANDS}, $11) as answers`,
};

const ACCOUNTS_STATEMENT = { name: 'ledger_account_ids', text: 'select ledger_account_ids($1) as ids' };

interface Waiting {
  readonly unit: EncodedUnit;
  readonly resolve: (result: LedgerCommit) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The one writer of a shard. While one batch is being made durable the next one gathers; there is no timer, so a
 * lone unit leaves at once and a crowd shares one fsync (adaptive group commit).
 */
export class LedgerBatcher {
  readonly #options: LedgerBatcherOptions;
  readonly #unitsPerBatchMax: number;
  readonly #unitsQueuedMax: number;
  readonly #shortCommandsMax: number;
  readonly #accounts = new Map<AccountKey, string>();
  readonly #prepared = new WeakMap<pg.Client, Set<string>>();
  readonly #closing = new AbortController();
  #queue: Waiting[] = [];
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #batches = 0;
  #units = 0;
  #connectionsLost = 0;

  constructor(options: LedgerBatcherOptions) {
    this.#options = options;
    this.#unitsPerBatchMax = Math.min(
      options.unitsPerBatchMax ?? UNITS_PER_BATCH_DEFAULT,
      UNITS_PER_BATCH_MAX,
    );
    this.#shortCommandsMax = options.shortCommandsMax ?? SHORT_COMMANDS_MAX;
    this.#unitsQueuedMax = options.unitsQueuedMax ?? UNITS_QUEUED_MAX;
  }

  /**
   * Commits one unit, as the port says (`LedgerStore.commit`).
   * @throws Error at once for a unit that breaks the ledger's contract (see `encodeUnit`).
   */
  async commit(unit: LedgerUnit): Promise<LedgerCommit> {
    const encoded = encodeUnit(unit, this.#options.statements);
    if (this.#closing.signal.aborted) return refused('unavailable');
    if (this.#queue.length >= this.#unitsQueuedMax) return refused('busy');
    const { promise, resolve, reject } = Promise.withResolvers<LedgerCommit>();
    this.#queue.push({ unit: encoded, resolve, reject });
    this.#running ??= this.#drain();
    return promise;
  }

  stats(): BatcherStats {
    return {
      batches: this.#batches,
      units: this.#units,
      unitsQueued: this.#queue.length,
      connectionsLost: this.#connectionsLost,
    };
  }

  /** Writes what is queued, then closes the connection. A database that is away is not waited for. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await this.#client?.end();
    this.#client = undefined;
  }

  async #drain(): Promise<void> {
    // Callers of the same turn belong into the first batch.
    await Promise.resolve();
    let sent: Promise<Settle> | undefined;
    while (sent !== undefined || this.#queue.length > 0) {
      try {
        const settle = await (sent ?? this.#sendNext());
        // The next batch leaves before the callers of this one wake up: the database never waits for them.
        sent = this.#queue.length > 0 ? this.#sendNext() : undefined;
        settle();
      } catch {
        sent = undefined;
        this.#refuseWaiting();
      }
    }
    // In the same turn as the look at the queue: a later caller must find nobody running and start anew.
    this.#running = undefined;
  }

  async #sendNext(): Promise<Settle> {
    const client = this.#client ?? (await this.#connect());
    return this.#write(client, this.#take());
  }

  /** The database cannot be reached: nothing of what waits was sent. */
  #refuseWaiting(): void {
    const waiting = this.#queue;
    this.#queue = [];
    for (const one of waiting) one.resolve(refused('unavailable'));
  }

  #take(): readonly Waiting[] {
    let commands = 0;
    let count = 0;
    for (const { unit } of this.#queue) {
      commands += unit.commands.length + unit.writes.length;
      if (count > 0 && (count >= this.#unitsPerBatchMax || commands > COMMANDS_PER_BATCH_MAX)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  async #connect(): Promise<pg.Client> {
    const attemptsMax = this.#options.reconnectsMax ?? RECONNECTS_MAX;
    for (let attempt = 1; ; attempt += 1) {
      const config = clientConfig(this.#options.address, this.#options.role);
      const client = new pg.Client({
        ...config,
        // One look-up by key per row, whatever a table's size was when a statement was planned.
        options: [config.options ?? '', '-c enable_seqscan=off'].join(' ').trim(),
        // Never ended by a timeout: an ended commit is an unknown one.
        statement_timeout: 0,
      });
      client.on('error', () => this.#lose(client));
      client.on('end', () => this.#lose(client));
      try {
        await client.connect();
        this.#client = client;
        return client;
      } catch (error) {
        await client.end().catch(() => undefined);
        const { signal } = this.#closing;
        if (attempt >= attemptsMax || signal.aborted) throw error;
        const pause = this.#options.reconnectDelayMillis ?? RECONNECT_DELAY_MILLIS;
        await delay(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.#closing.signal.aborted) this.#connectionsLost += 1;
  }

  /** Looks up (or makes) the accounts of these units that were never seen by this writer. */
  async #learnAccounts(client: pg.Client, units: readonly EncodedUnit[]): Promise<void> {
    if (this.#accounts.size > ACCOUNT_IDS_MAX) this.#accounts.clear();
    const keys = unknownAccounts(units, this.#accounts);
    if (keys.length === 0) return;
    const { rows } = await client.query<{ ids: readonly string[] }>({
      ...ACCOUNTS_STATEMENT,
      values: [keys],
    });
    keys.forEach((key, index) => {
      const id = rows[0]?.ids[index];
      if (id !== undefined) this.#accounts.set(key, id);
    });
  }

  /** Companion statements are planned once a connection. */
  async #prepare(client: pg.Client, units: readonly EncodedUnit[]): Promise<void> {
    const prepared = this.#prepared.get(client) ?? new Set();
    this.#prepared.set(client, prepared);
    for (const { name, sql } of companionsOf(units, this.#options.statements)) {
      if (prepared.has(name)) continue;
      await client.query(`prepare ${name} (jsonb) as ${sql}`);
      prepared.add(name);
    }
  }

  /** The short way of a unit that nobody came with. */
  #loneOf([unit, ...others]: readonly EncodedUnit[]): LoneStatement | undefined {
    if (unit === undefined || others.length > 0 || this.#shortCommandsMax === 0) return undefined;
    return loneStatement(unit, this.#accounts, this.#options.statements);
  }

  #written(batch: readonly Waiting[], answers: readonly string[]): Settle {
    this.#batches += 1;
    this.#units += batch.length;
    return () => answer(batch, answers);
  }

  /** Makes a batch durable (or learns that it is not); the answer is given by the function returned. */
  async #write(client: pg.Client, batch: readonly Waiting[]): Promise<Settle> {
    const units = batch.map(({ unit }) => unit);
    for (let attempt = 0; ; attempt += 1) {
      let sent = false;
      try {
        await this.#learnAccounts(client, units);
        const lone = this.#loneOf(units);
        if (lone !== undefined) {
          sent = true;
          if (await commitLone(client, lone)) return this.#written(batch, ['applied']);
          sent = false;
        }
        await this.#prepare(client, units);
        sent = true;
        const values = (short: boolean) =>
          batchArguments(units, this.#accounts, this.#options.statements, short);
        const isShort = lone === undefined && commandsOf(units) <= this.#shortCommandsMax;
        const short = isShort ? await commitShort(client, values(true)) : null;
        const answers = short ?? (await answersOf(client, { ...COMMIT_AS_SET, values: values(false) })) ?? [];
        return this.#written(batch, answers);
      } catch (error) {
        // A deadlock or a serialization failure is a promise of the server that nothing was committed.
        const again = isDefiniteRefusal(error) && error.code?.startsWith('40') === true;
        if (again && attempt < DEADLOCK_RETRIES_MAX) continue;
        if (isDefiniteRefusal(error) && batch.length > 1) return this.#writeHalves(client, batch);
        if (!isDefiniteRefusal(error)) {
          this.#lose(client);
          client.end().catch(() => undefined);
        }
        return () => fail(batch, error, sent);
      }
    }
  }

  /** The call as a whole was refused, which no unit should be able to cause: find the one that did. */
  async #writeHalves(client: pg.Client, batch: readonly Waiting[]): Promise<Settle> {
    const half = batch.length >> 1;
    const first = await this.#write(client, batch.slice(0, half));
    const second = await this.#write(client, batch.slice(half));
    return () => {
      first();
      second();
    };
  }
}

async function answersOf(
  client: pg.Client,
  { name, text, values }: { readonly name: string; readonly text: string; readonly values: BatchArguments },
): Promise<readonly string[] | null> {
  const { rows } = await client.query<{ answers: readonly string[] | null }>({
    ...{ name, text },
    values: [...values],
  });
  return rows[0]?.answers ?? null;
}

/** What a unit can be refused for: a row or command that is in the way, a value that is out of range. */
const IN_THE_WAY = /^(LG00[23]|2[23]|42|P0001|55000)/;

/** Nothing where a unit is in the way: then nothing of the batch is kept, and the set says which unit and why. */
async function unlessInTheWay<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (isDefiniteRefusal(error) && IN_THE_WAY.test(error.code ?? '')) return null;
    throw error;
  }
}

function commitShort(client: pg.Client, values: BatchArguments): Promise<readonly string[] | null> {
  return unlessInTheWay(answersOf(client, { ...COMMIT_SHORT, values }));
}

/** Whether it took effect; otherwise nothing is kept of it. */
async function commitLone(client: pg.Client, { name, text, values }: LoneStatement): Promise<boolean> {
  const written = await unlessInTheWay(client.query({ name, text, values: [...values] }));
  return written?.rowCount === 1;
}

function commandsOf(units: readonly EncodedUnit[]): number {
  return units.reduce((sum, { commands }) => sum + commands.length, 0);
}

/** Nothing of the batch happened and the database may take it later: deadlocks, no room, no time, a standby. */
const NOT_NOW = /^(40|53|55P03|57014|25006)/;

/** The call came to no answer. What was never sent did not happen; what was sent and then lost may have. */
function fail(batch: readonly Waiting[], error: unknown, sent: boolean): void {
  for (const one of batch) {
    if (!isDefiniteRefusal(error)) {
      one.resolve(sent ? { ok: false, code: 'outcome-unknown' } : refused('unavailable'));
    } else if (NOT_NOW.test(error.code ?? '')) one.resolve(refused('busy'));
    else one.reject(error);
  }
}

/** Tells the callers of a batch how it ended. */
type Settle = () => void;

function answer(batch: readonly Waiting[], answers: readonly string[]): void {
  batch.forEach((one, index) => {
    const code = answers[index] ?? 'error: no answer';
    if (code === 'applied' || code === 'replayed') one.resolve(ok({ replayed: code === 'replayed' }));
    else if (code.startsWith('error: ')) one.reject(new Error(`ledger unit failed: ${code.slice(7)}`));
    else one.resolve(refused(code as LedgerRefusal));
  });
}

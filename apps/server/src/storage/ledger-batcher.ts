import { setTimeout as delay } from 'node:timers/promises';
import { ok, type Result, refused } from '@crossbook/domain';
import type { LedgerReceipt, LedgerRefusal, LedgerUnit } from '@crossbook/ledger';
import pg from 'pg';
import { clientConfig, type DatabaseAddress, isDefiniteRefusal, OutcomeUnknown } from './database.ts';
import {
  batchArguments,
  type CompanionStatements,
  type EncodedUnit,
  encodeUnit,
  UNITS_PER_BATCH_MAX,
} from './ledger-batch.ts';

/** A unit's answer. */
export type CommitResult = Result<LedgerReceipt, LedgerRefusal>;

/** The database cannot be reached and the unit was never sent: nothing happened. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable';
}

/** What the batcher writes through and its bounds. */
export interface LedgerBatcherOptions {
  readonly address: DatabaseAddress;
  readonly role?: string;
  readonly statements: CompanionStatements;
  /** Waiting units beyond this are refused as `overloaded`. */
  readonly unitsQueuedMax?: number;
  readonly unitsPerBatchMax?: number;
  /** How often a lost connection is tried again before the waiting units are rejected. */
  readonly reconnectsMax?: number;
  readonly reconnectDelayMillis?: number;
}

/** Figures since the start, for metrics. */
export interface BatcherFigures {
  readonly batches: number;
  readonly units: number;
  readonly unitsQueued: number;
  readonly connectionsLost: number;
}

const UNITS_QUEUED_MAX = 20_000;
/** Above this a batch takes longer without gaining throughput (bench: ledger). */
const UNITS_PER_BATCH_DEFAULT = 256;
const COMMANDS_PER_BATCH_MAX = 2048;
const RECONNECTS_MAX = 40;
const RECONNECT_DELAY_MILLIS = 250;
const DEADLOCK_RETRIES_MAX = 3;

const COMMIT_STATEMENT = {
  name: 'ledger_commit',
  text: 'select ledger_commit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) as answers',
};

interface Waiting {
  readonly unit: EncodedUnit;
  readonly resolve: (result: CommitResult) => void;
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
  #queue: Waiting[] = [];
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #batches = 0;
  #units = 0;
  #connectionsLost = 0;

  constructor(options: LedgerBatcherOptions) {
    this.#options = options;
    this.#unitsPerBatchMax = Math.min(
      options.unitsPerBatchMax ?? UNITS_PER_BATCH_DEFAULT,
      UNITS_PER_BATCH_MAX,
    );
    this.#unitsQueuedMax = options.unitsQueuedMax ?? UNITS_QUEUED_MAX;
  }

  /**
   * Resolves after the unit's batch is durable.
   * @throws Error at once for a unit that breaks the ledger's contract (see `encodeUnit`).
   * @throws OutcomeUnknown when the connection died with the batch under way: replay by id.
   * @throws LedgerUnreachable when it was never sent.
   */
  async commit(unit: LedgerUnit): Promise<CommitResult> {
    const encoded = encodeUnit(unit, this.#options.statements);
    if (this.#closed) throw new LedgerUnreachable('the ledger is closed');
    if (this.#queue.length >= this.#unitsQueuedMax) return refused('overloaded');
    const { promise, resolve, reject } = Promise.withResolvers<CommitResult>();
    this.#queue.push({ unit: encoded, resolve, reject });
    this.#running ??= this.#drain();
    return promise;
  }

  figures(): BatcherFigures {
    return {
      batches: this.#batches,
      units: this.#units,
      unitsQueued: this.#queue.length,
      connectionsLost: this.#connectionsLost,
    };
  }

  /** Writes what is queued, then closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#client?.end();
    this.#client = undefined;
  }

  async #drain(): Promise<void> {
    // Callers of the same turn belong into the first batch.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      try {
        const client = await this.#connected();
        await this.#write(client, this.#take());
      } catch (error) {
        this.#rejectWaiting(error as Error);
      }
    }
    // In the same turn as the look at the queue: a later caller must find nobody running and start anew.
    this.#running = undefined;
  }

  #rejectWaiting(error: Error): void {
    const waiting = this.#queue;
    this.#queue = [];
    for (const one of waiting) {
      one.reject(new LedgerUnreachable('the database cannot be reached', { cause: error }));
    }
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

  async #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const attemptsMax = this.#options.reconnectsMax ?? RECONNECTS_MAX;
    for (let attempt = 1; ; attempt += 1) {
      const client = new pg.Client({
        ...clientConfig(this.#options.address, this.#options.role),
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
        if (attempt >= attemptsMax || this.#closed) throw error;
        await delay(this.#options.reconnectDelayMillis ?? RECONNECT_DELAY_MILLIS);
      }
    }
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.#closed) this.#connectionsLost += 1;
  }

  async #write(client: pg.Client, batch: readonly Waiting[]): Promise<void> {
    const units = batch.map(({ unit }) => unit);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const values = [...batchArguments(units, this.#options.statements)];
        const { rows } = await client.query<{ answers: readonly string[] }>({ ...COMMIT_STATEMENT, values });
        this.#batches += 1;
        this.#units += batch.length;
        answer(batch, rows[0]?.answers ?? []);
        return;
      } catch (error) {
        // A deadlock or a serialization failure is a promise of the server that nothing was committed.
        const again = isDefiniteRefusal(error) && error.code?.startsWith('40') === true;
        if (again && attempt < DEADLOCK_RETRIES_MAX) continue;
        if (isDefiniteRefusal(error) && batch.length > 1) {
          // The call as a whole was refused, which no unit should be able to cause: find the one that did.
          const half = batch.length >> 1;
          await this.#write(client, batch.slice(0, half));
          await this.#write(client, batch.slice(half));
          return;
        }
        this.#fail(client, batch, error as Error);
        return;
      }
    }
  }

  #fail(client: pg.Client, batch: readonly Waiting[], error: Error): void {
    if (isDefiniteRefusal(error)) {
      for (const one of batch) one.reject(error);
      return;
    }
    this.#lose(client);
    client.end().catch(() => undefined);
    for (const one of batch) {
      one.reject(new OutcomeUnknown('the connection was lost while committing', { cause: error }));
    }
  }
}

function answer(batch: readonly Waiting[], answers: readonly string[]): void {
  batch.forEach((one, index) => {
    const code = answers[index] ?? 'error: no answer';
    if (code === 'applied' || code === 'replayed') one.resolve(ok({ replayed: code === 'replayed' }));
    else if (code.startsWith('error: ')) one.reject(new Error(`ledger unit failed: ${code.slice(7)}`));
    else one.resolve(refused(code as LedgerRefusal));
  });
}

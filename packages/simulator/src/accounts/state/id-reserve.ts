import type { JournalRecord } from '../../journal/records.ts';
import type { MatchingEngine } from '../../matching/engine.ts';
import type { EngineCounters } from '../../matching/engine-order.ts';

/** Ids set aside on disk at a time: a restart after a crash skips what was left of them. */
const IDS_PER_RESERVE = 2 ** 21;
/** Trade ids set aside: a market that slept for days uses up those of all its trades at once, 5 million a day at most. */
const TRADE_IDS_PER_RESERVE = 2 ** 27;
/** More than one step can use up: every order of a full book filled, each changing a level. */
const IDS_PER_STEP_MAX = 2 ** 19;

/** Where the ids set aside are written. */
export interface IdKeeping {
  readonly half?: 'CONTRACTS';
  /** Writes a record and calls back when it is on disk. */
  readonly append: (record: JournalRecord, onDisk: () => void) => void;
}

/**
 * Keeps a market's ids from ever repeating although house orders and trades are not journalled: only ids below a limit
 * that is on disk are used, and the next limit is written long before the last id.
 */
export class IdReserve {
  readonly #engine: MatchingEngine;
  readonly #parts: IdKeeping;
  #limit: EngineCounters;
  #asked: EngineCounters;

  constructor(engine: MatchingEngine, parts: IdKeeping) {
    this.#engine = engine;
    this.#parts = parts;
    this.#limit = engine.counters;
    this.#asked = this.#limit;
  }

  /** The furthest limit written so far, on disk or on its way. */
  get asked(): EngineCounters {
    return this.#asked;
  }

  /** Whether a step may be made now that needs so many trade ids beside its own. Asks for more when half is gone. */
  allows(tradeIds = 0): boolean {
    const { generation, tradeId, updateId } = this.#limit;
    const left = Math.min(generation - this.#engine.lastGeneration, updateId - this.#engine.lastUpdateId);
    const tradeIdsLeft = tradeId - this.#engine.lastTradeId - tradeIds;
    const half = left < IDS_PER_RESERVE / 2 || tradeIdsLeft < TRADE_IDS_PER_RESERVE / 2;
    if (half && this.#asked === this.#limit) this.ask();
    return Math.min(left, tradeIdsLeft) > IDS_PER_STEP_MAX;
  }

  /** Writes the next limit. */
  ask(): void {
    const { generation, tradeId, updateId } = this.#engine.counters;
    const counters = {
      generation: generation + IDS_PER_RESERVE,
      tradeId: tradeId + TRADE_IDS_PER_RESERVE,
      updateId: updateId + IDS_PER_RESERVE,
    };
    this.#asked = counters;
    const { half, append } = this.#parts;
    const record = { kind: 'reserve', symbol: this.#engine.symbol, counters } as const;
    append(half === undefined ? record : { ...record, half }, () => {
      this.#limit = counters;
    });
  }
}

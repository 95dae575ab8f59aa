import { type Amount, type Millis, parseAmount } from '@crossbook/domain';
import type { LastPrice, LastPrices, PriceList } from './ports.ts';

/** One venue's list of last prices in USDT by asset, as decimal strings; `undefined` when it could not be read. */
export interface PriceSource {
  readonly name: string;
  /** Bounded in time by whoever hands it in. */
  read(): Promise<ReadonlyMap<string, string> | undefined>;
}

/** No caller waits longer for venues; one that let a caller wait in vain is not waited for until it answers. */
const WAIT_MILLIS_MAX = 2_000;
/** A venue that failed is not asked again sooner. */
const ASK_AGAIN_MILLIS_MIN = 2_000;

/** One venue's last prices and the state of asking for them. */
class PriceShelf {
  prices: ReadonlyMap<string, LastPrice> = new Map();
  readAt = Number.NEGATIVE_INFINITY;
  /** The read under way. */
  reading: Promise<void> | undefined;
  /** Whether somebody waited for the read under way in vain. */
  slow = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #source: PriceSource;
  readonly #deps: LastPriceDeps;

  constructor(source: PriceSource, deps: LastPriceDeps) {
    this.#source = source;
    this.#deps = deps;
  }

  /** Begins to read again what is older than `since`, unless that is under way or was just tried. */
  freshen(since: Millis): void {
    const now = this.#deps.clock();
    if (this.readAt >= since || this.reading !== undefined) return;
    // A list that was read gives way at once; only a failed try makes the next one wait.
    if (this.#askedAt > this.readAt && now - this.#askedAt < ASK_AGAIN_MILLIS_MIN) return;
    this.#askedAt = now;
    this.reading = this.#read(now).finally(() => {
      this.reading = undefined;
      this.slow = false;
    });
  }

  async #read(now: Millis): Promise<void> {
    try {
      const list = await this.#source.read();
      if (list === undefined) return;
      const prices = new Map<string, LastPrice>();
      for (const [asset, text] of list) {
        const price = parseAmount(text);
        if (price !== undefined && price > 0n) prices.set(asset, { price, readAt: now });
      }
      this.prices = prices;
      this.readAt = now;
    } catch (error) {
      this.#deps.note('last prices not read', { venue: this.#source.name, error: String(error) });
    }
  }
}

/** What reading last prices needs from outside. */
export interface LastPriceDeps {
  /** In the order in which they are preferred. */
  readonly sources: readonly PriceSource[];
  readonly clock: () => Millis;
  readonly after: (millis: number, run: () => void) => () => void;
  readonly note: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** Last prices of all venues behind one port: the first venue's, then the others' for what is missing. */
export function createLastPrices(deps: LastPriceDeps): LastPrices {
  const shelves = deps.sources.map((source) => new PriceShelf(source, deps));
  return async (since) => {
    for (const shelf of shelves) shelf.freshen(since);
    const awaited = shelves.filter(({ reading, slow }) => reading !== undefined && !slow);
    if (awaited.length > 0) await settled(awaited, deps.after);
    return joined(shelves, since);
  };
}

/** Resolves when all reads have ended, or after `WAIT_MILLIS_MAX`; those still under way are slow then. */
function settled(awaited: readonly PriceShelf[], after: LastPriceDeps['after']): Promise<void> {
  return new Promise((resolve) => {
    const stop = after(WAIT_MILLIS_MAX, () => {
      for (const shelf of awaited) shelf.slow = shelf.reading !== undefined;
      resolve();
    });
    void Promise.all(awaited.map(({ reading }) => reading)).then(() => {
      stop();
      resolve();
    });
  });
}

/** New lists go before old ones, each in the venues' order. */
function joined(shelves: readonly PriceShelf[], since: Millis): PriceList {
  const current = shelves.filter(({ readAt }) => readAt >= since);
  const prices = new Map<string, LastPrice>();
  for (const shelf of [...current, ...shelves.filter((one) => !current.includes(one))]) {
    for (const [asset, price] of shelf.prices) if (!prices.has(asset)) prices.set(asset, price);
  }
  return { prices, complete: current.length === shelves.length };
}

/** The prices of a list read at or after a time, USDT at 1 among them. */
export function pricesSince(list: PriceList, since: Millis | undefined): ReadonlyMap<string, Amount> {
  const reported = [...list.prices].filter(([, { readAt }]) => since === undefined || readAt >= since);
  const usdt = parseAmount('1') as Amount;
  return new Map([...reported.map(([asset, { price }]) => [asset, price] as const), ['USDT', usdt]]);
}

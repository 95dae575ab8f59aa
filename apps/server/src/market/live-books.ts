import type { Book, BookChange, Instrument, Millis, Ticks } from '@crossbook/domain';
import { type BookState, BookSync, type BookSyncCounters, type VenuePublic } from '@crossbook/venues';
import type { MarketPorts } from './ports.ts';

/** Levels a side asked of the venue's REST snapshot. */
const SNAPSHOT_LEVELS = 1_000;
/** Snapshot requests under way at once, so that a reconnect with many books does not burn the venue's budget. */
const SNAPSHOTS_AT_ONCE_MAX = 3;
const SNAPSHOT_DELAY_MILLIS_MIN = 200;
const SNAPSHOT_DELAY_MILLIS_MAX = 10_000;
/**
 * A live book that hears nothing this long is shown as stale and never traded on. Venues whose books are quiet for longer
 * say so (`bookSilenceMillisMax`); that counts only while the connection itself is proved to be alive.
 */
const BOOK_SILENCE_MILLIS_MAX = 5_000;
/** How long a snapshot that was just subscribed to is waited for; each further time in a row twice as long. */
const RENEW_DELAY_MILLIS_MIN = 3_000;
const RENEW_DELAY_MILLIS_MAX = 60_000;
/** A book that has been sound this long is asked for anew without delay when it breaks. */
const SOUND_MILLIS_MIN = 30_000;
/** A book that stays silent this long is subscribed anew; each further time after twice the pause, for some markets sleep. */
const RESUBSCRIBE_DELAY_MILLIS_MIN = 10_000;
const RESUBSCRIBE_DELAY_MILLIS_MAX = 320_000;

/** What changed in a book since it was last taken. */
export interface DirtyLevels {
  /** Everything must be sent again: a new snapshot has replaced the book. */
  readonly reset: boolean;
  readonly bids: ReadonlySet<Ticks>;
  readonly asks: ReadonlySet<Ticks>;
  readonly time: Millis;
}

interface LiveBook {
  readonly instrument: Instrument;
  readonly sync: BookSync;
  reset: boolean;
  bids: Set<Ticks>;
  asks: Set<Ticks>;
  time: Millis;
  fetching: boolean;
  failures: number;
  nextFetchAt: number;
  /** Since when it has been whole without a break. */
  soundSince: number;
  /** When its silence is answered next by a new subscription, and how long after the one before. */
  prodAt: number;
  prodDelay: number;
}

/** The followed books of one venue: joins snapshots and deltas, asks for a snapshot after any gap. */
export class LiveBooks {
  readonly #venue: VenuePublic;
  readonly #ports: MarketPorts;
  readonly #books = new Map<string, LiveBook>();
  readonly #waiting = new Map<string, Set<(live: boolean) => void>>();
  readonly #renew: (symbol: string) => void;
  readonly #silenceMillisMax: number;
  /** Counters of books that were shut: what happened stays counted. */
  readonly #retired: Record<string, number> = {};
  #fetching = 0;
  #streaming = false;

  /**
   * @param renew subscribes to a book anew: its subscription may have died on a healthy connection, or it broke and
   * this venue sends its snapshots on the socket.
   */
  constructor(venue: VenuePublic, ports: MarketPorts, renew: (symbol: string) => void) {
    this.#venue = venue;
    this.#ports = ports;
    this.#renew = renew;
    this.#silenceMillisMax = venue.bookSilenceMillisMax ?? BOOK_SILENCE_MILLIS_MAX;
  }

  /** Starts keeping a book; its deltas must be on their way. */
  open(instrument: Instrument): void {
    if (this.#books.has(instrument.symbol)) return;
    const sync = new BookSync({ venue: this.#venue, symbol: instrument.symbol });
    // Without a stream a fetched snapshot would be a live book that nothing keeps up to date.
    if (!this.#streaming) sync.disconnected();
    this.#books.set(instrument.symbol, {
      instrument,
      sync,
      reset: true,
      bids: new Set(),
      asks: new Set(),
      time: 0 as Millis,
      fetching: false,
      failures: 0,
      nextFetchAt: this.#firstSnapshotAt(),
      soundSince: 0,
      prodAt: 0,
      prodDelay: RESUBSCRIBE_DELAY_MILLIS_MIN,
    });
  }

  /** Forgets a book. */
  shut(symbol: string): void {
    for (const [name, count] of Object.entries(this.#books.get(symbol)?.sync.counters ?? {}))
      this.#retired[name] = (this.#retired[name] ?? 0) + count;
    this.#books.delete(symbol);
    this.#wake(symbol, false);
  }

  apply(change: BookChange): void {
    const live = this.#books.get(change.symbol);
    if (live === undefined) return;
    const before = live.sync.state;
    const step = live.sync.apply(change);
    if (step !== 'applied') return;
    live.time = change.time;
    if (before === 'SYNCING') live.soundSince = this.#ports.clock();
    else if (this.#ports.clock() - live.soundSince > SOUND_MILLIS_MIN) live.failures = 0;
    live.prodDelay = RESUBSCRIBE_DELAY_MILLIS_MIN;
    live.prodAt = this.#ports.clock() + live.prodDelay;
    if (change.kind === 'snapshot' || before === 'SYNCING') live.reset = true;
    else {
      for (const [price] of change.bids) live.bids.add(price);
      for (const [price] of change.asks) live.asks.add(price);
    }
    this.#wake(change.symbol, true);
  }

  disconnected(): void {
    this.#streaming = false;
    for (const live of this.#books.values()) live.sync.disconnected();
  }

  reconnected(): void {
    this.#streaming = true;
    for (const live of this.#books.values()) {
      live.sync.reconnected();
      live.reset = true;
      live.nextFetchAt = this.#firstSnapshotAt();
    }
  }

  /**
   * Marks silent books stale and gets the snapshots that are needed. Called every tick.
   * @param heardAt when the books' connection last gave a sign of life.
   */
  tend(heardAt: Millis): void {
    const now = this.#ports.clock();
    const alive = now - heardAt <= BOOK_SILENCE_MILLIS_MAX;
    const silenceMillisMax = alive ? this.#silenceMillisMax : BOOK_SILENCE_MILLIS_MAX;
    for (const live of this.#books.values()) {
      if (live.sync.checkAge(now, silenceMillisMax) === 'STALE') this.#prod(live, now);
      if (!live.sync.needsSnapshot || live.fetching || now < live.nextFetchAt) continue;
      if (this.#venue.socketSendsSnapshots) this.#askAnew(live, now);
      else this.#fetch(live);
    }
  }

  /** A snapshot that comes on the socket is on its way; one that must be fetched is fetched at once. */
  #firstSnapshotAt(): number {
    return this.#venue.socketSendsSnapshots ? this.#ports.clock() + RENEW_DELAY_MILLIS_MIN : 0;
  }

  #askAnew(live: LiveBook, now: Millis): void {
    live.failures += 1;
    const delay = RENEW_DELAY_MILLIS_MIN * 2 ** Math.min(live.failures - 1, 8);
    live.nextFetchAt = now + Math.min(RENEW_DELAY_MILLIS_MAX, delay);
    this.#renew(live.instrument.symbol);
  }

  #prod(live: LiveBook, now: Millis): void {
    if (!this.#streaming || now <= live.prodAt) return;
    live.prodAt = now + live.prodDelay;
    live.prodDelay = Math.min(2 * live.prodDelay, RESUBSCRIBE_DELAY_MILLIS_MAX);
    this.#renew(live.instrument.symbol);
  }

  /** What changed since the last call, once the book is live. */
  takeDirtyLevels(symbol: string): DirtyLevels | undefined {
    const live = this.#books.get(symbol);
    if (live === undefined || live.sync.state !== 'LIVE') return undefined;
    if (!live.reset && live.bids.size === 0 && live.asks.size === 0) return undefined;
    const dirtyLevels = { reset: live.reset, bids: live.bids, asks: live.asks, time: live.time };
    live.reset = false;
    live.bids = new Set();
    live.asks = new Set();
    return dirtyLevels;
  }

  /** The book, while it is live. */
  live(symbol: string): { readonly book: Book; readonly time: Millis; readonly heardAt: Millis } | undefined {
    const live = this.#books.get(symbol);
    if (live === undefined || live.sync.state !== 'LIVE') return undefined;
    return { book: live.sync.book, time: live.time, heardAt: live.sync.lastChangeAt };
  }

  /** Resolves true as soon as the book is live, false when it is not within `waitMillisMax`. */
  whenLive(symbol: string, waitMillisMax: number): Promise<boolean> {
    if (this.live(symbol) !== undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiters = this.#waiting.get(symbol) ?? new Set();
      this.#waiting.set(symbol, waiters);
      const wake = (live: boolean): void => {
        stop();
        waiters.delete(wake);
        resolve(live);
      };
      const stop = this.#ports.after(waitMillisMax, () => wake(false));
      waiters.add(wake);
    });
  }

  /** When the book that was heard of longest ago last changed; those that never were are left out. */
  oldestHeardAt(): Millis | undefined {
    const heard = [...this.#books.values()].map(({ sync }) => sync.lastChangeAt).filter((at) => at > 0);
    return heard.length === 0 ? undefined : (Math.min(...heard) as Millis);
  }

  /** How many followed books are in which state. */
  states(): Readonly<Record<BookState, number>> {
    const states = { SYNCING: 0, LIVE: 0, STALE: 0 };
    for (const { sync } of this.#books.values()) states[sync.state] += 1;
    return states;
  }

  /** Counters summed over the books that are or were followed, for metrics. */
  totals(): Readonly<Record<keyof BookSyncCounters, number>> {
    const totals = new BookSync({ venue: this.#venue, symbol: '' }).counters;
    const sums: Record<string, number> = { ...totals };
    for (const [name, count] of Object.entries(this.#retired)) sums[name] = (sums[name] ?? 0) + count;
    for (const { sync } of this.#books.values())
      for (const [name, count] of Object.entries(sync.counters)) sums[name] = (sums[name] ?? 0) + count;
    return sums as Record<keyof BookSyncCounters, number>;
  }

  #wake(symbol: string, live: boolean): void {
    const waiters = this.#waiting.get(symbol);
    if (waiters === undefined) return;
    this.#waiting.delete(symbol);
    for (const wake of [...waiters]) wake(live);
  }

  #fetch(live: LiveBook): void {
    if (this.#fetching >= SNAPSHOTS_AT_ONCE_MAX) return;
    this.#fetching += 1;
    live.fetching = true;
    void this.#venue.rest
      .depth(live.instrument, SNAPSHOT_LEVELS)
      .then((answer) => {
        if (answer.ok) this.apply(answer.value);
        live.failures = answer.ok && live.sync.state === 'LIVE' ? 0 : live.failures + 1;
      })
      .catch((error) => {
        live.failures += 1;
        this.#ports.note('book snapshot not taken', { symbol: live.instrument.symbol, error: String(error) });
      })
      .finally(() => {
        this.#fetching -= 1;
        live.fetching = false;
        const delay = Math.min(
          SNAPSHOT_DELAY_MILLIS_MAX,
          SNAPSHOT_DELAY_MILLIS_MIN * 2 ** Math.min(live.failures, 8),
        );
        live.nextFetchAt = this.#ports.clock() + delay;
      });
  }
}

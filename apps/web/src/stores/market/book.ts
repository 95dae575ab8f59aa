import type { BookFrame } from '@crossbook/contract';
import { Book, type BookLevel, type Lots, type Millis, type Seq, type Ticks } from '@crossbook/domain';
import { isOfMarket, type StreamName } from './market.ts';

/** Levels a side that a browser keeps; the hub sends fewer. */
const BROWSER_LEVELS_PER_SIDE_MAX = 5_000;

/** What became of a frame. After `gap` the book is empty until the next snapshot, which whoever folds has to ask for. */
export type BookFold = 'applied' | 'gap' | 'ignored';

/** The live book of the one instrument on screen. Canvases read `book` when told that something changed. */
export interface BookStore {
  readonly book: Book;
  /** False until a snapshot came, after a gap, and from a reconnect until its snapshot. */
  ready(): boolean;
  /** Venue time of the newest change. */
  time(): Millis | undefined;
  /** When the newest frame arrived, by the clock handed to `fold`. */
  receivedAt(): number | undefined;
  /** The one check of a book's sequence and content. */
  fold(frame: BookFrame, now: number): BookFold;
  /** A new connection begins: what is shown stays, and nothing but a snapshot is folded next. */
  reconnected(): void;
  /** Forgets everything and follows another market. */
  follow(market: StreamName): void;
  /** Calls the listener after every change until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

function levels(flat: readonly number[]): BookLevel[] | undefined {
  if (flat.length % 2 !== 0) return undefined;
  const pairs: BookLevel[] = [];
  for (let at = 0; at < flat.length; at += 2) {
    const price = flat[at] as number;
    const size = flat[at + 1] as number;
    if (!Number.isSafeInteger(price) || !Number.isSafeInteger(size) || price <= 0 || size < 0)
      return undefined;
    pairs.push([price as Ticks, size as Lots]);
  }
  return pairs;
}

/** Makes the store; one for the life of the trade page. */
export function createBookStore(): BookStore {
  const book = new Book(BROWSER_LEVELS_PER_SIDE_MAX);
  const listeners = new Set<() => void>();
  let market: StreamName | undefined;
  let applied: number | undefined;
  let time: Millis | undefined;
  let received: number | undefined;

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function lose(): BookFold {
    book.clear();
    applied = undefined;
    changed();
    return 'gap';
  }

  function fold(frame: BookFrame, now: number): BookFold {
    if (!isOfMarket(frame, market)) return 'ignored';
    const snapshot = frame.k === 's';
    if (!snapshot && applied === undefined) return 'ignored';
    // A frame that was applied before changes nothing: a snapshot may overtake deltas on their way.
    if (!snapshot && applied !== undefined && frame.q <= applied) return 'ignored';
    if (!snapshot && frame.p !== applied) return lose();
    const bids = levels(frame.b);
    const asks = levels(frame.a);
    if (bids === undefined || asks === undefined) return lose();
    book.apply({
      kind: snapshot ? 'snapshot' : 'delta',
      symbol: frame.s,
      bids,
      asks,
      firstSeq: frame.q as Seq,
      lastSeq: frame.q as Seq,
      time: frame.t as Millis,
      receivedAt: now as Millis,
    });
    // A crossed book is wrong, however it came about: never shown.
    if (book.isCrossed()) return lose();
    applied = frame.q;
    time = frame.t as Millis;
    received = now;
    changed();
    return 'applied';
  }

  return {
    book,
    ready: () => applied !== undefined,
    time: () => time,
    receivedAt: () => received,
    fold,
    reconnected() {
      applied = undefined;
    },
    follow(next) {
      market = next;
      book.clear();
      applied = undefined;
      time = undefined;
      received = undefined;
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

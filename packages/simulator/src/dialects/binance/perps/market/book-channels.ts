import type { Millis } from '@crossbook/domain';
import type { SimBookChange } from '../../../../exchange.ts';
import type { StreamChannel } from '../../../wire/channel-hub.ts';
import { DirtyLevels } from '../../streams/market-streams.ts';
import { type FuturesDesk, wireFirstUpdateId, wireUpdateId } from '../desk.ts';
import { bestStats } from './tickers.ts';

const EVERY_DEFAULT_MILLIS = 250;

/** The ids of what happened to a book since the last message, and the last id of that message. */
class UpdateSpan {
  #previous: number;
  #first = 0;
  #last = 0;

  /** `previous`: the update id up to which listeners already know the book. */
  constructor(previous: number) {
    this.#previous = previous;
  }

  get changed(): boolean {
    return this.#last !== 0;
  }

  note(change: SimBookChange): void {
    if (this.#last === 0) this.#first = change.firstUpdateId;
    this.#last = change.lastUpdateId;
  }

  /** The ids of one message, which takes them away. */
  take(): { readonly U: number; readonly u: number; readonly pu: number } {
    const ids = {
      U: wireFirstUpdateId(this.#first),
      u: wireUpdateId(this.#last),
      pu: wireUpdateId(this.#previous),
    };
    this.#previous = this.#last;
    this.#last = 0;
    return ids;
  }
}

/** Changes since the last message: the newest size per price. `pu` joins each message to the one before it. */
function diffChannel(desk: FuturesDesk, symbol: string, everyMillis: number): StreamChannel {
  const format = desk.format.of(symbol);
  const span = new UpdateSpan(desk.perps.depth(symbol, 1).lastUpdateId);
  const dirty = new DirtyLevels();
  let changedAt = 0 as Millis;
  return {
    symbol,
    everyMillis,
    onBookChange: (change) => {
      span.note(change);
      changedAt = change.time;
      dirty.note(change);
    },
    flush: (now) => {
      if (!span.changed) return [];
      const { bids, asks } = dirty.take();
      const levels = { b: format.levels(bids), a: format.levels(asks) };
      return [
        JSON.stringify({ e: 'depthUpdate', E: now, T: changedAt, s: symbol, ...span.take(), ...levels }),
      ];
    },
  };
}

/** The whole top of the book, in the shape of a diff. */
function partialChannel(
  desk: FuturesDesk,
  symbol: string,
  levels: number,
  everyMillis: number,
): StreamChannel {
  const format = desk.format.of(symbol);
  const span = new UpdateSpan(desk.perps.depth(symbol, 1).lastUpdateId);
  let changedAt = 0 as Millis;
  return {
    symbol,
    everyMillis,
    onBookChange: (change) => {
      span.note(change);
      changedAt = change.time;
    },
    flush: (now) => {
      if (!span.changed) return [];
      const book = desk.perps.depth(symbol, levels);
      return [
        JSON.stringify({
          e: 'depthUpdate',
          E: now,
          T: changedAt,
          s: symbol,
          ...span.take(),
          b: format.levels(book.bids),
          a: format.levels(book.asks),
        }),
      ];
    },
  };
}

/** `depth`, `depth5`, `depth10` and `depth20` at their speeds; `undefined` for other names. */
export function depthChannel(desk: FuturesDesk, symbol: string, kind: string): StreamChannel | undefined {
  const match = /^depth(5|10|20)?(?:@(0|100|250|500)ms)?$/.exec(kind);
  if (match === null) return undefined;
  const everyMillis = match[2] === undefined ? EVERY_DEFAULT_MILLIS : Number(match[2]);
  return match[1] === undefined
    ? diffChannel(desk, symbol, everyMillis)
    : partialChannel(desk, symbol, Number(match[1]), everyMillis);
}

/** The best prices of one contract whenever they change. */
class BestPrices {
  readonly #desk: FuturesDesk;
  readonly #symbol: string;
  #last = '';

  constructor(desk: FuturesDesk, symbol: string) {
    this.#desk = desk;
    this.#symbol = symbol;
  }

  /** The payload, where the best prices are not those of the last one. */
  take(now: Millis): string | undefined {
    const { updateId, bid, ask } = bestStats(this.#desk, this.#symbol);
    const text = `${bid} ${ask}`;
    if (text === this.#last) return undefined;
    this.#last = text;
    return JSON.stringify({
      e: 'bookTicker',
      u: updateId,
      s: this.#symbol,
      b: bid[0],
      B: bid[1],
      a: ask[0],
      A: ask[1],
      T: now,
      E: now,
    });
  }
}

/** `bookTicker` of one contract. */
export function bookTickerChannel(desk: FuturesDesk, symbol: string): StreamChannel {
  const best = new BestPrices(desk, symbol);
  let dirty = true;
  return {
    symbol,
    everyMillis: 0,
    onBookChange: () => {
      dirty = true;
    },
    flush: (now) => {
      if (!dirty) return [];
      dirty = false;
      const payload = best.take(now);
      return payload === undefined ? [] : [payload];
    },
  };
}

const ALL_BOOK_TICKERS_MILLIS = 5_000;

/** `!bookTicker`: every contract whose best prices changed, looked at every five seconds as the venue says. */
export function allBookTickersChannel(desk: FuturesDesk): StreamChannel {
  const all = [...desk.perps.contracts.keys()].map((symbol) => new BestPrices(desk, symbol));
  return {
    symbol: undefined,
    everyMillis: ALL_BOOK_TICKERS_MILLIS,
    flush: (now) => all.map((best) => best.take(now)).filter((payload) => payload !== undefined),
  };
}

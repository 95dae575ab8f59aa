import {
  type BookChange,
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  type Lots,
  type Millis,
  type PublicTrade,
  type Seq,
  type Ticker,
  type Ticks,
} from '@crossbook/domain';
import { ascending, candleOf } from '../../wire/candles.ts';
import { asArray, asCounter, asDecimalText, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { levelsOf } from '../../wire/levels.ts';
import { lotsOf, rowsOf, ticksOf } from '../../wire/numbers.ts';
import type { ScaledInstrument } from '../../wire/scaled-instruments.ts';

/**
 * Binance spot payloads to domain values. Pure; every function answers `undefined` for anything that is not exactly
 * the documented shape, so that a damaged message can never become a level, a price or a NaN.
 * Source: rest-api.md and web-socket-streams.md (2026-07-21).
 */

/** `[price, size]`. */
const LEVEL_FIELDS = 2;

/** `depthUpdate`: absolute sizes between update ids `U` and `u`; size 0 removes the level. */
export function normaliseBookDelta(
  data: WireObject,
  scales: ScaledInstrument,
  receivedAt: Millis,
): BookChange | undefined {
  const first = asCounter(data.U);
  const last = asCounter(data.u);
  const time = asCounter(data.E);
  const bids = levelsOf(data.b, scales, LEVEL_FIELDS, 'delta');
  const asks = levelsOf(data.a, scales, LEVEL_FIELDS, 'delta');
  if (first === undefined || last === undefined || time === undefined) return undefined;
  if (bids === undefined || asks === undefined || last < first) return undefined;
  return {
    kind: 'delta',
    symbol: scales.instrument.symbol,
    bids,
    asks,
    firstSeq: first as Seq,
    lastSeq: last as Seq,
    time: time as Millis,
    receivedAt,
  };
}

/** A REST depth answer. It names neither symbol nor time: the time is that of its arrival. */
export function normaliseBookSnapshot(
  answer: unknown,
  scales: ScaledInstrument,
  receivedAt: Millis,
): BookChange | undefined {
  const object = asObject(answer);
  const last = asCounter(object?.lastUpdateId);
  const bids = levelsOf(object?.bids, scales, LEVEL_FIELDS, 'snapshot');
  const asks = levelsOf(object?.asks, scales, LEVEL_FIELDS, 'snapshot');
  if (last === undefined || bids === undefined || asks === undefined) return undefined;
  return {
    kind: 'snapshot',
    symbol: scales.instrument.symbol,
    bids,
    asks,
    firstSeq: last as Seq,
    lastSeq: last as Seq,
    time: receivedAt,
    receivedAt,
  };
}

/** `@trade`. `m` true: the buyer was the maker, so the aggressor sold. */
export function normaliseStreamTrade(data: WireObject, scales: ScaledInstrument): PublicTrade | undefined {
  return tradeOf({ id: data.t, price: data.p, size: data.q, time: data.T, buyerIsMaker: data.m }, scales);
}

/** A REST trades answer, oldest first as the venue sends it. */
export function normaliseTrades(answer: unknown, scales: ScaledInstrument): PublicTrade[] | undefined {
  return rowsOf(answer, (row) => {
    const object = asObject(row);
    if (object === undefined) return undefined;
    const { id, price, qty: size, time, isBuyerMaker: buyerIsMaker } = object;
    return tradeOf({ id, price, size, time, buyerIsMaker }, scales);
  });
}

function tradeOf(
  fields: {
    readonly id: unknown;
    readonly price: unknown;
    readonly size: unknown;
    readonly time: unknown;
    readonly buyerIsMaker: unknown;
  },
  scales: ScaledInstrument,
): PublicTrade | undefined {
  const id = asCounter(fields.id);
  const price = ticksOf(fields.price, scales.tick);
  const size = lotsOf(fields.size, scales);
  const time = asCounter(fields.time);
  if (id === undefined || time === undefined || typeof fields.buyerIsMaker !== 'boolean') return undefined;
  if (price === undefined || price === 0 || size === undefined || size === 0) return undefined;
  return {
    symbol: scales.instrument.symbol,
    id: String(id),
    price: price as Ticks,
    size: size as Lots,
    side: fields.buyerIsMaker ? 'sell' : 'buy',
    time: time as Millis,
  };
}

/** `@ticker`: the rolling 24 hours of one symbol. */
export function normaliseStreamTicker(data: WireObject): Ticker | undefined {
  const { s, c, P, o, h, l, v, q, E, Q } = data;
  return tickerOf([s, c, P, o, h, l, v, q, E, Q]);
}

/** One object of `ticker/24hr`. */
export function normaliseTicker(answer: unknown): Ticker | undefined {
  const object = asObject(answer);
  if (object === undefined) return undefined;
  const { symbol, lastPrice, priceChangePercent, openPrice, highPrice, lowPrice, volume, quoteVolume } =
    object;
  return tickerOf([
    symbol,
    lastPrice,
    priceChangePercent,
    openPrice,
    highPrice,
    lowPrice,
    volume,
    quoteVolume,
    object.closeTime,
    object.lastQty,
  ]);
}

/** A `ticker/24hr` answer for all symbols. */
export function normaliseTickers(answer: unknown): Ticker[] | undefined {
  return rowsOf(answer, normaliseTicker);
}

/** In the order symbol, last, change in percent, open, high, low, base volume, quote volume, time, and the last quantity if it is there. */
function tickerOf(fields: readonly unknown[]): Ticker | undefined {
  const symbol = asText(fields[0]);
  const stats = fields.slice(1, 8).map(asDecimalText);
  const time = asCounter(fields[8]);
  const lastSize = asDecimalText(fields[9]);
  const [lastPrice, change, openPrice, highPrice, lowPrice, volume, quoteVolume] = stats;
  if (symbol === undefined || time === undefined || lastPrice === undefined || change === undefined)
    return undefined;
  if (openPrice === undefined || highPrice === undefined || lowPrice === undefined) return undefined;
  if (volume === undefined || quoteVolume === undefined) return undefined;
  return {
    symbol,
    lastPrice,
    change,
    openPrice,
    highPrice,
    lowPrice,
    volume,
    quoteVolume,
    ...(lastSize === undefined ? {} : { lastSize }),
    time: time as Millis,
  };
}

/** A klines answer: rows of `[openTime, open, high, low, close, volume, …]`, strictly ascending. */
export function normaliseCandles(answer: unknown): Candle[] | undefined {
  return ascending(
    rowsOf(answer, (row) => {
      const fields = asArray(row);
      return fields && candleOf(asCounter(fields[0]) as Millis | undefined, fields.slice(1, 6));
    }),
  );
}

/** `@kline_<interval>`. `x` true: the bar is closed and will not change. */
export function normaliseStreamCandle(
  data: WireObject,
): { readonly interval: CandleInterval; readonly candle: Candle; readonly closed: boolean } | undefined {
  const bar = asObject(data.k);
  if (bar === undefined || typeof bar.x !== 'boolean' || bar.s !== data.s) return undefined;
  const interval = CANDLE_INTERVALS.find((known) => known === bar.i);
  const candle = candleOf(asCounter(bar.t) as Millis | undefined, [bar.o, bar.h, bar.l, bar.c, bar.v]);
  return interval === undefined || candle === undefined ? undefined : { interval, candle, closed: bar.x };
}

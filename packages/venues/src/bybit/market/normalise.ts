import type { BookChange, BookLevel, Candle, Lots, Millis, PublicTrade, Seq, Ticks } from '@crossbook/domain';
import { lotsOf, ticksOf } from '../../wire/figures.ts';
import { asArray, asCounter, asFloat, asObject, asText, type WireObject } from '../../wire/guards.ts';
import type { ScaledInstrument } from '../../wire/scaled-instruments.ts';
import { asMillis } from '../wire.ts';

/**
 * Bybit v5 public payloads to domain values. Pure; every function answers `undefined` for anything that is not exactly
 * the documented shape. Source: bybit-exchange/docs v5, market and websocket/public (2026-07-24).
 */

/** Levels of one message; the venue's largest snapshot has 1,000 a side. */
const LEVELS_PER_MESSAGE_MAX = 5_000;
/** Rows of one answer or message; the venue's largest has 1,024. */
const ROWS_PER_MESSAGE_MAX = 5_000;

/** `data` of an `orderbook` message, or the result of a REST depth call (which is a snapshot). */
export function normaliseBook(
  data: WireObject,
  kind: BookChange['kind'],
  scales: ScaledInstrument,
  when: { readonly time: unknown; readonly receivedAt: Millis },
): BookChange | undefined {
  const seq = asCounter(data.u);
  const time = asMillis(when.time);
  const bids = levelsOf(data.b, scales, kind);
  const asks = levelsOf(data.a, scales, kind);
  if (seq === undefined || time === undefined || bids === undefined || asks === undefined) return undefined;
  if (data.s !== scales.instrument.symbol) return undefined;
  return {
    kind,
    symbol: scales.instrument.symbol,
    bids,
    asks,
    firstSeq: seq as Seq,
    lastSeq: seq as Seq,
    time,
    receivedAt: when.receivedAt,
  };
}

function levelsOf(
  value: unknown,
  scales: ScaledInstrument,
  kind: BookChange['kind'],
): BookLevel[] | undefined {
  const rows = asArray(value);
  if (rows === undefined || rows.length > LEVELS_PER_MESSAGE_MAX) return undefined;
  const levels: BookLevel[] = [];
  for (const row of rows) {
    const pair = asArray(row);
    if (pair === undefined || pair.length !== 2) return undefined;
    const price = ticksOf(pair[0], scales.tick);
    const size = lotsOf(pair[1], scales);
    if (price === undefined || price === 0 || size === undefined) return undefined;
    if (size === 0 && kind === 'snapshot') return undefined;
    levels.push([price as Ticks, size as Lots]);
  }
  return levels;
}

/** `data` of a `publicTrade` message, oldest first as the venue sends it. `S` is the taker's side. */
export function normaliseStreamTrades(value: unknown, scales: ScaledInstrument): PublicTrade[] | undefined {
  return tradesOf(value, scales, (row) => ({
    id: row.i,
    symbol: row.s,
    price: row.p,
    size: row.v,
    side: row.S,
    time: row.T,
    block: row.BT,
  }));
}

/** The `list` of a `recent-trade` answer, newest first on the wire, turned round. */
export function normaliseTrades(value: unknown, scales: ScaledInstrument): PublicTrade[] | undefined {
  return tradesOf(value, scales, (row) => ({
    id: row.execId,
    symbol: row.symbol,
    price: row.price,
    size: row.size,
    side: row.side,
    time: row.time,
    block: row.isBlockTrade,
  }))?.reverse();
}

interface TradeFields {
  readonly id: unknown;
  readonly symbol: unknown;
  readonly price: unknown;
  readonly size: unknown;
  readonly side: unknown;
  readonly time: unknown;
  readonly block: unknown;
}

/** Block trades are agreed beside the book, at prices that need not lie on the grid: they are left out. */
function tradesOf(
  value: unknown,
  scales: ScaledInstrument,
  fieldsOf: (row: WireObject) => TradeFields,
): PublicTrade[] | undefined {
  const rows = asArray(value);
  if (rows === undefined || rows.length > ROWS_PER_MESSAGE_MAX) return undefined;
  const trades: PublicTrade[] = [];
  for (const entry of rows) {
    const row = asObject(entry);
    if (row === undefined) return undefined;
    const fields = fieldsOf(row);
    if (fields.block === true) continue;
    const trade = tradeOf(fields, scales);
    if (trade === undefined) return undefined;
    trades.push(trade);
  }
  return trades;
}

function tradeOf(fields: TradeFields, scales: ScaledInstrument): PublicTrade | undefined {
  const { symbol } = scales.instrument;
  const id = asText(fields.id);
  const price = ticksOf(fields.price, scales.tick);
  const size = lotsOf(fields.size, scales);
  const time = asMillis(fields.time);
  if (id === undefined || time === undefined || fields.symbol !== symbol) return undefined;
  if (price === undefined || price === 0 || size === undefined || size === 0) return undefined;
  if (fields.side !== 'Buy' && fields.side !== 'Sell') return undefined;
  return {
    symbol,
    id,
    price: price as Ticks,
    size: size as Lots,
    side: fields.side === 'Buy' ? 'buy' : 'sell',
    time,
  };
}

/** The `list` of a `kline` answer: rows of strings, newest first on the wire, turned round and strictly ascending. */
export function normaliseCandles(value: unknown): Candle[] | undefined {
  const rows = asArray(value);
  if (rows === undefined || rows.length > ROWS_PER_MESSAGE_MAX) return undefined;
  const candles: Candle[] = [];
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const candle = candleOf(asArray(rows[at]) ?? []);
    const previous = candles.at(-1);
    if (candle === undefined || (previous !== undefined && candle.time <= previous.time)) return undefined;
    candles.push(candle);
  }
  return candles;
}

/** One bar of a `kline` message; `confirm` true: it is closed and will not change. */
export function normaliseStreamCandle(
  row: WireObject,
): { readonly candle: Candle; readonly closed: boolean } | undefined {
  const candle = candleOf([row.start, row.open, row.high, row.low, row.close, row.volume]);
  return candle === undefined || typeof row.confirm !== 'boolean'
    ? undefined
    : { candle, closed: row.confirm };
}

function candleOf(fields: readonly unknown[]): Candle | undefined {
  const time = asMillis(fields[0]);
  const [open, high, low, close, volume] = fields.slice(1, 6).map(asFloat);
  if (time === undefined || open === undefined || high === undefined || low === undefined) return undefined;
  if (close === undefined || volume === undefined || volume < 0 || low < 0) return undefined;
  if (high < Math.max(open, close) || low > Math.min(open, close)) return undefined;
  return { time, open, high, low, close, volume };
}

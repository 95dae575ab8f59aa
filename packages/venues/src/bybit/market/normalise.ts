import type { BookChange, Candle, Lots, Millis, PublicTrade, Seq, Ticks } from '@crossbook/domain';
import { ascending, candleOf } from '../../wire/candles.ts';
import { asArray, asCounter, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { levelsOf } from '../../wire/levels.ts';
import { lotsOf, rowsOf, ticksOf } from '../../wire/numbers.ts';
import type { ScaledInstrument } from '../../wire/scaled-instruments.ts';
import { asMillis } from '../wire.ts';

/**
 * Bybit v5 public payloads to domain values. Pure; every function answers `undefined` for anything that is not exactly
 * the documented shape. Source: bybit-exchange/docs v5, market and websocket/public (2026-07-24).
 */

/** `[price, size]`. */
const LEVEL_FIELDS = 2;
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
  const bids = levelsOf(data.b, scales, LEVEL_FIELDS, kind);
  const asks = levelsOf(data.a, scales, LEVEL_FIELDS, kind);
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
  const candles = rowsOf(value, (row) => {
    const fields = asArray(row) ?? [];
    return candleOf(asMillis(fields[0]), fields.slice(1, 6));
  });
  return ascending(candles?.reverse());
}

/** One bar of a `kline` message; `confirm` true: it is closed and will not change. */
export function normaliseStreamCandle(
  row: WireObject,
): { readonly candle: Candle; readonly closed: boolean } | undefined {
  const candle = candleOf(asMillis(row.start), [row.open, row.high, row.low, row.close, row.volume]);
  return candle === undefined || typeof row.confirm !== 'boolean'
    ? undefined
    : { candle, closed: row.confirm };
}

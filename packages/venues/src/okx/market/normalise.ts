import type { BookChange, BookProof, Candle, Lots, Millis, PublicTrade, Seq, Ticks } from '@crossbook/domain';
import { ascending, candleOf } from '../../wire/candles.ts';
import { asArray, asObject, type WireObject } from '../../wire/guards.ts';
import { levelsOf } from '../../wire/levels.ts';
import { lotsOf, rowsOf, ticksOf } from '../../wire/numbers.ts';
import type { ScaledInstrument } from '../../wire/scaled-instruments.ts';
import { asIdText, asTextCounter } from '../wire.ts';

/**
 * OKX payloads of books, trades and candles to domain values, for spot and perpetuals alike. Pure; every function
 * answers `undefined` for anything that is not exactly the documented shape, so that a damaged message can never become
 * a level, a price or a NaN. Source: OKX v5 guide, market data (2026), and recorded messages of 2022 and 2026.
 */

/** `[price, size, "0" (once liquidation orders), number of orders]`. */
const LEVEL_FIELDS = 4;

/** Ids of one book message. */
export interface BookIds {
  readonly first: number;
  readonly last: number;
}

/** A message of the `books` channel, or the row of a REST answer, whose ids are known. */
export function normaliseBook(
  row: WireObject,
  kind: BookChange['kind'],
  ids: BookIds,
  of: { readonly scales: ScaledInstrument; readonly receivedAt: Millis },
): BookChange | undefined {
  const time = asTextCounter(row.ts);
  const bids = levelsOf(row.bids, of.scales, LEVEL_FIELDS, kind);
  const asks = levelsOf(row.asks, of.scales, LEVEL_FIELDS, kind);
  if (time === undefined || bids === undefined || asks === undefined) return undefined;
  const proof = proofOf(row);
  if (proof === 'malformed') return undefined;
  return {
    kind,
    symbol: of.scales.instrument.symbol,
    bids,
    asks,
    firstSeq: ids.first as Seq,
    lastSeq: ids.last as Seq,
    time: time as Millis,
    receivedAt: of.receivedAt,
    ...(proof === undefined ? {} : { proof }),
  };
}

/** A checksum of 0 says nothing, but the strings beside it may be needed for one that comes later. */
function proofOf(row: WireObject): BookProof | undefined | 'malformed' {
  const { checksum } = row;
  if (checksum === undefined) return undefined;
  if (typeof checksum !== 'number' || (checksum | 0) !== checksum) return 'malformed';
  return {
    checksum,
    bids: row.bids as BookProof['bids'],
    asks: row.asks as BookProof['asks'],
  };
}

/** Trades of a push (oldest first) or a REST answer (newest first), in their order. `side` is the taker's. */
export function normaliseTrades(rows: unknown, scales: ScaledInstrument): PublicTrade[] | undefined {
  return rowsOf(rows, (entry) => {
    const row = asObject(entry);
    if (row === undefined || row.instId !== scales.instrument.symbol) return undefined;
    const id = asIdText(row.tradeId);
    const price = ticksOf(row.px, scales.tick);
    const size = lotsOf(row.sz, scales);
    const time = asTextCounter(row.ts);
    const { side } = row;
    if (id === undefined || time === undefined || (side !== 'buy' && side !== 'sell')) return undefined;
    if (price === undefined || price === 0 || size === undefined || size === 0) return undefined;
    return {
      symbol: scales.instrument.symbol,
      id,
      price: price as Ticks,
      size: size as Lots,
      side,
      time: time as Millis,
    };
  });
}

/** One bar with whether it is closed. */
export interface ReadCandle {
  readonly candle: Candle;
  readonly closed: boolean;
}

/**
 * `[time, open, high, low, close, volume, volumeBase, volumeQuote, confirm]`. The volume of spot counts base; that of a
 * perpetual counts contracts, so that its base volume is the next field.
 */
export function normaliseCandle(entry: unknown, scales: ScaledInstrument): ReadCandle | undefined {
  const row = asArray(entry);
  if (row === undefined || row.length !== 9) return undefined;
  const volume = row[scales.instrument.symbolType === 'SPOT' ? 5 : 6];
  const candle = candleOf(asTextCounter(row[0]) as Millis | undefined, [...row.slice(1, 5), volume]);
  if (candle === undefined || (row[8] !== '0' && row[8] !== '1')) return undefined;
  return { candle, closed: row[8] === '1' };
}

/** A candles answer, newest first at the venue, as bars oldest first and strictly ascending. */
export function normaliseCandles(rows: unknown, scales: ScaledInstrument): Candle[] | undefined {
  return ascending(rowsOf(rows, (entry) => normaliseCandle(entry, scales)?.candle)?.reverse());
}

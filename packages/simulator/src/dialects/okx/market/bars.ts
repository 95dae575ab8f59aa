import { type CandleInterval, candleOpen, type Millis, nextCandleOpen } from '@crossbook/domain';
import type { SimCandle } from '../../../exchange.ts';
import type { PublicMarkets } from '../../../venue.ts';

/**
 * OKX's bars. From 6 hours on a plain bar (`6H`, `1D`) opens by Hong Kong time (UTC+8), its `utc` variant by UTC; bars
 * that the core does not have are folded from smaller ones. Source: OKX v5 guide, "Get candlesticks" (2026).
 */

const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;
const HONG_KONG_MILLIS = 8 * HOUR_MILLIS;
/** Smaller bars behind one answer; a hundred weeks of four hours are 4,200. */
const PARTS_MAX = 20_000;

/** One resolution. */
export interface BarKind {
  readonly name: string;
  /** The core's interval when it has this very bar, otherwise what the bar is folded from. */
  readonly parts: CandleInterval;
  readonly native: boolean;
  /** Opening time of the bar that contains a moment. */
  open(time: Millis): Millis;
  /** Opening time of the bar after the one that opens then. */
  next(open: Millis): Millis;
}

function nativeBar(name: string, interval: CandleInterval): BarKind {
  return {
    name,
    parts: interval,
    native: true,
    open: (time) => candleOpen(time, interval),
    next: (open) => nextCandleOpen(open, interval),
  };
}

/** A bar of a fixed length whose openings are moved by the time zone. */
function fixedBar(name: string, millis: number, parts: CandleInterval, zoneMillis: number): BarKind {
  const open = (time: number) => (Math.floor((time + zoneMillis) / millis) * millis - zoneMillis) as Millis;
  return { name, parts, native: false, open, next: (from) => (from + millis) as Millis };
}

function calendarBar(name: string, months: number, zoneMillis: number): BarKind {
  const begin = (time: number, later: number) => {
    const date = new Date(time + zoneMillis);
    const month = Math.floor(date.getUTCMonth() / months) * months + later;
    return (Date.UTC(date.getUTCFullYear(), month, 1) - zoneMillis) as Millis;
  };
  const parts = zoneMillis === 0 ? '1d' : '4h';
  return { name, parts, native: false, open: (time) => begin(time, 0), next: (open) => begin(open, months) };
}

function weekBar(name: string): BarKind {
  const open = (time: number) =>
    (candleOpen((time + HONG_KONG_MILLIS) as Millis, '1w') - HONG_KONG_MILLIS) as Millis;
  return { name, parts: '4h', native: false, open, next: (from) => (from + 7 * DAY_MILLIS) as Millis };
}

const KINDS: readonly BarKind[] = [
  nativeBar('1s', '1s'),
  nativeBar('1m', '1m'),
  nativeBar('3m', '3m'),
  nativeBar('5m', '5m'),
  nativeBar('15m', '15m'),
  nativeBar('30m', '30m'),
  nativeBar('1H', '1h'),
  nativeBar('2H', '2h'),
  nativeBar('4H', '4h'),
  nativeBar('6Hutc', '6h'),
  nativeBar('12Hutc', '12h'),
  nativeBar('1Dutc', '1d'),
  fixedBar('2Dutc', 2 * DAY_MILLIS, '1d', 0),
  nativeBar('3Dutc', '3d'),
  nativeBar('1Wutc', '1w'),
  nativeBar('1Mutc', '1M'),
  calendarBar('3Mutc', 3, 0),
  fixedBar('6H', 6 * HOUR_MILLIS, '2h', HONG_KONG_MILLIS),
  fixedBar('12H', 12 * HOUR_MILLIS, '4h', HONG_KONG_MILLIS),
  fixedBar('1D', DAY_MILLIS, '4h', HONG_KONG_MILLIS),
  fixedBar('2D', 2 * DAY_MILLIS, '4h', HONG_KONG_MILLIS),
  fixedBar('3D', 3 * DAY_MILLIS, '4h', HONG_KONG_MILLIS),
  weekBar('1W'),
  calendarBar('1M', 1, HONG_KONG_MILLIS),
  calendarBar('3M', 3, HONG_KONG_MILLIS),
];

const BY_NAME: ReadonlyMap<string, BarKind> = new Map(KINDS.map((kind) => [kind.name, kind]));

/** The bar of a name such as `1m` or `1Dutc`; `undefined` when OKX has none. */
export function barKind(name: string): BarKind | undefined {
  return BY_NAME.get(name);
}

/** Which bars are asked for; both ends exclusive and about opening times, as OKX's `before` and `after`. */
export interface BarPage {
  readonly newerThan: number;
  readonly olderThan: number;
  readonly limit: number;
}

/** The newest bars inside the page, ascending. */
export function readBars(
  markets: PublicMarkets,
  symbol: string,
  kind: BarKind,
  page: BarPage,
): readonly SimCandle[] {
  const end = Math.min(page.olderThan - 1, markets.now()) as Millis;
  if (end < 0 || page.limit <= 0) return [];
  if (kind.native) {
    const bars = markets.candles(symbol, kind.parts, { endTime: end, limit: page.limit });
    return bars.filter((bar) => bar.time > page.newerThan);
  }
  const newest = kind.open(end);
  let oldest = newest;
  for (let at = 1; at < page.limit && oldest > page.newerThan && oldest > 0; at += 1) {
    oldest = kind.open((oldest - 1) as Millis);
  }
  const partsEnd = (kind.next(newest) - 1) as Millis;
  const partLimit = { startTime: oldest, endTime: partsEnd, limit: PARTS_MAX };
  const folded = fold(markets.candles(symbol, kind.parts, partLimit), kind);
  return folded.filter((bar) => bar.time > page.newerThan).slice(-page.limit);
}

function fold(parts: readonly SimCandle[], kind: BarKind): SimCandle[] {
  const bars: SimCandle[] = [];
  for (const part of parts) {
    const time = kind.open(part.time);
    const last = bars.at(-1);
    if (last === undefined || last.time !== time) bars.push({ ...part, time });
    else {
      bars[bars.length - 1] = {
        time,
        open: last.open,
        high: Math.max(last.high, part.high),
        low: Math.min(last.low, part.low),
        close: part.close,
        volume: last.volume + part.volume,
        quoteVolume: last.quoteVolume + part.quoteVolume,
        trades: last.trades + part.trades,
        takerBaseVolume: last.takerBaseVolume + part.takerBaseVolume,
        takerQuoteVolume: last.takerQuoteVolume + part.takerQuoteVolume,
      };
    }
  }
  return bars;
}

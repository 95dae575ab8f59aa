import type { Millis } from '@crossbook/domain';
import { barScale, DAY_MILLIS, DAY_MINUTES, flatBar, MINUTE_MILLIS } from './bars.ts';
import type { ClosedBars } from './candles.ts';
import { type DayBars, dayBars } from './day-bars.ts';
import type { FairPrice } from './fair-price.ts';
import { generateDay, type PriceOffset } from './generated-bars.ts';
import type { ListedMarket } from './listing.ts';
import type { PriceShocks } from './price-shocks.ts';
import type { PrintedBars } from './printed-bars.ts';
import type { PlacedRecording } from './replay.ts';
import { splitMinute } from './split-minute.ts';

/** Everything that decides past prices. */
export interface BarSources {
  readonly seed: number;
  readonly fair: FairPrice;
  readonly shocks: PriceShocks;
  readonly printed: PrintedBars;
  readonly recording: PlacedRecording | undefined;
}

/** Lifts the seeded price so that it meets a recording at both ends. */
function seamOffset(
  market: ListedMarket,
  fair: FairPrice,
  placed: PlacedRecording,
): (time: number) => number {
  const { recording, shiftMillis } = placed;
  const scale = barScale(market);
  const start = recording.start + shiftMillis;
  const end = recording.end + shiftMillis;
  const lift = (time: number, ticks: number): number =>
    Math.log(scale.price(ticks)) - Math.log(fair.at(market.symbol, time as Millis));
  const before = lift(start, recording.firstOpen);
  const after = lift(end, recording.lastClose);
  return (time) => (time >= end ? after : before);
}

/** Offsets of all markets; a cross moves with the two markets it is made of. */
function offsets(
  markets: readonly ListedMarket[],
  single: (symbol: string, time: number) => number,
): PriceOffset {
  const crosses = new Map(
    markets.flatMap((market) => (market.crossOf ? [[market.symbol, market.crossOf] as const] : [])),
  );
  return {
    at: (symbol, time) => {
      const cross = crosses.get(symbol);
      if (cross === undefined) return single(symbol, time);
      return single(symbol, time) + single(cross[0], time) - single(cross[1], time);
    },
  };
}

/** The fair price of the running market, and the closed bars below its tape. */
export interface PriceLayers {
  readonly closed: ClosedBars;
  /** Fair price in quote at any time: the seconds of the generated or recorded minute, moved by shocks at once. */
  fairPrice(symbol: string, time: Millis): number;
}

const LIVE_DAYS_MAX = 3;

/** A day on which nothing trades. */
function stillDay(day: number, price: number): DayBars {
  const table = dayBars(day);
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) table.write(minute, flatBar(0, price));
  return table;
}

/** Stacks seeded prices, recording, shocks and printed bars. */
export function priceLayers(markets: readonly ListedMarket[], sources: BarSources): PriceLayers {
  const listed = new Map(
    markets.map((market) => [market.symbol, { market, scale: barScale(market) }] as const),
  );
  const placed = sources.recording;
  const recorded = placed === undefined ? undefined : listed.get(placed.recording.symbol)?.market;
  const seam =
    placed === undefined || recorded === undefined ? () => 0 : seamOffset(recorded, sources.fair, placed);
  const seamOf = (symbol: string, time: number): number => (symbol === recorded?.symbol ? seam(time) : 0);
  const quiet = offsets(markets, seamOf);
  const shocked = offsets(
    markets,
    (symbol, time) => seamOf(symbol, time) + sources.shocks.logAt(symbol, time),
  );
  const shockOnly = offsets(markets, (symbol, time) => sources.shocks.logAt(symbol, time));

  const base = (market: ListedMarket, day: number, offset: PriceOffset): DayBars => {
    const source = { seed: sources.seed, fair: sources.fair, offset };
    const { suspendedSince } = market;
    if (suspendedSince !== undefined && day >= suspendedSince) {
      return stillDay(day, generateDay(source, market, suspendedSince).read(0).open);
    }
    const table = generateDay(source, market, day);
    if (placed !== undefined && market === recorded) {
      placed.recording.overlay(day - placed.shiftMillis / DAY_MILLIS, table);
    }
    return table;
  };
  const liveTables = new Map<string, DayBars>();
  const paths = new Map<string, { readonly time: number; readonly prices: Float64Array }>();
  const liveTable = (market: ListedMarket, day: number): DayBars => {
    const key = `${market.symbol} ${day}`;
    const known = liveTables.get(key);
    if (known !== undefined) return known;
    if (liveTables.size >= LIVE_DAYS_MAX * listed.size)
      liveTables.delete(liveTables.keys().next().value as string);
    const made = base(market, day, quiet);
    liveTables.set(key, made);
    return made;
  };
  /** Prices at the 61 second boundaries of a minute, in ticks. */
  const secondsOf = (market: ListedMarket, time: number): Float64Array => {
    const known = paths.get(market.symbol);
    if (known?.time === time) return known.prices;
    const day = Math.floor(time / DAY_MILLIS);
    const minute = liveTable(market, day).read((time - day * DAY_MILLIS) / MINUTE_MILLIS);
    const bars = splitMinute(sources.seed, market.symbol, minute);
    const prices = Float64Array.of(minute.open, ...bars.map((bar) => bar.close));
    paths.set(market.symbol, { time, prices });
    return prices;
  };
  return {
    closed: {
      day: (market, day) => {
        const table = base(market, day, shocked);
        sources.printed.overlay(market.symbol, table);
        return table;
      },
      seconds: (market, minute) => splitMinute(sources.seed, market.symbol, minute),
    },
    fairPrice: (symbol, time) => {
      const entry = listed.get(symbol);
      if (entry === undefined) return Number.NaN;
      const start = Math.floor(time / MINUTE_MILLIS) * MINUTE_MILLIS;
      const prices = secondsOf(entry.market, start);
      const second = (time - start) / 1_000;
      const whole = Math.floor(second);
      const from = prices[whole] as number;
      const ticks = from + ((prices[whole + 1] as number) - from) * (second - whole);
      return entry.scale.price(ticks) * Math.exp(shockOnly.at(symbol, time));
    },
  };
}

import type { Millis } from '@crossbook/domain';
import { type BarScale, barScale, DAY_MILLIS, DAY_MINUTES, MINUTE_MILLIS } from './bars/bars.ts';
import type { DayBars } from './bars/day-bars.ts';
import type { ClosedBars } from './candles.ts';
import { crowdOf, type ListedMarket, storyOf } from './listing/listing.ts';
import type { FairPrice } from './story/fair-price.ts';
import { generateDay } from './story/generated-bars.ts';
import { minuteTrades } from './story/minute-trades.ts';
import { type PriceReference, stillDay } from './story/price-reference.ts';
import type { PrintedBars } from './story/printed-bars.ts';

/** The fair price of the running market, and the closed bars below its tape. */
export interface PriceLayers {
  readonly closed: ClosedBars;
  /** Fair price in quote at any time: the story's, moved by the market's own tilt. */
  fairPrice(symbol: string, time: Millis): number;
}

type Tilt = (time: number) => number;
type MakeDay = (day: number, room?: Float64Array) => DayBars;

/** The seeded prices of one market that follows a story. */
function tilted(reference: PriceReference, story: string, tilt: Tilt): FairPrice {
  const { fair } = reference;
  return {
    minutePath: (_, day) => {
      const start = day * DAY_MILLIS;
      return fair.minutePath(story, day).map((value, at) => value + tilt(start + at * MINUTE_MILLIS));
    },
    activity: (_, day) => fair.activity(story, day),
    minuteDeviation: (_, day) => fair.minuteDeviation(story, day),
    dayMood: (_, day) => fair.dayMood(story, day),
    at: (_, time) => fair.at(story, time) * Math.exp(tilt(time)),
  };
}

/** Prices of a recording as a market that follows it shows them; volumes stay its own. */
function followRecording(
  table: DayBars,
  reported: DayBars,
  shape: { readonly from: BarScale; readonly to: BarScale; readonly tilt: Tilt; readonly minutes: Minutes },
): void {
  const start = table.day * DAY_MILLIS;
  for (let minute = shape.minutes.from; minute < shape.minutes.to; minute += 1) {
    const source = reported.read(minute);
    const bar = table.read(minute);
    const time = start + minute * MINUTE_MILLIS;
    const ticks = (value: number, at: number): number =>
      Math.max(1, Math.round(shape.to.ticks(shape.from.price(value) * Math.exp(shape.tilt(at)))));
    bar.open = ticks(source.open, time);
    bar.close = ticks(source.close, time + MINUTE_MILLIS);
    bar.high = Math.max(bar.open, bar.close, ticks(source.high, time));
    bar.low = Math.min(bar.open, bar.close, ticks(source.low, time));
    const typical = (bar.open + bar.high + bar.low + bar.close) / 4;
    bar.quote = Math.round(bar.lots * typical);
    bar.takerQuote = Math.round(bar.takerLots * typical);
    table.write(minute, bar);
  }
}

/** Minutes of a day, the end exclusive. */
interface Minutes {
  readonly from: number;
  readonly to: number;
}

/** Which minutes of a day a recording covers. */
function recordedMinutes(reference: PriceReference, story: string, day: number): Minutes {
  const placed = reference.recording;
  if (placed === undefined || placed.recording.symbol !== story) return { from: 0, to: 0 };
  const minuteOf = (time: number): number =>
    Math.max(0, Math.min(DAY_MINUTES, (time + placed.shiftMillis - day * DAY_MILLIS) / MINUTE_MILLIS));
  return {
    from: Math.floor(minuteOf(placed.recording.start)),
    to: Math.ceil(minuteOf(placed.recording.end)),
  };
}

/** Makes the days of a market that follows a story. */
function followedDay(
  reference: PriceReference,
  market: ListedMarket,
  parts: { readonly tilt: Tilt; readonly storyScale: BarScale },
): MakeDay {
  const story = storyOf(market);
  const scale = barScale(market);
  const source = {
    seed: reference.seed,
    fair: tilted(reference, story, parts.tilt),
    offset: { at: (_: string, time: number) => reference.offsetAt(story, time) },
  };
  const { suspendedSince } = market;
  return (day, room) => {
    if (suspendedSince !== undefined && day >= suspendedSince) {
      return stillDay(day, generateDay(source, market, suspendedSince).read(0).open);
    }
    const table = generateDay(source, market, day, room);
    const minutes = recordedMinutes(reference, story, day);
    if (minutes.to > minutes.from) {
      const shape = { from: parts.storyScale, to: scale, tilt: parts.tilt, minutes };
      followRecording(table, reference.day(story, day), shape);
    }
    return table;
  };
}

/** Stacks the story of each market, its tilt, and printed bars. */
export function priceLayers(
  markets: readonly ListedMarket[],
  sources: { readonly reference: PriceReference; readonly printed: PrintedBars },
): PriceLayers {
  const { reference, printed } = sources;
  const tilts = new Map<string, Tilt>();
  const days = new Map<string, MakeDay>();
  for (const market of markets) {
    const { symbol, story } = market;
    if (story === undefined) {
      tilts.set(symbol, () => 0);
      days.set(symbol, (day, room) => reference.day(symbol, day, room));
      continue;
    }
    const tilt = story.tilt(reference.seed);
    tilts.set(symbol, tilt);
    days.set(symbol, followedDay(reference, market, { tilt, storyScale: reference.scaleOf(story.of) }));
  }
  const stories = new Map(markets.map((market) => [market.symbol, storyOf(market)]));
  return {
    closed: {
      day: (market, day, room) => {
        const table = (days.get(market.symbol) as MakeDay)(day, room);
        printed.overlay(market.symbol, table);
        return table;
      },
      trades: (market, minute) =>
        minuteTrades(
          {
            seed: reference.seed,
            story: storyOf(market),
            crowd: crowdOf(market),
            contract: market.contractValue !== undefined,
          },
          minute,
        ),
    },
    fairPrice: (symbol, time) => {
      const story = stories.get(symbol);
      if (story === undefined) return Number.NaN;
      const tilt = tilts.get(symbol) as Tilt;
      return reference.storyPrice(story, time) * Math.exp(tilt(time));
    },
  };
}

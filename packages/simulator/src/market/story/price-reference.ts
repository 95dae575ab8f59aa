import { type Millis, ok, type Result } from '@crossbook/domain';
import { type BarScale, barScale, DAY_MILLIS, DAY_MINUTES, flatBar, MINUTE_MILLIS } from '../bars/bars.ts';
import { type DayBars, dayBars } from '../bars/day-bars.ts';
import { LISTING, type ListedMarket } from '../listing/listing.ts';
import { type FairPrice, fairPrice } from './fair-price.ts';
import { generateDay, type PriceOffset } from './generated-bars.ts';
import type { MarketFiles } from './market-files.ts';
import { minutePath } from './minute-trades.ts';
import { priceShocks } from './price-shocks.ts';
import { openRecording, type PlacedRecording, type ReplayPlan } from './replay.ts';

/** What the story of every coin is made from. */
export interface PriceReferenceParts {
  readonly seed: number;
  readonly now: Millis;
  /** Keeps shocks, and where a recording was placed. */
  readonly files: MarketFiles;
  readonly replay?: ReplayPlan;
  /** The markets that tell their own story; Binance's spot listing when absent. */
  readonly markets?: readonly ListedMarket[];
}

/**
 * The story of every coin, told once for all venues: seeded prices, a recording over one of them, and shocks. Markets of
 * other venues, and contracts, follow a story by their own tilt.
 */
export interface PriceReference {
  readonly seed: number;
  /** Seeded prices, without recording and shocks. */
  readonly fair: FairPrice;
  readonly recording: PlacedRecording | undefined;
  /** Logarithm of what shocks and the seams of a recording make of a story's seeded price. */
  offsetAt(story: string, time: number): number;
  /** Price of a story in quote at any time: the seconds of its generated or recorded minute, moved by shocks at once. */
  storyPrice(story: string, time: Millis): number;
  /** In which steps a story is told. */
  scaleOf(story: string): BarScale;
  /** One whole day of a story's minutes, without what a tape printed. @param room where to write it. */
  day(story: string, day: number, room?: Float64Array): DayBars;
  /** The story's price at a time long gone: what its minutes say, without their seconds. */
  pastPrice(story: string, time: Millis): number;
  /** Multiplies a story's price from `time` on. A cross is moved through its base. */
  shock(story: string, factor: number, time: Millis): void;
  /** Tells of every shock. */
  onShock(watcher: ShockWatcher): void;
}

/** Somebody whom shocks concern. */
export interface ShockWatcher {
  /** The prices of these stories are about to jump: what was told of them until now must be written down. */
  before(stories: ReadonlySet<string>): void;
  /** They have jumped: what was derived from prices is stale. */
  after(stories: ReadonlySet<string>): void;
}

const LIVE_DAYS_MAX = 3;

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

/** A day on which nothing trades. */
export function stillDay(day: number, price: number): DayBars {
  const table = dayBars(day);
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) table.write(minute, flatBar(0, price));
  return table;
}

/**
 * Opens the story of every coin.
 * @returns a refusal, as a sentence naming file and line, only when a recording cannot be used.
 */
export async function openPriceReference(
  parts: PriceReferenceParts,
): Promise<Result<PriceReference, string>> {
  const markets = parts.markets ?? LISTING;
  const { files, now } = parts;
  const opened =
    parts.replay === undefined ? undefined : await openRecording(parts.replay, markets, { files, now });
  if (opened?.ok === false) return opened;
  return ok(priceReference(parts, markets, opened?.value));
}

function priceReference(
  parts: PriceReferenceParts,
  markets: readonly ListedMarket[],
  placed: PlacedRecording | undefined,
): PriceReference {
  const { seed } = parts;
  const shocks = priceShocks(parts.files);
  const fair = fairPrice(seed, markets);
  const listed = new Map(
    markets.map((market) => [market.symbol, { market, scale: barScale(market) }] as const),
  );
  const recorded = placed === undefined ? undefined : listed.get(placed.recording.symbol)?.market;
  const seam = placed === undefined || recorded === undefined ? () => 0 : seamOffset(recorded, fair, placed);
  const seamOf = (symbol: string, time: number): number => (symbol === recorded?.symbol ? seam(time) : 0);
  const quiet = offsets(markets, seamOf);
  const shocked = offsets(markets, (symbol, time) => seamOf(symbol, time) + shocks.logAt(symbol, time));
  const shockOnly = offsets(markets, (symbol, time) => shocks.logAt(symbol, time));
  const base = (market: ListedMarket, day: number, offset: PriceOffset, room?: Float64Array): DayBars => {
    const source = { seed, fair, offset };
    const { suspendedSince } = market;
    if (suspendedSince !== undefined && day >= suspendedSince) {
      return stillDay(day, generateDay(source, market, suspendedSince).read(0).open);
    }
    const table = generateDay(source, market, day, room);
    if (placed !== undefined && market === recorded) {
      placed.recording.overlay(day - placed.shiftMillis / DAY_MILLIS, table);
    }
    return table;
  };
  const entryOf = (story: string): { market: ListedMarket; scale: BarScale } => {
    const entry = listed.get(story);
    if (entry === undefined) throw new Error(`invariant broken: ${story} tells no story`);
    return entry;
  };
  const live = livePrices(seed, (market, day) => base(market, day, quiet));
  const watchers: ShockWatcher[] = [];
  return {
    seed,
    fair,
    recording: placed,
    offsetAt: (story, time) => shocked.at(story, time),
    scaleOf: (story) => entryOf(story).scale,
    day: (story, day, room) => base(entryOf(story).market, day, shocked, room),
    pastPrice: (story, time) => fair.at(story, time) * Math.exp(shocked.at(story, time)),
    storyPrice: (story, time) => {
      const entry = listed.get(story);
      if (entry === undefined) return Number.NaN;
      return entry.scale.price(live(entry.market, time)) * Math.exp(shockOnly.at(story, time));
    },
    shock: (story, factor, time) => {
      const symbol = entryOf(story).market.crossOf?.[0] ?? story;
      const crossed = markets.filter(({ crossOf }) => crossOf?.includes(symbol));
      const stories = new Set([symbol, ...crossed.map((market) => market.symbol)]);
      for (const watcher of watchers) watcher.before(stories);
      shocks.add({ symbol, time, factor });
      for (const watcher of watchers) watcher.after(stories);
    },
    onShock: (watcher) => void watchers.push(watcher),
  };
}

/** Prices in ticks between the seconds of the minute that a time falls into. */
function livePrices(
  seed: number,
  day: (market: ListedMarket, day: number) => DayBars,
): (market: ListedMarket, time: Millis) => number {
  const tables = new Map<string, Map<number, DayBars>>();
  const paths = new Map<string, { readonly time: number; readonly prices: Float64Array }>();
  const tableOf = (market: ListedMarket, at: number): DayBars => {
    const days = tables.get(market.symbol) ?? new Map<number, DayBars>();
    tables.set(market.symbol, days);
    const known = days.get(at);
    if (known !== undefined) return known;
    if (days.size >= LIVE_DAYS_MAX) days.delete(days.keys().next().value as number);
    const made = day(market, at);
    days.set(at, made);
    return made;
  };
  /** Prices at the 61 second boundaries of a minute. */
  const secondsOf = (market: ListedMarket, time: number): Float64Array => {
    const known = paths.get(market.symbol);
    if (known?.time === time) return known.prices;
    const at = Math.floor(time / DAY_MILLIS);
    const minute = tableOf(market, at).read((time - at * DAY_MILLIS) / MINUTE_MILLIS);
    const prices = minutePath(seed, market.symbol, minute);
    paths.set(market.symbol, { time, prices });
    return prices;
  };
  return (market, time) => {
    const start = Math.floor(time / MINUTE_MILLIS) * MINUTE_MILLIS;
    const prices = secondsOf(market, start);
    const second = (time - start) / 1_000;
    const whole = Math.floor(second);
    const from = prices[whole] as number;
    return from + ((prices[whole + 1] as number) - from) * (second - whole);
  };
}

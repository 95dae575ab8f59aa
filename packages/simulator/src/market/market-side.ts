import { assert, type Millis, ok, type Result } from '@crossbook/domain';
import type { SimTrade } from '../exchange.ts';
import { type MarketSide, TRADE_ID_ORIGIN } from '../market-port.ts';
import { type Bar, DAY_MINUTES, MINUTE_MILLIS } from './bars.ts';
import { Candles } from './candles.ts';
import { type PriceLayers, priceLayers } from './closed-bars.ts';
import { Crowd } from './crowd.ts';
import { LISTING, type ListedMarket, storyOf } from './listing.ts';
import type { MarketFiles } from './market-files.ts';
import { openPriceReference, type PriceReference } from './price-reference.ts';
import { printedBars } from './printed-bars.ts';
import type { ReplayPlan } from './replay.ts';
import { historyTrades, Tape } from './tape.ts';

/** What the market side is made of; everything that acts from outside is handed in. */
export interface MarketSideParts {
  /** The same seed, inputs and times give the same market, tick for tick. */
  readonly seed: number;
  readonly clock: () => Millis;
  /** Calls `work` about every so many milliseconds until the returned function is called. Absent: only `step` moves the market. */
  readonly every?: (millis: number, work: () => void) => () => void;
  readonly files: MarketFiles;
  readonly replay?: ReplayPlan;
  readonly markets?: readonly ListedMarket[];
  /** The story of every coin, where several sides share it; absent, `markets` tell their own. */
  readonly reference?: PriceReference;
}

/** The market side as its owner sees it: the core's port, and a hand to move it without a timer. */
export interface RunningMarketSide extends MarketSide {
  /** Lets everything happen that is due at `now`: bars close, agents act. The timer calls it; tests call it themselves. */
  step(now: Millis): void;
  /** Somebody looks at this book or its tape: full agents until the returned function is called. Unknown symbols do nothing. */
  watch(symbol: string): () => void;
  /** The story of every coin, for the other sides that share it. */
  readonly reference: PriceReference;
  /** Minutes of the recording that drives a market; 0 without one. */
  readonly recordedMinutes: number;
}

function beginTape(
  market: ListedMarket,
  history: Candles,
  times: { readonly now: Millis; readonly lastTradeId: number },
  onMinute: (bar: Bar, lastTradeId: number) => void,
): Tape {
  const openMinute = (Math.floor(times.now / MINUTE_MILLIS) * MINUTE_MILLIS) as Millis;
  const minutes = history.closedMinutes(market.symbol, openMinute, DAY_MINUTES);
  const past = history.seconds(market.symbol, openMinute).filter((bar) => bar.time + 1_000 <= times.now);
  const recent = Array.from({ length: 10 }, (_, at) =>
    history.seconds(market.symbol, openMinute - (10 - at) * MINUTE_MILLIS),
  ).flat();
  return new Tape(market, {
    minutes,
    seconds: past,
    openMinute,
    lastTradeId: times.lastTradeId,
    trades: historyTrades(market.symbol, [...recent, ...past], times.lastTradeId),
    history: (time) => history.closedMinute(market.symbol, time),
    onMinute,
  });
}

/**
 * Opens the market side: prices, history and tapes stand when it resolves; agents begin with `start`.
 * @returns a refusal, as a sentence naming file and line, only when a recording cannot be used.
 */
export async function openMarketSide(parts: MarketSideParts): Promise<Result<RunningMarketSide, string>> {
  const markets = parts.markets ?? LISTING;
  const now = parts.clock();
  const { seed, files } = parts;
  const replay = parts.replay === undefined ? {} : { replay: parts.replay };
  const opened =
    parts.reference === undefined
      ? await openPriceReference({ seed, now, files, markets, ...replay })
      : ok(parts.reference);
  if (!opened.ok) return opened;
  const reference = opened.value;
  const printed = printedBars(files);
  const layers = priceLayers(markets, { reference, printed });
  const tapes = new Map<string, Tape>();
  const history = new Candles(markets, {
    closed: layers.closed,
    clock: parts.clock,
    live: {
      openMinute: (symbol) => tapes.get(symbol)?.openMinute(),
      second: (symbol, time) => tapes.get(symbol)?.second(time),
    },
  });
  const crowd = new Crowd({
    seed,
    clock: parts.clock,
    ...(parts.every === undefined ? {} : { every: parts.every }),
    fairPrice: layers.fairPrice,
    seconds: (symbol, minute) => history.closedSeconds(symbol, minute),
    minutePassed: printed.flush,
    watched: (symbol) => history.prepare(symbol),
    idle: () => void history.prepareDay(),
  });
  const begin = (market: ListedMarket, lastUsed: number): Tape => {
    const lastTradeId = Math.max(TRADE_ID_ORIGIN, printed.lastTradeId(market.symbol), lastUsed);
    const times = { now: parts.clock(), lastTradeId };
    const tape = beginTape(market, history, times, (bar, tradeId) => {
      printed.print(market.symbol, bar, tradeId);
      history.closed(market.symbol, bar);
    });
    tapes.set(market.symbol, tape);
    return tape;
  };
  markets.forEach((market, index) => {
    crowd.add(market, (lastUsed) => begin(market, lastUsed), { index, count: markets.length });
  });
  reference.onShock({
    before: (stories) => crowd.lookAtStories(stories),
    after: () => history.forget(),
  });
  return ok(marketSide({ markets, reference, layers, history, crowd, clock: parts.clock }));
}

/** The port over its parts. */
function marketSide(side: {
  readonly markets: readonly ListedMarket[];
  readonly reference: PriceReference;
  readonly layers: PriceLayers;
  readonly history: Candles;
  readonly crowd: Crowd;
  readonly clock: () => Millis;
}): RunningMarketSide {
  const { markets, reference, crowd, history, clock } = side;
  const stories = new Map(markets.map((market) => [market.symbol, storyOf(market)]));
  return {
    markets,
    reference,
    recordedMinutes: reference.recording?.recording.minutes ?? 0,
    fairPrice: side.layers.fairPrice,
    averagePrice: (symbol) => crowd.rolled(symbol).averagePrice(),
    ticker: (symbol) => crowd.rolled(symbol).ticker(clock()),
    trades: (symbol, page): readonly SimTrade[] => crowd.rolled(symbol).trades(page),
    candles: (symbol, interval, page) => {
      crowd.rolled(symbol);
      return history.page(symbol, interval, page);
    },
    look: (symbol) => crowd.look(symbol),
    restingTouch: (symbol) => crowd.restingTouch(symbol),
    watch: (symbol) => crowd.watch(symbol),
    step: (now) => crowd.step(now),
    start: (house) => crowd.start(house),
    stop: () => {
      crowd.stop();
      return Promise.resolve();
    },
    setAgentsPaused: (paused) => crowd.setPaused(paused),
    onTrade: (trade) => crowd.rolled(trade.symbol).add(trade),
    shock: (symbol, factor) => {
      const story = stories.get(symbol);
      assert(story !== undefined, `only listed markets are shocked, not ${symbol}`);
      assert(factor > 0 && Number.isFinite(factor), 'a shock multiplies by a positive number');
      reference.shock(story, factor, clock());
    },
  };
}

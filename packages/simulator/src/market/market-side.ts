import { assert, type Millis, ok, type Result } from '@crossbook/domain';
import type { SimTrade } from '../exchange.ts';
import { type MarketSide, TRADE_ID_ORIGIN } from '../market-port.ts';
import { DAY_MILLIS, DAY_MINUTES, MINUTE_MILLIS } from './bars/bars.ts';
import { LiveTrades } from './bars/trade-log.ts';
import { Candles } from './candles.ts';
import { type PriceLayers, priceLayers } from './closed-bars.ts';
import { Crowd, type TradeIds } from './crowd.ts';
import { LISTING, type ListedMarket, storyOf } from './listing/listing.ts';
import type { MarketFiles } from './story/market-files.ts';
import { openPriceReference, type PriceReference } from './story/price-reference.ts';
import { type PrintedBars, printedBars } from './story/printed-bars.ts';
import type { ReplayPlan } from './story/replay.ts';
import { Tape } from './tape.ts';
import { type TradeIdMarks, tradeIdMarks } from './trade-id-marks.ts';

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
  /** Whether bars begin at the last price before them, as Bybit's do (recorded 2025-05, every one), or at their first trade. */
  readonly opensAtLastClose?: boolean;
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

/** What tapes are begun with. */
interface TapeParts {
  readonly now: Millis;
  readonly history: Candles;
  readonly printed: PrintedBars;
  readonly live: LiveTrades;
  readonly marks: TradeIdMarks;
}

/** Trades that nobody numbered while the process was down: at most those of so long are counted on. */
const COUNTED_MILLIS_MAX = 14 * DAY_MILLIS;

/**
 * Id of a market's last trade up to now. Ids that were told before a restart stay: the trades since then are history's and
 * are counted. After a crash the book's own ids go on above those set aside: there is a hole then, here.
 */
function lastIdNow(market: ListedMarket, ids: TradeIds, parts: TapeParts): number {
  const { symbol } = market;
  const { now, history, printed, marks } = parts;
  const used = Math.max(TRADE_ID_ORIGIN, printed.lastTradeId(symbol), ids.last());
  const mark = marks.of(symbol);
  if (mark === undefined || mark.minute > now || now - mark.minute > COUNTED_MILLIS_MAX) return used;
  const openMinute = Math.floor(now / MINUTE_MILLIS) * MINUTE_MILLIS;
  const count = Math.max(0, openMinute - mark.minute) / MINUTE_MILLIS - 1;
  let lastId = mark.lastId;
  for (const bar of history.closedMinutes(symbol, openMinute, Math.max(0, count))) lastId += bar.trades;
  const { times } = history.closedTrades(symbol, openMinute);
  for (const time of times) if (time <= now) lastId += 1;
  if (lastId > ids.last()) ids.take(lastId - ids.last());
  return lastId;
}

/** Begins the tape of a market: the day before `now` is history's, whatever printed it. */
function beginTape(market: ListedMarket, ids: TradeIds, parts: TapeParts): Tape {
  const { symbol } = market;
  const { now, history, printed, live, marks } = parts;
  const openMinute = Math.floor(now / MINUTE_MILLIS) * MINUTE_MILLIS;
  return new Tape(market, {
    now,
    minutes: history.closedMinutes(symbol, openMinute, DAY_MINUTES),
    lastTradeId: lastIdNow(market, ids, parts),
    story: {
      minute: (time) => history.closedMinute(symbol, time),
      trades: (time) => history.closedTrades(symbol, time),
      takeTradeIds: ids.take,
    },
    live,
    onMinute: (bar, { lastTradeId, slept }) => {
      marks.note(symbol, { minute: bar.time, lastId: lastTradeId });
      if (slept) return;
      printed.print(symbol, bar, lastTradeId);
      history.closed(symbol, bar);
    },
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
    opensAtLastClose: parts.opensAtLastClose ?? false,
    live: {
      openMinute: (symbol) => tapes.get(symbol)?.openMinute(),
      trades: (symbol, minute) => tapes.get(symbol)?.liveTrades(minute),
    },
  });
  const crowd = new Crowd({
    seed,
    clock: parts.clock,
    ...(parts.every === undefined ? {} : { every: parts.every }),
    fairPrice: layers.fairPrice,
    trades: (symbol, minute) => history.closedTrades(symbol, minute),
    minutePassed: printed.flush,
    watched: (symbol) => history.prepare(symbol),
    idle: () => void history.prepareDay(),
  });
  const live = new LiveTrades();
  const marks = tradeIdMarks(files);
  const begin = (market: ListedMarket, ids: TradeIds): Tape => {
    const tape = beginTape(market, ids, { now: parts.clock(), history, printed, live, marks });
    tapes.set(market.symbol, tape);
    return tape;
  };
  markets.forEach((market, index) => {
    crowd.add(market, (ids) => begin(market, ids), { index, count: markets.length });
  });
  reference.onShock({
    before: (stories) => crowd.lookAtStories(stories),
    after: (stories) => {
      history.forget();
      crowd.followStories(stories);
    },
  });
  return ok(marketSide({ markets, reference, layers, history, crowd, marks, clock: parts.clock }));
}

/** The port over its parts. */
function marketSide(side: {
  readonly markets: readonly ListedMarket[];
  readonly reference: PriceReference;
  readonly layers: PriceLayers;
  readonly history: Candles;
  readonly crowd: Crowd;
  readonly marks: TradeIdMarks;
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
    read: (symbol) => crowd.read(symbol),
    restingTouch: (symbol) => crowd.restingTouch(symbol),
    watch: (symbol) => crowd.watch(symbol),
    step: (now) => crowd.step(now),
    start: (house) => crowd.start(house),
    stop: () => {
      crowd.stop();
      side.marks.flush();
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

import { assert, type Millis, ok, type Result } from '@crossbook/domain';
import type { SimTrade } from '../exchange.ts';
import { type HouseTrading, type MarketSide, TRADE_ID_ORIGIN } from '../market-port.ts';
import { BookAgents } from './agents.ts';
import { type Bar, DAY_MINUTES, MINUTE_MILLIS } from './bars.ts';
import { Candles } from './candles.ts';
import { type PriceLayers, priceLayers } from './closed-bars.ts';
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

/** A watched market acts this often, a quiet one once a second; the two halves of the watched ones take turns. */
const STEP_MILLIS = 50;
const FULL_STEP_MILLIS = 100;
const QUIET_STEP_MILLIS = 1_000;

interface MarketState {
  readonly market: ListedMarket;
  readonly tape: Tape;
  agents: BookAgents | undefined;
  watchers: number;
  /** Offsets its steps from those of the other markets, so that the work is spread. */
  readonly phase: number;
  /** Number of the last step taken, counted in steps since 1970. */
  lastStep: number;
}

function beginTape(
  market: ListedMarket,
  history: Candles,
  times: { readonly now: Millis; readonly lastTradeId: number },
  onMinute: (bar: Bar, lastTradeId: number) => void,
): Tape {
  const openMinute = (Math.floor(times.now / MINUTE_MILLIS) * MINUTE_MILLIS) as Millis;
  const minutes = Array.from({ length: DAY_MINUTES }, (_, at) =>
    history.minute(market.symbol, openMinute - (DAY_MINUTES - at) * MINUTE_MILLIS),
  );
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
  const states = new Map<string, MarketState>();
  const history = new Candles(markets, {
    closed: layers.closed,
    clock: parts.clock,
    live: {
      openMinute: (symbol) => states.get(symbol)?.tape.openMinute(),
      second: (symbol, time) => states.get(symbol)?.tape.second(time),
    },
  });
  markets.forEach((market, index) => {
    const lastTradeId = Math.max(TRADE_ID_ORIGIN, printed.lastTradeId(market.symbol));
    const tape = beginTape(market, history, { now, lastTradeId }, (bar, tradeId) => {
      printed.print(market.symbol, bar, tradeId);
      history.closed(market.symbol, bar);
    });
    const phase = Math.floor((index * QUIET_STEP_MILLIS) / markets.length / STEP_MILLIS) * STEP_MILLIS;
    states.set(market.symbol, { market, tape, agents: undefined, watchers: 0, phase, lastStep: 0 });
  });
  reference.onShock(() => history.forget());
  const crowd = agentClock(parts, states, {
    fairPrice: layers.fairPrice,
    minutePassed: printed.flush,
    idle: () => void history.prepareDay(),
  });
  return ok({
    markets,
    reference,
    recordedMinutes: reference.recording?.recording.minutes ?? 0,
    ...marketReads({ states, layers, history, clock: parts.clock }),
    ...crowd,
    onTrade: (trade) => tapeOf(states, trade.symbol).add(trade),
    shock: (symbol, factor) => {
      assert(factor > 0 && Number.isFinite(factor), 'a shock multiplies by a positive number');
      reference.shock(storyOf(tapeMarket(states, symbol)), factor, parts.clock());
    },
  });
}

function tapeMarket(states: ReadonlyMap<string, MarketState>, symbol: string): ListedMarket {
  const state = states.get(symbol);
  assert(state !== undefined, `only listed markets are shocked, not ${symbol}`);
  return state.market;
}

function tapeOf(states: ReadonlyMap<string, MarketState>, symbol: string): Tape {
  const state = states.get(symbol);
  assert(state !== undefined, `only listed markets are asked for, not ${symbol}`);
  return state.tape;
}

/** The questions of the port: what the market looks like. */
function marketReads(side: {
  readonly states: ReadonlyMap<string, MarketState>;
  readonly layers: PriceLayers;
  readonly history: Candles;
  readonly clock: () => Millis;
}): Pick<MarketSide, 'fairPrice' | 'averagePrice' | 'ticker' | 'trades' | 'candles'> {
  const rolled = (symbol: string): Tape => {
    const tape = tapeOf(side.states, symbol);
    tape.roll(side.clock());
    return tape;
  };
  return {
    fairPrice: side.layers.fairPrice,
    averagePrice: (symbol) => rolled(symbol).averagePrice(),
    ticker: (symbol) => rolled(symbol).ticker(side.clock()),
    trades: (symbol, page): readonly SimTrade[] => tapeOf(side.states, symbol).trades(page),
    candles: (symbol, interval, page) => {
      rolled(symbol);
      return side.history.page(symbol, interval, page);
    },
  };
}

/** The clockwork of the port: when agents act and bars close. */
function agentClock(
  parts: MarketSideParts,
  states: ReadonlyMap<string, MarketState>,
  side: {
    readonly fairPrice: PriceLayers['fairPrice'];
    readonly minutePassed: () => void;
    /** A small piece of work that makes later questions quick. */
    readonly idle: () => void;
  },
): Pick<RunningMarketSide, 'start' | 'stop' | 'step' | 'setAgentsPaused' | 'watch'> {
  let stopTimer: (() => void) | undefined;
  let house: HouseTrading | undefined;
  let paused = false;
  let flushedMinute = 0;
  const act = (state: MarketState, now: Millis): void => {
    const { agents, market } = state;
    if (agents === undefined || house === undefined) return;
    const full = state.watchers > 0 || house.membersRest(market.symbol);
    const period = full ? FULL_STEP_MILLIS : QUIET_STEP_MILLIS;
    const due =
      now - state.lastStep >= period ||
      Math.floor((now - state.phase) / period) > Math.floor((state.lastStep - state.phase) / period);
    if (!due) return;
    state.lastStep = now;
    agents.step(now, full);
  };
  const step = (now: Millis): void => {
    if (!paused) for (const state of states.values()) act(state, now);
    for (const state of states.values()) state.tape.roll(now);
    const minute = Math.floor(now / MINUTE_MILLIS);
    if (minute !== flushedMinute) side.minutePassed();
    flushedMinute = minute;
  };
  return {
    step,
    start: (trading) => {
      assert(house === undefined, 'agents start once');
      house = trading;
      const now = parts.clock();
      for (const state of states.values()) {
        state.tape.roll(now);
        const surroundings = { seed: parts.seed, house: trading, fairPrice: side.fairPrice };
        state.agents = new BookAgents(state.market, surroundings);
        state.lastStep = now;
        state.agents.open(now);
      }
      stopTimer = parts.every?.(STEP_MILLIS, () => {
        step(parts.clock());
        side.idle();
      });
    },
    stop: async () => {
      stopTimer?.();
      stopTimer = undefined;
      house = undefined;
      side.minutePassed();
    },
    setAgentsPaused: (value) => {
      paused = value;
    },
    watch: (symbol) => watchState(states.get(symbol)),
  };
}

/** Counts one watcher until the returned function is called (once or more often). */
function watchState(state: MarketState | undefined): () => void {
  if (state === undefined) return () => undefined;
  state.watchers += 1;
  let watching = true;
  return () => {
    if (watching) state.watchers -= 1;
    watching = false;
  };
}

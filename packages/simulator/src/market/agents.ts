import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { SimOrderId } from '../exchange.ts';
import type { HouseTrading } from '../market-port.ts';
import { type BarScale, barScale } from './bars.ts';
import type { ListedMarket } from './listing.ts';
import { type RandomStream, randomStream, textStream } from './noise.ts';

/**
 * The crowd of one market, all trading for the house: makers who keep a ladder of quotes around the fair price,
 * arbitrageurs who take whatever is offered on the wrong side of it, takers who follow trend or nothing.
 * Deterministic: the same seed, times and books give the same orders.
 */
export interface BookAgents {
  /** Lets the crowd act once. @param full every maker and taker; otherwise the few that keep a quiet market alive. */
  step(now: Millis, full: boolean): void;
  /** Takes crossed orders that waited through an interruption, then quotes the whole ladder. */
  open(now: Millis): void;
}

/** What agents need to know of the world. */
export interface AgentSurroundings {
  readonly seed: number;
  readonly house: HouseTrading;
  /** Fair price in quote. */
  fairPrice(symbol: string, time: Millis): number;
}

/** Quotes per side while somebody watches, and otherwise. */
const FULL_LEVELS = 220;
const QUIET_EVERY = 7;
const QUIET_NEAR = 4;
/** A quiet ladder has fewer quotes; each is larger, so that the depth is not much less. */
const QUIET_SIZE = 4;
/** The ladder reaches this far from the touch; where ticks are coarse, at least so many ticks per level. */
const LADDER_REACH = 0.015;
const LADDER_REACH_MAX = 0.4;
const LADDER_TICKS_PER_LEVEL = 1.5;
/** Share of a day's turnover that rests on one side of a full ladder. */
const LADDER_TURNOVER = 0.008;
const DAY_SECONDS = 86_400;
/** Trades per step, at most: the rest of a hurry waits for the next step. */
const TAKES_PER_STEP_MAX = 6;
const QUIET_TAKES_PER_STEP_MAX = 2;
/** Sweeps before a market opens: enough to clear any number of crossed levels a person would leave. */
const OPENING_SWEEPS_MAX = 64;

interface Ladder {
  readonly side: 'BUY' | 'SELL';
  /** +1 when better means higher. */
  readonly sign: 1 | -1;
  readonly ids: (SimOrderId | undefined)[];
  readonly prices: Float64Array;
}

function ladder(side: 'BUY' | 'SELL'): Ladder {
  return {
    side,
    sign: side === 'BUY' ? 1 : -1,
    ids: Array.from({ length: FULL_LEVELS }, () => undefined),
    prices: new Float64Array(FULL_LEVELS),
  };
}

/** Distance of each level from the touch in ticks: single ticks first, then ever wider. */
function ladderDistances(priceTicks: number): Float64Array {
  const reach = Math.min(
    Math.max(priceTicks * LADDER_REACH, FULL_LEVELS * LADDER_TICKS_PER_LEVEL),
    priceTicks * LADDER_REACH_MAX,
  );
  const widest = Math.exp(4) - 1;
  return Float64Array.from({ length: FULL_LEVELS }, (_, level) => {
    const wide = (reach * (Math.exp((4 * level) / FULL_LEVELS) - 1)) / widest;
    return Math.round(Math.max(level * 0.6, wide * Math.min(1, level / 8)));
  });
}

/** Makes the crowd of one market. */
export function bookAgents(market: ListedMarket, surroundings: AgentSurroundings): BookAgents {
  const { house, seed } = surroundings;
  const { symbol } = market;
  const scale = barScale(market);
  const random = randomStream(seed, textStream(`${symbol} agents`));
  const bids = ladder('BUY');
  const asks = ladder('SELL');
  const lots = quantities(market, scale, random);
  let distances = ladderDistances(scale.ticks(market.startPrice));
  let distancesFor = 0;
  let previous: { readonly time: Millis; readonly fair: number } | undefined;
  let trend = 0;

  const fairTicks = (now: Millis): number => scale.ticks(surroundings.fairPrice(symbol, now));
  const dropQuote = (side: Ladder, level: number): void => {
    const id = side.ids[level];
    if (id !== undefined) house.cancel(symbol, id);
    side.ids[level] = undefined;
  };
  const placeQuote = (side: Ladder, level: number, price: number, full: boolean): void => {
    if (price < 1) return;
    const spacing = (distances[level + 1] ?? (distances[level] as number)) - (distances[level] as number);
    const share = spacing / (distances[FULL_LEVELS - 1] as number);
    const quantity = lots.quote({ level, share, times: full ? 1 : QUIET_SIZE }, price);
    const placed = house.place(symbol, { side: side.side, kind: 'POST', price: price as Ticks, quantity });
    side.ids[level] = placed.resting;
    side.prices[level] = price;
  };
  /** Takes the other side up to a limit price; nothing when it has no offer there. */
  const take = (side: 'BUY' | 'SELL', limit: number, quantity: Lots): Lots =>
    house.place(symbol, { side, kind: 'IOC', price: Math.max(1, limit) as Ticks, quantity }).executed;

  /** Takes what is offered beyond the fair price: this carries the tape along with it. */
  const arbitrage = (fair: number, seconds: number): number => {
    const ask = house.bestAsk(symbol);
    const bid = house.bestBid(symbol);
    const buys = ask !== undefined && ask < fair - 0.5;
    const sells = bid !== undefined && bid > fair + 0.5;
    if (!buys && !sells) return 0;
    const distance = buys ? fair - (ask as number) : (bid as number) - fair;
    const urgency = 1 + Math.min(20, (distance / fair) * 4_000);
    const quantity = lots.flow(seconds * urgency * (0.3 + 2.4 * random.next()), fair);
    return take(buys ? 'BUY' : 'SELL', buys ? Math.floor(fair) : Math.ceil(fair), quantity);
  };
  const takers = (fair: number, seconds: number, full: boolean): void => {
    const perSecond = market.dailyTurnover / DAY_SECONDS / market.tradeNotional;
    const wanted = perSecond * seconds;
    const most = full ? TAKES_PER_STEP_MAX : QUIET_TAKES_PER_STEP_MAX;
    const count = Math.min(most, Math.floor(wanted + random.next()));
    const size = count === 0 ? 0 : Math.max(1, wanted / Math.max(count, 1));
    for (let taken = 0; taken < count; taken += 1) {
      const ask = house.bestAsk(symbol);
      const bid = house.bestBid(symbol);
      if (ask === undefined || bid === undefined) return;
      // Nobody buys far above what a thing is worth: an empty level next to the touch is left alone.
      const reach = fair * 0.0004 + 1.5;
      const pull = Math.tanh((fair - (ask + bid) / 2) / Math.max(2, fair * 0.00005));
      const buys = random.next() < 0.5 + 0.3 * pull + 0.12 * Math.tanh(trend);
      const slip = Math.floor(fair * 0.00004 * random.exponential());
      const quantity = lots.trade(size, fair);
      if (buys && ask <= fair + reach) take('BUY', ask + slip, quantity);
      if (!buys && bid >= fair - reach) take('SELL', bid - slip, quantity);
    }
  };
  /** Pulls quotes that the price has passed or left behind, and puts the missing ones back. */
  const makers = (fair: number, full: boolean): void => {
    const half = 0.5 + random.exponential() * lots.spreadTicks(fair);
    const touchBid = Math.floor(fair - half);
    const touchAsk = Math.max(touchBid + 1, Math.ceil(fair + half * random.next()));
    const refresh = full ? 0.03 : 0.05;
    for (const side of [bids, asks]) {
      const touch = side === bids ? touchBid : touchAsk;
      for (let level = 0; level < FULL_LEVELS; level += 1) {
        if (side.ids[level] === undefined) continue;
        const distance = (touch - (side.prices[level] as number)) * side.sign;
        const gone = distance < 0 || distance > (distances[level] as number) * 2.2 + 1;
        const eager = level === 0 || distance < 0 || random.next() < 0.6;
        if ((gone && eager) || random.next() < refresh) dropQuote(side, level);
      }
    }
    for (const side of [bids, asks]) {
      const touch = side === bids ? touchBid : touchAsk;
      for (let level = 0; level < FULL_LEVELS; level += 1) {
        if (side.ids[level] !== undefined) continue;
        if (!full && level >= QUIET_NEAR && level % QUIET_EVERY !== 0) continue;
        if (level > 3 && full && random.next() < 0.4) continue;
        const price = touch - side.sign * spreadOut(level);
        placeQuote(side, level, level < 3 ? price : lots.roundly(price, side.sign), full);
      }
    }
  };
  const spreadOut = (level: number): number => {
    const distance = distances[level] as number;
    return level === 0 ? 0 : Math.round(distance * (0.75 + 0.5 * random.next()));
  };
  /** Forgets quotes that were taken, so that makers put them back. */
  const forgetTaken = (): void => {
    const bid = house.bestBid(symbol) ?? 0;
    const ask = house.bestAsk(symbol) ?? Number.MAX_SAFE_INTEGER;
    for (const side of [bids, asks]) {
      const best = side === bids ? bid : ask;
      for (let level = 0; level < FULL_LEVELS; level += 1) {
        const id = side.ids[level];
        if (id === undefined || ((side.prices[level] as number) - best) * side.sign < 0) continue;
        if (house.remaining(symbol, id) === 0) side.ids[level] = undefined;
      }
    }
  };
  const resize = (fair: number): void => {
    if (Math.abs(fair - distancesFor) < distancesFor * 0.05) return;
    distances = ladderDistances(fair);
    distancesFor = fair;
  };
  return {
    open: (now) => {
      const fair = fairTicks(now);
      resize(fair);
      for (let sweep = 0; sweep < OPENING_SWEEPS_MAX && arbitrage(fair, 60) > 0; sweep += 1);
      makers(fair, true);
      makers(fair, true);
    },
    step: (now, full) => {
      const fair = fairTicks(now);
      const seconds = previous === undefined ? 0.1 : Math.min(2, (now - previous.time) / 1_000);
      if (previous !== undefined) {
        trend = trend * Math.exp(-seconds / 20) + ((fair - previous.fair) / fair) * 4_000;
      }
      previous = { time: now, fair };
      resize(fair);
      takers(fair, seconds, full);
      arbitrage(fair, seconds);
      forgetTaken();
      makers(fair, full);
    },
  };
}

/** How much agents trade and quote, and at which prices they like to. */
interface Quantities {
  /** @param place `share`: the part of the ladder's width that the level stands for. */
  quote(
    place: { readonly level: number; readonly share: number; readonly times: number },
    price: number,
  ): Lots;
  trade(times: number, price: number): Lots;
  /** What flows through the market in so many seconds. */
  flow(seconds: number, price: number): Lots;
  spreadTicks(fair: number): number;
  /** Some quotes go to round prices, as people's do. */
  roundly(price: number, sign: 1 | -1): number;
}

function quantities(market: ListedMarket, scale: BarScale, random: RandomStream): Quantities {
  const ladderNotional = market.dailyTurnover * LADDER_TURNOVER;
  const toLots = (notional: number, price: number): Lots =>
    Math.max(1, Math.round(scale.lots(notional / scale.price(price)))) as Lots;
  const most = scale.lots(Number(market.maxMarketQty / 10n ** 10n) / 1e8);
  const bounded = (quantity: Lots): Lots => Math.min(quantity, most) as Lots;
  return {
    quote: ({ level, share, times }, price) => {
      // Half by width (coarse ticks hold more), half by rank (fine ticks are not empty at the touch).
      const part = 0.5 * share + (0.5 * (0.25 + (1.5 * level) / FULL_LEVELS)) / FULL_LEVELS;
      const round = price % 100 === 0 ? 2.5 : price % 10 === 0 ? 1.4 : 1;
      const taste = Math.exp(0.9 * random.normal() - 0.4);
      return bounded(toLots(ladderNotional * part * times * round * taste, price));
    },
    trade: (times, price) =>
      bounded(toLots(market.tradeNotional * times * Math.exp(1.1 * random.normal() - 0.6), price)),
    flow: (seconds, price) => bounded(toLots((market.dailyTurnover / DAY_SECONDS) * seconds, price)),
    // One tick where ticks are coarse; a little more where they are very fine.
    spreadTicks: (fair) => Math.min(3, 0.1 + fair * 0.00000002),
    roundly: (price, sign) => {
      if (random.next() > 0.18) return price;
      const step = random.next() < 0.4 ? 100 : 10;
      return price < step * 20
        ? price
        : (sign > 0 ? Math.floor(price / step) : Math.ceil(price / step)) * step;
    },
  };
}

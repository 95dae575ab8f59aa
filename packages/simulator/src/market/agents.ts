import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { SimOrderId } from '../exchange.ts';
import type { HouseTrading } from '../market-port.ts';
import { type BarScale, barScale, MINUTE_MILLIS } from './bars/bars.ts';
import { type RandomStream, randomStream, textStream } from './bars/noise.ts';
import type { MinuteTrades } from './bars/trade-log.ts';
import { crowdOf, type ListedMarket } from './listing/listing.ts';
import { FULL_LEVELS, ladderDistances, type Quantities, quantities } from './quote-ladder.ts';

/** What agents need to know of the world. */
export interface AgentSurroundings {
  readonly seed: number;
  readonly house: HouseTrading;
  /** Fair price in quote. */
  fairPrice(symbol: string, time: Millis): number;
  /** The trades of a minute as history has it: takers come when it says, so that a watched market trades as much. */
  trades(symbol: string, minute: number): MinuteTrades;
}

/** What a ladder that nobody watches has of it. */
const QUIET_EVERY = 7;
const QUIET_NEAR = 4;
/** A quiet ladder has fewer quotes; each is larger, so that the depth is not much less. */
const QUIET_SIZE = 4;
/** A step stands for this much time at first, and for no more than that. */
const FIRST_STEP_MILLIS = 100;
const STEP_MILLIS_MAX = 2_000;
/** Takers of a side per step, at most: where more come, neighbours come together. */
const TAKES_PER_STEP_MAX = 80;
const QUIET_TAKES_PER_STEP_MAX = 1;
/** What the books are taken for in advance by arbitrage is left out by takers, up to so many seconds of ordinary flow. */
const AHEAD_SECONDS_MAX = 300;
/** Of what a taker wants so much at most is taken as done in advance: a market is never silent for it. */
const AHEAD_SHARE_MAX = 0.5;
/**
 * Between two steps a price moves so far, as a fraction, only when something happened: people then trade at the new price at once,
 * so many seconds of ordinary flow for each hundredth, and of what is left of it this part in each step.
 */
const JUMP_LEAST = 0.004;
const RUSH_SECONDS_PER_PERCENT = 20;
const RUSH_SECONDS_MAX = 300;
const RUSH_PER_STEP = 0.15;
/** How far takers reach into the book, as a fraction of the price, on average. */
const TAKER_REACH = 0.0001;
/** A quote is taken back that has come nearer than this part of its distance from the touch. */
const NEARER_LEAST = 0.5;
/**
 * Makers whose doubt is less than this part of a tick stand next to each other: one tick apart (recorded 2024-08: nearly always).
 * Where nobody watches they stand a tick further back.
 */
const SPREAD_SPARE_TICKS = 0.45;
/** Sweeps before a market opens: enough to clear any number of crossed levels a person would leave. */
const OPENING_SWEEPS_MAX = 64;

interface Ladder {
  readonly side: 'BUY' | 'SELL';
  /** +1 when better means higher. */
  readonly sign: 1 | -1;
  readonly ids: (SimOrderId | undefined)[];
  readonly prices: Float64Array;
}

/** One taker: what he wants of the book. */
interface Taker {
  readonly side: 'BUY' | 'SELL';
  readonly lots: number;
}

function ladder(side: 'BUY' | 'SELL'): Ladder {
  return {
    side,
    sign: side === 'BUY' ? 1 : -1,
    ids: Array.from({ length: FULL_LEVELS }, () => undefined),
    prices: new Float64Array(FULL_LEVELS),
  };
}

/**
 * The crowd of one market, all trading for the house: makers who keep a ladder of quotes around the fair price,
 * arbitrageurs who take whatever is offered on the wrong side of it, takers who come when history says.
 * Deterministic: the same seed, times and books give the same orders.
 */
export class BookAgents {
  readonly #symbol: string;
  readonly #house: HouseTrading;
  readonly #fairPrice: AgentSurroundings['fairPrice'];
  readonly #tradesOf: AgentSurroundings['trades'];
  readonly #scale: BarScale;
  readonly #random: RandomStream;
  readonly #bids = ladder('BUY');
  readonly #asks = ladder('SELL');
  readonly #lots: Quantities;
  #distances: Float64Array;
  #distancesFor = 0;
  #previous: Millis | undefined;
  #scheduled: { readonly minute: number; readonly trades: MinuteTrades; at: number } | undefined;
  /** Lots that arbitrage took before their takers came. */
  #ahead = 0;
  #fairBefore: number | undefined;
  /** What people still want after a jump of the price, in seconds of ordinary flow, and on which side. */
  #rush: { readonly side: 'BUY' | 'SELL'; seconds: number } | undefined;

  constructor(market: ListedMarket, surroundings: AgentSurroundings) {
    this.#symbol = market.symbol;
    this.#house = surroundings.house;
    this.#fairPrice = surroundings.fairPrice;
    this.#tradesOf = surroundings.trades;
    this.#scale = barScale(market);
    this.#random = randomStream(surroundings.seed, textStream(`${crowdOf(market)} agents`));
    this.#lots = quantities(market, this.#scale, this.#random);
    this.#distances = ladderDistances(this.#scale.ticks(market.startPrice));
  }

  /** Takes crossed orders that waited through an interruption, then quotes the whole ladder. */
  open(now: Millis): void {
    const fair = this.#fairTicks(now);
    this.#resize(fair);
    for (let sweep = 0; sweep < OPENING_SWEEPS_MAX && this.#arbitrage(fair, 60) > 0; sweep += 1);
    this.#makers(fair, true);
    this.#makers(fair, true);
  }

  /** Takes every quote out: nobody looks any more. */
  close(): void {
    for (const side of [this.#bids, this.#asks]) {
      for (let level = 0; level < FULL_LEVELS; level += 1) {
        const id = side.ids[level];
        if (id !== undefined) this.#house.cancel(this.#symbol, id);
        side.ids[level] = undefined;
      }
    }
    this.#previous = undefined;
    this.#scheduled = undefined;
    this.#ahead = 0;
    this.#fairBefore = undefined;
    this.#rush = undefined;
  }

  /** Lets the crowd act once. @param full every maker and taker; otherwise the few that keep a quiet market alive. */
  step(now: Millis, full: boolean): void {
    const fair = this.#fairTicks(now);
    const since = Math.max(this.#previous ?? now - FIRST_STEP_MILLIS, now - STEP_MILLIS_MAX);
    const seconds = (now - since) / 1_000;
    this.#previous = now;
    this.#resize(fair);
    this.#forgetTaken();
    // Makers see the price move before others take their quotes: what is left to arbitrage are members' orders.
    this.#makers(fair, full);
    this.#arbitrage(fair, seconds);
    this.#rushIn(fair);
    const takers = this.#due(since, now, full);
    for (const taker of takers) this.#serve(taker, fair);
    if (full && takers.length > 0) for (const side of [this.#bids, this.#asks]) this.#refill(side);
  }

  /** What was taken at the touch is there again at once. */
  #refill(side: Ladder): void {
    const id = side.ids[0];
    if (id === undefined || this.#house.remaining(this.#symbol, id) > 0) return;
    this.#place(side, 0, side.prices[0] as number, true);
  }

  #fairTicks(now: Millis): number {
    return this.#scale.ticks(this.#fairPrice(this.#symbol, now));
  }

  #resize(fair: number): void {
    if (Math.abs(fair - this.#distancesFor) < this.#distancesFor * 0.05) return;
    this.#distances = ladderDistances(fair);
    this.#distancesFor = fair;
  }

  /** Takes the other side up to a limit price; nothing when it has no offer there. */
  #take(side: 'BUY' | 'SELL', limit: number, quantity: Lots): Lots {
    const price = Math.max(1, limit) as Ticks;
    return this.#house.place(this.#symbol, { side, kind: 'IOC', price, quantity }).executed;
  }

  /** Takes what is offered beyond the fair price: this carries the tape along with it. */
  #arbitrage(fair: number, seconds: number): number {
    const ask = this.#house.bestAsk(this.#symbol);
    const bid = this.#house.bestBid(this.#symbol);
    const bought = ask !== undefined && ask < fair - 0.5 ? fair - ask : 0;
    const sold = bid !== undefined && bid > fair + 0.5 ? bid - fair : 0;
    if (bought === 0 && sold === 0) return 0;
    const urgency = 1 + Math.min(20, (Math.max(bought, sold) / fair) * 4_000);
    const quantity = this.#lots.flow(seconds * urgency * (0.3 + 2.4 * this.#random.next()), fair);
    const taken =
      bought > 0
        ? this.#take('BUY', Math.floor(fair), quantity)
        : this.#take('SELL', Math.ceil(fair), quantity);
    this.#ahead = Math.min(this.#ahead + taken, this.#lots.flow(AHEAD_SECONDS_MAX, fair));
    return taken;
  }

  /** What people take because the price has jumped: more than on other days, at the new price, and at once. */
  #rushIn(fair: number): void {
    const moved = fair / (this.#fairBefore ?? fair) - 1;
    this.#fairBefore = fair;
    if (Math.abs(moved) >= JUMP_LEAST) {
      const seconds = Math.min(Math.abs(moved) * 100 * RUSH_SECONDS_PER_PERCENT, RUSH_SECONDS_MAX);
      this.#rush = { side: moved > 0 ? 'BUY' : 'SELL', seconds };
      this.#ahead = 0;
    }
    if (this.#rush === undefined) return;
    const { side, seconds } = this.#rush;
    this.#serve({ side, lots: this.#lots.flow(seconds * RUSH_PER_STEP, fair) }, fair);
    this.#rush.seconds *= 1 - RUSH_PER_STEP;
    if (seconds < 1) this.#rush = undefined;
  }

  /** The takers who come after `since`, up to `now`: each of history's trades is one of them, as in the tape of a slept market. */
  #due(since: number, now: number, full: boolean): readonly Taker[] {
    const takers: Taker[] = [];
    for (let minute = minuteOf(since); minute <= now; minute += MINUTE_MILLIS) {
      const schedule = this.#scheduleOf(minute);
      const { times, lots, sells, count } = schedule.trades;
      for (; schedule.at < count && (times[schedule.at] as number) <= now; schedule.at += 1) {
        const time = times[schedule.at] as number;
        if (time <= since) continue;
        const side = sells[schedule.at] === 1 ? 'SELL' : 'BUY';
        takers.push({ side, lots: lots[schedule.at] as number });
      }
    }
    return together(takers, full ? TAKES_PER_STEP_MAX : QUIET_TAKES_PER_STEP_MAX);
  }

  #scheduleOf(minute: number): { readonly trades: MinuteTrades; at: number } {
    if (this.#scheduled?.minute !== minute) {
      this.#scheduled = { minute, trades: this.#tradesOf(this.#symbol, minute), at: 0 };
    }
    return this.#scheduled;
  }

  #serve(taker: Taker, fair: number): void {
    const met = Math.min(this.#ahead, Math.floor(taker.lots * AHEAD_SHARE_MAX));
    this.#ahead -= met;
    const quantity = Math.min(taker.lots - met, this.#lots.most) as Lots;
    const ask = this.#house.bestAsk(this.#symbol);
    const bid = this.#house.bestBid(this.#symbol);
    if (quantity === 0 || ask === undefined || bid === undefined) return;
    // Nobody buys far above what a thing is worth: an empty level next to the touch is left alone.
    const reach = fair * 0.0004 + 1.5;
    const slip = Math.floor(fair * TAKER_REACH * this.#random.exponential());
    if (taker.side === 'BUY' && ask <= fair + reach) this.#take('BUY', ask + slip, quantity);
    if (taker.side === 'SELL' && bid >= fair - reach) this.#take('SELL', bid - slip, quantity);
  }

  /** Pulls quotes that the price has passed or left behind, and puts the missing ones back. */
  #makers(fair: number, full: boolean): void {
    const doubt = this.#random.exponential() * this.#lots.spreadTicks(fair);
    const half = full ? Math.max(0, doubt - SPREAD_SPARE_TICKS) : 0.5 + doubt;
    const bid = Math.floor(fair - half);
    const ask = Math.max(bid + 1, Math.ceil(fair + half * this.#random.next()));
    this.#pull(this.#bids, bid, full);
    this.#pull(this.#asks, ask, full);
    this.#quote(this.#bids, bid, full);
    this.#quote(this.#asks, ask, full);
  }

  #pull(side: Ladder, touch: number, full: boolean): void {
    const refresh = full ? 0.025 : 0.05;
    for (let level = 0; level < FULL_LEVELS; level += 1) {
      const id = side.ids[level];
      if (id === undefined) continue;
      const distance = (touch - (side.prices[level] as number)) * side.sign;
      const meant = this.#distances[level] as number;
      // Nobody leaves a large quote that was meant for far away where the price has come near.
      const gone = distance < meant * NEARER_LEAST || distance > meant * 2.2 + Math.min(level, 1);
      const eager = level === 0 || distance < 0 || this.#random.next() < 0.6;
      if (!(gone && eager) && this.#random.next() >= refresh) continue;
      this.#house.cancel(this.#symbol, id);
      side.ids[level] = undefined;
    }
  }

  #quote(side: Ladder, touch: number, full: boolean): void {
    for (let level = 0; level < FULL_LEVELS; level += 1) {
      if (side.ids[level] !== undefined) continue;
      if (!full && level >= QUIET_NEAR && level % QUIET_EVERY !== 0) continue;
      if (level > 3 && full && this.#random.next() < 0.4) continue;
      const distance = this.#distances[level] as number;
      const away = level === 0 ? 0 : Math.round(distance * (0.75 + 0.5 * this.#random.next()));
      const price = touch - side.sign * away;
      this.#place(side, level, level < 3 ? price : this.#lots.roundly(price, side.sign), full);
    }
  }

  #place(side: Ladder, level: number, price: number, full: boolean): void {
    if (price < 1) return;
    const distance = this.#distances[level] as number;
    const before = this.#distances[level - 1] ?? distance;
    const next = this.#distances[level + 1] ?? distance;
    const width = this.#distances[FULL_LEVELS - 1] as number;
    const place = { level, before, distance, next, width, times: full ? 1 : QUIET_SIZE };
    const quantity = this.#lots.quote(place, price);
    const order = { side: side.side, kind: 'POST', price: price as Ticks, quantity } as const;
    side.ids[level] = this.#house.place(this.#symbol, order).resting;
    side.prices[level] = price;
  }

  /** Forgets quotes that were taken, so that makers put them back. */
  #forgetTaken(): void {
    const bid = this.#house.bestBid(this.#symbol) ?? 0;
    const ask = this.#house.bestAsk(this.#symbol) ?? Number.MAX_SAFE_INTEGER;
    for (const side of [this.#bids, this.#asks]) {
      const best = side === this.#bids ? bid : ask;
      for (let level = 0; level < FULL_LEVELS; level += 1) {
        const id = side.ids[level];
        if (id === undefined || ((side.prices[level] as number) - best) * side.sign < 0) continue;
        if (this.#house.remaining(this.#symbol, id) === 0) side.ids[level] = undefined;
      }
    }
  }
}

/** At most so many takers of a side: of neighbours those of one side come together. */
function together(takers: readonly Taker[], most: number): readonly Taker[] {
  if (takers.length <= most) return takers;
  const size = Math.ceil(takers.length / most);
  return Array.from({ length: Math.ceil(takers.length / size) }, (_, at) => {
    const near = takers.slice(at * size, (at + 1) * size);
    return (['BUY', 'SELL'] as const).map((side) => ({
      side,
      lots: near.reduce((sum, taker) => (taker.side === side ? sum + taker.lots : sum), 0),
    }));
  }).flat();
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MILLIS) * MINUTE_MILLIS;
}

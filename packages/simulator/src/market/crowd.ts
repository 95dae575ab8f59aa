import { assert, type Lots, type Millis, type Ticks, toNumberForDisplay } from '@crossbook/domain';
import type { SimDepth } from '../exchange.ts';
import type { HouseTrading } from '../market-port.ts';
import { BookAgents } from './agents.ts';
import { type BarScale, barScale, MINUTE_MILLIS } from './bars/bars.ts';
import { hash32, textStream, uniform } from './bars/noise.ts';
import type { MinuteTrades } from './bars/trade-log.ts';
import { crowdOf, type ListedMarket, storyOf } from './listing/listing.ts';
import type { Tape } from './tape.ts';

/** A watched market acts this often, one that was looked at lately once a second; steps of several markets take turns. */
const STEP_MILLIS = 50;
const FULL_STEP_MILLIS = 100;
const QUIET_STEP_MILLIS = 1_000;
/** Agents stay for so long after the last look. */
export const awakeMillisMax = 60_000;
const SALT_TOUCH = 41;

/** What a crowd is made from. */
export interface CrowdParts {
  readonly seed: number;
  readonly clock: () => Millis;
  readonly every?: (millis: number, work: () => void) => () => void;
  /** Fair price in quote. */
  fairPrice(symbol: string, time: Millis): number;
  /** The trades of a minute as history has it. */
  trades(symbol: string, minute: number): MinuteTrades;
  /** Another minute has begun, or all are asleep: what is kept should be written. */
  minutePassed(): void;
  /** Somebody begins to watch a market. */
  watched(symbol: string): void;
  /** A small piece of work that makes later questions quick. */
  idle(): void;
}

/** The ids of one market's trades, which its book gives out. */
export interface TradeIds {
  /** The last one that was given out; 0 before there is a book. */
  last(): number;
  /** The first of so many new ones in a row; `undefined` while none may be given out. */
  take(count: number): number | undefined;
}

/**
 * `awake`: agents keep a book. `asleep`: nobody looks, history goes on by itself and is taken over when somebody asks.
 * `still`: was asleep when the agents were stopped, so nothing happens at all.
 */
type Mode = 'awake' | 'asleep' | 'still';

interface Member {
  readonly market: ListedMarket;
  /** Begun when it is first needed: a start does not wait for markets that nobody asks for. */
  tape(): Tape;
  readonly scale: BarScale;
  readonly stream: number;
  /** Offsets its steps from those of the other markets, so that the work is spread. */
  readonly phase: number;
  mode: Mode;
  agents: BookAgents | undefined;
  watchers: number;
  lastLook: number;
  lastRead: number;
  lastStep: number;
}

/**
 * The agents of all markets of one side, and when they act: at once and ten times a second where somebody watches or a
 * member has an order, once a second for a minute after the last look, not at all otherwise (decision 0030.26).
 */
export class Crowd {
  readonly #parts: CrowdParts;
  readonly #members = new Map<string, Member>();
  /** Members that are not asleep. */
  readonly #busy = new Set<Member>();
  #house: HouseTrading | undefined;
  #pausedAt: Millis | undefined;
  #stopTimer: (() => void) | undefined;
  #flushedMinute = 0;

  constructor(parts: CrowdParts) {
    this.#parts = parts;
  }

  /** Takes a market in, before `start`. */
  add(
    market: ListedMarket,
    begin: (ids: TradeIds) => Tape,
    place: { readonly index: number; readonly count: number },
  ): void {
    const { symbol } = market;
    const phase = Math.floor((place.index * QUIET_STEP_MILLIS) / place.count / STEP_MILLIS) * STEP_MILLIS;
    let tape: Tape | undefined;
    const ids: TradeIds = {
      last: () => this.#house?.lastTradeId(symbol) ?? 0,
      take: (count) => this.#house?.takeTradeIds(symbol, count),
    };
    const member: Member = {
      market,
      tape: () => {
        tape ??= begin(ids);
        return tape;
      },
      scale: barScale(market),
      stream: textStream(crowdOf(market)),
      phase,
      mode: 'awake',
      agents: undefined,
      watchers: 0,
      lastLook: Number.NEGATIVE_INFINITY,
      lastRead: Number.NEGATIVE_INFINITY,
      lastStep: 0,
    };
    this.#members.set(symbol, member);
    this.#busy.add(member);
  }

  /** Begins to trade. Markets that nobody needs go to sleep at once. */
  start(house: HouseTrading): void {
    assert(this.#house === undefined, 'agents start once');
    this.#house = house;
    const now = this.#parts.clock();
    for (const member of this.#members.values()) {
      member.mode = 'asleep';
      this.#busy.delete(member);
      if (!this.#maySleep(member, now)) this.#wake(member, now);
    }
  }

  /** Ends all trading and writes down what is not yet. */
  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#house = undefined;
    this.#parts.minutePassed();
  }

  /** Lets everything happen that is due at `now`. */
  step(now: Millis): void {
    if (this.#house !== undefined) for (const member of this.#busy) this.#act(member, now);
    for (const member of this.#busy) member.tape().roll(now);
    const minute = Math.floor(now / MINUTE_MILLIS);
    if (minute !== this.#flushedMinute || this.#busy.size === 0) this.#parts.minutePassed();
    this.#flushedMinute = minute;
    if (this.#busy.size === 0) this.#stopClock();
  }

  setPaused(paused: boolean): void {
    if (paused === (this.#pausedAt !== undefined)) return;
    const now = this.#parts.clock();
    const from = paused ? 'asleep' : 'still';
    for (const member of this.#members.values()) {
      if (member.mode !== from) continue;
      this.rolled(member.market.symbol);
      member.mode = paused ? 'still' : 'asleep';
      if (paused) this.#busy.add(member);
      else this.#busy.delete(member);
    }
    this.#pausedAt = paused ? now : undefined;
    this.#startClock();
  }

  /** Somebody watches until the returned function is called (once or more often). Unknown symbols do nothing. */
  watch(symbol: string): () => void {
    const member = this.#members.get(symbol);
    if (member === undefined) return () => undefined;
    member.watchers += 1;
    this.look(symbol);
    this.#parts.watched(symbol);
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      member.watchers -= 1;
      member.lastLook = this.#parts.clock();
    };
  }

  /** Somebody looks: the book is full when this returns. */
  look(symbol: string): void {
    const member = this.#members.get(symbol);
    if (member === undefined) return;
    const now = this.#parts.clock();
    member.lastLook = now;
    if (member.mode !== 'awake') this.#wake(member, now);
  }

  /** Somebody reads: once is not a look, again and again is. */
  read(symbol: string): void {
    const member = this.#members.get(symbol);
    if (member === undefined) return;
    const now = this.#parts.clock();
    const polls = now - member.lastRead < awakeMillisMax && now > member.lastRead;
    member.lastRead = now;
    if (polls) this.look(symbol);
  }

  /** Wakes every market that tells or follows one of these stories. */
  lookAtStories(stories: ReadonlySet<string>): void {
    for (const { market } of this.#telling(stories)) this.look(market.symbol);
  }

  /** Their prices have jumped, and marks with them: makers follow before anybody is met at a former price. */
  followStories(stories: ReadonlySet<string>): void {
    const now = this.#parts.clock();
    for (const member of this.#telling(stories)) {
      if (member.mode !== 'awake' || this.#pausedAt !== undefined) continue;
      member.lastStep = now;
      member.agents?.step(now, this.#isFull(member));
    }
  }

  #telling(stories: ReadonlySet<string>): Member[] {
    return [...this.#members.values()].filter(({ market }) => stories.has(storyOf(market)));
  }

  /** Somebody watches, or has an order there. */
  #isFull({ watchers, market }: Member): boolean {
    return watchers > 0 || this.#house?.membersRest(market.symbol) === true;
  }

  /** A market's tape with everything on it that happened until now. */
  rolled(symbol: string): Tape {
    const member = this.#members.get(symbol);
    assert(member !== undefined, `only listed markets are asked for, not ${symbol}`);
    const now = this.#parts.clock();
    const tape = member.tape();
    if (member.mode === 'asleep') tape.sleepTo(now);
    else tape.roll(now);
    return tape;
  }

  /** Best prices of a market without a book: next to the last trade; `undefined` while agents keep one. */
  restingTouch(symbol: string): Omit<SimDepth, 'lastUpdateId'> | undefined {
    const member = this.#members.get(symbol);
    if (member === undefined || member.mode === 'awake') return undefined;
    if (this.#house?.isTrading(symbol) !== true) return { bids: [], asks: [] };
    const { last } = this.rolled(symbol);
    const second = Math.floor((this.#pausedAt ?? this.#parts.clock()) / 1_000);
    const bits = hash32(this.#parts.seed, member.stream, second, SALT_TOUCH);
    const bid = Math.max(1, last - (bits & 1));
    const lots = (draw: number): Lots => this.#touchLots(member, bid, uniform(draw));
    return {
      bids: [[bid as Ticks, lots(bits)]],
      asks: [[(bid + 1) as Ticks, lots(Math.imul(bits, 0x2c1b3c6d) >>> 0)]],
    };
  }

  #touchLots(member: Member, price: number, draw: number): Lots {
    const { market, scale } = member;
    const notional = market.tradeNotional * (0.5 + 6 * draw * draw);
    const least = Math.ceil(toNumberForDisplay(market.minQty) / toNumberForDisplay(market.lotSize));
    return Math.max(least, Math.round(scale.lots(notional / scale.price(price)))) as Lots;
  }

  #act(member: Member, now: Millis): void {
    if (member.mode === 'still' || this.#pausedAt !== undefined || member.agents === undefined) return;
    const full = this.#isFull(member);
    const period = full ? FULL_STEP_MILLIS : QUIET_STEP_MILLIS;
    const turn = (time: number): number => Math.floor((time - member.phase) / period);
    if (now - member.lastStep < period && turn(now) <= turn(member.lastStep)) return;
    member.lastStep = now;
    if (!full && this.#maySleep(member, now)) this.#sleep(member, now);
    else member.agents.step(now, full);
  }

  /** A suspended market stays awake, because history would go on without it, unless history stands still too. */
  #maySleep(member: Member, now: Millis): boolean {
    const { market, watchers, lastLook } = member;
    const { symbol, suspendedSince } = market;
    if (watchers > 0 || now - lastLook < awakeMillisMax || this.#house === undefined) return false;
    if (this.#house.membersRest(symbol)) return false;
    return suspendedSince !== undefined || this.#house.isTrading(symbol);
  }

  #wake(member: Member, now: Millis): void {
    if (this.#house === undefined) return;
    const { market } = member;
    this.rolled(market.symbol);
    member.mode = 'awake';
    this.#busy.add(member);
    const { seed } = this.#parts;
    const fairPrice = (symbol: string, time: Millis): number => this.#parts.fairPrice(symbol, time);
    const trades = (symbol: string, minute: number): MinuteTrades => this.#parts.trades(symbol, minute);
    member.agents ??= new BookAgents(market, { seed, house: this.#house, fairPrice, trades });
    member.lastStep = now;
    member.agents.open(this.#pausedAt ?? now);
    this.#startClock();
  }

  #sleep(member: Member, now: Millis): void {
    member.tape().roll(now);
    member.agents?.close();
    member.mode = 'asleep';
    this.#busy.delete(member);
  }

  #startClock(): void {
    if (this.#stopTimer !== undefined || this.#busy.size === 0 || this.#house === undefined) return;
    this.#stopTimer = this.#parts.every?.(STEP_MILLIS, () => {
      this.step(this.#parts.clock());
      this.#parts.idle();
    });
  }

  #stopClock(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }
}

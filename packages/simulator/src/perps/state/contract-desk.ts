import {
  type Amount,
  assert,
  type Lots,
  type Millis,
  stepsToAmount,
  type Ticks,
  ZERO,
} from '@crossbook/domain';
import { type BookDesk, crossedBy } from '../../accounts/book-desk.ts';
import { HOUSE } from '../../accounts/state/balances.ts';
import type { IdReserve } from '../../accounts/state/id-reserve.ts';
import type { Terms } from '../../accounts/state/terms.ts';
import type { StepPublisher } from '../../accounts/step-publisher.ts';
import type { AccountNumber, MarketFacts, SimOrderId, SimTrade } from '../../exchange.ts';
import type { MatchingEngine } from '../../matching/engine.ts';
import type { EngineOrder, OrderEnd, Placement } from '../../matching/engine-order.ts';
import type {
  NewPerpOrder,
  PerpFill,
  PerpOrder,
  PerpOrderOrigin,
  PerpTier,
  SimMarginMode,
} from '../../perp-exchange.ts';
import type { PerpFacts } from '../../venue.ts';
import { openLots } from './account-stats.ts';
import { ContractStep, type StepParts } from './contract-step.ts';
import { excessOf, knockedOut } from './reduce-only.ts';

/** What a desk works with besides its own book. */
export interface DeskTools extends StepParts {
  readonly publisher: StepPublisher;
  /** Keeps a step's record and tells its events when it is on disk. */
  readonly finish: (step: ContractStep, acknowledge: (failure?: Error) => void) => void;
  /** What is due before anything else happens, funding, happens. */
  readonly settle: () => void;
  /** Cancels the spot orders of an account that lock what contracts are paid in. */
  readonly freeSpot: (account: AccountNumber) => void;
}

/** An order that was checked: everything is settled that the venue settles when it takes it. */
export interface TakenOrder extends Omit<NewPerpOrder, 'quantity' | 'marginMode'> {
  readonly quantity: Lots;
  readonly marginMode: SimMarginMode;
  readonly leverage: number;
  readonly origin: PerpOrderOrigin;
  /** The conditional order that sends it. */
  readonly algoId?: number;
  /** How much may be filled, where that is less. */
  readonly fillable?: Lots;
}

/** One contract: its book, and what an order does there. Orders were checked before. */
export class ContractDesk implements BookDesk {
  readonly facts: PerpFacts;
  readonly tiers: readonly PerpTier[];
  readonly terms: Terms;
  readonly engine: MatchingEngine;
  readonly ids: IdReserve;
  status: MarketFacts['status'];
  readonly #tools: DeskTools;

  constructor(
    contract: { readonly facts: PerpFacts; readonly tiers: readonly PerpTier[]; readonly terms: Terms },
    book: { readonly engine: MatchingEngine; readonly ids: IdReserve },
    tools: DeskTools,
  ) {
    this.facts = contract.facts;
    this.tiers = contract.tiers;
    this.terms = contract.terms;
    this.engine = book.engine;
    this.ids = book.ids;
    this.status = contract.facts.status;
    this.#tools = tools;
  }

  get membersRest(): boolean {
    return this.#tools.contracts.history.anyOpen(this.facts.symbol);
  }

  /** Matches an order of a member, or of the venue about one. The step is the caller's to finish. */
  place(step: ContractStep, asked: TakenOrder): { readonly order: PerpOrder; readonly trades: SimTrade[] } {
    const wanted = Math.min(asked.quantity, asked.fillable ?? asked.quantity) as Lots;
    const taking = this.#engineOrder(asked, wanted);
    this.#trim(step, taking);
    const placement = this.engine.place(taking);
    const { orderId } = placement;
    const name = { account: asked.account, symbol: asked.symbol, orderId };
    step.order(newOrder(asked, orderId, step.time), 'NEW');
    const trades = this.#collect(step, asked.side, name);
    // What the book does not take of a forced order is for its caller to end.
    if (asked.origin === 'MEMBER' || placement.end !== 'EXPIRED') this.#end(step, name, placement.end);
    if (trades.length > 0) this.tidy(step);
    return { order: step.known(name), trades };
  }

  /** Takes an order of the venue in that never meets the book: somebody else is the other side. */
  note(step: ContractStep, asked: TakenOrder): PerpOrder {
    const price = (asked.side === 'BUY' ? 1 : this.terms.ticksMax) as Ticks;
    const unreachable = { kind: 'LIMIT', timeInForce: 'IOC', price } as const;
    const { orderId } = this.engine.place({ ...this.#engineOrder(asked, asked.quantity), ...unreachable });
    const order = newOrder(asked, orderId, step.time);
    step.order(order, 'NEW');
    return order;
  }

  /** The same for an order that the book would have filled while nobody traded: all of it at one price. */
  placeOutside(step: ContractStep, asked: TakenOrder, price: Ticks): PerpOrder {
    const order = this.note(step, asked);
    const lots = Math.min(asked.quantity, asked.fillable ?? asked.quantity);
    const exact = stepsToAmount(price, this.facts.tickSize);
    this.fillOutside(step, order, { lots, price: exact, origin: 'MEMBER', feeRate: this.facts.takerFee });
    this.#end(step, order, 'FILLED');
    this.tidy(step);
    return step.known(order);
  }

  /** Fills an order outside the book; without a fee, unless one is named. */
  fillOutside(
    step: ContractStep,
    order: PerpOrder,
    fill: {
      readonly lots: number;
      readonly price: Amount;
      readonly origin: PerpFill['origin'];
      readonly feeRate?: Amount;
    },
  ): PerpFill {
    const { lots, price: exactPrice, origin, feeRate = ZERO } = fill;
    const price = Math.max(1, Number((exactPrice + this.facts.tickSize / 2n) / this.facts.tickSize)) as Ticks;
    const tradeId = this.engine.takeTradeIds(1);
    const rest = { exactPrice, lots: lots as Lots, maker: false, feeRate, origin };
    return step.fill(step.known(order), { tradeId, price, ...rest });
  }

  /** Takes an open order out. */
  cancel(step: ContractStep, order: PerpOrder, how: Parameters<ContractStep['close']>[1]): void {
    this.engine.cancel(order.orderId);
    step.close(order, how);
  }

  /** Gives an open order another price or quantity. */
  amend(
    step: ContractStep,
    order: PerpOrder,
    to: { readonly price: Ticks; readonly quantity: Lots; readonly fillable?: Lots },
  ): SimTrade[] {
    const { fillable, ...change } = to;
    const { fillable: _, ...rest } = order;
    const changed: PerpOrder = {
      ...rest,
      ...change,
      ...(fillable === undefined ? {} : { fillable }),
      updatedAt: step.time,
    };
    const left = openLots(changed) as Lots;
    const shrinks = to.price === order.price && left <= this.engine.remaining(order.orderId);
    if (shrinks && this.#tools.habits.shrinksInPlace) {
      if (left < this.engine.remaining(order.orderId)) this.engine.reduce(order.orderId, left);
      step.order(changed, 'REPLACED');
      return [];
    }
    const taking = this.#engineOrder(changed, left);
    this.#trim(step, taking);
    const placement = this.engine.replace(order.orderId, taking);
    assert(placement !== undefined, 'an open order rests');
    step.order(changed, 'REPLACED');
    const trades = this.#collect(step, order.side, order);
    this.#end(step, order, placement.end);
    if (trades.length > 0) this.tidy(step);
    return trades;
  }

  reopen(fairPrice: number): void {
    const resting = this.#tools.contracts.history.allOpen(this.facts.symbol);
    for (const order of crossedBy(resting, this.terms, fairPrice)) this.#fillResting(order);
  }

  placeHouse(order: EngineOrder): Placement {
    this.#tools.settle();
    const step = new ContractStep(this.#tools);
    this.#trim(step, order);
    const placement = this.engine.place(order);
    const trades = this.#collect(step, order.side, undefined);
    if (trades.length > 0) this.tidy(step);
    this.finish(step, trades);
    return placement;
  }

  cancelHouse(orderId: SimOrderId): boolean {
    const gone = this.engine.find(orderId)?.account === HOUSE && this.engine.cancel(orderId);
    if (gone) this.#tools.publisher.publishBook(this.engine);
    return gone;
  }

  /** Keeps what the step did to members, if it did anything, and publishes its trades and the book. */
  finish(
    step: ContractStep,
    trades: readonly SimTrade[],
    acknowledge: (failure?: Error) => void = () => undefined,
  ): void {
    if (!step.isEmpty) this.#tools.finish(step, acknowledge);
    this.#tools.publisher.publish(this.engine, trades);
  }

  #fillResting(order: PerpOrder): void {
    const now = this.#tools.contracts.history.find(order.account, order.symbol, { orderId: order.orderId });
    if (now === undefined || this.engine.remaining(order.orderId) === 0) return;
    const step = new ContractStep(this.#tools);
    this.#trimFor(step, now, this.engine.remaining(order.orderId));
    if (!this.engine.fillResting(order.orderId)) return;
    // The maker sold when its taker bought.
    const trades = this.#collect(step, order.side === 'BUY' ? 'SELL' : 'BUY', undefined);
    if (trades.length > 0) this.tidy(step);
    this.finish(step, trades);
  }

  #engineOrder(order: TakenOrder, quantity: Lots): EngineOrder {
    const { account, side, kind, timeInForce, price, selfTradePrevention, whenTaking } = order;
    return {
      ...{ account, side, kind, timeInForce, quantity, selfTradePrevention, budget: 0 },
      price: kind === 'MARKET' ? (0 as Ticks) : (price ?? (0 as Ticks)),
      ...(whenTaking === undefined ? {} : { whenTaking }),
    };
  }

  /** Before something takes: resting reduce-only orders that it would fill beyond their position are cut to it. */
  #trim(step: ContractStep, taking: EngineOrder): void {
    if (this.#tools.contracts.closers.of(this.facts.symbol).length === 0) return;
    const makers = this.#tools.contracts.history.allOpen(this.facts.symbol);
    for (const { order, allowed } of excessOf(makers, taking.side, this.#tools.contracts)) {
      const prevented = order.account === taking.account && taking.selfTradePrevention !== 'NONE';
      if (!prevented && this.#reaches(taking, order)) this.#trimFor(step, order, allowed);
    }
  }

  #reaches(taking: EngineOrder, order: PerpOrder): boolean {
    const price = order.price ?? (0 as Ticks);
    const buys = taking.side === 'BUY';
    if (taking.kind !== 'MARKET' && (buys ? price > taking.price : price < taking.price)) return false;
    const before = (price + (buys ? -1 : 1)) as Ticks;
    // Its own orders on the way are taken out, or end it: they are no part of what it takes.
    const better = this.engine.preview({ ...taking, kind: 'LIMIT', price: before });
    return !better.prevented && better.executed < taking.quantity;
  }

  /** Cuts an order to what its position allows; with nothing left it ends. */
  #trimFor(step: ContractStep, order: PerpOrder, allowed: number): void {
    const resting = this.engine.remaining(order.orderId);
    const most = Math.min(allowed, this.#allowed(order));
    if (resting <= most) return;
    if (most === 0) this.#knockOut(step, order);
    else {
      this.engine.reduce(order.orderId, most as Lots);
      this.#cut(step, order, most);
    }
  }

  #allowed(order: PerpOrder): number {
    const makers = this.#tools.contracts.history.allOpen(this.facts.symbol);
    const taker = order.side === 'BUY' ? 'SELL' : 'BUY';
    const found = excessOf(makers, taker, this.#tools.contracts).find(
      (excess) => excess.order.orderId === order.orderId,
    );
    return found?.allowed ?? Number.MAX_SAFE_INTEGER;
  }

  #cut(step: ContractStep, order: PerpOrder, allowed: number): void {
    const size = (order.executed + allowed) as Lots;
    const whole = this.#tools.habits.excess === 'CUT';
    const changed = { ...order, ...(whole ? { quantity: size } : { fillable: size }), updatedAt: step.time };
    if (whole) step.order(changed, 'REPLACED');
    else step.put({ put: 'order', order: changed });
  }

  #knockOut(step: ContractStep, order: PerpOrder): void {
    const expires = this.#tools.habits.excess === 'EXPIRE';
    this.cancel(step, order, {
      status: expires ? 'EXPIRED' : 'CANCELED',
      cause: expires ? 'EXPIRED' : 'CANCELED',
      reason: 'REDUCE_ONLY',
    });
  }

  /** After trades: closing orders that have nothing left to close go, and are cut where the venue does so. */
  tidy(step: ContractStep): void {
    const { contracts, habits } = this.#tools;
    const closers = contracts.closers.of(this.facts.symbol);
    for (const { order, allowed } of knockedOut(closers, contracts)) {
      if (allowed === 0) this.#knockOut(step, order);
      else if (habits.excess === 'CUT') {
        this.engine.reduce(order.orderId, allowed as Lots);
        this.#cut(step, order, allowed);
      }
    }
  }

  #end(step: ContractStep, name: Pick<PerpOrder, 'account' | 'symbol' | 'orderId'>, end: OrderEnd): void {
    const order = step.known(name);
    if (end === 'EXPIRED') {
      const reason = order.kind === 'LIMIT_MAKER' ? 'POST_ONLY' : 'IOC';
      step.close(order, { status: 'EXPIRED', cause: 'EXPIRED', reason });
    } else if (end === 'EXPIRED_IN_MATCH') {
      step.close(order, { status: 'EXPIRED_IN_MATCH', cause: 'TRADE_PREVENTION', reason: 'SELF_TRADE' });
    } else if (end === 'FILLED' && order.status !== 'FILLED') this.#beyond(step, order);
  }

  /** All that may be filled is: what is beyond the position expires. */
  #beyond(step: ContractStep, order: PerpOrder): void {
    step.close(order, { status: 'EXPIRED', cause: 'EXPIRED', reason: 'REDUCE_ONLY' });
  }

  /** Takes the engine's last step over: fills of both sides, prevented makers, public trades. */
  #collect(
    step: ContractStep,
    takerSide: 'BUY' | 'SELL',
    taker: Pick<PerpOrder, 'account' | 'symbol' | 'orderId'> | undefined,
  ): SimTrade[] {
    const { fills, expiredMakers, lastTradeId } = this.engine;
    const { symbol, tickSize, makerFee, takerFee } = this.facts;
    const trades: SimTrade[] = [];
    for (let at = 0; at < fills.count; at += 1) {
      const tradeId = lastTradeId - fills.count + 1 + at;
      const price = fills.price(at);
      const quantity = fills.quantity(at);
      const fill = { tradeId, price, exactPrice: stepsToAmount(price, tickSize), lots: quantity };
      const maker = fills.makerAccount(at) as AccountNumber;
      if (maker !== HOUSE) {
        const order = step.known({ account: maker, symbol, orderId: fills.makerOrderId(at) });
        step.fill(order, { ...fill, maker: true, feeRate: makerFee });
        const after = step.known(order);
        if (fills.makerRemaining(at) === 0 && after.status !== 'FILLED') this.#beyond(step, after);
      }
      if (taker !== undefined) {
        const order = step.known(taker);
        const feeRate = order.origin === 'MEMBER' ? takerFee : ZERO;
        step.fill(order, { ...fill, maker: false, feeRate });
      }
      const time: Millis = step.time;
      trades.push({ symbol, tradeId, price, quantity, buyerIsMaker: takerSide === 'SELL', time });
    }
    // The house never asks for prevention, so every maker taken out belongs to the member who took.
    for (const orderId of taker === undefined ? [] : expiredMakers) {
      const how = { status: 'EXPIRED_IN_MATCH', cause: 'TRADE_PREVENTION', reason: 'SELF_TRADE' } as const;
      step.close(step.known({ account: taker?.account ?? HOUSE, symbol, orderId }), how);
    }
    return trades;
  }
}

function newOrder(asked: TakenOrder, orderId: SimOrderId, time: Millis): PerpOrder {
  return {
    ...asked,
    orderId,
    status: 'NEW',
    executed: 0 as Lots,
    executedQuote: ZERO,
    realisedPnl: ZERO,
    fee: ZERO,
    createdAt: time,
    updatedAt: time,
  };
}

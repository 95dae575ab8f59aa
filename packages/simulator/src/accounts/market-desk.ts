import { assert, type Lots, type Ticks } from '@crossbook/domain';
import { backOf } from '../conditional-terms.ts';
import type {
  AccountNumber,
  MarketFacts,
  NewSimOrder,
  SimListPlace,
  SimOrder,
  SimOrderId,
  SimOrderReport,
  SimTrade,
  WaitingFacts,
} from '../exchange.ts';
import type { MatchingEngine } from '../matching/engine.ts';
import type { EngineOrder, Placement } from '../matching/engine-order.ts';
import type { NewSimOrderList } from '../order-list-port.ts';
import { type BookDesk, crossedBy } from './book-desk.ts';
import { nearestTick } from './checks/conditional-checks.ts';
import { engineOrderOf, type PlacedAgainst, pendingRefusal, unfunded } from './checks/order-checks.ts';
import { PriceWatch, type WatchedOrder } from './price-watch.ts';
import { HOUSE } from './state/balances.ts';
import type { IdReserve } from './state/id-reserve.ts';
import { bringsPending, heldAlone, heldTogether, type PlacedAt, pendingBehind } from './state/order-lists.ts';
import { isWaiting, type Terms } from './state/terms.ts';
import type { StepPublisher } from './step-publisher.ts';
import { TradingStep } from './trading-step.ts';

/** What a market desk is made of. */
export interface MarketDeskParts {
  readonly terms: Terms;
  readonly engine: MatchingEngine;
  readonly ids: IdReserve;
  readonly publisher: StepPublisher;
  /** The price of the market's last trade; before the first, the fair one. */
  readonly lastPrice: () => Ticks;
}

/** What follows a step, in its order: prices that were traded at, and working orders of lists whose others are placed. */
type Consequence = { readonly price: Ticks } | { readonly filled: SimOrder };

/** One market: its engine and what an order does there, for members and for the house. Orders were checked before. */
export class MarketDesk implements BookDesk {
  readonly terms: Terms;
  readonly engine: MatchingEngine;
  readonly ids: IdReserve;
  status: MarketFacts['status'];
  readonly #publisher: StepPublisher;
  readonly #lastPrice: () => Ticks;
  readonly #watch = new PriceWatch();
  readonly #consequences: Consequence[] = [];
  /** What follows from steps waits: another one is carried out, or the market opens and has no book yet. */
  #held = false;

  constructor({ terms, engine, ids, publisher, lastPrice }: MarketDeskParts) {
    this.terms = terms;
    this.engine = engine;
    this.ids = ids;
    this.status = terms.facts.status;
    this.#publisher = publisher;
    this.#lastPrice = lastPrice;
    for (const order of publisher.state.history.allOpen(terms.facts.symbol)) this.#watch.put(order);
  }

  /** Whether any member has an order resting or waiting here. */
  get membersRest(): boolean {
    return this.#publisher.state.history.anyOpen(this.terms.facts.symbol);
  }

  /** What an order is held against that is placed now. */
  get against(): PlacedAgainst {
    return { terms: this.terms, engine: this.engine, state: this.#publisher.state, last: this.#lastPrice };
  }

  /** Matches a member's order, or lets it wait for its price. `settled` is called when its outcome is on disk. */
  place(asked: NewSimOrder, settled: (report: SimOrderReport, failure?: Error) => void): void {
    const step = this.#step();
    if (asked.trigger !== undefined) {
      const { orderId } = step.begin(asked, this.engine.park(), {
        ...heldAlone(asked, this.#placedAt),
        ...this.#trails(asked),
      });
      this.#close(step, [], (failure) => settled(step.report(orderId), failure));
      return;
    }
    const placement = this.engine.place(engineOrderOf(this.terms, asked));
    const order = step.begin(asked, placement.orderId);
    const trades = this.#executed(step, order, placement);
    this.#close(step, trades, (failure) => settled(step.report(order.orderId), failure));
  }

  /** Places the orders of a list: those that work at once are matched, the others wait under their ids. */
  placeList(
    asked: NewSimOrderList,
    listId: number,
    settled: (reports: readonly SimOrderReport[], failure?: Error) => void,
  ): void {
    const step = this.#step();
    const { working, others, clientId, follows } = asked;
    const orders = working === undefined ? others : [working, ...others];
    const orderIds = orders.map(() => this.engine.park());
    const contingency = working === undefined ? 'OCO' : 'OTO';
    const since = this.#publisher.now();
    const place = { listId, clientId, contingency, orderIds, since, ...(follows && { follows }) } as const;
    const held = working === undefined ? heldTogether(others, this.#placedAt) : [];
    const begun = orderIds.flatMap((orderId, at) => {
      const order = orders[at];
      if (order === undefined) return [];
      const role: SimListPlace['role'] = working === undefined ? 'LEG' : at === 0 ? 'WORKING' : 'PENDING';
      const trails = role === 'LEG' ? this.#trails(order) : {};
      return [step.begin(order, orderId, { list: { ...place, role }, ...held[at], ...trails })];
    });
    const trades = this.#work(step, begun);
    this.#close(step, trades, (failure) =>
      settled(
        orderIds.map((orderId) => step.report(orderId)),
        failure,
      ),
    );
  }

  /** Cancels a member's order, and with it its list, but for what is for its fills. */
  cancel(
    order: SimOrder,
    cancelClientId: string | undefined,
    settled: (report: SimOrderReport, failure?: Error) => void,
  ): void {
    const step = this.#step();
    const mates = bringsPending({ ...order, status: 'CANCELED' }) ? [] : step.matesOf(order);
    const all = [order, ...mates].sort((a, b) => a.orderId - b.orderId);
    for (const { account, orderId } of all) {
      this.engine.cancel(orderId);
      step.cancel(account, orderId, cancelClientId);
    }
    this.#close(step, [], (failure) => settled(step.report(order.orderId), failure));
  }

  /** Lowers a member's order to `quantity` in all, executed part included; both orders of a pair. */
  amend(
    order: SimOrder,
    to: { readonly quantity: Lots; readonly clientId: string },
    settled: (report: SimOrderReport, failure?: Error) => void,
  ): void {
    const step = this.#step();
    const { clientId, quantity } = to;
    const pair = order.list?.role === 'WORKING' ? [] : step.matesOf(order);
    for (const one of [order, ...pair.filter(({ list }) => list?.role !== 'WORKING')]) {
      if (!isWaiting(one)) this.engine.reduce(one.orderId, (quantity - one.executed) as Lots);
      step.amend(one, one === order ? { quantity, clientId } : { quantity });
    }
    this.#close(step, [], (failure) => settled(step.report(order.orderId), failure));
  }

  /** Gives a member's resting order another price or a larger quantity: it is matched anew under its own id. */
  replace(
    order: SimOrder,
    to: { readonly price: Ticks; readonly quantity: Lots },
    settled: (report: SimOrderReport, failure?: Error) => void,
  ): void {
    const step = this.#step();
    const left = { ...order, ...to, quantity: (to.quantity - order.executed) as Lots };
    const placement = this.engine.replace(order.orderId, engineOrderOf(this.terms, left));
    assert(placement !== undefined, 'an open order rests');
    step.amend(order, to);
    const trades = this.#executed(step, order, placement);
    this.#close(step, trades, (failure) => settled(step.report(order.orderId), failure));
  }

  /** Gives orders that wait the terms they have here. */
  rewait(
    orders: readonly SimOrder[],
    settled: (reports: readonly SimOrderReport[], failure?: Error) => void,
  ): void {
    const step = this.#step();
    for (const order of orders) step.rewait(order);
    const reports = () => orders.map(({ orderId }) => step.report(orderId));
    this.#close(step, [], (failure) => settled(reports(), failure));
  }

  /**
   * While the market was closed the price may have gone through resting orders: they fill at their own price, best first.
   * What follows from that waits: there is no book yet for it.
   */
  reopen(fairPrice: number): void {
    const resting = this.#publisher.state.history
      .allOpen(this.terms.facts.symbol)
      .filter((order) => !isWaiting(order));
    this.#held = true;
    for (const order of crossedBy(resting, this.terms, fairPrice)) this.#fillResting(order);
    // Their prices lie on the way to the one that the market opens with, and are seen there.
    this.#consequences.length = 0;
  }

  /**
   * The market is open: what was pending behind orders that are filled is placed, and what waited for a price on the way to
   * this one fires, in the order of that way.
   */
  opened(fairPrice: number): void {
    const since = this.#consequences.splice(0);
    this.#held = false;
    this.#resume();
    this.#carryOut();
    if (this.#watch.size > 0 && Number.isFinite(fairPrice)) {
      const path = this.#watch.pathTo(nearestTick(fairPrice, this.terms));
      this.#consequences.push(...path.map((price) => ({ price })));
    }
    this.#consequences.push(...since);
    this.#carryOut();
  }

  /** Matches an order of the house; only what it does to members is kept. */
  placeHouse(order: EngineOrder): Placement {
    const step = this.#step();
    const placement = this.engine.place(order);
    this.#close(step, this.#collect(step, order.side, undefined));
    return placement;
  }

  cancelHouse(orderId: SimOrderId): boolean {
    const gone = this.engine.find(orderId)?.account === HOUSE && this.engine.cancel(orderId);
    if (gone) this.#publisher.publishBook(this.engine);
    return gone;
  }

  #fillResting(order: SimOrder): void {
    const step = this.#step();
    if (!this.engine.fillResting(order.orderId)) return;
    // The maker sold when its taker bought.
    this.#close(step, this.#collect(step, order.side === 'BUY' ? 'SELL' : 'BUY', undefined));
  }

  /** Whose working order was filled when the process ended gets its place now. */
  #resume(): void {
    for (const { account, status, list } of this.#publisher.state.history.allOpen(this.terms.facts.symbol)) {
      const orderId = status === 'PENDING_NEW' ? list?.orderIds[0] : undefined;
      const working = orderId === undefined ? undefined : this.#find({ account, orderId });
      if (working !== undefined && bringsPending(working)) this.#consequences.push({ filled: working });
    }
  }

  /** Ends a step: what it means for lists belongs to it, what it means for those who wait comes after it. */
  #close(
    step: TradingStep,
    trades: readonly SimTrade[],
    acknowledge: (failure?: Error) => void = () => undefined,
  ): void {
    for (const { orderId } of step.concludeLists()) this.engine.cancel(orderId);
    this.#publisher.finish(this.engine, step, trades, acknowledge);
    for (const order of step.concernsMembers ? step.record.orders : []) {
      this.#watch.put(order);
      if (bringsPending(order)) this.#consequences.push({ filled: order });
    }
    if (this.#watch.size > 0) {
      let before: Ticks | undefined;
      for (const { price } of trades) {
        if (price !== before) this.#consequences.push({ price });
        before = price;
      }
    }
    this.#carryOut();
  }

  /** One after the other, each with the books and balances that the one before it left. */
  #carryOut(): void {
    if (this.#held) return;
    this.#held = true;
    try {
      for (let next = this.#consequences.shift(); next !== undefined; next = this.#consequences.shift()) {
        if ('filled' in next) this.#activate(next.filled);
        else this.#seePrice(next.price);
      }
    } finally {
      this.#held = false;
    }
  }

  #seePrice(price: Ticks): void {
    const { moved, due } = this.#watch.at(price);
    for (const name of moved) this.#trail(this.#find(name), price);
    for (const name of due) {
      const order = this.#find(name);
      if (order === undefined || !isWaiting(order)) continue;
      const begins = trails(order) && order.trailing === undefined;
      if (begins) this.#trail(order, price);
      else this.#fire(order);
    }
  }

  /** Keeps the best price that a trailing order has seen: it must not be forgotten in a restart. */
  #trail(order: SimOrder | undefined, best: Ticks): void {
    if (order === undefined) return;
    const step = this.#step();
    step.note(order, { trailing: { since: order.trailing?.since ?? this.#publisher.now(), best } });
    this.#publisher.keep(step.record, () => undefined);
    for (const noted of step.record.orders) this.#watch.put(noted);
  }

  /** The price of a conditional order came. */
  #fire(order: SimOrder): void {
    const step = this.#step();
    if (unfunded([order, ...step.matesOf(order)], this.against)) {
      step.expire(order, 'REFUSED');
      this.engine.cancel(order.orderId);
      this.#close(step, []);
      return;
    }
    const working = step.trigger(order);
    for (const { orderId } of step.concludeLists()) this.engine.cancel(orderId);
    this.#close(step, this.#work(step, [working]));
  }

  /** What was pending behind a working order is placed, or refused as a whole. */
  #activate(filled: SimOrder): void {
    const step = this.#step();
    const pending = pendingBehind(filled, step.matesOf(filled), this.against);
    if (pending.length === 0) return;
    if (pendingRefusal(pending, this.against) !== undefined) {
      for (const order of pending) {
        this.engine.cancel(order.orderId);
        step.expire(order, 'REFUSED');
      }
      this.#close(step, []);
      return;
    }
    const held =
      pending.length > 1
        ? heldTogether(pending, this.#placedAt)
        : pending.map((order) => heldAlone(order, this.#placedAt));
    const begun = pending.map((order, at) => step.activate(order, { ...held[at], ...this.#trails(order) }));
    this.#close(step, this.#work(step, begun));
  }

  /** Matches those of the orders that wait no longer, under the ids they have. */
  #work(step: TradingStep, orders: readonly SimOrder[]): SimTrade[] {
    return orders.flatMap((order) => {
      if (isWaiting(order)) return [];
      const placement = this.engine.replace(order.orderId, engineOrderOf(this.terms, order));
      assert(placement !== undefined, 'an order that waited has its id');
      return this.#executed(step, order, placement);
    });
  }

  #executed(step: TradingStep, order: SimOrder, { orderId, end }: Placement): SimTrade[] {
    const taker = { account: order.account, orderId, filled: end === 'FILLED' };
    const trades = this.#collect(step, order.side, taker);
    step.end(order.account, orderId, end);
    return trades;
  }

  /** One that follows the price from its placing on begins with the last one. */
  #trails(order: NewSimOrder): Pick<WaitingFacts, 'trailing'> {
    if (!trails(order) || order.trigger?.price !== undefined) return {};
    return { trailing: { since: this.#publisher.now(), best: this.#lastPrice() } };
  }

  get #placedAt(): PlacedAt {
    return { last: this.#lastPrice(), ticksMax: this.terms.ticksMax };
  }

  #find({ account, orderId }: WatchedOrder): SimOrder | undefined {
    return this.#publisher.state.history.find(account, this.terms.facts.symbol, { orderId });
  }

  #step(): TradingStep {
    return new TradingStep(this.terms, this.#publisher.state, this.#publisher.now());
  }

  /** Takes the engine's last step over: fills of both sides, prevented makers, public trades. */
  #collect(
    step: TradingStep,
    takerSide: 'BUY' | 'SELL',
    taker: { account: AccountNumber; orderId: SimOrderId; filled: boolean } | undefined,
  ): SimTrade[] {
    const { fills, expiredMakers, lastTradeId } = this.engine;
    const trades: SimTrade[] = [];
    const time = this.#publisher.now();
    for (let at = 0; at < fills.count; at += 1) {
      const tradeId = lastTradeId - fills.count + 1 + at;
      const price = fills.price(at);
      const quantity = fills.quantity(at);
      const maker = fills.makerAccount(at) as AccountNumber;
      if (maker !== HOUSE) {
        step.fill(maker, fills.makerOrderId(at), { tradeId, price, quantity, maker: true });
      }
      if (taker !== undefined) {
        const last = taker.filled && at === fills.count - 1;
        step.fill(taker.account, taker.orderId, { tradeId, price, quantity, maker: false, last });
      }
      const { symbol } = this.terms.facts;
      trades.push({ symbol, tradeId, price, quantity, buyerIsMaker: takerSide === 'SELL', time });
    }
    // The house never asks for prevention, so every maker taken out belongs to the member who took.
    if (taker !== undefined) for (const maker of expiredMakers) step.prevent(taker.account, maker);
    return trades;
  }
}

function trails({ trigger }: Pick<NewSimOrder, 'trigger'>): boolean {
  return trigger !== undefined && backOf(trigger) !== undefined;
}

import { assert, type Lots, type Ticks, toNumberForDisplay } from '@crossbook/domain';
import type {
  AccountNumber,
  MarketFacts,
  NewSimOrder,
  SimOrder,
  SimOrderId,
  SimOrderReport,
  SimTrade,
} from '../exchange.ts';
import type { MatchingEngine } from '../matching/engine.ts';
import type { EngineOrder, Placement } from '../matching/engine-order.ts';
import { HOUSE } from './balances.ts';
import type { BookDesk } from './book-desk.ts';
import type { IdReserve } from './id-reserve.ts';
import { engineOrderOf } from './order-checks.ts';
import type { Terms } from './terms.ts';
import type { TradingFloor } from './trading-floor.ts';
import { TradingStep } from './trading-step.ts';

/** One market: its engine and what an order does there, for members and for the house. Orders were checked before. */
export class MarketDesk implements BookDesk {
  readonly terms: Terms;
  readonly engine: MatchingEngine;
  readonly ids: IdReserve;
  status: MarketFacts['status'];
  readonly #floor: TradingFloor;

  constructor(terms: Terms, engine: MatchingEngine, ids: IdReserve, floor: TradingFloor) {
    this.terms = terms;
    this.engine = engine;
    this.ids = ids;
    this.status = terms.facts.status;
    this.#floor = floor;
  }

  /** Whether any member has an order resting here. */
  get membersRest(): boolean {
    return this.#floor.state.history.anyOpen(this.terms.facts.symbol);
  }

  /** Matches a member's order. `settled` is called when its outcome is on disk. */
  place(asked: NewSimOrder, settled: (report: SimOrderReport, failure?: Error) => void): void {
    const step = this.#step();
    const placement = this.engine.place(engineOrderOf(this.terms, asked));
    step.begin(asked, placement.orderId);
    const taker = { account: asked.account, orderId: placement.orderId, filled: placement.end === 'FILLED' };
    const trades = this.#collect(step, asked.side, taker);
    step.end(asked.account, placement.orderId, placement.end);
    const report = step.report(placement.orderId);
    this.#floor.finish(this.engine, step, trades, (failure) => settled(report, failure));
  }

  /** Cancels a member's resting order. */
  cancel(
    order: SimOrder,
    cancelClientId: string | undefined,
    settled: (report: SimOrderReport, failure?: Error) => void,
  ): void {
    const step = this.#step();
    this.engine.cancel(order.orderId);
    step.cancel(order.account, order.orderId, cancelClientId);
    const report = step.report(order.orderId);
    this.#floor.finish(this.engine, step, [], (failure) => settled(report, failure));
  }

  /** Lowers a member's resting order to `quantity` in all, executed part included. */
  amend(
    order: SimOrder,
    to: { readonly quantity: Lots; readonly clientId: string },
    settled: (report: SimOrderReport, failure?: Error) => void,
  ): void {
    const step = this.#step();
    this.engine.reduce(order.orderId, (to.quantity - order.executed) as Lots);
    step.amend(order, to);
    const report = step.report(order.orderId);
    this.#floor.finish(this.engine, step, [], (failure) => settled(report, failure));
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
    const taker = { ...order, filled: placement.end === 'FILLED' };
    const trades = this.#collect(step, order.side, taker);
    step.end(order.account, order.orderId, placement.end);
    const report = step.report(order.orderId);
    this.#floor.finish(this.engine, step, trades, (failure) => settled(report, failure));
  }

  /** While the market was closed the price may have gone through resting orders: they fill at their own price, best first. */
  reopen(fairPrice: number): void {
    const tick = toNumberForDisplay(this.terms.facts.tickSize);
    const crossed = this.#floor.state.history.allOpen(this.terms.facts.symbol).filter((order) => {
      const price = (order.price ?? 0) * tick;
      return order.side === 'BUY' ? price >= fairPrice : price <= fairPrice;
    });
    crossed.sort((a, b) => goodness(a) - goodness(b) || a.orderId - b.orderId);
    for (const order of crossed) this.#fillResting(order);
  }

  /** Matches an order of the house; only what it does to members is kept. */
  placeHouse(order: EngineOrder): Placement {
    const step = this.#step();
    const placement = this.engine.place(order);
    const trades = this.#collect(step, order.side, undefined);
    this.#floor.finish(this.engine, step, trades, () => undefined);
    return placement;
  }

  cancelHouse(orderId: SimOrderId): boolean {
    const gone = this.engine.find(orderId)?.account === HOUSE && this.engine.cancel(orderId);
    if (gone) this.#floor.publishBook(this.engine);
    return gone;
  }

  #fillResting(order: SimOrder): void {
    const step = this.#step();
    if (!this.engine.fillResting(order.orderId)) return;
    // The maker sold when its taker bought.
    const trades = this.#collect(step, order.side === 'BUY' ? 'SELL' : 'BUY', undefined);
    this.#floor.finish(this.engine, step, trades, () => undefined);
  }

  #step(): TradingStep {
    return new TradingStep(this.terms, this.#floor.state, this.#floor.now());
  }

  /** Takes the engine's last step over: fills of both sides, prevented makers, public trades. */
  #collect(
    step: TradingStep,
    takerSide: 'BUY' | 'SELL',
    taker: { account: AccountNumber; orderId: SimOrderId; filled: boolean } | undefined,
  ): SimTrade[] {
    const { fills, expiredMakers, lastTradeId } = this.engine;
    const trades: SimTrade[] = [];
    const time = this.#floor.now();
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

/** Small is first in the queue of its side. */
function goodness(order: SimOrder): number {
  const price = order.price ?? 0;
  return order.side === 'BUY' ? -price : price;
}

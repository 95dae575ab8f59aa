import { type Ticks, toNumberForDisplay } from '@crossbook/domain';
import type { MarketFacts, SimOrder } from '../exchange.ts';
import type { MatchingEngine } from '../matching/engine.ts';
import type { Placement } from '../matching/engine-order.ts';
import type { IdReserve } from './state/id-reserve.ts';
import type { Terms } from './state/terms.ts';

/** One market: its engine, and what the house does there. */
export interface BookDesk {
  readonly terms: Terms;
  readonly engine: MatchingEngine;
  readonly ids: IdReserve;
  status: MarketFacts['status'];
  /** Whether any member has an order resting here. */
  readonly membersRest: boolean;
  /** While the market was closed the price may have gone through resting orders: they fill at their own price, best first. */
  reopen(fairPrice: number): void;
  /** What waited while the market was closed, once its book is there again. */
  opened?(fairPrice: number): void;
  placeHouse(order: Parameters<MatchingEngine['place']>[0]): Placement;
  cancelHouse(orderId: Parameters<MatchingEngine['cancel']>[0]): boolean;
}

/** Resting orders that a market's price went through while it was closed, best first. */
export function crossedBy<Order extends Pick<SimOrder, 'side' | 'price' | 'orderId'>>(
  orders: readonly Order[],
  { facts }: Pick<Terms, 'facts'>,
  fairPrice: number,
): Order[] {
  const tick = toNumberForDisplay(facts.tickSize);
  const crossed = orders.filter(({ side, price = 0 as Ticks }) =>
    side === 'BUY' ? price * tick >= fairPrice : price * tick <= fairPrice,
  );
  const goodness = ({ side, price = 0 as Ticks }: Order): number => (side === 'BUY' ? -price : price);
  return crossed.sort((a, b) => goodness(a) - goodness(b) || a.orderId - b.orderId);
}

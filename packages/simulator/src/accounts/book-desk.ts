import type { MarketFacts } from '../exchange.ts';
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
  placeHouse(order: Parameters<MatchingEngine['place']>[0]): Placement;
  cancelHouse(orderId: Parameters<MatchingEngine['cancel']>[0]): boolean;
}

import { type Lots, ZERO } from '@crossbook/domain';
import type { SimOrderId, SimOrderStatus } from '../../../exchange.ts';
import type { PerpConditional } from '../../../perp-conditionals.ts';
import type { PerpOrder } from '../../../perp-exchange.ts';
import type { ConditionalState } from '../../../triggers/conditional-order.ts';
import type { Desk } from '../endpoint.ts';

/**
 * An order as Bybit counts it: one that waits for a price and the order that it becomes are one, under one id. The core
 * keeps them apart.
 */
export interface ContractOrder extends PerpOrder {
  /** What it waited for, or waits for. */
  readonly stop?: PerpConditional;
}

/** Numbers of orders that wait for a price, or have, begin behind this one. */
const STOP_ORIGIN = 4_000_000_000_000_000;

/** The conditional order behind a number of an order; `undefined` for one that never waited. */
export function algoIdOf(orderId: SimOrderId): number | undefined {
  return orderId > STOP_ORIGIN ? orderId - STOP_ORIGIN : undefined;
}

function numberOf(algoId: number): SimOrderId {
  return (STOP_ORIGIN + algoId) as SimOrderId;
}

/** An order of the core as its owner sees it. */
export function ownOrder({ venue }: Desk, order: PerpOrder): ContractOrder {
  const { account, algoId } = order;
  if (algoId === undefined) return order;
  const stop = venue.perps.conditionals.find(account, { algoId });
  const orderId = numberOf(algoId);
  return stop === undefined ? { ...order, orderId } : { ...order, orderId, createdAt: stop.createdAt, stop };
}

const STATUSES: Readonly<Record<ConditionalState, SimOrderStatus>> = {
  WAITING: 'NEW',
  TRIGGERING: 'NEW',
  TRIGGERED: 'CANCELED',
  FINISHED: 'CANCELED',
  REFUSED: 'REJECTED',
  CANCELLED: 'CANCELED',
  EXPIRED: 'CANCELED',
};

/** A conditional order as its owner sees it; once it has fired, what it became. */
export function ownConditional(desk: Desk, stop: PerpConditional): ContractOrder {
  const { perps } = desk.venue;
  const { algoId, sends, state, createdAt, updatedAt } = stop;
  const { account, symbol } = sends;
  const child =
    'childId' in stop ? perps.perpOrder(account, symbol, { orderId: stop.childId as SimOrderId }) : undefined;
  if (child !== undefined) return ownOrder(desk, child);
  return {
    ...{ ...sends, orderId: numberOf(algoId), stop, createdAt, updatedAt },
    quantity: sends.quantity === 'WHOLE' ? wholeOf(desk, stop) : sends.quantity,
    ...{ status: STATUSES[state], executed: 0 as Lots, executedQuote: ZERO, realisedPnl: ZERO, fee: ZERO },
    // Its leverage is that of the moment in which it fires.
    ...{ leverage: 0, origin: 'MEMBER' },
  };
}

/** What closes a whole position is as large as that while it waits (position/trading-stop). */
function wholeOf({ venue }: Desk, { sends, state }: PerpConditional): Lots {
  const { account, symbol, positionSide } = sends;
  const held = venue.perps.positions(account, symbol).find(({ side }) => side === positionSide);
  return (state === 'WAITING' ? Math.abs(held?.quantity ?? 0) : 0) as Lots;
}

/** What an order waits for, or waited for in vain; `undefined` for one that is in the market, or was. */
export function unfiredOf({ stop, algoId }: ContractOrder): PerpConditional | undefined {
  return algoId === undefined ? stop : undefined;
}

/** The core's number of an order that is in the market, or was. */
export function coreIdOf({ stop, orderId }: ContractOrder): SimOrderId {
  return stop !== undefined && 'childId' in stop ? (stop.childId as SimOrderId) : orderId;
}

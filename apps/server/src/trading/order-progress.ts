import { type Amount, isFinal, ORDER_STATUS, type OrderStatus } from '@crossbook/domain';

/** Where an order stands before an event. */
export interface Standing {
  readonly status: OrderStatus;
  readonly settled: boolean;
  readonly cumQuantity: Amount;
}

/** What the venue now says. */
export interface Witness {
  readonly status: OrderStatus;
  readonly cumulativeQuantity: Amount;
}

/** The status after the event, and whether it should never have happened. */
export interface Advance {
  readonly status: OrderStatus;
  readonly incident: boolean;
}

const { UNKNOWN, OPEN, CANCELLED, FILLED, PARTIALLY_FILLED, REJECT, FAIL } = ORDER_STATUS;

/**
 * The order state table of decision 0004, as a function. Cumulative quantities only grow; late and repeated
 * events change nothing; what contradicts a finished order makes it UNKNOWN again, with an incident, and no fill is dropped.
 */
export function advance(order: Standing, venue: Witness): Advance {
  const grew = venue.cumulativeQuantity > order.cumQuantity;
  // An unsettled FILLED order still waits for fills it was told of; a settled one can have none left.
  if (order.status === FILLED)
    return grew && order.settled ? { status: UNKNOWN, incident: true } : keep(order);
  if (order.status === REJECT || order.status === FAIL) {
    const alive =
      grew || venue.status === OPEN || venue.status === PARTIALLY_FILLED || venue.status === FILLED;
    return alive ? { status: UNKNOWN, incident: true } : keep(order);
  }
  if (order.status === CANCELLED) {
    if (order.settled) return grew ? { status: UNKNOWN, incident: true } : keep(order);
    return { status: venue.status === FILLED ? FILLED : CANCELLED, incident: false };
  }
  return { status: aliveStatus(order, venue), incident: false };
}

function keep(order: Standing): Advance {
  return { status: order.status, incident: false };
}

function aliveStatus(order: Standing, venue: Witness): OrderStatus {
  const traded = order.cumQuantity > 0n || venue.cumulativeQuantity > 0n;
  // An order that was taken or has traded was not refused: the venue ended it.
  if (venue.status === REJECT && (traded || order.status === OPEN)) return CANCELLED;
  if (isFinal(venue.status)) return venue.status;
  return traded ? PARTIALLY_FILLED : OPEN;
}

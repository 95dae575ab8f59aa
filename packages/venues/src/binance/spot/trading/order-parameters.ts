import { formatAmount, ORDER_TYPE, SIDE, TIME_IN_FORCE, type VenueOrderState } from '@crossbook/domain';
import type { VenueOrderRequest } from '../../../venue-orders.ts';
import type { CallParameters } from '../../account/sign.ts';

/** Post-only is the order type LIMIT_MAKER at Binance spot, which takes no time in force; nor does MARKET. */
export function orderParameters(request: VenueOrderRequest): CallParameters | undefined {
  const { price, quantity, quoteQuantity, visible } = request;
  if (request.attached !== undefined) return undefined;
  const common = {
    symbol: request.instrument.symbol,
    side: request.side === SIDE.BUY ? 'BUY' : 'SELL',
    newClientOrderId: request.clientId,
    newOrderRespType: 'FULL',
  };
  if (request.type === ORDER_TYPE.MARKET) {
    if (visible !== undefined) return undefined;
    if (quantity !== undefined) return { ...common, type: 'MARKET', quantity: formatAmount(quantity) };
    if (quoteQuantity === undefined) return undefined;
    return { ...common, type: 'MARKET', quoteOrderQty: formatAmount(quoteQuantity) };
  }
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined || quantity === undefined) return undefined;
  const iceberg = visible === undefined ? {} : { icebergQty: formatAmount(visible) };
  const limit = { ...common, quantity: formatAmount(quantity), price: formatAmount(price), ...iceberg };
  if (request.timeInForce === TIME_IN_FORCE.POST_ONLY) return { ...limit, type: 'LIMIT_MAKER' };
  return { ...limit, type: 'LIMIT', timeInForce: TIMES_IN_FORCE[request.timeInForce] };
}

/** How the venue calls the times in force; post-only is a type of order. */
export const TIMES_IN_FORCE = {
  [TIME_IN_FORCE.GTC]: 'GTC',
  [TIME_IN_FORCE.IOC]: 'IOC',
  [TIME_IN_FORCE.FOK]: 'FOK',
} as const;

/** An order that executed more than was asked for is not booked without a second look. */
export function exceeds(state: VenueOrderState, request: VenueOrderRequest): boolean {
  const { quantity, quoteQuantity } = request;
  return (
    (quantity !== undefined && state.cumulativeQuantity > quantity) ||
    (quoteQuantity !== undefined && state.cumulativeQuote > quoteQuantity)
  );
}

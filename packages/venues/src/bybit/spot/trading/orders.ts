import { formatAmount, ORDER_TYPE, SIDE } from '@crossbook/domain';
import type { OrderRoom } from '../../../trading/order-room.ts';
import type { VenueOrderRequest } from '../../../venue-orders.ts';
import type { Asking, Call } from '../../account/calls.ts';
import { fillsIn } from '../../account/fill-pages.ts';
import { ordersIn, TIMES_IN_FORCE } from '../../account/order-calls.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { SPOT_SHAPE } from './normalise.ts';

/** Orders on pairs. */
export const SPOT_ORDERS: OrderRoom<Asking> = {
  ...ordersIn({
    shape: SPOT_SHAPE,
    limits: ACCOUNT_CALLS,
    named: { orderFilter: 'Order' },
    list: {},
    parameters: orderParameters,
  }),
  ...fillsIn({ shape: SPOT_SHAPE, ofList: { execType: 'Trade' } }),
};

/** A market buy without `marketUnit` would count quote, and a sale base: it is always said. */
export function orderParameters(request: VenueOrderRequest): Call['parameters'] | undefined {
  const { price, quantity, quoteQuantity, attached } = request;
  // What is attached to an order of a pair is placed by the hub.
  if (attached !== undefined) return undefined;
  const common = {
    category: SPOT_SHAPE.category,
    symbol: request.instrument.symbol,
    side: request.side === SIDE.BUY ? 'Buy' : 'Sell',
    orderLinkId: request.clientId,
    orderFilter: 'Order',
    isLeverage: 0,
  };
  if (request.type === ORDER_TYPE.MARKET) {
    const market = { ...common, orderType: 'Market' };
    if (quantity !== undefined) return { ...market, marketUnit: 'baseCoin', qty: formatAmount(quantity) };
    if (quoteQuantity === undefined) return undefined;
    return { ...market, marketUnit: 'quoteCoin', qty: formatAmount(quoteQuantity) };
  }
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined || quantity === undefined) return undefined;
  return {
    ...common,
    orderType: 'Limit',
    qty: formatAmount(quantity),
    price: formatAmount(price),
    timeInForce: TIMES_IN_FORCE[request.timeInForce],
  };
}

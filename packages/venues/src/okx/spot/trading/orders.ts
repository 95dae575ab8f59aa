import { formatAmount, ORDER_TYPE, SIDE } from '@crossbook/domain';
import type { OrderRoom } from '../../../trading/order-room.ts';
import type { VenueOrderRequest } from '../../../venue-orders.ts';
import { broughtIn } from '../../account/algo-words.ts';
import type { Asking, CallParameters } from '../../account/calls.ts';
import { fillsIn } from '../../account/fill-pages.ts';
import { ORDER_TYPES, ordersIn } from '../../account/order-calls.ts';
import { SPOT_SHAPE } from './normalise.ts';

/** Orders on pairs. */
export const SPOT_ORDERS: OrderRoom<Asking> = {
  ...ordersIn({ shape: SPOT_SHAPE, parameters: orderParameters }),
  ...fillsIn(SPOT_SHAPE),
};

/** `sz` of a market order counts quote or base by `tgtCcy`; without it a buy would count quote and a sell base. */
function orderParameters(request: VenueOrderRequest): CallParameters | undefined {
  const { instrument, price, quantity, quoteQuantity } = request;
  const brings = request.listed === undefined ? {} : broughtIn(request.listed);
  if (request.attached !== undefined || brings === undefined) return undefined;
  const common = {
    instId: instrument.symbol,
    tdMode: 'cash',
    side: request.side === SIDE.BUY ? 'buy' : 'sell',
    clOrdId: request.clientId,
    ...brings,
  };
  if (request.type === ORDER_TYPE.MARKET) {
    const market = { ...common, ordType: 'market' };
    if (quantity !== undefined) return { ...market, sz: formatAmount(quantity), tgtCcy: 'base_ccy' };
    if (quoteQuantity === undefined) return undefined;
    return { ...market, sz: formatAmount(quoteQuantity), tgtCcy: 'quote_ccy' };
  }
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined || quantity === undefined) return undefined;
  return {
    ...common,
    ordType: ORDER_TYPES[request.timeInForce],
    sz: formatAmount(quantity),
    px: formatAmount(price),
  };
}

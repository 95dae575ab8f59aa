import { formatAmount, ORDER_TYPE, POSITION_SIDE, SIDE, type Side } from '@crossbook/domain';
import { closesItsLeg, fitsItsMode } from '../../../trading/contract-terms.ts';
import type { OrderRoom } from '../../../trading/order-room.ts';
import type { ContractOrderTerms } from '../../../venue-contracts.ts';
import type { VenueOrderRequest } from '../../../venue-orders.ts';
import { attachedIn } from '../../account/algo-words.ts';
import type { Asking, CallParameters } from '../../account/calls.ts';
import { ORDER_TYPES, ordersIn } from '../../account/order-calls.ts';
import { SWAP_FILLS } from './deliveries.ts';
import { SIDE_NAMES, SWAP_SHAPE } from './normalise.ts';

/** Orders on swaps; sizes are contracts. */
export const CONTRACT_ORDERS: OrderRoom<Asking> = {
  ...ordersIn({ shape: SWAP_SHAPE, parameters: orderParameters }),
  ...SWAP_FILLS,
};

/**
 * The margin mode is said with every order (`tdMode`). In long/short mode the side of the position says what closes, and
 * `reduceOnly` would be ignored there; in net mode no side is named.
 * @returns `undefined` where the order's side does not fit the position's.
 */
export function termsIn(contract: ContractOrderTerms, side: Side): CallParameters | undefined {
  if (!fitsItsMode(contract) || (contract.reduceOnly && !closesItsLeg(contract, side))) return undefined;
  const net = contract.side === POSITION_SIDE.NET;
  return {
    tdMode: contract.marginMode,
    ...(net ? {} : { posSide: SIDE_NAMES[contract.side] }),
    ...(net && contract.reduceOnly ? { reduceOnly: true } : {}),
  };
}

function orderParameters(request: VenueOrderRequest): CallParameters | undefined {
  const { instrument, price, quantity, contract, side } = request;
  const terms = contract === undefined ? undefined : termsIn(contract, side);
  const attached = request.attached === undefined ? {} : attachedIn(request.clientId, request.attached);
  if (terms === undefined || quantity === undefined || attached === undefined) return undefined;
  const common = {
    instId: instrument.symbol,
    side: side === SIDE.BUY ? 'buy' : 'sell',
    ...terms,
    clOrdId: request.clientId,
    sz: formatAmount(quantity),
    ...attached,
  };
  if (request.type === ORDER_TYPE.MARKET) return { ...common, ordType: 'market' };
  if (request.type !== ORDER_TYPE.LIMIT || price === undefined) return undefined;
  return { ...common, ordType: ORDER_TYPES[request.timeInForce], px: formatAmount(price) };
}

import { POSITION_SIDE, SIDE, type Side } from '@crossbook/domain';
import type { ContractOrderTerms } from '../venue-contracts.ts';

/** The class of orders that are sent together: that of closing where each only lowers a position. */
export function classOf(
  orders: readonly { readonly contract?: Pick<ContractOrderTerms, 'reduceOnly'> }[],
): 'close' | 'order' {
  return orders.every(({ contract }) => contract?.reduceOnly === true) ? 'close' : 'order';
}

/** Whether the side of the position is one of its mode: net in one-way mode, a leg in hedge mode. */
export function fitsItsMode({ positionMode, side }: ContractOrderTerms): boolean {
  return (positionMode === 'one-way') === (side === POSITION_SIDE.NET);
}

/** Whether an order can only close its leg: a sell of a long one, a buy of a short one; in one-way mode either may. */
export function closesItsLeg({ side }: ContractOrderTerms, orderSide: Side): boolean {
  return side === POSITION_SIDE.NET || (side === POSITION_SIDE.LONG) === (orderSide === SIDE.SELL);
}

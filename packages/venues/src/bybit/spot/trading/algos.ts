import type { AlgoWords } from '../../account/algo-calls.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { SPOT_SHAPE } from './normalise.ts';
import { orderParameters } from './orders.ts';

const FILTER = { orderFilter: 'tpslOrder' };

/**
 * Orders of pairs that wait for a price with their money locked. They say no direction: the venue takes the side on which
 * the price stands when the order comes, so that one whose price has been passed on its way waits for the way back.
 */
export const SPOT_ALGOS: AlgoWords = {
  category: SPOT_SHAPE.category,
  limits: { place: ACCOUNT_CALLS.place, cancel: ACCOUNT_CALLS.cancel },
  named: FILTER,
  list: {},
  parameters(order, { price, by }) {
    const written = by === 'last' ? orderParameters(order) : undefined;
    return written === undefined ? undefined : { ...written, ...FILTER, triggerPrice: price };
  },
};

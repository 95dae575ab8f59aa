import { ZERO } from '@crossbook/domain';
import type { AlgoWords } from '../../account/algo-calls.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { LINEAR_SHAPE } from './normalise.ts';
import { orderParameters, TRIGGER_WORDS } from './orders.ts';

/** Orders on linear contracts that wait for a price; one that closes all of a position has no size of its own. */
export const CONTRACT_ALGOS: AlgoWords = {
  category: LINEAR_SHAPE.category,
  limits: { place: ACCOUNT_CALLS.placeLinear, cancel: ACCOUNT_CALLS.cancelLinear },
  named: {},
  list: { settleCoin: 'USDT' },
  parameters(order, { price, by, rises }, { whole, contract }) {
    const closing = contract === undefined ? {} : { contract: { ...contract, reduceOnly: true } };
    // The size of what closes all is said as 0 (order/create-order).
    const written =
      whole === true ? orderParameters({ ...order, ...closing, quantity: ZERO }) : orderParameters(order);
    if (written === undefined) return undefined;
    return {
      ...written,
      ...{ triggerPrice: price, triggerDirection: rises ? 1 : 2, triggerBy: TRIGGER_WORDS[by] },
      ...(whole === true ? { closeOnTrigger: true } : {}),
    };
  },
};

import type { Millis } from '@crossbook/domain';
import type { FrozenLeavings } from '../storage/stores/trading/frozen-leavings.ts';
import { type Clear, callerFor } from './clearing.ts';

/**
 * What a frozen member left open that could make his risk larger is cancelled: somebody else may have placed it. What only
 * closes, and every stop and target, stays: nobody is there to watch the position.
 */
export function clearFrozen(leavings: FrozenLeavings, clock: () => Millis): Clear {
  return async (user, { handlers }) => {
    const caller = callerFor(user, clock());
    const { orderIds, algos } = await leavings.opening(user);
    // First what waits for a price: the parts of an iceberg end with it alone.
    for (const algo of algos) await handlers['connextrade/CancelAlgoOrder'](caller, algo);
    if (orderIds.length > 0) await handlers['connextrade/CancelAll'](caller, { orderIds });
    await leavings.markCleared(user, clock());
  };
}

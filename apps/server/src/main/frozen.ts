import type { Millis } from '@crossbook/domain';
import type { FrozenLeavings } from '../storage/stores/trading/leavings.ts';
import { ALGOS_AT_ONCE_MAX, fewAtOnce } from '../trading/few-at-once.ts';
import { type Clear, callerFor } from './clearing.ts';

/** After that the rest is left to the next sweep: where an exchange is silent each question takes its time. */
const CLEARED_MILLIS_MAX = 10_000;

/**
 * What a frozen member left open that could make his risk larger is cancelled: somebody else may have placed it. What only
 * closes, and every stop and target, stays: nobody is there to watch the position.
 */
export function clearFrozen(leavings: FrozenLeavings, clock: () => Millis): Clear {
  return async (user, { handlers }) => {
    const caller = callerFor(user, clock());
    const { orderIds, algos } = await leavings.opening(user);
    // First what waits for a price: the parts of an iceberg end with it alone.
    const endsAt = clock() + CLEARED_MILLIS_MAX;
    await fewAtOnce(algos, ALGOS_AT_ONCE_MAX, async (algo) => {
      if (clock() < endsAt) await handlers['connextrade/CancelAlgoOrder'](caller, algo);
    });
    if (orderIds.length > 0) await handlers['connextrade/CancelAll'](caller, { orderIds });
    await leavings.markCleared(user, clock());
  };
}

import type { CallHandlers, CallName } from '@crossbook/contract';
import { type Millis, type OrderId, PLATFORMS, platformFacts } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { Leavings } from '../storage/stores/trading/leavings.ts';
import { ALGOS_AT_ONCE_MAX, fewAtOnce } from '../trading/few-at-once.ts';
import type { AccountsPart } from './accounts.ts';
import { type Clear, callerFor } from './clearing.ts';
import type { MoneyPart } from './money.ts';

const DEMO_CALLS: readonly CallName[] = ['x/demo/Start', 'x/demo/Funds', 'x/demo/Keep'];

/** Calls that this installation does not have. Demos exist where the outbox does: paper money, on loopback or by OUTBOX=1. */
export function absentCalls({ outbox }: Pick<Config, 'outbox'>): readonly CallName[] {
  return outbox ? [] : DEMO_CALLS;
}

/** Looking after its funds is how a demo member is seen. */
export function demoHandlers(
  accounts: Pick<AccountsPart, 'demoSeen'>,
  { wallets }: Pick<MoneyPart, 'wallets'>,
): Pick<CallHandlers, 'x/demo/Funds'> {
  return {
    async 'x/demo/Funds'(caller, request) {
      if (caller.demo === true) await accounts.demoSeen(caller.user, caller.now);
      return wallets.handlers['x/demo/Funds'](caller, request);
    },
  };
}

/** What a demo that is over left open at the venues is cancelled; what it holds stays, as paper does no harm. */
export function clearDemo(leavings: Pick<Leavings, 'markCleared'>, clock: () => Millis): Clear {
  return async (user, { handlers }) => {
    const caller = callerFor(user, clock());
    await handlers['connextrade/CancelAll'](caller, {});
    // What waits for a price comes second: an order that ends may have had legs placed until then.
    const waiting = await handlers['connextrade/CurAlgoOrderList'](caller, {});
    await fewAtOnce(waiting.ok ? waiting.value : [], ALGOS_AT_ONCE_MAX, ({ exchange, algoId }) => {
      const { platformType } = platformFacts(exchange);
      return handlers['connextrade/CancelAlgoOrder'](caller, { platformType, algoId: algoId as OrderId });
    });
    // With nothing left to cancel, no exchange is asked for it.
    for (const { platformType } of PLATFORMS)
      await handlers['x/trade/SetCountdown'](caller, { platformType, seconds: 0 });
    await leavings.markCleared(user, clock());
  };
}

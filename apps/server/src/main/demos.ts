import type { CallHandlers, CallName, MemberCaller } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { HttpLog } from '../http/call-routes.ts';
import type { TradingDesk } from '../trading/desk.ts';
import type { AccountsPart } from './accounts.ts';
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

/** What becomes of demos that are over. Accounts tell of them, and are put together before trading is. */
export interface OverDemos {
  readonly demoOver: (user: UserId, now: Millis) => void;
  clearWith(trading: Pick<TradingDesk, 'handlers'>): void;
}

/** What a demo that is over left open at the venues is cancelled; what it holds stays, as paper does no harm. */
export function overDemos(log: HttpLog): OverDemos {
  let trading: Pick<TradingDesk, 'handlers'> | undefined;
  return {
    clearWith(desk) {
      trading = desk;
    },
    demoOver(user, now) {
      const nobody = { address: '', userAgent: '', origin: '', language: 'en', sessionId: '' } as const;
      const caller: MemberCaller = { ...nobody, user, now };
      trading?.handlers['connextrade/CancelAll'](caller, {}).catch((error: unknown) => {
        log.warn({ error, user }, 'orders of a demo that is over were not cancelled');
      });
    },
  };
}

import type { CallHandlers, CallName, MemberCaller } from '@crossbook/contract';
import { type Millis, type OrderId, platformFacts, type UserId } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { HttpLog } from '../http/call-routes.ts';
import type { DemoLeavings } from '../storage/stores/members/demo-leavings.ts';
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
  readonly demoOver: (user: UserId) => void;
  clearWith(trading: Pick<TradingDesk, 'handlers'>): void;
  /** Looks in the tables for what is still open of demos: a former process may have ended, an exchange may have been silent. */
  sweep(): Promise<void>;
  /** Begins nothing more; resolves once nothing is being cancelled. */
  stop(): Promise<void>;
}

/** What it is put together from. */
export interface OverDemosParts {
  readonly leavings: DemoLeavings;
  readonly clock: () => Millis;
  readonly log: HttpLog;
}

/** Demos that one sweep looks at, and that wait to be cleared; beyond, a later sweep finds them. */
const CLEARED_AT_ONCE_MAX = 100;

/** What a demo that is over left open at the venues is cancelled; what it holds stays, as paper does no harm. */
export function overDemos({ leavings, clock, log }: OverDemosParts): OverDemos {
  const due = new Set<UserId>();
  let trading: Pick<TradingDesk, 'handlers'> | undefined;
  let working: Promise<void> | undefined;
  let stopped = false;
  let sweptTo = 0 as UserId;

  const clear = async (user: UserId, { handlers }: Pick<TradingDesk, 'handlers'>): Promise<void> => {
    const nobody = { address: '', userAgent: '', origin: '', language: 'en', sessionId: '' } as const;
    const caller: MemberCaller = { ...nobody, user, now: clock() };
    await handlers['connextrade/CancelAll'](caller, {});
    // What waits for a price comes second: an order that ends may have had legs placed until then.
    const waiting = await handlers['connextrade/CurAlgoOrderList'](caller, {});
    for (const { exchange, algoId } of waiting.ok ? waiting.value : []) {
      const { platformType } = platformFacts(exchange);
      await handlers['connextrade/CancelAlgoOrder'](caller, { platformType, algoId: algoId as OrderId });
    }
    await leavings.markCleared(user, clock());
  };

  /** One demo after the other: those who trade come first at the exchanges. */
  const work = async (desk: Pick<TradingDesk, 'handlers'>): Promise<void> => {
    for (const user of due) {
      if (stopped) return;
      due.delete(user);
      await clear(user, desk).catch((error: unknown) => {
        log.warn({ error, user }, 'orders of a demo that is over were not cancelled');
      });
    }
  };
  const begin = (): void => {
    if (trading === undefined || stopped) return;
    working ??= work(trading).finally(() => {
      working = undefined;
      if (due.size > 0) begin();
    });
  };
  const add = (user: UserId): void => {
    if (due.size < CLEARED_AT_ONCE_MAX) due.add(user);
  };

  return {
    clearWith(desk) {
      trading = desk;
    },
    demoOver(user) {
      add(user);
      begin();
    },
    async sweep() {
      const found = await leavings.uncleared(sweptTo, CLEARED_AT_ONCE_MAX);
      sweptTo = found.length < CLEARED_AT_ONCE_MAX ? (0 as UserId) : (found.at(-1) ?? (0 as UserId));
      for (const user of found) add(user);
      begin();
      await working;
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

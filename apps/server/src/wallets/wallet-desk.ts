import type { CallHandlers } from '@crossbook/contract';
import type { OrderId, Platform, UserId } from '@crossbook/domain';
import { fundingBalance, tradingBalance, tradingBalanceSum } from './balances.ts';
import type { WalletDeps } from './ports.ts';
import { deposit, testFunds } from './test-funds.ts';
import { lookAtTransfer, transferPage, universalTransfer } from './universal-transfer.ts';

/** How often movements that have not ended are looked at. */
const LOOK_EVERY_MILLIS = 2_000;
/** Movements younger than this may still be under way in the call that made them. */
const SETTLING_MILLIS = 10_000;

/** The calls this feature answers. */
export type WalletHandlers = Pick<
  CallHandlers,
  | 'connexfunding/fundingbalance'
  | 'connexfunding/tradingbalance'
  | 'connexfunding/tradingbalancesum'
  | 'connexfunding/UniversalTransfer'
  | 'connexfunding/UniversalTransferHistory'
  | 'x/paper/TestFunds'
>;

/** The wallets feature, put together. */
export interface WalletDesk {
  readonly handlers: WalletHandlers;
  /** Looks at movements a former process left, then at intervals. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether a transfer of the member to or from the platform is under way; trading asks through a port. */
  transferMoving(owner: { readonly user: UserId; readonly platform: Platform }): Promise<boolean>;
}

/** Puts the wallets feature together. */
export function createWalletDesk(deps: WalletDeps): WalletDesk {
  let round: Promise<void> | undefined;
  let stopTimer = (): void => undefined;

  const look = async (grace: number): Promise<void> => {
    const old = deps.clock() - grace;
    for (const funds of await deps.movements.movingTestFunds()) {
      if (funds.updatedAt <= old) await alone(funds.id, () => deposit(deps, funds));
    }
    for (const { id, updatedAt, state } of await deps.movements.movingTransfers()) {
      if (updatedAt <= old || state === 'unknown') await alone(id, () => lookAtTransfer(deps, id));
    }
  };
  /** A movement that breaks keeps no other from being looked at. */
  const alone = async (id: OrderId, run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      deps.note('looking at a movement failed', { id, error: String(error) });
    }
  };
  const lookOnce = (grace: number): Promise<void> => {
    round ??= look(grace)
      .catch((error) => deps.note('looking at movements failed', { error: String(error) }))
      .finally(() => {
        round = undefined;
      });
    return round;
  };

  return {
    handlers: {
      'connexfunding/fundingbalance': (caller, request) => fundingBalance(deps, caller, request),
      'connexfunding/tradingbalance': (caller, request) => tradingBalance(deps, caller, request),
      'connexfunding/tradingbalancesum': (caller, request) => tradingBalanceSum(deps, caller, request),
      'connexfunding/UniversalTransfer': (caller, request) => universalTransfer(deps, caller, request),
      'connexfunding/UniversalTransferHistory': (caller, request) => transferPage(deps, caller, request),
      'x/paper/TestFunds': (caller, request) => testFunds(deps, caller, request),
    },
    async start() {
      await lookOnce(0);
      stopTimer = deps.every(LOOK_EVERY_MILLIS, () => lookOnce(SETTLING_MILLIS));
    },
    async stop() {
      stopTimer();
      await round;
      await deps.lanes.idle();
    },
    transferMoving: ({ user, platform }) => deps.movements.transferMoving(user, platform),
  };
}

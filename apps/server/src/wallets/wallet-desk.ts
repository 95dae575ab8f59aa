import type { CallHandlers } from '@crossbook/contract';
import type { Platform, UserId } from '@crossbook/domain';
import { createIntentMachine } from '../intents/machine.ts';
import { fundingBalance, tradingBalance, tradingBalanceSum } from './balances.ts';
import { createDemoFunds } from './demo-funds.ts';
import { memberLimits } from './limits.ts';
import type { WalletDeps } from './ports.ts';
import { createReferralRewards } from './referral.ts';
import { type Giving, testFunds, testFundsRules } from './test-funds.ts';
import { transferRules } from './transfer-intent.ts';
import { transferPage, universalTransfer } from './universal-transfer.ts';

/** The calls this feature answers. */
export type WalletHandlers = Pick<
  CallHandlers,
  | 'connexfunding/fundingbalance'
  | 'connexfunding/tradingbalance'
  | 'connexfunding/tradingbalancesum'
  | 'connexfunding/UniversalTransfer'
  | 'connexfunding/UniversalTransferHistory'
  | 'x/account/Limits'
  | 'x/paper/TestFunds'
  | 'x/demo/Funds'
  | 'invite/namuinvitereward'
>;

/** The wallets feature, put together. */
export interface WalletDesk {
  readonly handlers: WalletHandlers;
  /** Takes over movements a former process left; their lookups follow. */
  start(): Promise<void>;
  /** Resolves when nothing is being looked up or moved any more; begins no further lookup. */
  stop(): Promise<void>;
  /** Whether rewards that are due wait for the promo account. */
  rewardsStarved(): boolean;
  /** Writes down what was earned so far, by what holds now: before it is another. */
  accrueRewards(): Promise<void>;
  /** Whether a transfer of the member to or from the platform is under way; trading asks through a port. */
  transferMoving(owner: { readonly user: UserId; readonly platform: Platform }): Promise<boolean>;
}

/** Puts the wallets feature together. */
export function createWalletDesk(deps: WalletDeps): WalletDesk {
  const transfers = createIntentMachine(transferRules(deps), deps);
  const faucet = createIntentMachine(testFundsRules(deps), deps);
  const rewards = createReferralRewards(deps);
  const giving: Giving = { deps, transfers, faucet };
  const demoFunds = createDemoFunds(giving);
  return {
    handlers: {
      'connexfunding/fundingbalance': (caller, request) => fundingBalance(deps, caller, request),
      'connexfunding/tradingbalance': (caller, request) => tradingBalance(deps, caller, request),
      'connexfunding/tradingbalancesum': (caller, request) => tradingBalanceSum(deps, caller, request),
      'connexfunding/UniversalTransfer': (caller, request) => universalTransfer(giving, caller, request),
      'connexfunding/UniversalTransferHistory': (caller, request) => transferPage(deps, caller, request),
      'x/account/Limits': (caller) => memberLimits(deps, caller),
      'x/paper/TestFunds': (caller, request) => testFunds(giving, caller, request),
      'x/demo/Funds': (caller) => demoFunds.answer(caller),
      'invite/namuinvitereward': rewards.answer,
    },
    async start() {
      await faucet.start();
      await transfers.start();
      rewards.start();
    },
    async stop() {
      await demoFunds.stop();
      await Promise.all([faucet.stop(), transfers.stop(), rewards.stop()]);
      await deps.lanes.idle();
    },
    rewardsStarved: rewards.starved,
    accrueRewards: rewards.accrue,
    transferMoving: ({ user, platform }) => deps.movements.transferMoving(user, platform),
  };
}

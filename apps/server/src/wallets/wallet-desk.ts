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
  /**
   * Looks at movements a former process left, then at intervals. Resolves, and never rejects, when the first look is
   * over, which platforms that take their time to fail can delay by minutes.
   */
  start(): Promise<void>;
  /** Resolves when nothing is being looked at or moved any more; begins no further look. */
  stop(): Promise<void>;
  /** Whether a transfer of the member to or from the platform is under way; trading asks through a port. */
  transferMoving(owner: { readonly user: UserId; readonly platform: Platform }): Promise<boolean>;
}

/** Puts the wallets feature together. */
export function createWalletDesk(deps: WalletDeps): WalletDesk {
  const rounds = createRounds(deps);
  let stopTimer = (): void => undefined;
  let first: Promise<void> | undefined;

  const lookOnce = async (grace: number): Promise<void> => {
    const old = deps.clock() - grace;
    const funds = (await deps.movements.movingTestFunds()).filter(({ updatedAt }) => updatedAt <= old);
    const transfers = (await deps.movements.movingTransfers()).filter(
      ({ updatedAt, state }) => updatedAt <= old || state === 'unknown',
    );
    const platforms = new Set(transfers.map(({ platform }) => platform));
    await Promise.all([
      rounds.run(
        'test funds',
        funds.map((one) => ({ id: one.id, look: () => deposit(deps, one) })),
      ),
      ...[...platforms].map((platform) =>
        rounds.run(
          `transfers ${platform}`,
          transfers
            .filter((transfer) => transfer.platform === platform)
            .map(({ id }) => ({ id, look: () => lookAtTransfer(deps, id) })),
        ),
      ),
    ]);
  };
  const lookSafely = (grace: number): Promise<void> =>
    lookOnce(grace).catch((error) => deps.note('looking at movements failed', { error: String(error) }));

  return {
    handlers: {
      'connexfunding/fundingbalance': (caller, request) => fundingBalance(deps, caller, request),
      'connexfunding/tradingbalance': (caller, request) => tradingBalance(deps, caller, request),
      'connexfunding/tradingbalancesum': (caller, request) => tradingBalanceSum(deps, caller, request),
      'connexfunding/UniversalTransfer': (caller, request) => universalTransfer(deps, caller, request),
      'connexfunding/UniversalTransferHistory': (caller, request) => transferPage(deps, caller, request),
      'x/paper/TestFunds': (caller, request) => testFunds(deps, caller, request),
    },
    start() {
      first = lookSafely(0);
      stopTimer = deps.every(LOOK_EVERY_MILLIS, () => lookSafely(SETTLING_MILLIS));
      return first;
    },
    async stop() {
      stopTimer();
      await rounds.stop();
      await first;
      await deps.lanes.idle();
    },
    transferMoving: ({ user, platform }) => deps.movements.transferMoving(user, platform),
  };
}

/** One movement to look at. */
interface Looking {
  readonly id: OrderId;
  readonly look: () => Promise<unknown>;
}

/**
 * Movements are looked at one after the other, each kind and platform in a round of its own: a platform that takes its
 * time to fail keeps only its own waiting. A round that is under way is not begun again.
 */
function createRounds(deps: WalletDeps) {
  const running = new Map<string, Promise<void>>();
  let stopped = false;
  const inTurn = async (list: readonly Looking[]): Promise<void> => {
    for (const { id, look } of list) {
      if (stopped) return;
      try {
        await look();
      } catch (error) {
        // One that breaks keeps no other from being looked at.
        deps.note('looking at a movement failed', { id, error: String(error) });
      }
    }
  };
  return {
    run(name: string, list: readonly Looking[]): Promise<void> {
      const known = running.get(name);
      if (known !== undefined) return known;
      const round = inTurn(list).finally(() => running.delete(name));
      running.set(name, round);
      return round;
    },
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(running.values());
    },
  };
}

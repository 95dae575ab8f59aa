import type { Lanes, Platform, UserId } from '@crossbook/domain';
import { createIntentMachine, type IntentMachine } from '../intents/machine.ts';
import { createOpenOrderComparison } from './open-order-comparison.ts';
import type { StoredOrder } from './order.ts';
import { type AbsenceProof, lookupShare, orderRules } from './order-intent.ts';
import type { OrderProof } from './order-proof.ts';
import type { TradingDeps } from './ports.ts';

/** Keeps every unsettled order moving towards proof. */
export interface Reconciliation extends IntentMachine<StoredOrder, OrderProof> {
  /** Takes over everything a former process left unsettled, then goes on. */
  start(): Promise<void>;
  /** Compares a member's open orders with the venue's. */
  compare(user: UserId, platform: Platform): void;
}

/** Builds the reconciliation on the shared lanes, so that lookups and stream events never race. */
export function createReconciliation(
  deps: TradingDeps,
  lanes: Lanes,
  wiring: { readonly proof: AbsenceProof; readonly listen: (order: StoredOrder) => Promise<void> },
): Reconciliation {
  const machine = createIntentMachine(orderRules(deps, wiring.proof), {
    ...{ lanes, clock: deps.clock, incidents: deps.incidents },
    after: deps.timers.after,
    note: deps.log.note,
  });
  const comparison = createOpenOrderComparison(deps, (id, platform) =>
    machine.lookUnlessWaiting(id, lookupShare({ platform })),
  );
  let stopComparing = (): void => undefined;
  return {
    ...machine,
    async start() {
      await machine.start(wiring.listen);
      stopComparing = comparison.start();
    },
    compare: comparison.compare,
    async stop() {
      stopComparing();
      await machine.stop();
    },
  };
}

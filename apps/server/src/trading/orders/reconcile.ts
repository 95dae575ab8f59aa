import { type Lanes, ORDER_STATUS } from '@crossbook/domain';
import { createIntentMachine, type IntentMachine } from '../../intents/machine.ts';
import type { StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { createOpenOrderComparison, type OpenOrderComparison } from './open-order-comparison.ts';
import { type AbsenceProof, lookupShare, orderRules } from './order-intent.ts';
import type { OrderProof } from './order-proof.ts';

/** Keeps every unsettled order moving towards proof. */
export interface Reconciliation extends IntentMachine<StoredOrder, OrderProof> {
  /** Takes over everything a former process left unsettled, then goes on. */
  start(): Promise<void>;
  /** Compares members' open orders with the venues'. */
  readonly comparison: Omit<OpenOrderComparison, 'start'>;
}

/** Builds the reconciliation on the shared lanes, so that lookups and stream events never race. */
export function createReconciliation(
  deps: TradingDeps,
  lanes: Lanes,
  wiring: { readonly proof: AbsenceProof; readonly listen: (order: StoredOrder) => Promise<void> },
): Reconciliation {
  const rules = orderRules(deps, wiring.proof);
  const unclear: typeof rules.unclear = (order, doubt) => {
    // What lost the answer to an order may have kept more from us.
    if (order.status === ORDER_STATUS.NEW) comparison.compare(order.user, order.platform);
    return rules.unclear(order, doubt);
  };
  const machine = createIntentMachine(
    { ...rules, unclear },
    {
      ...{ lanes, clock: deps.clock, incidents: deps.incidents },
      after: deps.timers.after,
      note: deps.log.note,
    },
  );
  const comparison = createOpenOrderComparison(deps, (id, platform) =>
    machine.lookUpUnlessWaiting(id, lookupShare({ platform })),
  );
  let stopComparing = (): void => undefined;
  return {
    ...machine,
    comparison,
    async start() {
      await machine.start(wiring.listen);
      stopComparing = comparison.start();
    },
    async stop() {
      stopComparing();
      await machine.stop();
    },
  };
}

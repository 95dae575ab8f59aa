import type { Lanes } from '@crossbook/domain';
import type { OperatorRequest } from '../operator-store.ts';
import type { TradingDeps } from '../ports.ts';
import { resolveOrder } from './resolve-order.ts';

/** How often the hub looks for requests of the operator. */
const LOOK_EVERY_MILLIS = 2_000;

/**
 * Picks up what the operator asks for, each in its order's lane, so that it never races with lookups and events.
 * @returns what ends it.
 */
export function startOperatorRequests(deps: TradingDeps, lanes: Lanes): () => Promise<void> {
  let running: Promise<void> | undefined;
  const decide = async (request: OperatorRequest): Promise<void> => {
    const answer = await lanes.run(request.orderId, () => resolveOrder(deps, request));
    if (answer.outcome === 'done') deps.incidents.ended(request.orderId);
    const { outcome, answer: why } = answer;
    deps.log.note('an operator resolved an order', {
      id: request.orderId,
      by: request.operator,
      outcome,
      why,
    });
  };
  const round = async (): Promise<void> => {
    for (const request of await deps.operator.store.waiting()) {
      try {
        await decide(request);
      } catch (error) {
        // One that breaks keeps no other from being decided; it is tried again.
        deps.log.note('an operator request failed', { id: request.id, error: String(error) });
      }
    }
  };
  const stopTimer = deps.timers.every(LOOK_EVERY_MILLIS, () => {
    running ??= round()
      .catch((error) => deps.log.note('operator requests not read', { error: String(error) }))
      .finally(() => {
        running = undefined;
      });
  });
  return async () => {
    stopTimer();
    await running;
  };
}

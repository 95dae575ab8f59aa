import type { Millis } from '@crossbook/domain';
import type { AlgoKey, ListedAlgo, VenueAlgoRequest } from '@crossbook/venues/trading';
import { expect } from 'vitest';

/** By what one is known that has no id of ours at the venue. */
export function hangingKey(request: VenueAlgoRequest, changing = false): AlgoKey {
  const { instrument, clientId, plan, contract, side } = request;
  const key = { instrument, clientId, kind: plan.kind };
  if (plan.kind !== 'trailing' || contract === undefined) return key;
  const { trailing } = plan;
  return { ...key, hangs: { position: contract.side, side, trailing, since: 0 as Millis, changing } };
}

/** Who never placed one reads in the list what it is; one that hangs may say from where it follows besides. */
export function expectShown(
  { plan, side, quantity, contract }: VenueAlgoRequest,
  listed: ListedAlgo | undefined,
  hangs: boolean,
): void {
  const { shown } = listed ?? {};
  const far = plan.kind === 'trailing' ? expect.objectContaining(plan.trailing) : undefined;
  expect(shown).toEqual({
    ...{ side, plan: hangs ? { kind: plan.kind, trailing: far } : plan },
    ...{ position: contract?.side, reduces: true, timeInForce: expect.any(Number) },
    ...(quantity === undefined ? {} : { quantity }),
    ...(shown?.marginMode === undefined ? {} : { marginMode: contract?.marginMode }),
    ...(shown?.leverage === undefined ? {} : { leverage: expect.any(Number) }),
  });
}

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

/** Who never placed one reads in the list what it is; of one that hangs, how far it follows stands elsewhere. */
export function expectShown(
  { plan, side, quantity, contract }: VenueAlgoRequest,
  listed: ListedAlgo | undefined,
  hangs: boolean,
): void {
  const { shown } = listed ?? {};
  expect(shown).toEqual({
    ...{ side, plan: hangs ? expect.objectContaining({ kind: plan.kind }) : plan },
    ...{ position: contract?.side, reduces: true, timeInForce: expect.any(Number) },
    ...(quantity === undefined ? {} : { quantity }),
    ...(shown?.marginMode === undefined ? {} : { marginMode: contract?.marginMode }),
  });
}

import { type Amount, SIDE, stepsToAmount, TIME_IN_FORCE } from '@crossbook/domain';
import type { VenueAlgoRequest } from '@crossbook/venues/trading';
import { expect, test } from 'vitest';
import type { AlgoRig } from './algo-claims.ts';
import { hangingKey } from './hanging-key.ts';
import { must } from './simulator-venue.ts';
import { nextId } from './trading-rig.ts';

/** What a connector keeps of the trailing stop of a position, besides what it keeps of every order that waits. */

/** @param place the beginning of the name of the call that sets it, for faults. */
export function claimTrailingOfPosition(rigOf: () => Promise<AlgoRig>, place: string): void {
  test('a trailing stop of a position is changed in its place, and a lookup says how it stands', async () => {
    const rig = await rigOf();
    const { algos } = rig.connector;
    if (algos === undefined || rig.contract === undefined) throw new Error('has no trailing stops');
    const { instrument } = rig;
    const member = await rig.holder();
    const now = await rig.price();
    const percent = (share: number): Amount =>
      stepsToAmount(Number((now * BigInt(share)) / 100n / instrument.tickSize), instrument.tickSize);
    const [before, distance, activation] = [percent(2), percent(1), percent(110)];
    const request: VenueAlgoRequest = {
      ...{ clientId: nextId(), childClientIds: [nextId(), nextId()], instrument, side: SIDE.SELL },
      plan: { kind: 'trailing', trailing: { distance: before, activation, by: 'last' } },
      ...{ whole: true, timeInForce: TIME_IN_FORCE.GTC, contract: rig.contract },
    };
    const sent = await algos.place(member, request);
    if (sent.outcome !== 'accepted') throw new Error(sent.outcome);
    const { venueAlgoId } = sent.state;
    const key = { ...hangingKey(request, true), venueAlgoId };
    const change = { trailing: { distance } };
    for (const [fault, outcome, stands] of [
      ['reset-before', 'unknown', before],
      ['timeout-after', 'unknown', distance],
      [undefined, 'done', distance],
    ] as const) {
      if (fault !== undefined) await rig.simulator.plantFault(fault, place);
      expect((await algos.amend(member, key, change)).outcome).toBe(outcome);
      await rig.simulator.clearFaults();
      const asks = { trailing: { distance: stands, activation } };
      expect(await algos.find(member, key)).toMatchObject({
        ...{ outcome: 'found', value: { venueAlgoId, asks } },
      });
    }
    expect(await algos.cancel(member, key)).toEqual({ outcome: 'done' });
    // The position is there still, so that the venue makes another one of the change: it does not stay.
    expect(await algos.amend(member, key, change)).toEqual({ outcome: 'gone' });
    expect(must(await algos.waiting(member, [instrument]))).toEqual([]);
  });
}

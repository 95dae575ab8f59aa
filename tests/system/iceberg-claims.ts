import {
  amount,
  isFinal,
  type Millis,
  SIDE,
  stepsToAmount,
  TIME_IN_FORCE,
  type VenueAlgoState,
  ZERO,
} from '@crossbook/domain';
import type { AlgoKey, VenueAlgoRequest, VenueAlgos } from '@crossbook/venues/trading';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AlgoRig } from './algo-claims.ts';
import { must, until } from './simulator-venue.ts';
import { nextId } from './trading-rig.ts';

/** The claims about icebergs that a connector keeps against its simulated venue. */
export function claimIcebergs(rigOf: () => Promise<AlgoRig>): void {
  let rig: AlgoRig;
  let algos: VenueAlgos;
  beforeAll(async () => {
    rig = await rigOf();
    if (rig.connector.algos?.slices === undefined) throw new Error('has no icebergs');
    algos = rig.connector.algos;
  });

  async function requestOf(): Promise<VenueAlgoRequest> {
    const { instrument, size, contract } = rig;
    const { tickSize, lotSize } = instrument;
    const limit = stepsToAmount(Number(((await rig.price()) * 9n) / 10n / tickSize), tickSize);
    const visible = stepsToAmount(Number(size / 2n / lotSize), lotSize);
    return {
      ...{ clientId: nextId(), childClientIds: [nextId(), nextId()], instrument, side: SIDE.SELL },
      plan: { kind: 'iceberg', iceberg: { limit, visible, ratio: amount('0.01') } },
      ...{ quantity: size, timeInForce: TIME_IN_FORCE.GTC },
      ...(contract === undefined ? {} : { contract }),
    };
  }

  describe('an iceberg', () => {
    test('rests slice by slice, each found by its number, and ends with its cancel', async () => {
      const member = await rig.holder();
      const since = (Date.now() - 60_000) as Millis;
      const request = await requestOf();
      const sent = await algos.place(member, request);
      if (sent.outcome !== 'accepted') throw new Error(sent.outcome);
      const { venueAlgoId } = sent.state;
      const key: AlgoKey = { instrument: rig.instrument, clientId: request.clientId, kind: 'iceberg' };
      const of = { instrument: rig.instrument, venueAlgoId, since };
      const slices = async () => {
        const read = await algos.slices?.(member, of);
        // Who looks as often as here is refused for a moment now and then.
        return read?.ok === true ? read.value : [];
      };
      await until('a slice rests', async () =>
        (await slices()).some(({ state, quantity = ZERO }) => !isFinal(state.status) && quantity > ZERO),
      );
      const found = await algos.find(member, key);
      const waits: Partial<VenueAlgoState> = { venueAlgoId, status: 'waiting', executed: ZERO };
      expect(found).toMatchObject({ outcome: 'found', value: waits });
      const listed = must(await algos.waiting(member, [rig.instrument]));
      expect(listed.map((state) => state.venueAlgoId)).toEqual([venueAlgoId]);
      // Another iceberg has none of them.
      const other = await algos.slices?.(member, {
        ...of,
        venueAlgoId: `${venueAlgoId}9` as typeof venueAlgoId,
      });
      expect(other).toEqual({ ok: true, value: [] });
      const open = must(await rig.connector.openOrders(member, [rig.instrument]));
      expect(open.map(({ venueOrderId }) => venueOrderId)).toEqual(
        (await slices()).map(({ state }) => state.venueOrderId),
      );

      expect((await algos.cancel(member, { ...key, venueAlgoId })).outcome).toBe('done');
      await until('nothing rests', async () => {
        const read = await rig.connector.openOrders(member, [rig.instrument]);
        return read.ok && read.value.length === 0;
      });
      const after = await algos.find(member, key);
      expect(after).toMatchObject({ outcome: 'found', value: { venueAlgoId, status: 'cancelled' } });
      expect((await algos.cancel(member, key)).outcome).toBe('gone');
    });
  });
}

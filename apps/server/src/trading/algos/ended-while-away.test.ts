import { type OrderId, venueClientId } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { openedForEach } from '../../../../../tests/opened.ts';
import { until } from '../trading-world.fixture.ts';
import { openAlgoWorld, placeStop } from './algo-world.fixture.ts';

/** What the exchange itself ended without sending an order, while the hub was away or did not know of it yet. */

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const CLIENT = venueClientId(ID);
const algo = openedForEach(openAlgoWorld);

const stored = () => algo.world.deps.algos.byId(ID);
/** The exchange ends the stop. */
function ends(status: 'refused' | 'expired' | 'cancelled'): void {
  const kept = algo.venue.kept.get(CLIENT);
  if (kept === undefined) throw new Error('it was placed');
  kept.state = { ...kept.state, status, reason: 'Margin is insufficient.' };
}
async function restarted(): Promise<void> {
  await algo.world.restarted();
  await algo.world.pass(20_000, 1_000);
}

describe.each(['refused', 'expired', 'cancelled'] as const)('a stop that the exchange has %s', (status) => {
  const over = async () => {
    expect(await stored()).toMatchObject({ state: status, unknown: false });
    expect(await algo.world.wallet()).toEqual({ BTC: '2', USDT: '300' });
  };

  test('while nobody listened is found by the next start, with the reason, and its money is free', async () => {
    await placeStop(algo, { clientId: ID });
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
    await algo.world.desk.stop();
    ends(status);
    await restarted();
    await over();
    expect((await stored())?.reason).toBe('Margin is insufficient.');
  });

  test('before the answer of its placement came, which is lost, is found, and its money is free', async () => {
    algo.venue.next = ['lost'];
    expect(await placeStop(algo, { clientId: ID })).toMatchObject({ ok: true, value: { unknown: true } });
    expect(await algo.world.wallet()).toEqual({ BTC: '2 (1 held)', USDT: '300' });
    ends(status);
    await algo.world.pass(20_000, 1_000);
    await over();
  });

  test.each(['before-end', 'after-end'] as const)(
    'by a process that dies %s is found by the next one, and its money is free once',
    async (point) => {
      await placeStop(algo, { clientId: ID });
      algo.world.diesAt(point);
      ends(status);
      const kept = algo.venue.kept.get(CLIENT);
      if (kept !== undefined) algo.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
      await until(() => algo.world.dead);
      await algo.world.desk.stop();
      expect((await stored())?.state).toBe(point === 'before-end' ? 'waiting' : status);
      await restarted();
      await over();
      expect((await stored())?.reason).toBe('Margin is insufficient.');
    },
  );
});

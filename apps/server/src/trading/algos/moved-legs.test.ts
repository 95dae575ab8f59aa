import { amount, type OrderId, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TradingDesk } from '../desk.ts';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import type { CrashPoint } from '../ports.ts';
import { CALLER } from '../trading-world.fixture.ts';
import type { AlgoVenue } from './algo-world.fixture.ts';
import { barePositions, bothStand, ID, legStates, openLegsWorld, TARGETS } from './legs-world.fixture.ts';

let perps: PerpsWorld;
let venue: AlgoVenue;
beforeEach(async () => {
  ({ perps, venue } = await openLegsWorld());
});
afterEach(() => perps.world.close());

const legs = () => perps.world.deps.algos.ofParent(ID);
const states = () => legStates(perps);
const standing = () => bothStand(perps);
const stop = async () => {
  const found = (await legs()).find(({ plan }) => plan.kind === 'stop');
  if (found === undefined) throw new Error('no stop');
  return found;
};
const bare = (desk: TradingDesk) => barePositions(desk);
const stopsAtVenue = () =>
  [...venue.kept.values()].flatMap(({ request: { plan }, state }) =>
    state.status === 'waiting' && plan.kind === 'stop' ? [plan.leg.trigger?.price] : [],
  );
const move = async (algoId: OrderId, triggerPrice: string, desk = perps.world.desk) =>
  desk.handlers['connextrade/ReplaceAlgoOrder']({ ...CALLER, now: perps.world.time.clock() }, {
    ...{ platformType: 43, algoId, triggerPrice: amount(triggerPrice) },
  } as never);
/** The one after the hub that has died. */
const nextHub = async () => {
  const { world } = perps;
  expect(world.dead).toBe(true);
  await world.desk.stop();
  return world.nextDesk();
};

/** Where a process may die that moves a leg: at the cancel, between, and at the placement. */
const POINTS: readonly (readonly [CrashPoint, number, string])[] = [
  ['after-send', 1, '80'],
  ['after-answer', 1, '80'],
  ['before-hold', 1, '80'],
  ['after-hold', 1, '85'],
  ['after-send', 2, '85'],
  ['after-answer', 2, '85'],
];

describe.each(POINTS)('a hub that dies at %s (%i) of a leg that is moved', (point, time, price) => {
  test('says that the position is bare, and the next one places the leg again, once', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const { id } = await stop();
    perps.world.diesAt(point, time);
    await move(id, '85').catch(() => undefined);
    const desk = await nextHub();
    // Where the exchange cannot be asked yet nobody knows whether the leg stands.
    expect(await bare(desk)).toEqual([true]);
    await desk.start();
    await perps.world.pass(120_000, 1_000);
    expect(stopsAtVenue()).toEqual([amount(price)]);
    expect(await stop()).toMatchObject({ id, state: 'waiting', unknown: false, cancelPending: false });
    expect(await states()).toEqual(['stop waiting', 'take-profit waiting']);
    expect(await bare(desk)).toEqual([false]);
  });
});

describe('a moved leg', () => {
  test('whose change was refused as the hub died stands where it stood', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const { id } = await stop();
    perps.world.diesAt('after-answer', 2);
    venue.next = ['done', 'refused'];
    await move(id, '85').catch(() => undefined);
    const desk = await nextHub();
    const { place } = venue;
    // The exchange takes that price still not.
    Object.assign(venue, {
      place: async (...given: Parameters<typeof place>) => {
        const { plan } = given[1];
        if (plan.kind === 'stop' && plan.leg.trigger?.price === amount('85')) venue.next = ['refused'];
        return place(...given);
      },
    });
    await desk.start();
    await perps.world.pass(150_000, 1_000);
    expect(stopsAtVenue()).toEqual([amount('80')]);
    expect(await stop()).toMatchObject({
      state: 'waiting',
      plan: { leg: { trigger: { price: amount('80') } } },
    });
    expect(await bare(desk)).toEqual([false]);
  });

  test('that nobody takes again is told, and the position stays bare', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const { id } = await stop();
    perps.world.diesAt('after-answer');
    await move(id, '85').catch(() => undefined);
    const desk = await nextHub();
    venue.next = ['refused'];
    await desk.start();
    await perps.world.pass(30_000, 1_000);
    expect(await stop()).toMatchObject({ state: 'refused', reason: expect.stringContaining('-2010') });
    expect(await bare(desk)).toEqual([true]);
    expect(perps.world.published.map(({ event }) => event)).toContainEqual({
      kind: 'algo',
      algo: expect.objectContaining({ algoId: id, state: 'refused' }),
    });
  });

  test('whose cancel is lost waits again as it did, without a restart', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const { id } = await stop();
    venue.next = ['lost'];
    expect(await move(id, '85')).toMatchObject({ ok: true, value: { cancelPending: true } });
    expect(await bare(perps.world.desk)).toEqual([true]);
    await perps.world.pass(10_000, 1_000);
    expect(stopsAtVenue()).toEqual([amount('80')]);
    expect(await bare(perps.world.desk)).toEqual([false]);
  });

  test('that its member cancels meanwhile stays cancelled', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const { id } = await stop();
    perps.world.diesAt('after-answer');
    await move(id, '85').catch(() => undefined);
    const desk = await nextHub();
    const caller = { ...CALLER, now: perps.world.time.clock() };
    await desk.handlers['connextrade/CancelAlgoOrder'](caller, { platformType: 43, algoId: id } as never);
    await desk.start();
    await perps.world.pass(60_000, 1_000);
    expect(stopsAtVenue()).toEqual([]);
    expect((await stop()).state).toBe('cancelled');
  });

  test('is not placed again where the other one has worked, or the position is closed, meanwhile', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const { id } = await stop();
    perps.world.diesAt('after-answer');
    await move(id, '85').catch(() => undefined);
    const desk = await nextHub();
    const [target] = [...venue.kept.values()].filter(({ request }) => request.plan.kind === 'take-profit');
    if (target === undefined) throw new Error('no target');
    const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount('1'));
    venue.fire(target.request.clientId, '1', fill);
    await desk.start();
    await perps.world.pass(120_000, 1_000);
    expect(await states()).toEqual(['stop cancelled', 'take-profit fired']);
    expect(stopsAtVenue()).toEqual([]);
  });
});

describe('a stop of a position that its member placed by hand', () => {
  const placed = async (part: Readonly<Record<string, unknown>> = {}) => {
    const caller = { ...CALLER, now: perps.world.time.clock() };
    perps.world.best = { bid: amount('99.9'), ask: amount('100'), receivedAt: perps.world.time.clock() };
    const answer = await perps.world.desk.handlers['connextrade/PlaceAlgoOrder'](caller, {
      ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' },
      ...{ triggerPrice: amount('80'), quantity: amount('1'), timeInForce: 1 },
      ...{ marginMode: 'cross', leverage: 10, reduceOnly: true, ...part },
    } as never);
    if (!answer.ok) throw new Error(JSON.stringify(answer.code));
    return answer.value.algoId as OrderId;
  };

  const [, CUT_BETWEEN, , , CUT_AFTER] = POINTS;
  test.each([CUT_BETWEEN, CUT_AFTER].filter((point) => point !== undefined))(
    'stands again when the hub that moved it died at %s (%i)',
    async (point, time, price) => {
      await placeContractOrder(perps, {});
      const id = await placed();
      perps.world.diesAt(point, time);
      await move(id, '85').catch(() => undefined);
      const desk = await nextHub();
      expect(await bare(desk)).toEqual([true]);
      await desk.start();
      await perps.world.pass(120_000, 1_000);
      expect(stopsAtVenue()).toEqual([amount(price)]);
      expect(await perps.world.deps.algos.byId(id)).toMatchObject({ state: 'waiting', unknown: false });
      expect(await bare(desk)).toEqual([false]);
    },
  );

  test('that would open is not placed hours later: it says what became of it', async () => {
    const id = await placed({ reduceOnly: false });
    perps.world.diesAt('after-answer');
    await move(id, '85').catch(() => undefined);
    const desk = await nextHub();
    await desk.start();
    await perps.world.pass(120_000, 1_000);
    expect(stopsAtVenue()).toEqual([]);
    expect(await perps.world.deps.algos.byId(id)).toMatchObject({
      state: 'cancelled',
      reason: 'cancelled for a change, nothing was placed anew',
    });
  });
});

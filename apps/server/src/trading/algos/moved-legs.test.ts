import { amount, type OrderId, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTradingDesk, type TradingDesk } from '../desk.ts';
import { openPerpsWorld, type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import type { CrashPoint } from '../ports.ts';
import { CALLER, until } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const TARGETS = { takeProfit: amount('120'), stopLoss: amount('80'), clientId: ID };
let perps: PerpsWorld;
let venue: AlgoVenue;
let desks: TradingDesk[];
beforeEach(async () => {
  perps = await openPerpsWorld();
  venue = new AlgoVenue(perps.world);
  venue.childClientId = () => 'of the venue';
  perps.world.venue.algos = venue;
  desks = [perps.world.desk];
});
afterEach(async () => {
  for (const desk of desks) await desk.stop();
  await perps.world.database.close();
});

const legs = () => perps.world.deps.algos.ofParent(ID);
const states = async () => (await legs()).map(({ plan, state }) => `${plan.kind} ${state}`).sort();
const standing = () => until(async () => (await states()).join() === 'stop waiting,take-profit waiting');
const stop = async () => {
  const found = (await legs()).find(({ plan }) => plan.kind === 'stop');
  if (found === undefined) throw new Error('no stop');
  return found;
};
const bare = async (desk: TradingDesk) => {
  const answer = await desk.handlers['connextrade/CurPositionList'](CALLER, { platformType: 43 });
  return answer.ok ? answer.value.positions.map(({ unprotected }) => unprotected ?? false) : [];
};
const stopsAtVenue = () =>
  [...venue.kept.values()].flatMap(({ request: { plan }, state }) =>
    state.status === 'waiting' && plan.kind === 'stop' ? [plan.leg.trigger?.price] : [],
  );
const move = async (algoId: OrderId, triggerPrice: string, desk = perps.world.desk) =>
  desk.handlers['connextrade/ReplaceAlgoOrder']({ ...CALLER, now: perps.world.time.clock() }, {
    ...{ platformType: 43, algoId, triggerPrice: amount(triggerPrice) },
  } as never);
/** What is dead writes nothing and asks nothing, from the so-manieth time on that a point is reached. */
const dieAt = (point: CrashPoint, time: number) => {
  const { world } = perps;
  const { ledger } = world.deps;
  const commit = ledger.commit.bind(ledger);
  let times = 0;
  world.crash = (reached) => {
    if (reached === point) times += 1;
    if (times >= time) throw new Error('killed');
  };
  Object.assign(ledger, {
    commit: async (unit: never) => (times >= time ? { ok: false, code: 'unavailable' } : commit(unit)),
  });
  return async () => {
    expect(times).toBeGreaterThanOrEqual(time);
    await world.desk.stop();
    Object.assign(ledger, { commit });
    world.crash = () => undefined;
    const desk = createTradingDesk(world.deps);
    desks.push(desk);
    return desk;
  };
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
    const next = dieAt(point, time);
    await move(id, '85').catch(() => undefined);
    const desk = await next();
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
    const next = dieAt('after-answer', 2);
    venue.next = ['done', 'refused'];
    await move(id, '85').catch(() => undefined);
    const desk = await next();
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
    const next = dieAt('after-answer', 1);
    await move(id, '85').catch(() => undefined);
    const desk = await next();
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
    const next = dieAt('after-answer', 1);
    await move(id, '85').catch(() => undefined);
    const desk = await next();
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
    const next = dieAt('after-answer', 1);
    await move(id, '85').catch(() => undefined);
    const desk = await next();
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
      const next = dieAt(point, time);
      await move(id, '85').catch(() => undefined);
      const desk = await next();
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
    const next = dieAt('after-answer', 1);
    await move(id, '85').catch(() => undefined);
    const desk = await next();
    await desk.start();
    await perps.world.pass(120_000, 1_000);
    expect(stopsAtVenue()).toEqual([]);
    expect(await perps.world.deps.algos.byId(id)).toMatchObject({
      state: 'cancelled',
      reason: 'cancelled for a change, nothing was placed anew',
    });
  });
});

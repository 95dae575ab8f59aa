import { amount, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER, FILLED, stateOf, until } from '../trading-world.fixture.ts';
import type { AlgoVenue } from './algo-world.fixture.ts';
import { ID, openLegsWorld, TARGETS } from './legs-world.fixture.ts';

/** What the hub itself brings to the exchange again, and its position is closed before it does. */

let perps: PerpsWorld;
let venue: AlgoVenue;
beforeEach(async () => {
  ({ perps, venue } = await openLegsWorld());
});
afterEach(() => perps.world.close());

const legs = () => perps.world.deps.algos.ofParent(ID);
const stop = async () => {
  const found = (await legs()).find(({ plan }) => plan.kind === 'stop');
  if (found === undefined) throw new Error('no stop');
  return found;
};
const standing = () =>
  until(async () => (await legs()).filter(({ state }) => state === 'waiting').length === 2);
const sent = () => venue.calls.filter((call) => call === 'place').length;
const stopsAtVenue = () =>
  [...venue.kept.values()].filter(
    ({ request, state }) => request.plan.kind === 'stop' && state.status === 'waiting',
  ).length;
/** Somebody closes the position at the exchange, and nobody here hears of it. */
const closesThere = () => {
  perps.world.time.advance(10);
  return perps.venue.trade(SIDE.SELL, amount('1'));
};
/** Now the hub hears of it. */
const tells = (fill: ReturnType<typeof closesThere>) => {
  const state = stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1', fill.venueOrderId);
  perps.world.venue.streams.at(-1)?.onOrder({ state: { ...state, clientId: 'else' as never }, fill });
};
const nextDesk = () => perps.world.nextDesk();
/** A hub that moved the stop and died once the exchange had cancelled it. */
const diesMoving = async () => {
  await placeContractOrder(perps, TARGETS);
  await standing();
  const { id } = await stop();
  const { world } = perps;
  world.diesAt('after-answer');
  await world.desk.handlers['connextrade/ReplaceAlgoOrder']({ ...CALLER, now: world.time.clock() }, {
    ...{ platformType: 43, algoId: id, triggerPrice: amount('85') },
  } as never).catch(() => undefined);
  expect(world.dead).toBe(true);
  await world.desk.stop();
};
const CLOSED = { state: 'cancelled', reason: 'its position was closed' };

describe('a leg that did not arrive', () => {
  test('is not sent while the exchange has no position for it, and says so once that is booked', async () => {
    await perps.world.desk.start();
    venue.next = ['dropped'];
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await legs()).some(({ state }) => state === 'waiting'));
    const fill = closesThere();
    await perps.world.pass(120_000, 1_000);
    expect([sent(), stopsAtVenue()]).toEqual([2, 0]);
    tells(fill);
    await perps.world.pass(60_000, 1_000);
    expect((await legs()).map(({ state, reason }) => ({ state, reason }))).toEqual([CLOSED, CLOSED]);
    expect(sent()).toBe(2);
  });

  test('is not sent to close the other side', async () => {
    await perps.world.desk.start();
    venue.next = ['dropped'];
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await legs()).some(({ state }) => state === 'waiting'));
    closesThere();
    perps.venue.trade(SIDE.SELL, amount('1'));
    await perps.world.pass(120_000, 1_000);
    expect([sent(), stopsAtVenue()]).toEqual([2, 0]);
  });

  test('waits where the position cannot be read, and is sent once it can', async () => {
    await perps.world.desk.start();
    venue.next = ['dropped'];
    perps.venue.spent.add('close');
    await placeContractOrder(perps, TARGETS);
    await until(async () => (await legs()).some(({ state }) => state === 'waiting'));
    await perps.world.pass(120_000, 1_000);
    expect(await stop()).toMatchObject({ state: 'placing' });
    perps.venue.spent.clear();
    await perps.world.pass(60_000, 1_000);
    expect([(await stop()).state, stopsAtVenue()]).toEqual(['waiting', 1]);
  });
});

describe('a stop that was being moved as the hub died', () => {
  test('is not sent where its position was closed meanwhile, though nobody has told of that', async () => {
    await diesMoving();
    const before = sent();
    const fill = closesThere();
    const desk = nextDesk();
    await desk.start();
    await perps.world.pass(90_000, 1_000);
    expect([sent(), stopsAtVenue()]).toEqual([before, 0]);
    tells(fill);
    await perps.world.pass(60_000, 1_000);
    expect(await stop()).toMatchObject(CLOSED);
    expect(sent()).toBe(before);
  });

  test('is not sent where that is booked before anything is looked up', async () => {
    await diesMoving();
    const before = sent();
    const fill = closesThere();
    const desk = nextDesk();
    perps.world.time.advance(10);
    // Which opens it anew: the stop is not for that one.
    await placeContractOrder({ ...perps, desk }, {});
    tells(fill);
    await perps.world.pass(1_000);
    await desk.start();
    await perps.world.pass(90_000, 1_000);
    expect(await stop()).toMatchObject({ state: 'cancelled' });
    expect([sent(), stopsAtVenue()]).toEqual([before, 0]);
  });
});

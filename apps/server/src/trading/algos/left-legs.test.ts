import { amount, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER, until } from '../trading-world.fixture.ts';
import type { AlgoVenue } from './algo-world.fixture.ts';
import { legStates, openLegsWorld, TARGETS } from './legs-world.fixture.ts';

/** The leg beside one that has worked: it is cancelled until the exchange says that it is gone. */

let perps: PerpsWorld;
let venue: AlgoVenue;
beforeEach(async () => {
  ({ perps, venue } = await openLegsWorld());
});
afterEach(() => perps.world.close());

const states = () => legStates(perps);
const became = (wanted: string) => until(async () => (await states()).join() === wanted);
const waitingAtVenue = () => [...venue.kept.values()].filter(({ state }) => state.status === 'waiting');
const cancels = () => venue.calls.filter((call) => call === 'cancel').length;
/** A position of two, of which one has legs: it is not flat once one of them has worked. */
const opens = async () => {
  await placeContractOrder(perps, {});
  await placeContractOrder(perps, TARGETS);
  await became('stop waiting,take-profit waiting');
};
/** The take-profit fires at the exchange. */
const fires = () => {
  const target = [...venue.kept.values()].find(({ request }) => request.plan.kind === 'take-profit');
  if (target === undefined) throw new Error('no target');
  const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount('1'));
  return venue.fire(target.request.clientId, '1', fill);
};
const tells = () => perps.world.venue.streams.at(-1)?.onAlgo?.(fires().state);
const dies = async () => {
  await perps.world.desk.stop();
  const desk = perps.world.nextDesk();
  return desk;
};
const OVER = 'stop cancelled,take-profit fired';
const expectGone = async () => {
  expect(await states()).toEqual(OVER.split(','));
  expect(waitingAtVenue()).toEqual([]);
  // What it had left was not the other leg's to close.
  const booked = await perps.world.deps.contracts.booked({ user: CALLER.user, platform: 1 });
  expect(booked.map(({ quantity }) => quantity)).toEqual([amount('1')]);
};

describe('the other leg of a part of which one has worked', () => {
  test.each([
    ['refused', 'refused', 'refused'],
    ['dropped', 'dropped', 'dropped'],
    ['refused', 'dropped', 'lost'],
  ] as const)('is cancelled again where that was %s, %s and %s', async (...answers) => {
    await opens();
    venue.next = [...answers];
    tells();
    await until(() => cancels() === 1);
    await perps.world.pass(60_000, 1_000);
    await expectGone();
    expect(venue.next).toEqual([]);
  });

  test('is asked for less and less often while the exchange refuses', async () => {
    await opens();
    venue.next = Array(1_000).fill('refused');
    tells();
    await until(() => cancels() === 1);
    await perps.world.pass(30_000, 1_000);
    const [early, all] = [cancels(), () => cancels()];
    expect(early).toBeGreaterThanOrEqual(4);
    expect(early).toBeLessThanOrEqual(7);
    await perps.world.pass(60_000, 1_000);
    expect(all() - early).toBeLessThanOrEqual(6);
    venue.next = [];
    await perps.world.pass(30_000, 1_000);
    await expectGone();
  });

  test.each(['refused', 'dropped'] as const)(
    'is cancelled by the next process where it was %s for this one',
    async (answer) => {
      await opens();
      venue.next = [answer];
      tells();
      await until(() => cancels() === 1);
      const desk = await dies();
      venue.next = [answer, answer];
      await desk.start();
      await perps.world.pass(60_000, 1_000);
      await expectGone();
    },
  );

  test('is cancelled by the next process where this one died before it asked', async () => {
    await opens();
    perps.world.diesAt('after-child');
    const { cancel } = venue;
    Object.assign(venue, { cancel: async () => ({ outcome: 'unknown', why: 'dead' }) });
    tells();
    await until(() => perps.world.dead);
    const desk = await dies();
    Object.assign(venue, { cancel });
    venue.next = ['refused'];
    await desk.start();
    await perps.world.pass(60_000, 1_000);
    await expectGone();
  });

  test('is cancelled where its own placement arrives late', async () => {
    await placeContractOrder(perps, {});
    const { place } = venue;
    const late: Parameters<typeof place>[] = [];
    Object.assign(venue, {
      place: async (...given: Parameters<typeof place>) => {
        if (given[1].plan.kind !== 'stop') return place(...given);
        late.push(given);
        return { outcome: 'unknown', why: 'lost', deadlineAt: perps.world.time.clock() + 30_000 };
      },
    });
    await placeContractOrder(perps, TARGETS);
    await became('stop placing,take-profit waiting');
    Object.assign(venue, { place });
    tells();
    await became('stop placing,take-profit fired');
    await until(() => cancels() === 1);
    for (const given of late) await place(...given);
    await perps.world.pass(60_000, 1_000);
    await expectGone();
  });
});

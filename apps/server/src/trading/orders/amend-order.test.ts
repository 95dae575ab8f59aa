import { amount } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TradingDesk } from '../desk.ts';
import type { CrashPoint } from '../ports.ts';
import {
  CALLER,
  CANCELLED,
  FILLED,
  OPEN,
  openTradingWorld,
  PART,
  type TradingWorld,
} from '../trading-world.fixture.ts';
import {
  type AmendFate,
  okxWallet,
  placeResting,
  RESTING_ID,
  type RestingVenue,
} from './resting-venue.fixture.ts';

/** A deadline, and lookups behind it. */
const DECIDED_MILLIS = 60_000;

let world: TradingWorld;
let venue: RestingVenue;
let desk: TradingDesk;
beforeEach(async () => {
  world = await openTradingWorld();
  desk = world.desk;
  venue = await placeResting(world);
});
afterEach(() => world.close());

const replace = (part: Readonly<Record<string, unknown>>) =>
  desk.handlers['connextrade/ReplaceOrder']({ ...CALLER, now: world.time.clock() }, {
    ...{ platformType: 41, orderId: RESTING_ID },
    ...part,
  } as never);
const cancel = () =>
  desk.handlers['connextrade/CancelOrder']({ ...CALLER, now: world.time.clock() }, {
    ...{ platformType: 41, orderId: RESTING_ID },
  } as never);
const wallet = () => okxWallet(world);
const terms = async () => {
  const { price, quantity, amendment } = await world.order(RESTING_ID);
  return { price, quantity, pending: amendment !== undefined };
};
const TO_90 = { price: amount('90'), quantity: amount('1'), pending: false };
const AT_100 = { price: amount('100'), quantity: amount('1'), pending: false };

describe('an order that rests, where the venue changes orders', () => {
  test.each([
    ['a lower price', { price: amount('90') }, ['90', '1', '90']],
    ['a higher price', { price: amount('110') }, ['110', '1', '110']],
    ['less', { quantity: amount('0.5') }, ['100', '0.5', '50']],
    ['more', { quantity: amount('2.5') }, ['100', '2.5', '250']],
    ['both', { price: amount('50'), quantity: amount('3') }, ['50', '3', '150']],
  ])(
    'is changed to %s under its id, and holds what that costs',
    async (_claim, part, [price, quantity, held]) => {
      expect(await replace(part)).toMatchObject({
        ok: true,
        value: {
          outcome: 'amended',
          order: { orderId: RESTING_ID, price, quantity, change: null },
          reason: null,
        },
      });
      expect(await wallet()).toEqual({ USDT: `300 (${held} held)` });
      expect([world.venue.count('place'), world.venue.count('cancel'), venue.amendments.length]).toEqual([
        1, 0, 1,
      ]);
    },
  );

  test('holds the larger of both while the venue is asked', async () => {
    const seen: unknown[] = [];
    venue.whileAsked = async () => void seen.push(await wallet(), await terms());
    await replace({ price: amount('110') });
    await replace({ price: amount('60') });
    expect(seen).toEqual([
      { USDT: '300 (110 held)' },
      { ...AT_100, pending: true },
      { USDT: '300 (110 held)' },
      { ...AT_100, price: amount('110'), pending: true },
    ]);
    expect(await wallet()).toEqual({ USDT: '300 (60 held)' });
  });

  test('that the venue refuses to change rests as it was, with its own hold', async () => {
    venue.fate = 'refused';
    expect(await replace({ price: amount('110') })).toMatchObject({
      ok: false,
      code: { error: 'venue-refused' },
    });
    expect(await terms()).toEqual(AT_100);
    expect(await wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('fills by its new terms after what it filled by the old ones', async () => {
    venue.fill(amount('0.4'));
    await world.pass(500);
    await replace({ price: amount('50') });
    expect(await wallet()).toEqual({ USDT: '260 (30 held)', BTC: '0.4' });
    venue.fill(amount('1'));
    await world.pass(500);
    expect(await world.order(RESTING_ID)).toMatchObject({
      status: FILLED,
      settled: true,
      cumQuote: amount('70'),
    });
    expect(await wallet()).toEqual({ USDT: '230', BTC: '1' });
    expect(world.incidents).toEqual([]);
  });

  test('holds what it filled on the way at the old price until that is booked', async () => {
    venue.whileAsked = () => void venue.fill(amount('0.001'));
    expect(await replace({ price: amount('50'), quantity: amount('0.1') })).toMatchObject({
      ok: true,
      value: { outcome: 'amended', order: { price: '50', quantity: '0.1' } },
    });
    venue.fill(amount('1'), false);
    await world.pass(10_000);
    expect(await world.order(RESTING_ID)).toMatchObject({ status: FILLED, settled: true });
    expect(await wallet()).toEqual({ USDT: '294.95', BTC: '0.1' });
    expect(world.incidents).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['nothing', {}, 'order-combination'],
    ['a price off its step', { price: amount('90.05') }, 'price-step'],
    ['too small a quantity', { quantity: amount('0.001') }, 'notional-too-small'],
    ['more than there is money', { quantity: amount('4') }, 'balance-insufficient'],
  ])('is not changed to %s, and nobody is asked', async (_claim, part, error) => {
    expect(await replace(part)).toMatchObject({ ok: false, code: { error } });
    expect([venue.amendments.length, world.venue.count('cancel')]).toEqual([0, 0]);
    expect(await wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('is not changed while money is halted or figures are not trusted', async () => {
    world.halted = { error: 'money-halted' };
    expect(await replace({ price: amount('90') })).toMatchObject({ code: { error: 'money-halted' } });
    world.halted = undefined;
    world.platformState = 'coming-soon';
    expect(await replace({ price: amount('90') })).toMatchObject({ code: { error: 'platform-coming-soon' } });
    expect(venue.amendments).toEqual([]);
  });

  test('whose old and new terms do not fit side by side is cancelled and placed anew, and the answer says so', async () => {
    const NEXT = '01890000-0000-7000-8000-00000000abce';
    expect(await replace({ price: amount('50'), quantity: amount('6'), clientId: NEXT })).toMatchObject({
      ok: true,
      value: { outcome: 'replaced', order: { orderId: NEXT, price: '50', quantity: '6' } },
    });
    expect([venue.amendments.length, world.venue.count('cancel')]).toEqual([0, 1]);
    expect(await wallet()).toEqual({ USDT: '300 (300 held)' });
  });
});

describe('a change whose answer is lost', () => {
  test.each<[AmendFate, object, string]>([
    ['lost-done', TO_90, '90'],
    ['lost-not', AT_100, '100'],
    ['broken-done', TO_90, '90'],
    ['broken-not', AT_100, '100'],
  ])('%s: the terms prove which it is, and it is never sent twice', async (fate, proved, held) => {
    venue.fate = fate;
    expect(await replace({ price: amount('90') })).toMatchObject({
      ok: true,
      value: { outcome: 'pending', order: { price: '100', change: { price: '90', quantity: '1' } } },
    });
    expect(await wallet()).toEqual({ USDT: '300 (100 held)' });
    await world.pass(DECIDED_MILLIS);
    expect(await terms()).toEqual(proved);
    expect(await wallet()).toEqual({ USDT: `300 (${held} held)` });
    expect(venue.amendments).toHaveLength(1);
  });

  test('that arrives late is found, though the old terms were shown before', async () => {
    venue.fate = 'late';
    await replace({ price: amount('110') });
    await world.pass(8_000);
    expect(await terms()).toEqual({ ...AT_100, pending: true });
    venue.arrive();
    await world.pass(DECIDED_MILLIS);
    expect(await terms()).toEqual({ ...AT_100, price: amount('110') });
    expect(await wallet()).toEqual({ USDT: '300 (110 held)' });
  });

  test('lets the order fill by either terms: each fill is booked once, and all of it was held', async () => {
    venue.fate = 'late';
    await replace({ price: amount('110'), quantity: amount('2') });
    venue.fill(amount('0.5'));
    await world.pass(1_000);
    venue.arrive();
    venue.fill(amount('0.5'), false);
    await world.pass(DECIDED_MILLIS);
    expect(await terms()).toEqual({ price: amount('110'), quantity: amount('2'), pending: false });
    expect(await wallet()).toEqual({ USDT: '195 (110 held)', BTC: '1' });
    expect(await world.order(RESTING_ID)).toMatchObject({ status: PART, cumQuantity: amount('1') });
    expect(world.incidents).toEqual([]);
  });

  test('keeps another one waiting, and never a cancel', async () => {
    venue.fate = 'lost-done';
    await replace({ price: amount('110') });
    expect(await replace({ price: amount('120') })).toMatchObject({ code: { error: 'change-pending' } });
    expect(await cancel()).toMatchObject({ ok: true });
    await world.pass(5_000);
    expect(await world.order(RESTING_ID)).toMatchObject({ status: CANCELLED, settled: true });
    expect(await terms()).toEqual({ ...AT_100, price: amount('110') });
    expect(await wallet()).toEqual({ USDT: '300' });
  });

  test('of an order that completes meanwhile ends with it: it shows the terms that it ended with', async () => {
    venue.fate = 'lost-done';
    await replace({ price: amount('110'), quantity: amount('2') });
    venue.fill(amount('2'));
    await world.pass(5_000);
    expect(await world.order(RESTING_ID)).toMatchObject({ status: FILLED, settled: true });
    expect(await terms()).toEqual({ price: amount('110'), quantity: amount('2'), pending: false });
    expect(await wallet()).toEqual({ USDT: '80', BTC: '2' });
  });
});

describe('what the venue answered and the ledger did not judge', () => {
  test.each<[AmendFate, object, string]>([
    ['done', { ...AT_100, price: amount('110') }, '110'],
    ['refused', AT_100, '100'],
    ['lost-done', { ...AT_100, price: amount('110') }, '110'],
  ])('%s: the same process asks for the terms', async (fate, proved, held) => {
    venue.fate = fate;
    const { ledger } = world.deps;
    const commit = ledger.commit.bind(ledger);
    venue.whileAsked = () =>
      void Object.assign(ledger, { commit: async () => ({ ok: false, code: 'unavailable' }) });
    expect(await replace({ price: amount('110') })).toMatchObject({ code: { error: 'outcome-unknown' } });
    Object.assign(ledger, { commit });
    expect(await terms()).toEqual({ ...AT_100, pending: true });
    await world.pass(DECIDED_MILLIS);
    expect(await terms()).toEqual(proved);
    expect(await wallet()).toEqual({ USDT: `300 (${held} held)` });
    expect(venue.amendments).toHaveLength(1);
  });
});

test('of two changes side by side the second does not undo the first', async () => {
  const [price, quantity] = [amount('110'), amount('0.5')];
  const both = await Promise.all([replace({ price }), replace({ quantity })]);
  const done = both.map(({ ok }) => ok);
  // On a slow machine the first may be over before the second begins: then both are done.
  const refusals = both.filter(({ ok }) => !ok);
  expect(refusals).toMatchObject(refusals.map(() => ({ code: { error: 'change-pending' } })));
  expect(done).toContain(true);
  expect(venue.amendments).toHaveLength(done.filter(Boolean).length);
  expect(await terms()).toEqual({
    ...AT_100,
    ...(done[0] === true ? { price } : {}),
    ...(done[1] === true ? { quantity } : {}),
  });
});

test('what completed a moment before it was asked for is booked, and nothing is changed', async () => {
  venue.whileAsked = () => void venue.fill(amount('1'), false);
  expect(await replace({ price: amount('110') })).toMatchObject({ ok: true, value: { outcome: 'pending' } });
  await world.pass(5_000);
  expect(await world.order(RESTING_ID)).toMatchObject({ status: FILLED, settled: true });
  expect(await terms()).toEqual(AT_100);
  expect(await wallet()).toEqual({ USDT: '200', BTC: '1' });
});

const POINTS = [
  'before-hold',
  'after-hold',
  'after-send',
  'after-answer',
] as const satisfies readonly CrashPoint[];

describe.each(POINTS)('a process that dies at %s of a change', (point) => {
  test.each<AmendFate>(['done', 'lost-not'])(
    'leaves it to the next, which asks for the terms alone: %s',
    async (fate) => {
      venue.fate = fate;
      world.diesAt(point);
      await replace({ price: amount('110') }).catch(() => undefined);
      expect(world.dead).toBe(true);
      await world.desk.stop();
      const sent = venue.amendments.length;
      desk = await world.restarted();
      await world.pass(DECIDED_MILLIS);
      const done = fate === 'done' && sent === 1;
      expect(await terms()).toEqual(done ? { ...AT_100, price: amount('110') } : AT_100);
      expect(await wallet()).toEqual({ USDT: `300 (${done ? '110' : '100'} held)` });
      expect(await world.order(RESTING_ID)).toMatchObject({ status: OPEN, settled: false });
      expect(venue.amendments).toHaveLength(sent);
      expect(await cancel()).toMatchObject({ ok: true });
      expect(await wallet()).toEqual({ USDT: '300' });
    },
  );
});

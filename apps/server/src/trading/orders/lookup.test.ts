import { amount, type Millis, type OrderId, type VenueOrderId } from '@crossbook/domain';
import type { VenueTrading } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookUp } from '../../intents/step.ts';
import type { StoredOrder } from '../order.ts';
import {
  CANCELLED,
  FAIL,
  FILLED,
  fillOf,
  OPEN,
  openTradingWorld,
  PART,
  stateOf,
  type TradingWorld,
  UNKNOWN,
} from '../trading-world.fixture.ts';
import { keep } from './amendment.ts';
import { recordProgress } from './on-venue-event.ts';
import { ABSENCE_PROOF, orderRules } from './order-intent.ts';

/** An order that was placed outside the hub. */
const FOREIGN = '01890000-0000-7000-8000-00000000dead' as OrderId;

let world: TradingWorld;
let order: StoredOrder;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
  order = await world.reserved();
});
afterEach(() => world.close());

const look = async () =>
  (await lookUp(orderRules(world.deps, ABSENCE_PROOF), world.time.clock, order.id)).outcome;

/** The order's outcome is unknown and its deadline passes in 20 s. */
async function unknown(): Promise<void> {
  const deadlineAt = (world.time.clock() + 20_000) as Millis;
  await recordProgress(world.deps, order, { status: UNKNOWN, deadlineAt });
}

/** Looks so often, 15 s apart. */
async function lookupTimes(times: number): Promise<string> {
  let outcome = '';
  for (let count = 0; count < times; count += 1) {
    world.time.advance(15_000);
    outcome = await look();
  }
  return outcome;
}

describe('an order that the venue knows', () => {
  test('is booked as it is there, its fills too', async () => {
    await unknown();
    world.venue.answers = {
      find: async () => ({ outcome: 'found', value: stateOf(order, FILLED, '1') }),
      fillsOfOrder: async () => ({ ok: true, value: [fillOf(1, '0.4'), fillOf(2, '0.6')] }),
    };
    expect(await look()).toBe('done');
    expect(await world.order(order.id)).toMatchObject({ status: FILLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999' });
  });

  test('and that rests there needs no further lookup', async () => {
    await unknown();
    world.venue.answers = { find: async () => ({ outcome: 'found', value: stateOf(order, OPEN, '0') }) };
    expect(await look()).toBe('done');
    expect(await world.order(order.id)).toMatchObject({ status: OPEN, settled: false, lookups: 0 });
  });

  test('is looked at again while its fills cannot be read or do not add up', async () => {
    await unknown();
    world.venue.answers = {
      find: async () => ({ outcome: 'found', value: stateOf(order, CANCELLED, '1') }),
      fillsOfOrder: async () => ({ ok: false, code: 'network' }),
    };
    expect(await look()).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: UNKNOWN });
    world.venue.answers = {
      ...world.venue.answers,
      fillsOfOrder: async () => ({ ok: true, value: [fillOf(1, '0.4')] }),
    };
    expect(await look()).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: CANCELLED, settled: false });
  });

  test('and an unclear answer leaves everything as it is', async () => {
    await unknown();
    const before = await world.order(order.id);
    world.venue.answers = { find: async () => ({ outcome: 'unknown', why: 'lost' }) };
    expect(await lookupTimes(10)).toBe('again');
    expect(await world.order(order.id)).toEqual(before);
  });
});

describe('proof that an order never was', () => {
  test('five lookups over a minute past the deadline, no cancel, no foreign fill: failed, the money free', async () => {
    await unknown();
    expect(await lookupTimes(4)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: UNKNOWN, lookups: 4 });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    expect(world.venue.count('cancel')).toBe(0);
    expect(await lookupTimes(1)).toBe('done');
    expect(world.venue.calls.slice(-3)).toEqual(['find', 'cancel', 'fillsSince']);
    // Its own cancel as well: members' cancels have a reserve that lookups never touch.
    expect(world.venue.classes).toContain('lookup cancel');
    expect(world.venue.classes.filter((asked) => !asked.startsWith('lookup '))).toEqual([]);
    expect(await world.order(order.id)).toMatchObject({ status: FAIL, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });

  test('many lookups in less than a minute prove nothing', async () => {
    await unknown();
    world.time.advance(21_000);
    for (let count = 0; count < 20; count += 1) expect(await look()).toBe('again');
    expect(world.venue.count('cancel')).toBe(0);
    world.time.advance(60_000);
    expect(await look()).toBe('done');
  });

  test('an hour with four lookups proves nothing', async () => {
    await unknown();
    for (let count = 0; count < 4; count += 1) {
      world.time.advance(900_000);
      expect(await look()).toBe('again');
    }
    expect(await look()).toBe('done');
  });

  test('nothing is proved before the deadline', async () => {
    const deadlineAt = (world.time.clock() + 600_000) as Millis;
    await recordProgress(world.deps, order, { status: UNKNOWN, deadlineAt });
    expect(await lookupTimes(40)).toBe('again');
    expect(world.venue.count('cancel')).toBe(0);
    world.time.advance(1);
    expect(await look()).toBe('done');
  });

  const doubts: readonly [string, Partial<VenueTrading>][] = [
    [
      'a cancel that finds it',
      { cancel: async () => ({ outcome: 'cancelled', state: stateOf(order, CANCELLED, '0') }) },
    ],
    ['a cancel without a clear answer', { cancel: async () => ({ outcome: 'unknown', why: 'lost' }) }],
    [
      'a cancel that is refused',
      { cancel: async () => ({ outcome: 'refused', venueCode: '-1', message: '' }) },
    ],
    ['fills that cannot be read', { fillsSince: async () => ({ ok: false, code: 'network' }) }],
    [
      'a fill of an order we do not know',
      {
        fillsSince: async () => ({
          ok: true,
          value: [fillOf(1, '1', { venueOrderId: '99' as VenueOrderId })],
        }),
      },
    ],
  ];
  test.each(doubts)('%s: the money stays held', async (_name, answers) => {
    await unknown();
    world.venue.answers = answers;
    expect(await lookupTimes(30)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: UNKNOWN, settled: false });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test("fills of the member's other orders are no doubt", async () => {
    const other = await world.reserved();
    const venueOrderId = '55' as VenueOrderId;
    await recordProgress(world.deps, other, { status: OPEN, venueOrderId });
    await unknown();
    world.venue.answers = {
      fillsSince: async () => ({ ok: true, value: [fillOf(1, '1', { venueOrderId })] }),
    };
    expect(await lookupTimes(5)).toBe('done');
  });

  test('fills of orders that are not ours are no doubt once the venue says whose they are', async () => {
    await unknown();
    const venueOrderId = '99' as VenueOrderId;
    world.venue.answers = {
      findByVenueId: async (_credentials, _instrument, id) => ({
        outcome: 'found',
        value: stateOf({ ...order, id: FOREIGN }, FILLED, '1', id),
      }),
      fillsSince: async () => ({ ok: true, value: [fillOf(1, '1', { venueOrderId })] }),
    };
    expect(await lookupTimes(5)).toBe('done');
    expect(await world.order(order.id)).toMatchObject({ status: FAIL });
  });

  test('a fill whose order turns out to be the one that was missed is booked, not lost', async () => {
    await unknown();
    const venueOrderId = '99' as VenueOrderId;
    world.venue.answers = {
      findByVenueId: async (_credentials, _instrument, id) => ({
        outcome: 'found',
        value: stateOf(order, FILLED, '1', id),
      }),
      fillsSince: async () => ({ ok: true, value: [fillOf(1, '1', { venueOrderId })] }),
    };
    expect(await lookupTimes(5)).toBe('done');
    expect(await world.order(order.id)).toMatchObject({ status: FILLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999' });
  });

  test('it is proved however many orders came after: 300 newer ones that all traded', async () => {
    await unknown();
    await world.database.owner.query(
      `insert into orders select gen_random_uuid(), user_id, platform, symbol_type, symbol, base, quote, side, order_type,
         time_in_force, price, quantity, quote_quantity, send_type, send_time_in_force, send_price, payload_hash,
         gen_random_uuid(), hold_asset, hold_amount, 4, false, true, 1, 100, 'other-' || n, null, null, 0, null,
         created_at + n, updated_at from orders, generate_series(1, 300) n`,
    );
    world.venue.answers.fillsSince = async () => ({
      ok: true,
      value: Array.from({ length: 300 }, (_, at) =>
        fillOf(at, '1', { venueOrderId: `other-${at + 1}` as VenueOrderId }),
      ),
    });
    expect(await lookupTimes(5)).toBe('done');
    expect(await world.order(order.id)).toMatchObject({ status: FAIL });
    expect(world.venue.count('find')).toBe(5);
  });

  test('an order whose sender died without a word gets a deadline from now', async () => {
    expect(await look()).toBe('again');
    const deadlineAt = world.time.clock() + 15_000;
    expect(await world.order(order.id)).toMatchObject({ status: UNKNOWN, deadlineAt, lookups: 1 });
    expect(await lookupTimes(4)).toBe('done');
    expect(await world.order(order.id)).toMatchObject({ status: FAIL });
  });
});

test('an order that met hundreds of others while nobody listened is booked to the last fill, and settles', async () => {
  const fills = Array.from({ length: 500 }, (_, at) => fillOf(at + 1, '0.002'));
  world.venue.answers = {
    find: async () => ({ outcome: 'found', value: stateOf(order, FILLED, '1') }),
    fillsOfOrder: async () => ({ ok: true, value: fills }),
  };
  expect(await look()).toBe('done');
  expect(await world.order(order.id)).toMatchObject({ settled: true, cumQuantity: amount('1') });
  expect(await world.orders.fillsOfOrder(order.id)).toHaveLength(500);
  expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999' });
  expect(world.incidents).toEqual([]);
});

describe('an order that the venue had acknowledged and does not find', () => {
  const acknowledged = (status: StoredOrder['status']) =>
    recordProgress(world.deps, order, { status, venueOrderId: '1' as VenueOrderId });

  test('may be missed twice by what lags; then it is unknown and a person is told; never failed', async () => {
    await acknowledged(OPEN);
    expect(await lookupTimes(2)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: OPEN });
    expect(world.incidents).toEqual([]);
    expect(await lookupTimes(20)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: UNKNOWN, settled: false });
    expect(new Set(world.incidents)).toEqual(new Set(['an acknowledged order is gone']));
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('keeps an end that the venue itself had told', async () => {
    await acknowledged(CANCELLED);
    expect(await lookupTimes(5)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: CANCELLED, settled: false });
    world.venue.answers = { find: async () => ({ outcome: 'found', value: stateOf(order, CANCELLED, '0') }) };
    expect(await look()).toBe('done');
    expect(await world.order(order.id)).toMatchObject({ settled: true });
  });

  test('found again it goes on where it was, and the count of lookups begins anew', async () => {
    await acknowledged(OPEN);
    await lookupTimes(4);
    world.venue.answers = {
      find: async () => ({ outcome: 'found', value: stateOf(order, PART, '0.4') }),
      fillsOfOrder: async () => ({ ok: true, value: [fillOf(1, '0.4')] }),
    };
    expect(await look()).toBe('done');
    const found = await world.order(order.id);
    expect(found).toMatchObject({ status: PART, lookups: 0, cumQuantity: amount('0.4') });
    expect(found.firstLookupAt).toBeUndefined();
  });
});

describe('an acknowledged order so old that the venue forgets it when it ended without a fill', () => {
  const age = () => world.venue.forgetsUnfilledMillis;
  beforeEach(async () => {
    await recordProgress(world.deps, order, { status: OPEN, venueOrderId: '1' as VenueOrderId });
    world.time.advance(age());
  });

  test('is over once nothing knows it: five lookups over a minute, no cancel, not listed, no fill', async () => {
    expect(await lookupTimes(4)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ settled: false, lookups: 4 });
    expect(world.venue.count('cancel')).toBe(0);
    expect(await lookupTimes(1)).toBe('done');
    expect(world.venue.calls.slice(-5)).toEqual([
      ...['find', 'cancel', 'openOrders', 'fillsOfOrder', 'fillsSince'],
    ]);
    expect(await world.order(order.id)).toMatchObject({ status: CANCELLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '300' });
    expect(world.incidents).toEqual([]);
  });

  test('ends with the terms that it had where a change of it was under way', async () => {
    const open = await world.order(order.id);
    await keep(world.deps, open, { price: amount('90'), quantity: amount('1'), lookups: 0 });
    expect(await lookupTimes(5)).toBe('done');
    const ended = await world.order(order.id);
    expect(ended).toMatchObject({ status: CANCELLED, settled: true, price: open.price });
    expect(ended.amendment).toBeUndefined();
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });

  const doubts: readonly [string, Partial<VenueTrading>][] = [
    ['a cancel without a clear answer', { cancel: async () => ({ outcome: 'unknown', why: 'lost' }) }],
    ['a list that shows it', { openOrders: async () => ({ ok: true, value: [stateOf(order, OPEN, '0')] }) }],
    ['a list that cannot be read', { openOrders: async () => ({ ok: false, code: 'network' }) }],
    ['a fill of it', { fillsOfOrder: async () => ({ ok: true, value: [fillOf(1, '0.4')] }) }],
    ['fills that cannot be read', { fillsOfOrder: async () => ({ ok: false, code: 'network' }) }],
    [
      'a fill of it that only a list by time still shows',
      { fillsSince: async () => ({ ok: true, value: [fillOf(1, '0.4')] }) },
    ],
    ['a list by time that cannot be read', { fillsSince: async () => ({ ok: false, code: 'network' }) }],
  ];
  test.each(doubts)('%s: the money stays held and a person is told', async (_name, answers) => {
    world.venue.answers = answers;
    expect(await lookupTimes(30)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: UNKNOWN, settled: false });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    expect(new Set(world.incidents)).toEqual(new Set(['an acknowledged order is gone']));
  });

  test('one that had traded is remembered by the venue, so that its absence proves nothing', async () => {
    world.venue.answers = {
      find: async () => ({ outcome: 'found', value: stateOf(order, PART, '0.4') }),
      fillsOfOrder: async () => ({ ok: true, value: [fillOf(1, '0.4')] }),
    };
    await look();
    world.venue.answers = {};
    expect(await lookupTimes(30)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: UNKNOWN, settled: false });
  });

  test('one of whose fills the venue told is waited for, though none is booked yet', async () => {
    await recordProgress(world.deps, await world.order(order.id), { status: FILLED });
    expect(await lookupTimes(30)).toBe('again');
    expect(await world.order(order.id)).toMatchObject({ status: FILLED, settled: false });
  });
});

test('a settled order and one nobody knows need no lookup; one of a closed account waits', async () => {
  await recordProgress(world.deps, order, { status: FAIL, settled: true });
  expect(await look()).toBe('done');
  const foreign = await world.reserved();
  order = foreign;
  await world.database.owner.query("update venue_accounts set state = 'failed'");
  expect(await look()).toBe('again');
  expect(world.venue.calls).toEqual([]);
});

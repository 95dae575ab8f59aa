import { amount, type UserId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FULL } from '../../../../../tests/property-runs.ts';
import type { StoredOrder } from '../order.ts';
import {
  CALLER,
  CANCELLED,
  OPEN,
  openTradingWorld,
  stateOf,
  type TradingWorld,
  UNKNOWN,
} from '../trading-world.fixture.ts';
import { onVenueEvent, recordProgress } from './on-venue-event.ts';

/** What an idle hub reads of Binance, by the weights that Binance counts. */

/** 5 % of 4,800 in a minute. */
const WEIGHT_PER_MINUTE_MAX = 240;
const MEMBERS = 107;
/** How long it idles before and after an order is cancelled; in full each member's turn comes several times. */
const IDLE_MINUTES = FULL ? 30 : 6;

let world: TradingWorld;
const members = Array.from(
  { length: MEMBERS },
  (_none, at) => (at === 0 ? CALLER.user : 1_000 + at) as UserId,
);
const orders = new Map<string, StoredOrder>();
/** Members about whose order the venue never tells. */
const unknown = new Set<string>();
/** Weight of reads for comparing, by the minute in which they were asked. */
const compared = new Map<number, number>();
let lookups: number;

function weigh(weight: number): void {
  const minute = Math.floor(world.time.clock() / 60_000);
  compared.set(minute, (compared.get(minute) ?? 0) + weight);
}

beforeEach(async () => {
  orders.clear();
  unknown.clear();
  compared.clear();
  lookups = 0;
  world = await openTradingWorld();
  for (const user of members) {
    await world.account(user);
    await world.fund('USDT', '300', user);
    const order = await world.reserved({ user });
    await onVenueEvent(world.deps, order.id, { state: stateOf(order, OPEN, '0'), fills: [], barrier: false });
    orders.set(`key-${user}`, order);
  }
  world.venue.answers = {
    balances: async () => {
      weigh(20);
      return { ok: true, value: [{ asset: 'USDT', free: amount('200'), locked: amount('100') }] };
    },
    openOrders: async ({ apiKey }, instruments) => {
      weigh(6 * instruments.length);
      const order = orders.get(apiKey);
      return { ok: true, value: order === undefined ? [] : [stateOf(order, OPEN, '0')] };
    },
    find: async ({ apiKey }) => {
      lookups += 4;
      const order = orders.get(apiKey);
      if (order === undefined || unknown.has(apiKey)) return { outcome: 'unknown', why: 'lost' };
      return { outcome: 'found', value: stateOf(order, OPEN, '0') };
    },
  };
});
afterEach(() => world.close());

/** The streams of all members are open, and whatever the start set going is over. */
async function started(): Promise<void> {
  await world.desk.start();
  for (const user of members) await world.desk.venueAccount(user, 1);
  for (const stream of world.venue.streams) stream.onOpen();
  await world.pass(180_000, 1_000);
  compared.clear();
  lookups = 0;
}

test('an idle hub with 107 members and 15 unknown orders compares within 5 % in every minute, and a cancelled order frees its money at once', async () => {
  for (const user of members.slice(1, 16)) {
    const order = orders.get(`key-${user}`) as StoredOrder;
    await recordProgress(world.deps, order, { status: UNKNOWN });
    unknown.add(`key-${user}`);
  }
  await started();
  await world.pass(IDLE_MINUTES * 60_000, 1_000);
  const early = lookups;
  const order = orders.get(`key-${CALLER.user}`) as StoredOrder;
  orders.delete(`key-${CALLER.user}`);
  world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state: stateOf(order, CANCELLED, '0') });
  expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  const cancelled = await world.desk.handlers['connextrade/CancelOrder'](CALLER, {
    ...{ platformType: 43, orderId: order.id },
  });
  expect(cancelled).toMatchObject({ ok: true, value: { settled: true } });
  expect(await world.wallet()).toEqual({ USDT: '300' });
  await world.pass(IDLE_MINUTES * 60_000, 1_000);
  expect(compared.size).toBeGreaterThanOrEqual(2 * IDLE_MINUTES);
  expect(Math.max(...compared.values())).toBeLessThanOrEqual(WEIGHT_PER_MINUTE_MAX);
  // Old doubts are looked up more and more seldom.
  expect(lookups - early).toBeGreaterThan(0);
  expect(lookups - early).toBeLessThan(early);
  expect(lookups / (2 * IDLE_MINUTES)).toBeLessThanOrEqual(WEIGHT_PER_MINUTE_MAX / (FULL ? 2 : 1));
  expect(world.desk.oldestBalanceChecks().get(1)).toBeLessThanOrEqual(MEMBERS * 2 * 6_000);
  expect(world.desk.oldestOrderComparisons().get(1)).toBeLessThanOrEqual(MEMBERS * 2 * 10_000);
}, 180_000);

test('a member whose stream is silent is compared every ten seconds, and once more, balances too, when it is back', async () => {
  await started();
  const [stream] = world.venue.streams;
  world.venue.classes.length = 0;
  stream?.onClosed('gone');
  await world.pass(31_000, 1_000);
  const doubtful = () => world.venue.classes.filter((call) => call === 'reconciliation openOrders').length;
  expect(doubtful()).toBe(3);
  stream?.onOpen();
  await world.pass(2_000, 1_000);
  expect(doubtful()).toBe(4);
  const asked: string[] = [];
  const { balances } = world.venue.answers;
  world.venue.answers.balances = async (credentials) => {
    asked.push(credentials.apiKey);
    return balances?.(credentials) ?? { ok: false, code: 'network' };
  };
  await world.pass(30_000, 1_000);
  expect(doubtful()).toBe(4);
  expect(asked).toContain(`key-${members[0]}`);
  expect(asked.length).toBeLessThanOrEqual(6);
});

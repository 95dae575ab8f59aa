import type { CallRequest } from '@crossbook/contract';
import { amount, type Millis, type OrderId, type UserId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitWithRows } from '../booking/booked-rows.ts';
import { onVenueEvent, recordProgress } from '../orders/on-venue-event.ts';
import {
  CALLER,
  CANCELLED,
  OPEN,
  openTradingWorld,
  stateOf,
  type TradingWorld,
  UNKNOWN,
  until,
} from '../trading-world.fixture.ts';
import { type BalanceCheck, createBalanceCheck } from './balance-check.ts';

let world: TradingWorld;
let check: BalanceCheck;
let asked: number;
const owner = { user: CALLER.user, platform: 1 } as const;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
  asked = 0;
  check = createBalanceCheck(world.deps, () => {
    asked += 1;
  });
  venueHas({ USDT: ['300', '0'] });
});
afterEach(async () => {
  await check.stop();
  await world.close();
});

/** Free and locked at the venue by asset. */
function venueHas(rows: Readonly<Record<string, readonly [string, string]>>): void {
  const value = Object.entries(rows).map(([asset, [free, locked]]) => ({
    ...{ asset, free: amount(free), locked: amount(locked) },
  }));
  world.venue.answers.balances = async () => ({ ok: true, value });
}

describe('one comparison', () => {
  test.each<[string, Readonly<Record<string, readonly [string, string]>>, string]>([
    ['the same', { USDT: ['300', '0'] }, 'equal'],
    ['part of it locked in orders', { USDT: ['180', '120'] }, 'equal'],
    ['an asset of nothing', { USDT: ['300', '0'], BTC: ['0', '0'] }, 'equal'],
    ['one unit less', { USDT: ['299.999999999999999999', '0'] }, 'different'],
    ['one unit more', { USDT: ['300', '0.000000000000000001'] }, 'different'],
    ['an asset the ledger does not know', { USDT: ['300', '0'], BTC: ['1', '0'] }, 'different'],
    ['nothing at all', {}, 'different'],
  ])('%s: %s', async (_name, rows, expected) => {
    venueHas(rows);
    expect(await check.check(owner)).toBe(expected);
  });

  test('nothing is concluded while a transfer or an order is under way, or the venue does not answer', async () => {
    venueHas({});
    world.moving = true;
    expect(await check.check(owner)).toBe('busy');
    world.moving = false;
    const order = await world.reserved();
    expect(await check.check(owner)).toBe('busy');
    await recordProgress(world.deps, order, { status: UNKNOWN });
    expect(await check.check(owner)).toBe('busy');
    const cancelled = { state: stateOf(order, CANCELLED, '0.5'), fills: [], barrier: false };
    await onVenueEvent(world.deps, order.id, cancelled);
    expect(await check.check(owner)).toBe('busy');
    await onVenueEvent(world.deps, order.id, { ...cancelled, state: stateOf(order, CANCELLED, '0') });
    expect(await check.check(owner)).toBe('different');
    world.venue.answers.balances = async () => ({ ok: false, code: 'network' });
    expect(await check.check(owner)).toBe('busy');
  });

  test('where one wallet serves pairs and contracts, a loss that stands as a debt is missing at the venue too', async () => {
    const shared = { user: CALLER.user, platform: 3 } as const;
    world.second = 3;
    await world.account(CALLER.user, 3);
    await world.fund('USDT', '300', CALLER.user, 3);
    expect(await check.check(shared)).toBe('equal');
    const wallet = { ...shared, asset: 'USDT' };
    const debt = world.deps.contracts.debtChange(wallet, amount('320'), world.deps.clock());
    expect(await commitWithRows(world.deps, { commands: [], writes: [debt] })).toMatchObject({ ok: true });
    expect(await check.check(shared)).toBe('different');
    venueHas({ USDT: ['-20', '0'] });
    expect(await check.check(shared)).toBe('equal');
  });

  test('a resting order is no reason to wait', async () => {
    const order = await world.reserved();
    await onVenueEvent(world.deps, order.id, { state: stateOf(order, OPEN, '0'), fills: [], barrier: false });
    venueHas({ USDT: ['200', '100'] });
    expect(await check.check(owner)).toBe('equal');
  });

  test('money that moves while the venue is read proves nothing', async () => {
    world.venue.answers.balances = async () => {
      await world.fund('USDT', '5');
      return { ok: true, value: [] };
    };
    expect(await check.check(owner)).toBe('busy');
    world.venue.answers.balances = async () => {
      world.moving = true;
      return { ok: true, value: [] };
    };
    expect(await check.check(owner)).toBe('busy');
  });
});

describe('a difference', () => {
  test('is asked after at once, stops new orders the second time, and ends when the figures agree', async () => {
    venueHas({ USDT: ['299', '0'] });
    expect(await check.check(owner)).toBe('different');
    expect([asked, check.doubtful(owner), world.incidents.length]).toEqual([1, undefined, 0]);
    expect(await check.check(owner)).toBe('different');
    expect(check.doubtful(owner)).toEqual({ of: 'USDT', amount: amount('1') });
    expect(world.incidents).toEqual(['balances differ from the venue, new orders stopped']);
    await check.check(owner);
    expect(world.incidents).toHaveLength(1);
    expect(check.stats()).toEqual({ compared: 3, different: 3, doubted: 1 });
    expect(check.doubted()).toEqual([{ owner, doubt: { of: 'USDT', amount: amount('1') } }]);
    expect(check.doubtful({ user: 8 as UserId, platform: 1 })).toBeUndefined();
    venueHas({ USDT: ['300', '0'] });
    expect(await check.check(owner)).toBe('equal');
    expect(check.doubtful(owner)).toBeUndefined();
    expect([check.stats().doubted, check.doubted()]).toEqual([0, []]);
  });

  test('that was only a fill on its way is forgotten', async () => {
    venueHas({ USDT: ['299', '0'] });
    await check.check(owner);
    venueHas({ USDT: ['300', '0'] });
    await check.check(owner);
    venueHas({ USDT: ['299', '0'] });
    await check.check(owner);
    expect(check.doubtful(owner)).toBeUndefined();
  });

  test('does not go away by being busy, and being busy does not count as one', async () => {
    venueHas({ USDT: ['299', '0'] });
    await check.check(owner);
    world.moving = true;
    for (let count = 0; count < 5; count += 1) await check.check(owner);
    expect(check.doubtful(owner)).toBeUndefined();
    world.moving = false;
    await check.check(owner);
    expect(check.doubtful(owner)).toBeDefined();
    world.moving = true;
    await check.check(owner);
    expect(check.doubtful(owner)).toBeDefined();
  });
});

describe('the desk', () => {
  const request: CallRequest<'connextrade/PlaceOrder'> = {
    ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 },
    ...{ price: amount('100'), quantity: amount('1') },
  };
  const place = (part: { readonly clientId?: OrderId } = {}) =>
    world.desk.handlers['connextrade/PlaceOrder'](
      { ...CALLER, now: world.time.clock() },
      { ...request, ...part },
    );

  const pass = (millis: number) => world.pass(millis, 1_000);

  test('refuses new orders of that member there, still cancels, and goes on when all is equal again', async () => {
    const clientId = '01890000-0000-7000-8000-00000000abcd' as OrderId;
    world.venue.answers.place = async () => ({
      ...{ outcome: 'accepted', state: stateOf({ id: clientId, symbol: 'BTCUSDT' }, OPEN, '0'), fills: [] },
    });
    world.venue.answers.openOrders = async () => ({
      ok: true,
      value: [stateOf({ id: clientId, symbol: 'BTCUSDT' }, OPEN, '0')],
    });
    world.venue.answers.find = async () => ({
      outcome: 'found',
      value: stateOf({ id: clientId, symbol: 'BTCUSDT' }, OPEN, '0'),
    });
    expect(await place({ clientId })).toMatchObject({ ok: true });
    venueHas({ USDT: ['1', '100'] });
    await world.desk.start();
    await pass(2_000);
    await until(() => world.desk.stats().balances.different > 0);
    while (world.desk.stats().balances.doubted === 0) await pass(1_000);
    expect(await place()).toMatchObject({ ok: false, code: { error: 'trading-halted' } });
    // The page says so before anything is tried, and by how much.
    const opening = world.desk.handlers['x/trade/Opening'];
    expect(await opening(CALLER, { platformType: 43, tinstType: 1 })).toEqual({
      ok: true,
      value: { stopped: 'books-differ', differs: { of: 'USDT', amount: expect.stringMatching(/^[1-9]/) } },
    });
    world.venue.answers.cancel = async () => ({ outcome: 'gone' });
    const cancel = { platformType: 43, orderId: clientId } as const;
    expect(await world.desk.handlers['connextrade/CancelOrder'](CALLER, cancel)).toMatchObject({ ok: true });
    venueHas({ USDT: ['200', '100'] });
    while (world.desk.stats().balances.doubted === 1) await pass(1_000);
    expect(world.notes).toContain('balances agree with the venue again');
  });

  test('compares one account after the other at the pace of the venue, no round sooner than a minute, and tells the oldest', async () => {
    for (let more = 0; more < 9; more += 1) await world.account((100 + more) as UserId);
    const seen: [number, string][] = [];
    const begin = world.time.clock();
    world.venue.answers.balances = async ({ apiKey }) => {
      seen.push([world.time.clock() - begin, apiKey]);
      return {
        ok: true,
        value: apiKey === 'key-7' ? [{ asset: 'USDT', free: amount('300'), locked: 0n as never }] : [],
      };
    };
    await world.desk.start();
    const oldest = () => world.desk.oldestBalanceChecks().get(1) ?? 0;
    while (seen.length < 10) await pass(1_000);
    expect(new Set(seen.map(([, key]) => key)).size).toBe(10);
    const pauses = seen.slice(1).map(([at], before) => at - (seen[before]?.[0] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(6_000);
    expect(oldest()).toBe(world.time.clock() - begin);
    expect(world.desk.oldestCheckMillis(1)).toBe(oldest());
    expect(world.desk.oldestCheckMillis(2)).toBe(0);
    while (world.time.clock() - begin < (seen[0]?.[0] ?? 0) + 59_000) await pass(1_000);
    expect(seen).toHaveLength(10);
    while (seen.length < 20) await pass(1_000);
    expect(world.time.clock() - begin).toBeGreaterThanOrEqual(60_000 as Millis);
    expect(oldest()).toBeLessThanOrEqual(70_000);
  });

  test('an account that was busy in its turn is tried again soon, and does not wait for its next turn', async () => {
    world.moving = true;
    await world.desk.start();
    await pass(5_000);
    world.moving = false;
    await pass(20_000);
    await until(() => world.desk.stats().balances.compared === 1);
  });
});

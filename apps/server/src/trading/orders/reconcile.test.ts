import {
  amount,
  type Millis,
  type OrderId,
  type UserId,
  type VenueOrderState,
  venueClientId,
} from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredOrder } from '../order.ts';
import {
  BTCUSDT,
  CALLER,
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
  until,
} from '../trading-world.fixture.ts';
import { onVenueEvent, recordProgress } from './on-venue-event.ts';

let world: TradingWorld;
let order: StoredOrder;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
  order = await world.reserved();
});
afterEach(() => world.close());

const now = (id: OrderId = order.id) => world.order(id);
const says = (state: VenueOrderState) => async () => ({ outcome: 'found', value: state }) as const;

const pass = (millis: number, step?: number) => world.pass(millis, step);

describe('a start', () => {
  test('takes over what was left at NEW as unknown with a deadline, hears its fills, and books what the venue knows', async () => {
    world.venue.answers = {
      find: says(stateOf(order, FILLED, '1')),
      fillsOfOrder: async () => ({ ok: true, value: [fillOf(1, '1')] }),
    };
    await world.desk.start();
    expect(await now()).toMatchObject({ status: UNKNOWN, deadlineAt: world.time.clock() + 15_000 });
    expect(world.venue.streams).toHaveLength(1);
    world.time.advance(500);
    await until(async () => (await now()).settled);
    expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999' });
    expect(world.venue.count('place')).toBe(0);
  });

  test('ends an order that never reached the venue as failed, after proof, and frees its money', async () => {
    await world.desk.start();
    await pass(80_000, 1_000);
    await until(async () => (await now()).status === FAIL);
    expect(await world.wallet()).toEqual({ USDT: '300' });
    expect(world.desk.stats().waiting).toBe(0);
  });

  test('settles a cancelled order whose lookup was lost', async () => {
    const state = stateOf(order, CANCELLED, '0');
    await onVenueEvent(world.deps, order.id, { state, fills: [], barrier: false });
    world.venue.answers = { find: says(state) };
    await world.desk.start();
    world.time.advance(500);
    await until(async () => (await now()).settled);
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });
});

describe('resting orders', () => {
  beforeEach(async () => {
    const open = { state: stateOf(order, OPEN, '0'), fills: [], barrier: false };
    await onVenueEvent(world.deps, order.id, open);
    world.venue.answers = { find: says(stateOf(order, OPEN, '0')) };
    world.venue.answers.openOrders = async () => ({ ok: true, value: [stateOf(order, OPEN, '0')] });
    await world.desk.start();
    await pass(2_000);
    world.venue.calls.length = 0;
  });

  test('are compared with the venue every ten seconds, and not looked at while both agree', async () => {
    await pass(30_000);
    expect(world.venue.count('openOrders')).toBeGreaterThanOrEqual(2);
    expect(world.venue.count('find')).toBe(0);
  });

  test.each([
    [
      'is further along there',
      PART,
      '0.4',
      [stateOf({ id: 'x' as OrderId, symbol: 'BTCUSDT' }, PART, '0.4')],
    ],
    ['is gone there', FILLED, '0.4', []],
    [
      'is listed as over',
      FILLED,
      '0.4',
      [stateOf({ id: 'x' as OrderId, symbol: 'BTCUSDT' }, CANCELLED, '0')],
    ],
  ] as const)(
    'one that %s is looked at, and its fill found without any stream',
    async (_name, status, cumulative, listed) => {
      world.venue.answers = {
        openOrders: async () => ({
          ok: true,
          value: listed.map((state) => ({ ...state, clientId: stateOf(order, OPEN, '0').clientId })),
        }),
        find: says(stateOf(order, status, cumulative)),
        fillsOfOrder: async () => ({ ok: true, value: [fillOf(1, '0.4')] }),
      };
      await pass(11_000);
      await until(async () => (await now()).cumQuantity === amount('0.4'));
      expect(await world.wallet()).toMatchObject({ BTC: '0.3996' });
    },
  );

  test('a list that cannot be read concludes nothing', async () => {
    world.venue.answers.openOrders = async () => ({ ok: false, code: 'network' });
    await pass(21_000);
    expect(world.venue.count('find')).toBe(0);
    expect(await now()).toMatchObject({ status: OPEN });
  });

  test('a comparison that hangs is not joined by a second one', async () => {
    let answer = (): void => undefined;
    world.venue.answers.openOrders = () =>
      new Promise((resolve) => {
        answer = () => resolve({ ok: true, value: [stateOf(order, OPEN, '0')] });
      });
    await pass(60_000, 5_000);
    expect(world.venue.count('openOrders')).toBe(1);
    answer();
    await pass(11_000);
    expect(world.venue.count('openOrders')).toBe(2);
    answer();
  });
});

describe('a platform that takes its time to fail', () => {
  test('keeps nobody at another one from being compared', async () => {
    const stranger = 77 as UserId;
    world.second = 2;
    await world.account(stranger, 2);
    await world.fund('USDT', '1000', stranger, 2);
    const there = await world.reserved({ user: stranger, instrument: { ...BTCUSDT, platform: 2 } });
    for (const one of [there, order]) {
      const rests = { state: stateOf(one, OPEN, '0'), fills: [], barrier: false };
      await onVenueEvent(world.deps, one.id, rests);
    }
    // Balances, which would have orders compared too, are not looked at meanwhile.
    world.moving = true;
    const asked: string[] = [];
    world.venue.answers.openOrders = ({ apiKey }) => {
      asked.push(apiKey);
      const silent = apiKey === `key-${stranger}`;
      return silent ? new Promise(() => undefined) : Promise.resolve({ ok: false, code: 'network' });
    };
    await world.desk.start();
    await pass(41_000, 1_000);
    expect(asked.filter((key) => key === `key-${stranger}`)).toHaveLength(1);
    expect(asked.filter((key) => key === `key-${CALLER.user}`)).toHaveLength(4);
  });

  test('does not take every place among the lookups: whoever has waited longest comes first', async () => {
    await world.fund('USDT', '10000');
    const request = { price: amount('10'), quantity: amount('0.5') };
    for (let more = 0; more < 59; more += 1) await world.reserved(request);
    world.time.advance(1);
    const last = venueClientId((await world.reserved(request)).id);
    const seen = new Set<string>();
    world.venue.answers.find = (_credentials, _instrument, clientId) => {
      seen.add(clientId);
      // As long as a connector waits for an answer.
      return new Promise((resolve) => {
        world.time.after(10_000, () => resolve({ outcome: 'unknown', why: 'no answer' }));
      });
    };
    await world.desk.start();
    await pass(50_000, 500);
    expect(seen.has(last)).toBe(true);
    world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'no answer' });
    await pass(11_000, 1_000);
  });
});

describe('looking again', () => {
  beforeEach(async () => {
    const deadlineAt = (world.time.clock() + 3_600_000) as Millis;
    await recordProgress(world.deps, order, { status: UNKNOWN, deadlineAt });
    world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'lost' });
    world.venue.answers.openOrders = async () => ({ ok: false, code: 'network' });
  });

  test('happens after 0, 2, 4, 8 and then every 15 seconds, and tells a person once after ten minutes', async () => {
    const begin = world.time.clock();
    const asked: number[] = [];
    world.venue.answers.find = async () => {
      asked.push(Math.round((world.time.clock() - begin) / 1_000));
      return { outcome: 'unknown', why: 'lost' };
    };
    await world.desk.start();
    await pass(60_000);
    expect(asked.slice(0, 6)).toEqual([1, 3, 7, 15, 30, 45]);
    expect(world.open.size).toBe(0);
    await pass(700_000, 5_000);
    expect(world.open.get(order.id)).toMatchObject({
      ...{ subject: 'order', what: 'the outcome is still open' },
      evidence: { symbol: 'BTCUSDT', holdAmount: '100', lastLookup: 'lost' },
    });
    expect(await now()).toMatchObject({ status: UNKNOWN, settled: false });
  });

  test('of an order whose instrument is no longer listed comes to nothing: a person is told, the money stays held', async () => {
    await world.database.owner.query("update orders set symbol = 'GONEUSDT'");
    await world.desk.start();
    await pass(700_000, 5_000);
    expect(world.open.get(order.id)).toMatchObject({
      ...{ subject: 'order', what: 'the outcome is still open' },
      evidence: { symbol: 'GONEUSDT', lastLookup: 'the instrument or the account is not there' },
    });
    expect(world.venue.count('find')).toBe(0);
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('goes on after a lookup that failed', async () => {
    world.venue.answers.find = async () => {
      throw new Error('a bug');
    };
    await world.desk.start();
    await pass(4_000);
    expect(world.notes).toContain('lookup failed');
    world.venue.answers.find = says(stateOf(order, OPEN, '0'));
    await pass(20_000);
    expect(await now()).toMatchObject({ status: OPEN });
    expect(world.desk.stats().waiting).toBe(0);
  });

  test('at twenty orders at once at the most, and all get their turn', async () => {
    await world.fund('USDT', '10000');
    for (let more = 0; more < 44; more += 1) {
      await world.reserved({ price: amount('10'), quantity: amount('0.5') });
    }
    let at = 0;
    let most = 0;
    const asked = new Set<string>();
    world.venue.answers.find = async (_credentials, _instrument, clientId) => {
      at += 1;
      most = Math.max(most, at);
      await new Promise((next) => setTimeout(next, 1));
      at -= 1;
      asked.add(clientId);
      return { outcome: 'unknown', why: 'lost' };
    };
    await world.desk.start();
    while (asked.size < 45) await pass(500);
    expect(most).toBeLessThanOrEqual(20);
  });
});

describe('private streams', () => {
  beforeEach(async () => {
    const open = { state: stateOf(order, OPEN, '0'), fills: [], barrier: false };
    await onVenueEvent(world.deps, order.id, open);
    world.venue.answers.openOrders = async () => ({ ok: true, value: [] });
    world.venue.answers.find = says(stateOf(order, FILLED, '1'));
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [fillOf(1, '1')] });
  });
  const stream = () => {
    const [first] = world.venue.streams;
    if (first === undefined) throw new Error('no stream was opened');
    return first;
  };

  test('bring fills that are booked in the order of arrival', async () => {
    await world.desk.venueAccount(CALLER.user, 1);
    stream().onOrder({ state: stateOf(order, PART, '0.4'), fill: fillOf(1, '0.4') });
    stream().onOrder({ state: stateOf(order, FILLED, '1'), fill: fillOf(2, '0.6') });
    await until(async () => (await now()).settled);
    expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999' });
  });

  test('that tell of more than they bring have the order looked up', async () => {
    await world.desk.start();
    world.venue.answers.openOrders = async () => ({ ok: false, code: 'network' });
    stream().onOrder({ state: stateOf(order, FILLED, '1') });
    await until(async () => (await now()).status === FILLED);
    await pass(2_000);
    await until(async () => (await now()).settled);
  });

  test.each(['onOpen', 'onMalformed'] as const)('%s compares the orders with the venue', async (event) => {
    await world.desk.start();
    await pass(1_000);
    await until(async () => (await now()).settled);
    order = await world.reserved();
    world.venue.answers.find = says(stateOf(order, FILLED, '1'));
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [fillOf(2, '1')] });
    stream()[event]('x');
    await until(() => world.desk.stats().waiting > 0);
    await pass(1_000);
    await until(async () => (await now()).settled);
  });

  test('ignore orders that were not placed here, and survive updates that cannot be booked', async () => {
    await world.desk.venueAccount(CALLER.user, 1);
    const foreign = stateOf(order, FILLED, '1');
    stream().onOrder({ state: { ...foreign, clientId: 'web_123' as typeof foreign.clientId } });
    stream().onOrder({ state: { ...foreign, symbol: 'ETHUSDT' } });
    world.crash = () => {
      world.crash = () => undefined;
      throw new Error('the database is gone');
    };
    stream().onOrder({ state: foreign, fill: fillOf(1, '1') });
    await until(() => world.notes.includes('a stream event was not booked'));
    expect(world.desk.stats().waiting).toBe(1);
    expect(world.incidents).toEqual(['an update of an order we do not know']);
  });

  test('are opened once per member and closed with the desk; none opens afterwards', async () => {
    await Promise.all(Array.from({ length: 10 }, () => world.desk.venueAccount(CALLER.user, 1)));
    world.desk.listen(CALLER.user, 1);
    expect(world.desk.stats().streams).toBe(1);
    expect(world.venue.streams).toHaveLength(1);
    await world.account(8 as typeof CALLER.user);
    const late = world.desk.venueAccount(8 as typeof CALLER.user, 1);
    await world.desk.stop();
    await late;
    expect(world.venue.closedStreams).toBe(world.venue.streams.length);
  });
});

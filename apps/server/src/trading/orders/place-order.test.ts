import type { CallRequest } from '@crossbook/contract';
import {
  amount,
  type Millis,
  type OrderId,
  type OrderStatus,
  parseOrderId,
  type UserId,
} from '@crossbook/domain';
import type { SendOutcome } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attacks } from '../../../../../tests/attack-sizes.ts';
import { PostgresLedgerStore } from '../../storage/ledger/ledger-store.ts';
import { TRADING_WRITES } from '../../storage/stores/trading/trading-store.ts';
import { createTradingDesk } from '../desk.ts';
import {
  CALLER,
  CANCELLED,
  FAIL,
  FILLED,
  fillOf,
  OPEN,
  openTradingWorld,
  REJECT,
  stateOf,
  type TradingWorld,
  UNKNOWN,
  until,
} from '../trading-world.fixture.ts';

let world: TradingWorld;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
});
afterEach(() => world.close());

type PlaceRequest = CallRequest<'connextrade/PlaceOrder'>;
const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const LIMIT: PlaceRequest = {
  ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 },
  ...{ price: amount('100'), quantity: amount('1') },
};

const place = (part: Partial<PlaceRequest> = {}, caller = CALLER) =>
  world.desk.handlers['connextrade/PlaceOrder'](
    { ...caller, now: world.time.clock() },
    { ...LIMIT, ...part },
  );
const cancel = (orderId: string, caller = CALLER) =>
  world.desk.handlers['connextrade/CancelOrder'](caller, { platformType: 43, orderId: orderId as OrderId });

/** The venue takes every order, with such a state. */
function venueTakes(
  status: OrderStatus = OPEN,
  cumulative = '0',
  fills: readonly ReturnType<typeof fillOf>[] = [],
): void {
  world.venue.answers.place = async (_credentials, request): Promise<SendOutcome> => {
    const state = {
      ...stateOf({ id: ID, symbol: 'BTCUSDT' }, status, cumulative),
      clientId: request.clientId,
    };
    return { outcome: 'accepted', state, fills };
  };
}

describe('placing', () => {
  test('an order waits for two statements before its answer, and its member then hears of the balances', async () => {
    venueTakes();
    await place();
    await world.deps.balances.idle();
    const before = world.published.length;
    const asked = world.statements;
    const heard = () => world.published.slice(before).map(({ event }) => event.kind);
    await place();
    expect(heard()).toEqual(['order']);
    await world.deps.balances.idle();
    expect(heard()).toEqual(['order', 'balance']);
    // The hold, the venue's answer, and the balances, which nobody waits for.
    expect(world.statements - asked).toBe(3);
  });

  test('the hold and the row are there before the venue is asked, and its answer is booked', async () => {
    let seen: object = {};
    world.crash = (point) => {
      if (point !== 'after-send') return;
      seen = { calls: [...world.venue.calls], order: world.orders.byId(ID) };
    };
    venueTakes(FILLED, '1', [fillOf(1, '1')]);
    const answer = await place({ clientId: ID });
    expect(answer).toMatchObject({
      ok: true,
      value: { orderId: ID, status: FILLED, settled: true, cumQuantity: '1' },
    });
    expect(seen).toMatchObject({ calls: ['place'] });
    expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999' });
  });

  test('crash points are passed in the order of an order', async () => {
    const passed: string[] = [];
    world.crash = (point) => passed.push(point);
    venueTakes();
    await place();
    expect(passed).toEqual([
      'before-hold',
      'after-hold',
      'after-send',
      'after-answer',
      'before-post',
      'after-post',
    ]);
  });

  test("a refusal of the venue frees the money, keeps the order as refused and tells the venue's code", async () => {
    world.venue.answers.place = async () => ({ outcome: 'refused', venueCode: '-2010', message: 'no room' });
    const refused = { ok: false, code: { error: 'venue-refused', given: '-2010', venueCode: '-2010' } };
    expect(await place({ clientId: ID })).toEqual(refused);
    expect(await world.order(ID)).toMatchObject({ status: REJECT, settled: true, reason: '[-2010] no room' });
    expect(await world.wallet()).toEqual({ USDT: '300' });
    expect(await place({ clientId: ID })).toEqual(refused);
    expect(world.venue.count('place')).toBe(1);
  });

  test('a refusal of ours is told as ours, with the time to wait, and is told again alike', async () => {
    const ours = {
      outcome: 'refused',
      venueCode: 'LOCAL_RATE_LIMITED',
      message: 'not sent to the venue',
    } as const;
    world.venue.answers.place = async () => ({ ...ours, retryAfterMillis: 11_200 });
    const refused = { ok: false, code: { error: 'venue-budget', allowed: '12' } };
    expect(await place({ clientId: ID })).toEqual(refused);
    expect(await world.wallet()).toEqual({ USDT: '300' });
    expect(await place({ clientId: ID })).toEqual(refused);
  });

  test('an unclear answer is unknown: the money stays held, nothing is sent again, it is looked for', async () => {
    world.venue.answers.place = async () => ({ outcome: 'unknown', why: 'lost', deadlineAt: 1 as Millis });
    expect(await place({ clientId: ID })).toMatchObject({ ok: true, value: { status: UNKNOWN } });
    expect(await place({ clientId: ID })).toMatchObject({ ok: true, value: { status: UNKNOWN } });
    expect(world.venue.count('place')).toBe(1);
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    expect(world.desk.stats().waiting).toBe(1);
  });

  test('a venue that has only taken an order is asked soon what became of it, one that told its execution is not', async () => {
    await world.desk.start();
    venueTakes(OPEN);
    await place();
    expect(world.desk.stats().waiting).toBe(0);
    world.venue.answers.place = async (_credentials, request) => ({
      outcome: 'accepted',
      state: { ...stateOf({ id: ID, symbol: 'BTCUSDT' }, OPEN, '0'), clientId: request.clientId },
      fills: [],
      receiptOnly: true,
    });
    world.venue.answers.find = async () => ({
      outcome: 'found',
      value: stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1'),
    });
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [fillOf(1, '1')] });
    expect(await place({ clientId: ID })).toMatchObject({
      ok: true,
      value: { status: OPEN, settled: false },
    });
    expect(world.desk.stats().waiting).toBe(1);
    world.time.advance(1_500);
    await until(async () => (await world.order(ID)).settled);
    expect(await world.order(ID)).toMatchObject({ status: FILLED });
    expect(await world.wallet()).toEqual({ USDT: '200 (100 held)', BTC: '0.999' });
    expect(world.venue.count('place')).toBe(2);
  });

  test('a connector that breaks its promise and throws is an unknown outcome too', async () => {
    world.venue.answers.place = async () => {
      throw new Error('a bug');
    };
    expect(await place({ clientId: ID })).toMatchObject({
      ok: true,
      value: { orderId: ID, status: UNKNOWN },
    });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    expect(world.desk.stats().waiting).toBe(1);
  });

  test('a database that fails after the venue took the order does not make it look refused', async () => {
    venueTakes(FILLED, '1', [fillOf(1, '1')]);
    let broken = false;
    world.crash = (point) => {
      if (point !== 'before-post' || broken) return;
      broken = true;
      throw new Error('the database is gone');
    };
    expect(await place({ clientId: ID })).toMatchObject({ ok: true, value: { status: UNKNOWN } });
    world.venue.answers.find = async () => ({
      outcome: 'found',
      value: stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1'),
    });
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [fillOf(1, '1')] });
    await world.desk.start();
    world.time.advance(1_500);
    await until(async () => (await world.order(ID)).settled);
    expect(await world.wallet()).toEqual({ USDT: '200', BTC: '0.999' });
  });

  test('a private stream that cannot be opened does not keep an order from its venue', async () => {
    venueTakes();
    await world.database.owner.query("update venue_accounts set sealed_secret = 'v1.AAAA'");
    // The key itself cannot be read: nothing can be sent, nothing is held.
    await expect(place()).rejects.toThrow();
    expect(await world.wallet()).toEqual({ USDT: '300' });
    await world.account();
    expect(await place()).toMatchObject({ ok: true });
    expect(world.venue.streams).toHaveLength(1);
  });
});

describe('refusals before anything is held', () => {
  const nothingHappened = async () => {
    expect(await world.wallet()).toEqual({ USDT: '300' });
    expect(world.venue.calls).toEqual([]);
    expect(await world.orders.unsettled()).toEqual([]);
  };

  test.each<[string, Partial<PlaceRequest>]>([
    ['another symbol', { symbol: 'NOPEUSDT' }],
    ['a platform that is not there', { platformType: 41 }],
  ])('%s: symbol-unknown', async (_name, part) => {
    expect(await place(part)).toMatchObject({ ok: false, code: { error: 'symbol-unknown' } });
    await nothingHappened();
  });

  test.each([
    ['busy', { unitsQueuedMax: 0 }, {}],
    ['unavailable', { reconnectsMax: 1 }, { host: '/nowhere', port: 1 }],
  ] as const)(
    'a ledger that is %s: by that name, never as an id used before',
    async (error, options, away) => {
      const { database } = world.database;
      const address = { ...database.address, ...away };
      const ledger = new PostgresLedgerStore({ ...database, address }, options);
      ledger.register(TRADING_WRITES);
      const desk = createTradingDesk({ ...world.deps, ledger });
      const answer = await desk.handlers['connextrade/PlaceOrder'](CALLER, { ...LIMIT, clientId: ID });
      expect(answer).toEqual({ ok: false, code: { error } });
      await nothingHappened();
      await ledger.close();
    },
  );

  test('a perpetual of the same name is another instrument', async () => {
    expect(await place({ tinstType: 2, marginMode: 'cross', leverage: 5 })).toMatchObject({
      ok: false,
      code: { error: 'contracts-away', given: 'Binance' },
    });
  });

  test('what is said of positions does not go with a spot order', async () => {
    expect(await place({ leverage: 5 })).toMatchObject({ ok: false, code: { error: 'order-combination' } });
    expect(await place({ effect: 0, reduceOnly: false })).toMatchObject({ ok: true });
  });

  test('no money, no account, a halt, a coming-soon platform', async () => {
    expect(await place({ quantity: amount('3.001') })).toMatchObject({
      code: { error: 'balance-insufficient' },
    });
    const stranger = { ...CALLER, user: 99 as UserId };
    expect(await place({}, stranger)).toMatchObject({ code: { error: 'balance-insufficient' } });
    world.halted = { error: 'money-halted' };
    expect(await place()).toMatchObject({ code: { error: 'money-halted' } });
    world.halted = undefined;
    world.platformState = 'coming-soon';
    expect(await place()).toMatchObject({ code: { error: 'platform-coming-soon', given: 'Binance' } });
    await nothingHappened();
  });

  test('who has not agreed to new terms: a buy of a pair, at once or behind a trigger; a sale and a cancel go', async () => {
    venueTakes();
    world.venue.answers.cancel = async () => ({
      ...{ outcome: 'cancelled', state: stateOf({ id: ID, symbol: 'BTCUSDT' }, CANCELLED, '0') },
    });
    await world.fund('BTC', '2');
    const resting = await place({ clientId: ID });
    expect(resting).toMatchObject({ ok: true });
    world.barred = { error: 'terms-new' };
    const sent = world.venue.count('place');
    const refused = { ok: false, code: { error: 'terms-new' } };
    expect(await place()).toEqual(refused);
    const stop = (side: number) =>
      world.desk.handlers['connextrade/PlaceAlgoOrder']({ ...CALLER, now: world.time.clock() }, {
        ...{
          platformType: 43,
          tinstType: 1,
          symbol: 'BTCUSDT',
          algoType: 'stop',
          side,
          orderType: 1,
          timeInForce: 1,
        },
        ...{ triggerPrice: amount(side === 1 ? '110' : '90'), price: amount('100'), quantity: amount('1') },
      } as never);
    expect(await stop(1)).toEqual(refused);
    expect(await stop(2)).not.toEqual(refused);
    const dearer = { platformType: 43, orderId: ID, quantity: amount('2') } as const;
    expect(
      await world.desk.handlers['connextrade/ReplaceOrder']({ ...CALLER, now: world.time.clock() }, dearer),
    ).toEqual(refused);
    expect(world.venue.count('place')).toBe(sent);
    expect(await place({ side: 2 })).toMatchObject({ ok: true });
    expect(await cancel(ID)).toMatchObject({ ok: true });
  });

  test('a market order without a fresh price', async () => {
    const { price: _price, ...market } = { ...LIMIT, orderType: 2 as const };
    const request = () => world.desk.handlers['connextrade/PlaceOrder'](CALLER, market);
    expect(await request()).toMatchObject({ code: { error: 'price-stale' } });
    world.best = {
      ...{ bid: amount('99'), ask: amount('100') },
      receivedAt: (world.time.clock() - 5_001) as Millis,
    };
    expect(await request()).toMatchObject({ code: { error: 'price-stale' } });
    await nothingHappened();
    world.best = { ...world.best, receivedAt: world.time.clock() };
    venueTakes();
    expect(await request()).toMatchObject({ ok: true });
  });

  test('a market order that is wrong anyway does not wait for a price', async () => {
    let asked = 0;
    Object.defineProperty(world, 'best', {
      get: () => {
        asked += 1;
        return undefined;
      },
    });
    expect(await place({ orderType: 2 })).toMatchObject({ code: { error: 'order-combination' } });
    venueTakes();
    expect(await place()).toMatchObject({ ok: true });
    expect(asked).toBe(0);
  });
});

/** Each round on a database of its own. */
const ROUNDS = { repeats: attacks(1, 1_000) - 1 };

describe('the same request again', () => {
  test('64 at once place one order', ROUNDS, async () => {
    venueTakes();
    const answers = await Promise.all(Array.from({ length: 64 }, () => place({ clientId: ID })));
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, value: { orderId: ID } });
    expect(world.venue.count('place')).toBe(1);
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('64 at once with ids of their own hold no more than there is', ROUNDS, async () => {
    venueTakes();
    const answers = await Promise.all(Array.from({ length: 64 }, () => place()));
    expect(answers.filter((answer) => answer.ok)).toHaveLength(3);
    expect(world.venue.count('place')).toBe(3);
    expect(await world.wallet()).toEqual({ USDT: '300 (300 held)' });
    const ids = answers.flatMap((answer) => (answer.ok ? [answer.value.orderId] : []));
    expect(ids.every((id) => parseOrderId(id) !== undefined)).toBe(true);
  });

  const changes: readonly [string, Partial<PlaceRequest>][] = [
    ['symbol', { symbol: 'ETHUSDT' }],
    ['side', { side: 2 }],
    ['orderType', { orderType: 2 }],
    ['timeInForce', { timeInForce: 2 }],
    ['price', { price: amount('100.1') }],
    ['quantity', { quantity: amount('1.001') }],
    ['quoteQuantity', { quoteQuantity: amount('1') }],
    ['tinstType', { tinstType: 2 }],
  ];
  test.each(changes)('with another %s it is refused and nothing happens', async (_name, change) => {
    venueTakes();
    await place({ clientId: ID });
    expect(await place({ clientId: ID, ...change })).toEqual({
      ok: false,
      code: { error: 'client-id-reused', field: 'clientId' },
    });
    expect(world.venue.count('place')).toBe(1);
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test("gets the order's present state, also while trading is halted; another member's id is refused", async () => {
    venueTakes();
    await place({ clientId: ID });
    world.halted = { error: 'money-halted' };
    world.platformState = 'coming-soon';
    expect(await place({ clientId: ID })).toMatchObject({ ok: true, value: { status: OPEN } });
    const other = { ...CALLER, user: 8 as UserId };
    expect(await place({ clientId: ID }, other)).toMatchObject({ code: { error: 'client-id-reused' } });
  });

  test('the same request in other words is the same: 1.0 is 1', async () => {
    venueTakes();
    await place({ clientId: ID, quantity: amount('1') });
    expect(await place({ clientId: ID, quantity: amount('1.000') })).toMatchObject({ ok: true });
  });
});

describe('cancelling', () => {
  beforeEach(async () => {
    venueTakes();
    await place({ clientId: ID });
  });
  const placed = () => world.order(ID);

  const cancelSays = (status: OrderStatus, cumulative: string) => {
    const state = stateOf({ id: ID, symbol: 'BTCUSDT' }, status, cumulative);
    world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state });
    return state;
  };

  test('frees the money with its answer, and nothing further is asked of the venue', async () => {
    cancelSays(CANCELLED, '0');
    world.venue.calls.length = 0;
    expect(await cancel(ID)).toMatchObject({ ok: true, value: { status: CANCELLED, settled: true } });
    expect(await world.wallet()).toEqual({ USDT: '300' });
    await world.pass(20_000);
    expect(world.venue.calls).toEqual(['cancel']);
    expect(world.desk.stats().waiting).toBe(0);
    expect(await cancel(ID)).toMatchObject({ ok: false, code: { error: 'order-final' } });
  });

  test('that tells of a fill nobody heard of keeps the money until a lookup has brought it', async () => {
    const value = cancelSays(CANCELLED, '0.4');
    expect(await cancel(ID)).toMatchObject({ ok: true, value: { status: CANCELLED, settled: false } });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    world.venue.answers.find = async () => ({ outcome: 'found', value });
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [fillOf(1, '0.4')] });
    await world.pass(1_500);
    expect(await placed()).toMatchObject({ settled: true });
    expect(await world.wallet()).toEqual({ USDT: '260', BTC: '0.3996' });
  });

  test.each([
    ['gone', { outcome: 'gone' }],
    ['unknown', { outcome: 'unknown', why: 'lost' }],
  ] as const)('an answer "%s" assumes nothing: pending, and looked up', async (_name, outcome) => {
    world.venue.answers.cancel = async () => outcome;
    expect(await cancel(ID)).toMatchObject({ ok: true, value: { status: OPEN, cancelPending: true } });
    expect(world.desk.stats().waiting).toBe(1);
  });

  test('a refused cancel leaves the order as it was', async () => {
    world.venue.answers.cancel = async () => ({
      outcome: 'refused',
      venueCode: '-1003',
      message: 'too many',
    });
    expect(await cancel(ID)).toEqual({
      ok: false,
      code: { error: 'venue-refused', given: '-1003', cause: 'rate-limit', venueCode: '-1003' },
    });
    expect(await placed()).toMatchObject({ status: OPEN, cancelPending: false });
  });

  test('a cancel that we could not send is told as ours', async () => {
    const ours = { outcome: 'refused', venueCode: 'LOCAL_RATE_LIMITED', message: 'not sent' } as const;
    world.venue.answers.cancel = async () => ({ ...ours, retryAfterMillis: 1 });
    expect(await cancel(ID)).toEqual({ ok: false, code: { error: 'venue-budget', allowed: '1' } });
    expect(await placed()).toMatchObject({ status: OPEN, cancelPending: false });
  });

  test('works while trading is halted and on a coming-soon platform', async () => {
    world.halted = { error: 'money-halted' };
    world.platformState = 'coming-soon';
    expect(await cancel(ID)).toMatchObject({ ok: true });
    expect(world.venue.count('cancel')).toBe(1);
  });

  test("another member's order, an unknown one and one of another platform look alike", async () => {
    const unknown = { ok: false, code: { error: 'order-unknown', field: 'orderId' } };
    expect(await cancel(ID, { ...CALLER, user: 8 as UserId })).toEqual(unknown);
    expect(await cancel('01890000-0000-7000-8000-00000000ffff')).toEqual(unknown);
    const elsewhere = { platformType: 41, orderId: ID } as const;
    expect(await world.desk.handlers['connextrade/CancelOrder'](CALLER, elsewhere)).toEqual(unknown);
    expect(world.venue.count('cancel')).toBe(0);
  });

  test('an order whose account is not ready is looked up instead', async () => {
    await world.database.owner.query("update venue_accounts set state = 'failed'");
    world.time.advance(30_000);
    expect(await cancel(ID)).toMatchObject({ ok: true, value: { cancelPending: true } });
    expect(world.venue.count('cancel')).toBe(0);
    expect(world.desk.stats().waiting).toBe(1);
  });
});

test('an order that failed is answered as failed when its request comes again', async () => {
  await place({ clientId: ID });
  await world.database.owner.query('update orders set status = 7, settled = true');
  expect(await place({ clientId: ID })).toMatchObject({ ok: true, value: { status: FAIL } });
});

describe('code 1 never carries a refused order', () => {
  const refused = { ok: false, code: { error: 'venue-refused' } };

  test('whether the venue says so as a refusal, as a state, in answer to a cancel, or when asked again', async () => {
    venueTakes(REJECT);
    expect(await place({ clientId: ID })).toMatchObject(refused);
    expect(await place({ clientId: ID })).toMatchObject(refused);
    expect(await world.order(ID)).toMatchObject({ status: REJECT, settled: true });
    world.venue.answers.place = async () => ({ outcome: 'refused', venueCode: '-1', message: 'no' });
    expect(await place()).toMatchObject(refused);
    world.venue.answers.place = async () => ({ outcome: 'unknown', why: 'lost', deadlineAt: 0 as Millis });
    const left = await place();
    const id = left.ok ? (left.value.orderId as OrderId) : ID;
    const state = stateOf({ id, symbol: 'BTCUSDT' }, REJECT, '0');
    world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state });
    expect(await cancel(id)).toMatchObject(refused);
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });
});

describe('an order that waited too long', () => {
  const late = (age: number) => ({ error: 'order-too-old', given: String(age), allowed: '2000' });

  test('is refused before anything is held, and says how old it was', async () => {
    venueTakes();
    const caller = { ...CALLER, now: (world.time.clock() - 2_001) as Millis };
    const order = { ...LIMIT, clientId: ID };
    const answer = await world.desk.handlers['connextrade/PlaceOrder'](caller, order);
    expect(answer).toMatchObject({ ok: false, code: late(2_001) });
    expect(world.venue.count('place')).toBe(0);
    expect(await world.orders.byId(ID)).toBeUndefined();
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });

  test('while it was being held is not sent, its money is free, and asked again it says the same', async () => {
    venueTakes();
    world.crash = (point) => {
      if (point === 'after-hold') world.time.advance(2_500);
    };
    expect(await place({ clientId: ID })).toMatchObject({ ok: false, code: late(2_500) });
    expect(world.venue.count('place')).toBe(0);
    expect(await world.order(ID)).toMatchObject({ status: REJECT, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '300' });
    expect(await place({ clientId: ID })).toMatchObject({ ok: false, code: late(2_500) });
  });

  test('is answered with what it came to when the same request was taken before', async () => {
    venueTakes();
    await place({ clientId: ID });
    const caller = { ...CALLER, now: (world.time.clock() - 60_000) as Millis };
    const again = await world.desk.handlers['connextrade/PlaceOrder'](caller, { ...LIMIT, clientId: ID });
    expect(again).toMatchObject({ ok: true, value: { orderId: ID, status: OPEN } });
    expect(world.venue.count('place')).toBe(1);
  });
});

test('64 calls side by side get no more than the last free places of 200 open orders', async () => {
  venueTakes();
  const small = { price: amount('10'), quantity: amount('0.5') };
  await world.fund('USDT', '2000');
  for (let made = 0; made < 190; made += 1) await world.reserved(small);
  const answers = await Promise.all(Array.from({ length: 64 }, () => place(small)));
  expect(answers.filter((answer) => answer.ok)).toHaveLength(10);
  for (const answer of answers)
    if (!answer.ok) expect(answer.code).toEqual({ error: 'too-many-open-orders', allowed: '200' });
  expect(await world.orders.openOf(CALLER.user, 1)).toHaveLength(200);
});

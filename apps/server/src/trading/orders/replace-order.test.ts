import { amount, type Millis, type OrderId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlgoVenue } from '../algos/algo-world.fixture.ts';
import {
  CALLER,
  CANCELLED,
  fillOf,
  OPEN,
  openTradingWorld,
  stateOf,
  type TradingWorld,
} from '../trading-world.fixture.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const NEXT = '01890000-0000-7000-8000-00000000abce' as OrderId;
const ICEBERG = '01890000-0000-7000-8000-00000000abd0' as OrderId;
const LAST = '01890000-0000-7000-8000-00000000abd1' as OrderId;
const LIMIT = { platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1 } as const;
let world: TradingWorld;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
  let count = 0;
  world.venue.answers.place = async (_credentials, { clientId }) => {
    count += 1;
    const id = clientId === ID.replaceAll('-', '') ? ID : NEXT;
    const state = stateOf({ id, symbol: 'BTCUSDT' }, OPEN, '0', String(count));
    return { outcome: 'accepted', state, fills: [] };
  };
  world.venue.answers.cancel = async () => ({
    outcome: 'cancelled',
    state: stateOf({ id: ID, symbol: 'BTCUSDT' }, CANCELLED, '0'),
  });
  const order = { ...LIMIT, timeInForce: 1, price: amount('100'), quantity: amount('1'), clientId: ID };
  await world.desk.handlers['connextrade/PlaceOrder']({ ...CALLER, now: world.time.clock() }, order as never);
});
afterEach(async () => {
  await world.desk.stop();
  await world.database.close();
});

const replace = (part: Readonly<Record<string, unknown>>) =>
  world.desk.handlers['connextrade/ReplaceOrder']({ ...CALLER, now: world.time.clock() }, {
    ...{ platformType: 43, orderId: ID, clientId: NEXT },
    ...part,
  } as never);

describe('a changed order', () => {
  test('is cancelled and placed anew at the new price, its money moved over', async () => {
    expect(await replace({ price: amount('90') })).toMatchObject({
      ok: true,
      value: { outcome: 'replaced', order: { orderId: NEXT, price: '90', quantity: '1' }, reason: null },
    });
    expect(await world.order(ID)).toMatchObject({ status: CANCELLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '300 (90 held)' });
  });

  test('is an iceberg still, unless its rest is no more than was visible', async () => {
    const sent: unknown[] = [];
    world.venue.answers.place = async (_credentials, request) => {
      sent.push(request.visible);
      const id = request.clientId === NEXT.replaceAll('-', '') ? NEXT : ICEBERG;
      return { outcome: 'accepted', state: stateOf({ id, symbol: 'BTCUSDT' }, OPEN, '0', id), fills: [] };
    };
    const order = { ...LIMIT, timeInForce: 1, quantity: amount('1'), price: amount('90'), clientId: ICEBERG };
    const at = { ...CALLER, now: world.time.clock() };
    const asked = { ...order, visibleQuantity: amount('0.2') };
    expect(await world.desk.handlers['connextrade/PlaceOrder'](at, asked as never)).toMatchObject({
      ok: true,
      value: { visibleQuantity: '0.2' },
    });
    world.venue.answers.cancel = async (_credentials, _instrument, clientId) => ({
      outcome: 'cancelled',
      state: stateOf(
        { id: clientId === NEXT.replaceAll('-', '') ? NEXT : ICEBERG, symbol: 'BTCUSDT' },
        CANCELLED,
        '0',
      ),
    });
    expect(await replace({ orderId: ICEBERG, quantity: amount('3') })).toMatchObject({
      code: { error: 'quantity-range', field: 'visibleQuantity' },
    });
    expect(await replace({ orderId: ICEBERG, price: amount('91') })).toMatchObject({
      ok: true,
      value: { outcome: 'replaced', order: { visibleQuantity: '0.2', quantity: '1' } },
    });
    const last = { orderId: NEXT, clientId: LAST, quantity: amount('0.2') };
    expect(await replace(last)).toMatchObject({ ok: true, value: { order: { visibleQuantity: null } } });
    expect(sent).toEqual([amount('0.2'), amount('0.2'), undefined]);
  });

  test('waits as long as the one before: one that only makes still only makes', async () => {
    const sent: unknown[] = [];
    world.venue.answers.place = async (_credentials, { clientId, timeInForce }) => {
      sent.push(timeInForce);
      const id = clientId === NEXT.replaceAll('-', '') ? NEXT : LAST;
      return { outcome: 'accepted', state: stateOf({ id, symbol: 'BTCUSDT' }, OPEN, '0', id), fills: [] };
    };
    const order = { ...LIMIT, timeInForce: 4, quantity: amount('1'), price: amount('90'), clientId: LAST };
    const at = { ...CALLER, now: world.time.clock() };
    await world.desk.handlers['connextrade/PlaceOrder'](at, order as never);
    const gone = stateOf({ id: LAST, symbol: 'BTCUSDT' }, CANCELLED, '0', LAST);
    world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state: gone });
    expect(await replace({ orderId: LAST, price: amount('91') })).toMatchObject({
      ok: true,
      value: { outcome: 'replaced', order: { timeInForce: 4, price: '91' } },
    });
    expect(sent).toEqual([4, 4]);
  });

  test.each<[string, string, number, object]>([
    ['reached by the other side is refused and left where it is', '100', 0, { error: 'post-only-crosses' }],
    ['not reached yet is asked for', '99.9', 0, {}],
    ['reached as far as old prices tell is left to the exchange', '100', 60_000, {}],
  ])('that may only rest: a price %s', async (_claim, price, ageMillis, refused) => {
    const { place } = world.venue.answers;
    const resting = stateOf({ id: LAST, symbol: 'BTCUSDT' }, OPEN, '0', '9');
    world.venue.answers.place = async () => ({ outcome: 'accepted', state: resting, fills: [] });
    const order = { ...LIMIT, timeInForce: 4, quantity: amount('1'), price: amount('90'), clientId: LAST };
    const at = { ...CALLER, now: world.time.clock() };
    await world.desk.handlers['connextrade/PlaceOrder'](at, order as never);
    world.venue.answers.place = place as NonNullable<typeof place>;
    const gone = stateOf({ id: LAST, symbol: 'BTCUSDT' }, CANCELLED, '0', '9');
    world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state: gone });
    const receivedAt = (world.time.clock() - ageMillis) as Millis;
    world.best = { bid: amount('99'), ask: amount('100'), receivedAt };
    const answer = await replace({ orderId: LAST, price: amount(price) });
    const isRefused = 'error' in refused;
    expect(answer).toMatchObject(isRefused ? { ok: false, code: refused } : { ok: true });
    expect(world.venue.count('cancel')).toBe(isRefused ? 0 : 1);
    expect(await world.order(LAST)).toMatchObject({ status: isRefused ? OPEN : CANCELLED });
  });

  test('keeps what protects it', async () => {
    world.venue.algos = new AlgoVenue(world);
    const targets = { takeProfit: amount('120'), stopLoss: amount('70'), stopLossPrice: amount('69') };
    const protectedId = '01890000-0000-7000-8000-00000000abcf' as OrderId;
    const { place } = world.venue.answers;
    const resting = stateOf({ id: protectedId, symbol: 'BTCUSDT' }, OPEN, '0', '7');
    world.venue.answers.place = async () => ({ outcome: 'accepted', state: resting, fills: [] });
    const order = { ...LIMIT, timeInForce: 1, quantity: amount('1'), price: amount('90') };
    const asked = { ...order, ...targets, clientId: protectedId };
    const at = { ...CALLER, now: world.time.clock() };
    await world.desk.handlers['connextrade/PlaceOrder'](at, asked as never);
    world.venue.answers.place = place as NonNullable<typeof place>;
    const gone = stateOf({ id: protectedId, symbol: 'BTCUSDT' }, CANCELLED, '0', '7');
    world.venue.answers.cancel = async () => ({ outcome: 'cancelled', state: gone });
    expect(await replace({ orderId: protectedId, price: amount('91') })).toMatchObject({
      ok: true,
      value: { outcome: 'replaced' },
    });
    const { takeProfit, stopLoss } = (await world.deps.algos.targets.byOrder(NEXT)) ?? {};
    expect({ takeProfit, stopLoss }).toEqual({
      takeProfit: { trigger: { price: amount('120'), by: 'last' } },
      stopLoss: { trigger: { price: amount('70'), by: 'last' }, limit: amount('69') },
    });
  });

  test('whose new half is refused says that the old one is gone', async () => {
    world.venue.answers.place = async () => ({ outcome: 'refused', venueCode: '-1', message: 'no' });
    expect(await replace({ price: amount('90') })).toMatchObject({
      ok: true,
      value: {
        outcome: 'cancelled-only',
        order: { orderId: ID, status: CANCELLED },
        reason: 'The exchange refused the order: -1',
      },
    });
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });

  test('sends nothing new while the cancel is not confirmed', async () => {
    world.venue.answers.cancel = async () => ({ outcome: 'gone' });
    const sent = world.venue.count('place');
    expect(await replace({ price: amount('90') })).toMatchObject({ ok: true, value: { outcome: 'pending' } });
    expect(world.venue.count('place')).toBe(sent);
  });

  test('that had filled by then is not sent once more', async () => {
    world.venue.answers.cancel = async () => ({
      outcome: 'cancelled',
      state: stateOf({ id: ID, symbol: 'BTCUSDT' }, CANCELLED, '0.6'),
    });
    world.venue.answers.find = async () => ({
      outcome: 'found',
      value: stateOf({ id: ID, symbol: 'BTCUSDT' }, CANCELLED, '0.6'),
    });
    world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: [fillOf(1, '0.6')] });
    // The cancel tells of fills that are not booked yet.
    expect(await replace({ quantity: amount('0.5') })).toMatchObject({
      ok: true,
      value: { outcome: 'pending' },
    });
    await world.pass(2_000);
    expect(await world.order(ID)).toMatchObject({ settled: true, cumQuantity: amount('0.6') });
    expect(await replace({ price: amount('90') })).toMatchObject({
      ok: false,
      code: { error: 'order-final' },
    });
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['nothing', {}, 'order-combination'],
    ['a price off its step', { price: amount('90.05') }, 'price-step'],
    ['too small a quantity', { quantity: amount('0.001') }, 'notional-too-small'],
  ])('to %s leaves the old one as it is', async (_claim, part, error) => {
    expect(await replace(part)).toMatchObject({ ok: false, code: { error } });
    expect(world.venue.count('cancel')).toBe(0);
    expect(await world.order(ID)).toMatchObject({ status: OPEN });
  });
});

test('an order of somebody else is unknown', async () => {
  const stranger = { ...CALLER, user: 8 as never };
  const request = { platformType: 43, orderId: ID, price: amount('90') } as const;
  expect(await world.desk.handlers['connextrade/ReplaceOrder'](stranger, request)).toMatchObject({
    ok: false,
    code: { error: 'order-unknown' },
  });
});

import { type Amount, amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenedExchange, openExchange } from '../core.ts';
import type { AccountNumber, NewSimOrder, SimOrder, SimRefusal } from '../exchange.ts';
import { QuietMarket, quietFacts } from './quiet-market.fixture.ts';

/** An order that gets another price or a larger quantity, and keeps its id. */

let exchange: OpenedExchange;
let alice: AccountNumber;

beforeEach(async () => {
  exchange = await openExchange({
    market: new QuietMarket([quietFacts('AAA', 'USDT')]),
    clock: () => 1_000 as Millis,
    randomBytes: (size) => new Uint8Array(size),
    onFault: (fault) => {
      throw fault;
    },
  });
  alice = await exchange.openAccount('alice');
  await exchange.credit(alice, 'USDT', amount('1000'), 'one');
});
afterEach(() => exchange.close());

let count = 0;
/** Alice buys 1.000 at 90.00 unless told otherwise. */
async function place(changes: Partial<NewSimOrder> = {}): Promise<SimOrder> {
  count += 1;
  const placed = await exchange.place({
    account: alice,
    symbol: 'AAAUSDT',
    side: 'BUY',
    kind: 'LIMIT',
    timeInForce: 'GTC',
    price: 9_000 as Ticks,
    quantity: 1_000 as Lots,
    clientId: `order ${count}`,
    selfTradePrevention: 'EXPIRE_MAKER',
    ...changes,
  });
  if (!placed.ok) throw new Error(placed.code);
  return placed.value.order;
}

function house(side: 'BUY' | 'SELL', price: number, quantity: number): void {
  exchange.house.place('AAAUSDT', {
    side,
    kind: 'GTC',
    price: price as Ticks,
    quantity: quantity as Lots,
  });
}

const amend = (order: SimOrder, change: { price?: number; quantity?: number }) =>
  exchange.amend(alice, 'AAAUSDT', { orderId: order.orderId }, change as never);
const usdt = (): { free: Amount; locked: Amount } => {
  const held = exchange.balances(alice).find(({ asset }) => asset === 'USDT');
  return { free: held?.free ?? (0n as Amount), locked: held?.locked ?? (0n as Amount) };
};

describe('an amended order', () => {
  test('rests at its new price under its id, and what it locks follows', async () => {
    const order = await place();
    expect(usdt()).toEqual({ free: amount('910'), locked: amount('90') });
    const amended = await amend(order, { price: 8_000, quantity: 2_000 });
    expect(amended).toMatchObject({
      ok: true,
      value: { order: { orderId: order.orderId, status: 'NEW', price: 8_000, quantity: 2_000 }, fills: [] },
    });
    expect(usdt()).toEqual({ free: amount('840'), locked: amount('160') });
    expect(exchange.depth('AAAUSDT', 5).bids).toEqual([[8_000, 2_000]]);
    expect(await exchange.cancel(alice, 'AAAUSDT', { orderId: order.orderId })).toMatchObject({ ok: true });
    expect(usdt()).toEqual({ free: amount('1000'), locked: 0n });
    expect(exchange.depth('AAAUSDT', 5).bids).toEqual([]);
  });

  test('loses its place when it grows and keeps it when it shrinks', async () => {
    const [first, second] = [await place(), await place()];
    await amend(first, { quantity: 900 });
    house('SELL', 9_000, 100);
    expect(exchange.order(alice, 'AAAUSDT', { orderId: first.orderId })?.executed).toBe(100);
    await amend(first, { quantity: 1_200 });
    house('SELL', 9_000, 100);
    expect(exchange.order(alice, 'AAAUSDT', { orderId: first.orderId })?.executed).toBe(100);
    expect(exchange.order(alice, 'AAAUSDT', { orderId: second.orderId })?.executed).toBe(100);
    expect(exchange.depth('AAAUSDT', 5).bids).toEqual([[9_000, 900 + 1_100]]);
  });

  test('takes what its new price reaches and rests with what is left, or is filled', async () => {
    house('SELL', 10_000, 400);
    const order = await place();
    const part = await amend(order, { price: 10_000 });
    expect(part).toMatchObject({
      ok: true,
      value: {
        order: { status: 'PARTIALLY_FILLED', executed: 400 },
        fills: [{ price: 10_000, quantity: 400 }],
      },
    });
    expect(usdt()).toEqual({ free: amount('900'), locked: amount('60') });
    house('SELL', 10_100, 5_000);
    const whole = await amend(order, { price: 10_100 });
    expect(whole).toMatchObject({ ok: true, value: { order: { status: 'FILLED', executed: 1_000 } } });
    expect(usdt()).toEqual({ free: amount('899.4'), locked: 0n });
    expect(exchange.depth('AAAUSDT', 5)).toMatchObject({ bids: [], asks: [[10_100, 4_400]] });
    // Its slot is free again: the next order to rest is not confused with it.
    const next = await place({ price: 8_500 as Ticks });
    expect(next.orderId).not.toBe(order.orderId);
    expect(exchange.openOrders(alice).map(({ orderId }) => orderId)).toEqual([next.orderId]);
  });

  test('never trades with its owner', async () => {
    await exchange.credit(alice, 'AAA', amount('5'), 'two');
    const buy = await place();
    const sell = await place({ side: 'SELL', price: 9_500 as Ticks });
    expect(await amend(buy, { price: 9_500 })).toMatchObject({ ok: true, value: { fills: [] } });
    expect(exchange.order(alice, 'AAAUSDT', { orderId: sell.orderId })?.status).toBe('EXPIRED_IN_MATCH');
    expect(exchange.depth('AAAUSDT', 5)).toMatchObject({ bids: [[9_500, 1_000]], asks: [] });
  });

  const refusals: [SimRefusal, { price?: number; quantity?: number }, Partial<NewSimOrder>][] = [
    ['PRICE_FILTER', { price: 0 }, {}],
    ['LOT_SIZE', { quantity: 0 }, {}],
    ['PERCENT_PRICE_BY_SIDE', { price: 1_000 }, {}],
    ['INSUFFICIENT_BALANCE', { quantity: 11_200 }, {}],
    ['WOULD_TAKE', { price: 10_000 }, { kind: 'LIMIT_MAKER', whenTaking: 'EXPIRE' }],
  ];
  test.each(refusals)('is left as it was when the change is refused: %s', async (code, change, kind) => {
    house('SELL', 10_000, 400);
    const order = await place(kind);
    const before = [usdt(), exchange.depth('AAAUSDT', 5)];
    expect(await amend(order, change)).toEqual({ ok: false, code });
    expect([usdt(), exchange.depth('AAAUSDT', 5)]).toEqual(before);
    expect(exchange.order(alice, 'AAAUSDT', { orderId: order.orderId })).toEqual(order);
  });

  test('is gone once it has ended, and one of a stranger never was', async () => {
    const order = await place();
    await exchange.cancel(alice, 'AAAUSDT', { orderId: order.orderId });
    expect(await amend(order, { price: 9_100 })).toEqual({ ok: false, code: 'UNKNOWN_ORDER' });
    const bob = await exchange.openAccount('bob');
    const other = await place();
    const asked = exchange.amend(bob, 'AAAUSDT', { orderId: other.orderId }, { price: 9_100 as Ticks });
    expect(await asked).toEqual({ ok: false, code: 'UNKNOWN_ORDER' });
    const nowhere = exchange.amend(alice, 'NOPE', { orderId: other.orderId }, { price: 9_100 as Ticks });
    expect(await nowhere).toEqual({ ok: false, code: 'UNKNOWN_SYMBOL' });
  });
});

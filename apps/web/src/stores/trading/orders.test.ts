import type { OrderRow } from '@crossbook/contract';
import { ORDER_STATUS } from '@crossbook/domain';
import { beforeEach, expect, test, vi } from 'vitest';
import { noticesStore } from '../app/notices.ts';
import { instrumentOfRow, instrumentsStore } from '../market/instruments.ts';
import { applyOrder, forgetOrders, ordersStore } from './orders.ts';

function order(status: number, updatedAt: number, orderId = 'a'): OrderRow {
  return {
    orderId,
    exchange: 1,
    symbolType: 'SPOT',
    symbol: 'BTCUSDT',
    side: 1,
    effect: 0,
    ...{ reduceOnly: false, marginMode: null, leverage: null, cause: 'order' as const, realisedPnl: null },
    orderType: 1,
    timeInForce: 1,
    price: '1',
    quantity: '1',
    quoteQuantity: null,
    visibleQuantity: null,
    icebergId: null,
    cumQuantity: '0',
    cumQuote: '0',
    status,
    cancelPending: false,
    change: null,
    settled: false,
    reason: null,
    refusal: null,
    createdAt: 0,
    updatedAt,
  };
}

const openIds = () => [...ordersStore.getState().open.keys()];

beforeEach(() => {
  forgetOrders();
  noticesStore.setState({ notices: [] });
});

test('an order is open until a final status, and then gone', () => {
  applyOrder(order(ORDER_STATUS.OPEN, 1));
  applyOrder(order(ORDER_STATUS.PARTIALLY_FILLED, 2));
  expect(openIds()).toEqual(['a']);
  applyOrder(order(ORDER_STATUS.FILLED, 3));
  expect(openIds()).toEqual([]);
});

test('an older row that arrives late neither changes an order nor brings a finished one back', () => {
  applyOrder(order(ORDER_STATUS.PARTIALLY_FILLED, 5));
  applyOrder(order(ORDER_STATUS.OPEN, 4));
  expect(ordersStore.getState().open.get('a')?.status).toBe(ORDER_STATUS.PARTIALLY_FILLED);
  applyOrder(order(ORDER_STATUS.FILLED, 6));
  applyOrder(order(ORDER_STATUS.OPEN, 7));
  expect(openIds()).toEqual([]);
});

test('an order of unknown outcome stays among the open ones', () => {
  applyOrder(order(ORDER_STATUS.UNKNOWN, 1));
  expect(openIds()).toEqual(['a']);
});

test('the end of an order is shown once, whatever arrives twice', () => {
  const filled = { ...order(ORDER_STATUS.FILLED, 3), cumQuantity: '1', cumQuote: '1' };
  // Filled, but its fills are not booked yet: what was traded could not be said.
  applyOrder(order(ORDER_STATUS.FILLED, 3));
  expect(noticesStore.getState().notices).toEqual([]);
  applyOrder(filled);
  applyOrder(filled);
  expect(noticesStore.getState().notices.map((notice) => notice.message)).toMatchObject([
    { id: 'order.filled', values: { side: 1, quantity: '1' } },
  ]);
});

test('a filled order says what was traded in coins, and at what price; contracts are counted back', () => {
  const rows = instrumentOfRow(2, {
    ...{
      tinstId: 'BTC-USDT-SWAP',
      tinstType: 2,
      tstate: 1,
      tbaseCcy: 'BTC',
      tquoteCcy: 'USDT',
      ttickSz: '0.1',
    },
    ...{ tlotSz: '1', tminSz: '1', tmaxSz: '100', tminPrice: '1', tmaxPrice: '1000000' },
    ...{
      tminOrderAmt: '5',
      tmaxOrderAmt: '0',
      tmaxLmtSz: '100',
      tmaxMktSz: '50',
      tctVal: '0.01',
      tlever: 125,
    },
    ...{ tinstFamily: 'BTC-USDT', tmakerFee: '0.0002', ttakerFee: '0.0005' },
  });
  instrumentsStore.setState({
    byPlatform: { 2: { status: 'ready', rows: rows === undefined ? [] : [rows] } },
  });
  applyOrder({
    ...order(ORDER_STATUS.FILLED, 1, 'b'),
    ...{ exchange: 2, symbolType: 'SWAP', symbol: 'BTC-USDT-SWAP', side: 2 },
    ...{ cumQuantity: '5', cumQuote: '3900.51' },
  });
  expect(noticesStore.getState().notices.at(-1)?.message).toEqual({
    id: 'order.filled',
    values: { side: 2, quantity: '0.05', asset: 'BTC', price: '78010.2' },
  });
});

const newest = () => noticesStore.getState().notices.at(-1);

test('parts that fill within a second are one notice; the end says the rest', () => {
  vi.useFakeTimers();
  try {
    const part = (cumQuantity: string, at: number) => ({
      ...{ ...order(ORDER_STATUS.PARTIALLY_FILLED, at, 'parts'), cumQuantity, cumQuote: cumQuantity },
      quantity: '1',
    });
    applyOrder(order(ORDER_STATUS.OPEN, 1, 'parts'));
    applyOrder(part('0.1', 2));
    vi.advanceTimersByTime(500);
    applyOrder(part('0.25', 3));
    expect(noticesStore.getState().notices).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(newest()).toMatchObject({
      ...{ event: 'filled', key: 'parts' },
      message: { id: 'order.filledPart', values: { quantity: '0.25', percent: 25 } },
    });
    applyOrder(part('0.5', 4));
    applyOrder({ ...part('1', 5), status: ORDER_STATUS.FILLED });
    vi.advanceTimersByTime(2_000);
    expect(noticesStore.getState().notices).toHaveLength(2);
    expect(newest()).toMatchObject({ event: 'filled', key: 'parts', message: { id: 'order.filled' } });
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['the member asked for it', { cancelPending: true }, ['own', 'order.placedWhat', undefined]],
  ['nobody here asked for it', {}, ['failed', 'order.cancelledWhy', 'elsewhere']],
  ['it was not to rest', { timeInForce: 2 as const }, ['failed', 'order.cancelledWhy', 'rest']],
])('an order that is cancelled, %s', (_, terms, shown) => {
  applyOrder({ ...order(ORDER_STATUS.OPEN, 1, 'gone'), ...terms });
  applyOrder({ ...order(ORDER_STATUS.CANCELLED, 2, 'gone'), ...terms, cancelPending: false });
  expect(newest()).toMatchObject({ message: { id: 'order.cancelled' } });
  const detail = newest()?.detail;
  const said = detail !== undefined && 'id' in detail ? [detail.id, detail.values?.why] : [];
  expect([newest()?.event, ...said]).toEqual(shown);
});

test.each([
  ['refused', ORDER_STATUS.REJECT],
  ['failed', ORDER_STATUS.FAIL],
])('an order that is %s says so with its reason', (_, status) => {
  applyOrder(order(ORDER_STATUS.NEW, 1, 'bad'));
  applyOrder({ ...order(status, 2, 'bad'), reason: 'Too late.' });
  expect(newest()).toMatchObject({
    ...{ tone: 'error', event: 'failed', key: 'bad' },
    message: { id: 'order.failed', values: { symbol: 'BTCUSDT', reason: 'Too late.' } },
  });
});

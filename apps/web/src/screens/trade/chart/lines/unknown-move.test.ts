import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contractOrder } from '../../../../calculators/contracts/contract.fixture.ts';
import { algosStore } from '../../../../stores/algos/algos.ts';
import { applyOrder, forgetOrders } from '../../../../stores/trading/orders.ts';
import { untilKnown } from './unknown-move.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  forgetOrders();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function settles(of: Promise<void>): Promise<() => boolean> {
  let over = false;
  void of.then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return () => over;
}

test('an open change is known once the stream shows the order without it', async () => {
  const row = contractOrder({ change: { price: '58000', quantity: '0.1' } });
  applyOrder(row);
  const over = await settles(untilKnown('order o1', new AbortController().signal));
  await vi.advanceTimersByTimeAsync(2_500);
  expect(over()).toBe(false);
  applyOrder({ ...row, change: null, price: '58000', updatedAt: 2 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(over()).toBe(true);
});

test('of one that nobody heard of only a list that is read later tells', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(String(url));
    throw new Error('no network in this test');
  });
  applyOrder(contractOrder({}));
  const over = await settles(untilKnown('order o1', new AbortController().signal));
  await vi.advanceTimersByTimeAsync(2_900);
  expect([over(), asked.length]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(over()).toBe(true);
  expect(asked.some((url) => url.includes('CurOrderList'))).toBe(true);
});

test('an order that waits and is gone is known, and nothing is read for a chart that has gone', async () => {
  algosStore.setState({ open: new Map() });
  const over = await settles(untilKnown('algo a1 triggerPrice', AbortSignal.abort()));
  expect(over()).toBe(true);
});

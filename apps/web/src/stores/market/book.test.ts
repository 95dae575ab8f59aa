import type { BookFrame } from '@crossbook/contract';
import { describe, expect, test } from 'vitest';
import { createBookStore } from './book.ts';

function snapshot(q: number, b: readonly number[], a: readonly number[]): BookFrame {
  return { ch: 'book', s: 'BTCUSDT', k: 's', q, b, a, t: 1_000 + q };
}
function delta(p: number, q: number, b: readonly number[], a: readonly number[] = []): BookFrame {
  return { ch: 'book', s: 'BTCUSDT', k: 'd', p, q, b, a, t: 1_000 + q };
}

function started() {
  const store = createBookStore();
  store.follow({ s: 'BTCUSDT' });
  expect(store.fold(snapshot(5, [100, 1, 99, 2], [101, 3]), 10)).toBe('applied');
  return store;
}

describe('the book store', () => {
  test('a snapshot and the delta that follows it make the book', () => {
    const store = started();
    expect(store.fold(delta(5, 8, [100, 0, 98, 4], [102, 9]), 20)).toBe('applied');
    expect(store.book.levels('bids')).toEqual([
      [99, 2],
      [98, 4],
    ]);
    expect(store.book.levels('asks')).toEqual([
      [101, 3],
      [102, 9],
    ]);
    expect([store.time(), store.receivedAt(), store.ready()]).toEqual([1_008, 20, true]);
  });

  test('a delta that does not follow empties the book until the next snapshot', () => {
    const store = started();
    expect(store.fold(delta(7, 8, [100, 9]), 20)).toBe('gap');
    expect([store.ready(), store.book.bestBid()]).toEqual([false, undefined]);
    expect(store.fold(delta(8, 9, [100, 9]), 21)).toBe('ignored');
    expect(store.fold(snapshot(12, [50, 1], [51, 1]), 22)).toBe('applied');
    expect(store.book.bestBid()).toBe(50);
  });

  test('a delta that was contained already changes nothing', () => {
    const store = started();
    expect(store.fold(delta(3, 5, [100, 7]), 20)).toBe('ignored');
    expect(store.book.bestBidSize()).toBe(1);
  });

  test('nothing is applied before the first snapshot, and nothing of another symbol', () => {
    const store = createBookStore();
    store.follow({ s: 'BTCUSDT' });
    expect(store.fold(delta(4, 5, [100, 7]), 1)).toBe('ignored');
    expect(store.fold({ ...snapshot(1, [1, 1], []), s: 'ETHUSDT' }, 1)).toBe('ignored');
    // The perpetual of the same name is another market.
    expect(store.fold({ ...snapshot(1, [1, 1], []), m: 2 }, 1)).toBe('ignored');
    expect(store.ready()).toBe(false);
  });

  test.each([
    ['an odd number of figures', [100, 1, 99], []],
    ['a price that is no whole tick', [100.5, 1], []],
    ['a negative size', [100, -1], []],
    ['bids above asks', [105, 1], []],
  ])('%s is never shown', (_case, bids, asks) => {
    const store = started();
    expect(store.fold(delta(5, 6, bids, asks), 20)).toBe('gap');
    expect(store.ready()).toBe(false);
  });

  test('a new connection: what is shown stays, and a delta before the snapshot says nothing', () => {
    const store = started();
    store.reconnected();
    expect([store.ready(), store.book.bestBid()]).toEqual([false, 100]);
    expect(store.fold(delta(5, 6, [100, 9]), 20)).toBe('ignored');
    expect(store.book.bestBidSize()).toBe(1);
    expect(store.fold(snapshot(1, [50, 1], [51, 1]), 21)).toBe('applied');
    expect([store.ready(), store.book.bestBid()]).toEqual([true, 50]);
  });

  test('another symbol starts from nothing and listeners hear of every change', () => {
    const store = started();
    let heard = 0;
    const stop = store.subscribe(() => {
      heard += 1;
    });
    store.follow({ s: 'ETHUSDT' });
    expect([store.ready(), store.book.count('bids'), heard]).toEqual([false, 0, 1]);
    stop();
    store.follow({ s: 'BTCUSDT' });
    expect(heard).toBe(1);
  });
});

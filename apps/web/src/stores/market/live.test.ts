import type { BookFrame, VenueFrame } from '@crossbook/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setClock } from '../app/clock.ts';
import { type BookStore, createBookStore } from './book.ts';
import { downMarkets, followBook, liveStore } from './live.ts';

/** The browser's socket: what it was told, and what the test lets it hear. */
class HubSocket {
  static newest: HubSocket;
  readonly sent: unknown[] = [];
  onopen = (): void => undefined;
  onclose = (): void => undefined;
  onmessage = (_: { readonly data: string }): void => undefined;
  constructor() {
    HubSocket.newest = this;
  }
  send(text: string): void {
    this.sent.push(text === 'ping' ? text : JSON.parse(text).action);
  }
  close(): void {}
  hear(...frames: readonly (BookFrame | VenueFrame)[]): void {
    for (const frame of frames) this.onmessage({ data: JSON.stringify(frame) });
  }
}

const snapshot = (q: number, bid = 100): BookFrame => ({
  ...{ ch: 'book', s: 'BTCUSDT', k: 's', q, b: [bid, 1], a: [101, 3], t: 1_000 + q },
});
const delta = (p: number, q: number, b: readonly number[]): BookFrame => ({
  ...{ ch: 'book', s: 'BTCUSDT', k: 'd', p, q, b, a: [], t: 1_000 + q },
});
/** What the hub is asked when a book cannot be used. */
const AGAIN = ['unsubscribe', 'subscribe'];

let book: BookStore;
let release: () => void;
const held = () => [book.ready(), book.book.bestBid(), book.book.bestBidSize()];
const asked = () => HubSocket.newest.sent.splice(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { href: 'http://127.0.0.1:8080/spot/binance/BTCUSDT' });
  vi.stubGlobal('WebSocket', HubSocket);
  book = createBookStore();
  book.follow({ s: 'BTCUSDT' });
  release = followBook(1, { s: 'BTCUSDT' }, book);
  HubSocket.newest.onopen();
  expect(asked()).toEqual(['subscribe']);
  HubSocket.newest.hear(snapshot(5), delta(5, 6, [100, 2]));
  expect(held()).toEqual([true, 100, 2]);
});
afterEach(() => {
  release();
  // The connection lingers for a change of screen.
  vi.advanceTimersByTime(3_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the book on screen', () => {
  test.each([
    ['a missing delta', delta(7, 8, [100, 9])],
    ['a delta that names nothing before it', { ...delta(6, 7, [100, 9]), p: undefined as never }],
    ['bids above asks', delta(6, 7, [105, 1])],
    ['a size below nothing', delta(6, 7, [100, -1])],
    ['a snapshot that is none', snapshot(9, 0.5)],
  ])('%s: it is empty, asked for again once, and back with the snapshot', (_case, frame) => {
    HubSocket.newest.hear(frame, delta(8, 9, [100, 9]), delta(9, 10, [100, 9]));
    expect(held()).toEqual([false, undefined, 0]);
    expect(asked()).toEqual(AGAIN);
    HubSocket.newest.hear(snapshot(12, 50), delta(12, 13, [50, 4]));
    expect(held()).toEqual([true, 50, 4]);
    expect(asked()).toEqual([]);
  });

  test.each([
    ['again', delta(5, 6, [100, 7])],
    ['that a snapshot contains', delta(3, 4, [100, 7])],
  ])('a delta %s changes nothing and asks for nothing', (_case, frame) => {
    HubSocket.newest.hear(frame, delta(6, 7, [99, 3]));
    expect([held(), book.book.levels('bids')]).toEqual([
      [true, 100, 2],
      [
        [100, 2],
        [99, 3],
      ],
    ]);
    expect(asked()).toEqual([]);
  });

  test('a snapshot that does not fold either is asked for after a second, and then after two', () => {
    HubSocket.newest.hear(delta(7, 8, [100, 9]), snapshot(8, 200));
    expect([held()[0], asked()]).toEqual([false, AGAIN]);
    vi.advanceTimersByTime(999);
    expect(asked()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(asked()).toEqual(AGAIN);
    HubSocket.newest.hear(snapshot(9, 200));
    vi.advanceTimersByTime(1_999);
    expect(asked()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(asked()).toEqual(AGAIN);
    HubSocket.newest.hear(snapshot(10));
    expect(held()).toEqual([true, 100, 1]);
  });

  test('on a new connection it stays in view, is no price, and waits for its snapshot', () => {
    HubSocket.newest.onclose();
    expect(held()).toEqual([true, 100, 2]);
    vi.advanceTimersByTime(1_250);
    HubSocket.newest.onopen();
    HubSocket.newest.hear(delta(6, 7, [100, 9]));
    expect(held()).toEqual([false, 100, 2]);
    expect(asked()).toEqual(['subscribe']);
    HubSocket.newest.hear(snapshot(1, 50));
    expect(held()).toEqual([true, 50, 1]);
  });
});

test('how far the clock is off is what the quickest frames say; one that came late hardly counts', () => {
  const ahead = (now: number, t: number): number | undefined => {
    setClock({ now: () => now, randomBytes: () => new Uint8Array(10) });
    HubSocket.newest.hear({ ch: 'venue', state: 'live', c: 1, t });
    return liveStore.getState()[1]?.venues.SPOT?.aheadMillis;
  };
  expect([ahead(10_040, 10_000), ahead(17_000, 15_000), ahead(20_030, 20_000)]).toEqual([40, 290, 30]);
  // Set two seconds forward it is believed step by step; set back it is believed at once.
  const forward = [25, 30, 35, 40, 45, 50, 55, 60].map((at) => ahead(at * 1_000 + 2_000, at * 1_000));
  expect(forward).toEqual([280, 530, 780, 1_030, 1_280, 1_530, 1_780, 2_000]);
  expect(ahead(64_000, 65_000)).toBe(-1_000);
});

test('a market is down while an open connection says so, each of an exchange by itself', () => {
  const hear = (state: VenueFrame['state'], m?: 2) =>
    HubSocket.newest.hear({ ch: 'venue', state, c: 1, t: 1, ...(m === undefined ? {} : { m }) });
  const down = () => downMarkets(liveStore.getState());
  hear('down', 2);
  expect(down()).toBe('1 SWAP');
  hear('down');
  expect(down()).toBe('1 SPOT,1 SWAP');
  hear('stale');
  hear('live', 2);
  expect(down()).toBe('');
  hear('down');
  HubSocket.newest.onclose();
  expect(down()).toBe('');
});

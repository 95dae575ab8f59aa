import { expect, test } from 'vitest';
import type { LiveStatus } from '../../../stores/market/live.ts';
import { createLiveMarket, freshness, isKnown } from './live-market.ts';

const live: LiveStatus = {
  phase: 'open',
  dialog: 'none',
  loggedIn: false,
  latencyMillis: 5,
  malformed: 0,
  refusedChannels: 0,
  venues: { SPOT: { state: 'live', checkedSeconds: 0, millis: 0, receivedAt: 9_000, aheadMillis: 0 } },
};

function market(bookAt: number) {
  const made = createLiveMarket();
  made.book.follow({ s: 'BTCUSDT' });
  made.book.fold({ ch: 'book', s: 'BTCUSDT', k: 's', q: 1, b: [1, 1], a: [2, 1], t: 500_000 }, bookAt);
  return made;
}

test.each([
  ['a fresh book', 9_500, live, { stale: false, unpriced: false, ageSeconds: 0 }],
  ['a quiet book that the hub vouches for', 1_000, live, { stale: false, unpriced: false, ageSeconds: 9 }],
  [
    'a quiet book and no word of the hub for 7 s',
    1_000,
    {
      ...live,
      venues: {
        SPOT: { state: 'live' as const, checkedSeconds: 0, millis: 0, receivedAt: 3_000, aheadMillis: 0 },
      },
    },
    { stale: true, unpriced: true, ageSeconds: 9 },
  ],
  [
    'a hub that lost the venue',
    9_900,
    {
      ...live,
      venues: {
        SPOT: { state: 'down' as const, checkedSeconds: 0, millis: 0, receivedAt: 9_900, aheadMillis: 0 },
      },
    },
    { stale: true, unpriced: true, ageSeconds: 0 },
  ],
  [
    'a hub that lost the venue a minute before the page came',
    9_900,
    {
      ...live,
      venues: {
        SPOT: {
          state: 'stale' as const,
          checkedSeconds: 0,
          millis: 560_000,
          receivedAt: 9_000,
          aheadMillis: 0,
        },
      },
    },
    { stale: true, unpriced: true, ageSeconds: 61 },
  ],
  [
    'a hub that lost the other market of the venue',
    9_900,
    {
      ...live,
      venues: {
        ...live.venues,
        SWAP: { state: 'down' as const, checkedSeconds: 0, millis: 0, receivedAt: 9_900, aheadMillis: 0 },
      },
    },
    { stale: false, unpriced: false },
  ],
  [
    'a connection that is gone',
    9_900,
    { ...live, phase: 'waiting' as const },
    { stale: true, connected: false },
  ],
  ['no connection yet', 9_900, undefined, { stale: true, unpriced: true }],
])('%s', (_case, bookAt, status, expected) => {
  expect(freshness(market(bookAt), status, 'SPOT', 10_000)).toMatchObject(expected);
});

test('before the first figure nothing is old, but no market order may rely on it', () => {
  expect(freshness(createLiveMarket(), live, 'SPOT', 10_000)).toEqual({
    stale: false,
    unpriced: true,
    ageSeconds: undefined,
    connected: true,
  });
});

test('the first prices are here with the book, and of a contract with its mark; a gap takes nothing back', () => {
  expect(isKnown(createLiveMarket(), 'SPOT')).toBe(false);
  const made = market(9_500);
  expect([isKnown(made, 'SPOT'), isKnown(made, 'SWAP')]).toEqual([true, false]);
  made.ticker.follow({ s: 'BTCUSDT' }, 1);
  const stats = { change: '0', open: '1', high: '1', low: '1', volume: '1', quoteVolume: '1', t: 1 };
  made.ticker.fold({ ch: 'ticker', s: 'BTCUSDT', d: { ...stats, last: '1', mark: '1' } }, 9_600);
  expect(isKnown(made, 'SWAP')).toBe(true);
  const gap = { ch: 'book', s: 'BTCUSDT', k: 'd', q: 9, p: 5, b: [], a: [], t: 500_100 } as const;
  expect(made.book.fold(gap, 9_700)).toBe('gap');
  expect([made.book.ready(), isKnown(made, 'SWAP')]).toEqual([false, true]);
  made.book.follow({ s: 'ETHUSDT' });
  expect(isKnown(made, 'SWAP')).toBe(false);
});

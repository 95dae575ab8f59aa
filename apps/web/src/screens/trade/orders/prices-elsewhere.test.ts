import type { Platform } from '@crossbook/domain';
import { expect, test, vi } from 'vitest';
import { setClock } from '../../../stores/app/clock.ts';
import { MARKS_EVERY_MILLIS, takeMark } from '../../../stores/trading/contracts/marks.ts';

// What the window is like is asked for as soon as the parts are read.
vi.stubGlobal('window', { matchMedia: () => ({ matches: true, addEventListener: () => undefined }) });
const { marketsElsewhere, pricesOf } = await import('./prices-elsewhere.ts');

const SWAP = { symbolType: 'SWAP', symbol: 'BTCUSDT' } as const;
const order = (exchange: Platform, change: object = {}) => ({ exchange, ...SWAP, ...change });

test('followed is each market once that orders are of, but the one on screen', () => {
  const rows = [
    ...[order(1), order(2), order(2), order(1, { symbol: 'ETHUSDT' })],
    order(3, { symbolType: 'SPOT' }),
  ];
  expect(marketsElsewhere(rows, { platform: 1, ...SWAP })).toEqual([
    { platform: 2, ...SWAP },
    { platform: 1, ...SWAP, symbol: 'ETHUSDT' },
    { platform: 3, ...SWAP, symbolType: 'SPOT' },
  ]);
  const many = Array.from({ length: 200 }, (_, index) => order(2, { symbol: `C${index}USDT` }));
  expect(marketsElsewhere(many, { platform: 1, ...SWAP })).toHaveLength(60);
});

test('the prices of another exchange are its own; nothing is said once they are older than a minute', () => {
  vi.useFakeTimers();
  setClock({ now: () => Date.now(), randomBytes: () => new Uint8Array(10) });
  takeMark('2:SWAP:BTCUSDT', '59000', { last: '60000', index: '58500' });
  vi.advanceTimersByTime(MARKS_EVERY_MILLIS);
  const markets = [1, 2].map((platform) => ({ platform: platform as 1 | 2, ...SWAP }));
  const known = { '2:SWAP:BTCUSDT': { mark: '59000', last: '60000', index: '58500' } };
  expect(pricesOf(markets)).toEqual(known);
  vi.advanceTimersByTime(60_000);
  expect(pricesOf(markets)).toEqual(known);
  vi.advanceTimersByTime(1_000);
  expect(pricesOf(markets)).toEqual({});
  vi.useRealTimers();
});

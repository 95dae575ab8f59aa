import { expect, test } from 'vitest';
import { safeNext } from './safe-next.ts';

test.each([
  ['/wallet/TransferSub', '/wallet/TransferSub'],
  ['/spot/binance/BTCUSDT?fill=1', '/spot/binance/BTCUSDT?fill=1'],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['https://evil.example', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
  [7, undefined],
  [`/${'x'.repeat(600)}`, undefined],
])('after signing in, %j leads to %s', (given, next) => {
  expect(safeNext(given).next).toBe(next);
});

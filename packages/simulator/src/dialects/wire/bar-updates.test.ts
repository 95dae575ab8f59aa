import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import type { SimCandle } from '../../exchange.ts';
import { BarUpdates } from './bar-updates.ts';

function bar(time: number, trades: number): SimCandle {
  const prices = { open: 1, high: 1, low: 1, close: 1 };
  const volumes = { volume: 0, quoteVolume: 0, takerBaseVolume: 0, takerQuoteVolume: 0 };
  return { time: time as Millis, trades, ...prices, ...volumes };
}

test('each bar is told while it runs, once more when it has closed, and never again', () => {
  const updates = new BarUpdates();
  const reported = (...bars: readonly SimCandle[]) =>
    updates.take(bars).map(({ time, trades }) => [time, trades]);
  expect(reported(bar(0, 9), bar(60, 1))).toEqual([[60, 1]]);
  expect(reported(bar(0, 9), bar(60, 1))).toEqual([]);
  expect(reported(bar(0, 9), bar(60, 2))).toEqual([[60, 2]]);
  expect(reported(bar(60, 3), bar(120, 0))).toEqual([
    [60, 3],
    [120, 0],
  ]);
  // A process that stood still makes up for the bars that it missed.
  expect(reported(bar(60, 3), bar(120, 4), bar(180, 0), bar(240, 1))).toEqual([
    [120, 4],
    [180, 0],
    [240, 1],
  ]);
  expect(reported()).toEqual([]);
});

import type { Instrument, Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { BTCUSDT } from '../conformance/sample-instruments.ts';
import { ascending, candleOf } from './candles.ts';
import { levelsOf } from './levels.ts';
import { scaled } from './scaled-instruments.ts';

const scales = scaled(BTCUSDT satisfies Instrument);

const sides: [string, unknown, 'snapshot' | 'delta', readonly unknown[] | undefined][] = [
  ['no level', [], 'snapshot', []],
  ['a level', [['10.01', '0.5']], 'snapshot', [[1_001, 50_000]]],
  ['a removed level in a delta', [['10.01', '0']], 'delta', [[1_001, 0]]],
  ['a removed level in a snapshot', [['10.01', '0']], 'snapshot', undefined],
  ['a price of nothing', [['0', '1']], 'delta', undefined],
  ['a price between two ticks', [['10.011', '1']], 'delta', undefined],
  ['a field more', [['10.01', '1', '0']], 'delta', undefined],
  ['a field less', [['10.01']], 'delta', undefined],
  ['numbers in place of strings', [[10.01, 1]], 'delta', undefined],
  [
    'one damaged level among good ones',
    [
      ['10.01', '1'],
      ['10.02', 'NaN'],
    ],
    'delta',
    undefined,
  ],
  ['no list', { bids: [] }, 'delta', undefined],
  ['more levels than are read', Array.from({ length: 10_001 }, () => ['10.01', '1']), 'delta', undefined],
];
test.each(sides)('%s of a book is read or refused as a whole', (_name, value, kind, expected) => {
  expect(levelsOf(value, scales, 2, kind)).toEqual(expected);
});

const MINUTE = 60_000 as Millis;
const bars: [string, Millis | undefined, readonly unknown[], boolean][] = [
  ['open, high, low, close and volume', MINUTE, ['1', '2', '0.5', '1.5', '7'], true],
  ['a bar that did not move', MINUTE, ['1', '1', '1', '1', '0'], true],
  ['no time', undefined, ['1', '2', '0.5', '1.5', '7'], false],
  ['a close above the high', MINUTE, ['1', '2', '0.5', '2.1', '7'], false],
  ['an open below the low', MINUTE, ['0.4', '2', '0.5', '1.5', '7'], false],
  ['a negative volume', MINUTE, ['1', '2', '0.5', '1.5', '-7'], false],
  ['a negative low', MINUTE, ['1', '2', '-0.5', '1.5', '7'], false],
  ['no volume', MINUTE, ['1', '2', '0.5', '1.5'], false],
  ['a number in place of a string', MINUTE, [1, '2', '0.5', '1.5', '7'], false],
];
test.each(bars)('a candle of %s is valid or not', (_name, time, stats, valid) => {
  expect(candleOf(time, stats) !== undefined).toBe(valid);
});

test('bars must rise, each after the one before', () => {
  const at = (time: number) => candleOf(time as Millis, ['1', '2', '0.5', '1.5', '7']);
  const list = (...times: number[]) => times.flatMap((time) => at(time) ?? []);
  expect(ascending(list(1, 2, 3))).toEqual(list(1, 2, 3));
  expect(ascending([])).toEqual([]);
  expect([ascending(list(1, 1)), ascending(list(2, 1)), ascending(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

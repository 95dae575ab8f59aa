import { describe, expect, test } from 'vitest';
import { barMetrics, bookMetrics, correlation, hourShares, tapeMetrics } from './measures.ts';

const MINUTE = 60_000;

describe('metrics of minutes', () => {
  test('of prices that go up and down by a hundredth in turn, with volumes that do the same', () => {
    const bars = Array.from({ length: 101 }, (_, at) => {
      const close = at % 2 === 0 ? 100 : 101;
      return { time: at * MINUTE, open: close, high: 101, low: 100, close, volume: at % 2 === 0 ? 1 : 3 };
    });
    const metrics = barMetrics(bars);
    expect(metrics.get('deviation of returns, bp')).toBeCloseTo(Math.log(1.01) * 10_000, 6);
    expect(metrics.get('kurtosis of returns (3: normal)')).toBeCloseTo(1, 6);
    expect(metrics.get('autocorrelation of returns, 1 min')).toBeCloseTo(-1, 6);
    expect(metrics.get('autocorrelation of volume, 1 min')).toBeCloseTo(-1, 6);
    expect(metrics.get('range over size of return')).toBeCloseTo(1, 2);
    expect(metrics.get('99th over 50th percentile of volume')).toBe(3);
  });

  test('volume by hour is in shares of the whole', () => {
    const bar = { open: 1, high: 1, low: 1, close: 1 };
    const shares = hourShares([
      { ...bar, time: 0, volume: 3 },
      { ...bar, time: 25 * 60 * MINUTE, volume: 1 },
    ]);
    expect(shares.slice(0, 3)).toEqual([0.75, 0.25, 0]);
  });
});

test('metrics of a tape: two takers in a second, one with two trades, and a second without', () => {
  const trades = [
    { time: 0, value: 10, buys: true },
    { time: 0, value: 20, buys: true },
    { time: 2_000, value: 30, buys: false },
    { time: 4_000, value: 40, buys: false },
  ];
  const metrics = tapeMetrics(trades);
  expect(metrics.get('trades a second')).toBe(1);
  expect(metrics.get('turnover a second, USDT')).toBe(25);
  expect(metrics.get('median trade, USDT')).toBe(30);
  expect(metrics.get('in the same millisecond as the one before')).toBe(0.25);
  expect(metrics.get('bought by the taker')).toBe(0.5);
  expect(metrics.get('seconds without a trade')).toBe(0.5);
});

test('metrics of a book: the spread and what rests near the middle, empty books left out', () => {
  const look = {
    bids: [
      [99.99, 2],
      [99, 5],
    ] as const,
    asks: [
      [100.01, 1],
      [101, 5],
    ] as const,
  };
  const metrics = bookMetrics([look, { bids: [], asks: [] }]);
  expect(metrics.get('spread, bp')).toBeCloseTo(2, 6);
  expect(metrics.get('at the best bid, USDT')).toBeCloseTo(199.98, 6);
  expect(metrics.get('a side within 5 bp, USDT')).toBeCloseTo((199.98 + 100.01) / 2, 6);
});

test('rows that rise together correlate, others do not', () => {
  expect(correlation([1, 2, 3], [2, 4, 6])).toBeCloseTo(1, 9);
  expect(correlation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 9);
  expect(correlation([1, -1, 1, -1], [1, 1, -1, -1])).toBe(0);
});

import type { Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { DAY_MILLIS, DAY_MINUTES } from '../bars/bars.ts';
import { LISTING } from '../listing/listing.ts';
import { fairPrice, walkAt } from './fair-price.ts';

const DAY_2024_03_01 = Date.UTC(2024, 2, 1) / DAY_MILLIS;

function dailyReturns(symbol: string, days: number): number[] {
  const fair = fairPrice(1, LISTING);
  const closes = Array.from({ length: days + 1 }, (_, at) => {
    return Math.log(fair.at(symbol, ((DAY_2024_03_01 + at) * DAY_MILLIS) as Millis));
  });
  return closes.slice(1).map((close, at) => close - (closes[at] as number));
}

function deviation(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}

function correlation(left: readonly number[], right: readonly number[]): number {
  const products = left.map((value, at) => value * (right[at] as number));
  return (
    products.reduce((sum, value) => sum + value, 0) / products.length / deviation(left) / deviation(right)
  );
}

describe('fair price', () => {
  test('the same seed gives the same prices, in any order of asking; another seed gives others', () => {
    const times = [0, 1, 400, 900].map((day) => ((DAY_2024_03_01 + day) * DAY_MILLIS + 12_345_678) as Millis);
    const forward = fairPrice(7, LISTING);
    const backward = fairPrice(7, LISTING);
    const asked = times.map((time) => forward.at('SOLUSDT', time));
    const askedBack = [...times]
      .reverse()
      .map((time) => backward.at('SOLUSDT', time))
      .reverse();
    expect(asked).toEqual(askedBack);
    expect(times.map((time) => fairPrice(8, LISTING).at('SOLUSDT', time))).not.toEqual(asked);
  });

  test('the end of a day is the beginning of the next', () => {
    const fair = fairPrice(3, LISTING);
    for (const { symbol } of LISTING) {
      const today = fair.minutePath(symbol, DAY_2024_03_01);
      const tomorrow = fair.minutePath(symbol, DAY_2024_03_01 + 1);
      expect(today[DAY_MINUTES]).toBeCloseTo(tomorrow[0] as number, 12);
    }
  });

  test('every market stands at its start price on the anchor day', () => {
    const fair = fairPrice(3, LISTING);
    for (const market of LISTING.filter((entry) => entry.crossOf === undefined)) {
      expect(fair.at(market.symbol, Date.UTC(2026, 6, 1) as Millis)).toBeCloseTo(market.startPrice, 6);
    }
  });

  test('daily movement is near the listed volatility, and coins move together', () => {
    const bitcoin = dailyReturns('BTCUSDT', 800);
    const ether = dailyReturns('ETHUSDT', 800);
    expect(deviation(bitcoin)).toBeGreaterThan(0.02);
    expect(deviation(bitcoin)).toBeLessThan(0.03);
    expect(correlation(bitcoin, ether)).toBeGreaterThan(0.7);
    expect(correlation(bitcoin, dailyReturns('TRXUSDT', 800))).toBeLessThan(0.7);
  });

  test('the walk stays within a few blocks of its anchor for a century', () => {
    for (let day = -20_000; day < 20_000; day += 97) expect(Math.abs(walkAt(5, 9, day))).toBeLessThan(70);
  });

  test('the walk moves one unit a day wherever the halving ends', () => {
    const steps = Array.from(
      { length: 4_096 },
      (_, at) => walkAt(2, 4, at - 2_000) - walkAt(2, 4, at - 2_001),
    );
    expect(deviation(steps)).toBeGreaterThan(0.95);
    expect(deviation(steps)).toBeLessThan(1.08);
  });

  test('a cross is the ratio of its two markets', () => {
    const fair = fairPrice(3, LISTING);
    const time = ((DAY_2024_03_01 + 33) * DAY_MILLIS) as Millis;
    expect(fair.at('ETHBTC', time)).toBeCloseTo(fair.at('ETHUSDT', time) / fair.at('BTCUSDT', time), 10);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CANDLE_INTERVALS,
  type CandleInterval,
  candleOpen,
  type Lots,
  type Millis,
  nextCandleOpen,
  type Ticks,
} from '@crossbook/domain';
import { afterAll, describe, expect, test } from 'vitest';
import type { SimCandle, SimTrade } from '../exchange.ts';
import { openMarketSide, type RunningMarketSide } from './market-side.ts';
import { marketDirectory, volatileFiles } from './story/market-files.ts';

const NOW = Date.UTC(2026, 10, 20, 16, 20, 30, 250) as Millis;

async function market(
  clock: { now: Millis },
  files = volatileFiles(),
  habit: { readonly opensAtLastClose?: boolean } = {},
): Promise<RunningMarketSide> {
  const opened = await openMarketSide({ seed: 11, clock: () => clock.now, files, ...habit });
  if (!opened.ok) throw new Error(opened.code);
  return opened.value;
}

/** A second, slower witness: folds candles by their definition. */
function fold(bars: readonly SimCandle[], interval: CandleInterval): SimCandle[] {
  const byOpen = Map.groupBy(bars, (bar) => candleOpen(bar.time, interval));
  return [...byOpen].map(([time, parts]) => {
    const sum = (value: keyof SimCandle): number => parts.reduce((total, bar) => total + bar[value], 0);
    // A part without a trade repeats the price before it, which is none of this bar's.
    const traded = sum('trades') === 0 ? parts : parts.filter((bar) => bar.trades > 0);
    return {
      time,
      open: traded[0]?.open ?? Number.NaN,
      high: Math.max(...traded.map((bar) => bar.high)),
      low: Math.min(...traded.map((bar) => bar.low)),
      close: parts.at(-1)?.close ?? Number.NaN,
      volume: sum('volume'),
      quoteVolume: sum('quoteVolume'),
      trades: sum('trades'),
      takerBaseVolume: sum('takerBaseVolume'),
      takerQuoteVolume: sum('takerQuoteVolume'),
    };
  });
}

/** Prices and counts to the last digit; sums of floats as near as floats add up. */
function expectSame(actual: readonly SimCandle[], expected: readonly SimCandle[]): void {
  const exact = ({ time, open, high, low, close, trades }: SimCandle): number[] => [
    time,
    open,
    high,
    low,
    close,
    trades,
  ];
  expect(actual.map(exact)).toEqual(expected.map(exact));
  const sums = ['volume', 'quoteVolume', 'takerBaseVolume', 'takerQuoteVolume'] as const;
  const apart = actual.flatMap((bar, at) => {
    const other = expected[at] as SimCandle;
    return sums.filter((value) => Math.abs(bar[value] - other[value]) > Math.abs(other[value]) * 1e-9);
  });
  expect(apart).toEqual([]);
}

describe('candles', () => {
  const start = Date.UTC(2024, 1, 26) as Millis; // a Monday
  const days = 14;
  const end = (start + days * 86_400_000 - 1) as Millis;

  test.each(CANDLE_INTERVALS.filter((interval) => !['1s', '1m', '3d', '1M'].includes(interval)))(
    '%s bars are exactly their minutes, years back',
    async (interval) => {
      const side = await market({ now: NOW });
      for (const symbol of ['BTCUSDT', 'PEPEUSDT', 'ETHBTC']) {
        const minutes = side.candles(symbol, '1m', { startTime: start, endTime: end, limit: 1_000_000 });
        expect(minutes.length).toBe(days * 1_440);
        expectSame(
          side.candles(symbol, interval, { startTime: start, endTime: end, limit: 100_000 }),
          fold(minutes, interval),
        );
      }
    },
  );

  test.each(['3d', '1w', '1M'] as const)('%s bars are exactly their days', async (interval) => {
    const side = await market({ now: NOW });
    const bars = side.candles('SOLUSDT', interval, { limit: 6 });
    const from = bars[0]?.time as Millis;
    const daily = side.candles('SOLUSDT', '1d', { startTime: from, limit: 1_000 });
    expectSame(bars, fold(daily, interval));
  });

  test('1s bars are exactly their minute, in history and up to now', async () => {
    const side = await market({ now: NOW });
    for (const from of [start, (NOW - 600_000 - (NOW % 60_000)) as Millis]) {
      const seconds = side.candles('XRPUSDT', '1s', { startTime: from, limit: 1_000 });
      const minutes = side.candles('XRPUSDT', '1m', {
        startTime: from,
        limit: Math.ceil(seconds.length / 60),
      });
      expectSame(fold(seconds, '1m').slice(0, -1), minutes.slice(0, -1));
    }
  });

  test('follow each other without a gap in time, and open beside the last price, a part of them at it', async () => {
    const side = await market({ now: NOW });
    for (const interval of CANDLE_INTERVALS) {
      const bars = side.candles('ADAUSDT', interval, { limit: 500 });
      const atLast = bars.slice(1).filter((bar, at) => bar.open === bars[at]?.close).length;
      expect(atLast / bars.length, interval).toBeLessThan(interval === '1s' ? 0.99 : 0.6);
      if (bars.length === 500) expect(atLast / bars.length, interval).toBeGreaterThan(0.2);
      bars.slice(1).forEach((bar, at) => {
        const before = bars[at] as SimCandle;
        expect(bar.time).toBe(nextCandleOpen(before.time, interval));
        expect(Math.abs(bar.open / before.close - 1), interval).toBeLessThan(0.005);
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
        expect(bar.takerBaseVolume).toBeLessThanOrEqual(bar.volume);
      });
      expect(bars.at(-1)?.time).toBe(candleOpen(NOW, interval));
    }
  });

  test('where a venue opens bars at the last price they join, are as wide as that, and otherwise the same', async () => {
    const plain = await market({ now: NOW });
    const side = await market({ now: NOW }, volatileFiles(), { opensAtLastClose: true });
    for (const interval of ['1s', '1m', '15m', '1d'] as const) {
      const page = { limit: 100 };
      const longer = plain.candles('ADAUSDT', interval, { limit: 101 });
      const bars = side.candles('ADAUSDT', interval, page);
      const expected = longer.slice(1).map((bar, at) => {
        const open = (longer[at] as SimCandle).close;
        return { ...bar, open, high: Math.max(bar.high, open), low: Math.min(bar.low, open) };
      });
      expect(bars).toEqual(expected);
      expect(bars).not.toEqual(longer.slice(1));
    }
  });

  test('pages: only an end gives the newest up to it, a start gives the oldest from it, both are inclusive', async () => {
    const side = await market({ now: NOW });
    const times = (page: { startTime?: Millis; endTime?: Millis; limit: number }): number[] =>
      side.candles('BTCUSDT', '1h', page).map((bar) => bar.time);
    const hour = 3_600_000;
    const noon = Date.UTC(2024, 2, 1, 12) as Millis;
    expect(times({ endTime: noon, limit: 2 })).toEqual([noon - hour, noon]);
    expect(times({ startTime: noon, limit: 2 })).toEqual([noon, noon + hour]);
    expect(times({ startTime: (noon + 1) as Millis, limit: 1 })).toEqual([noon + hour]);
    expect(times({ startTime: noon, endTime: noon, limit: 9 })).toEqual([noon]);
    expect(times({ startTime: (NOW + hour) as Millis, limit: 9 })).toEqual([]);
    expect(times({ startTime: noon, endTime: (noon - 1) as Millis, limit: 9 })).toEqual([]);
    expect(times({ endTime: 0 as Millis, limit: 9 })).toEqual([]);
    expect(times({ startTime: 0 as Millis, limit: 1 })).toEqual([Date.UTC(2024, 0, 1)]);
  });

  test('random access: a page of the past is the same whatever was asked before, and on another day', async () => {
    const page = { startTime: start, limit: 50 };
    const fresh = (await market({ now: NOW })).candles('DOTUSDT', '15m', page);
    const used = await market({ now: (NOW + 3 * 86_400_000) as Millis });
    used.candles('DOTUSDT', '1w', { limit: 200 });
    expect(used.candles('DOTUSDT', '15m', page)).toEqual(fresh);
  });

  test('days are louder when London and New York are both open', async () => {
    const side = await market({ now: NOW });
    const hours = side.candles('ETHUSDT', '1h', { startTime: start, limit: 24 * 60 });
    const volumeAt = (hour: number): number =>
      hours
        .filter((bar) => new Date(bar.time).getUTCHours() === hour)
        .reduce((sum, bar) => sum + bar.volume, 0);
    expect(volumeAt(14)).toBeGreaterThan(1.5 * volumeAt(4));
  });
});

describe('candles of the running market', () => {
  function trade(price: number, time: Millis, tradeId: number): SimTrade {
    return {
      symbol: 'BTCUSDT',
      tradeId,
      price: price as Ticks,
      quantity: 100 as Lots,
      buyerIsMaker: false,
      time,
    };
  }

  const directory = mkdtempSync(join(tmpdir(), 'crossbook bars '));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each([
    ['in memory', volatileFiles()],
    ['in a directory', marketDirectory(join(directory, 'printed'))],
  ])(
    'printed minutes kept %s win over generated ones, in every interval and after a restart',
    async (_, files) => {
      const clock = { now: NOW };
      const side = await market(clock, files);
      const price = Math.round((side.ticker('BTCUSDT').last + 5_000) * 100);
      side.onTrade(trade(price, clock.now, 2_000_000_001));
      clock.now = (NOW + 65_000) as Millis;
      side.onTrade(trade(price + 7, clock.now, 2_000_000_002));
      expect(side.candles('BTCUSDT', '1m', { limit: 2 })[0]?.high).toBe(price / 100);
      expect(side.candles('BTCUSDT', '1m', { limit: 1 })[0]?.close).toBe((price + 7) / 100);
      expect(side.candles('BTCUSDT', '1s', { limit: 1 })[0]?.volume).toBe(0.001);
      clock.now = (NOW + 150_000) as Millis;
      side.step(clock.now);
      for (const interval of ['5m', '1h', '1d', '1w', '1M'] as const) {
        expect(side.candles('BTCUSDT', interval, { limit: 1 })[0]?.high).toBe((price + 7) / 100);
      }
      const printed = side.candles('BTCUSDT', '1m', { limit: 4 }).slice(0, 3);
      await side.stop();
      clock.now = (NOW + 86_400_000) as Millis;
      const again = await market(clock, files);
      const page = { startTime: printed[0]?.time as Millis, limit: 3 };
      expect(again.candles('BTCUSDT', '1m', page)).toEqual(printed);
      // The trades of the downtime are numbered on from there.
      const since = again.trades('BTCUSDT', { fromId: 2_000_000_003, limit: 10_000_000 });
      expect(again.ticker('BTCUSDT').lastTradeId).toBe(2_000_000_002 + since.length);
      expect(since.find(({ time }) => time > NOW + 65_000)?.tradeId).toBe(2_000_000_003);
      expect(again.ticker('BTCUSDT').high).toBe((price + 7) / 100);
    },
  );

  test('a half written row at the end of the file is cut, the rows before it stay', async () => {
    const clock = { now: NOW };
    const files = marketDirectory(join(directory, 'cut'));
    const side = await market(clock, files);
    side.onTrade(trade(9_999_999, clock.now, 2_000_000_001));
    clock.now = (NOW + 60_000) as Millis;
    side.step(clock.now);
    await side.stop();
    const name = files.names().find((file) => file.startsWith('bars-')) as string;
    const whole = files.read(name)?.length as number;
    files.append(name, new Uint8Array([1, 2, 3]));
    const again = await market(clock, files);
    expect(files.read(name)?.length).toBe(whole);
    const page = { startTime: (NOW - (NOW % 60_000)) as Millis, limit: 1 };
    expect(again.candles('BTCUSDT', '1m', page)[0]?.high).toBe(99_999.99);
  });

  test('what the process slept through is history, and the tape goes on from there', async () => {
    const clock = { now: NOW };
    const side = await market(clock);
    side.step(clock.now);
    clock.now = (NOW + 8 * 3_600_000) as Millis;
    side.step(clock.now);
    const bars = side.candles('BTCUSDT', '1m', { limit: 470 });
    expect(bars.filter((bar) => bar.trades > 0).length).toBeGreaterThan(460);
    expect(side.ticker('BTCUSDT').last).toBe(bars.at(-1)?.close);
    expect(side.ticker('BTCUSDT').last / side.fairPrice('BTCUSDT', clock.now)).toBeCloseTo(1, 2);
  });

  test('a suspended market shows the past and then stands still', async () => {
    const side = await market({ now: NOW });
    const bars = side.candles('WAVESUSDT', '1w', { limit: 60 });
    expect(bars[0]?.volume).toBeGreaterThan(0);
    expect(bars.at(-1)).toMatchObject({ volume: 0, trades: 0, high: bars.at(-1)?.low });
    expect(side.ticker('WAVESUSDT')).toMatchObject({ volume: 0, last: bars.at(-1)?.close });
  });

  test('a shock moves the price at once and for good, and history before it stays', async () => {
    const clock = { now: NOW };
    const files = marketDirectory(join(directory, 'shock'));
    const side = await market(clock, files);
    const before = side.fairPrice('ETHUSDT', NOW);
    const cross = side.fairPrice('ETHBTC', NOW);
    const page = { endTime: (NOW - 60_000) as Millis, limit: 10 };
    const past = side.candles('ETHUSDT', '1m', page);
    side.shock('ETHUSDT', 0.8);
    expect(side.fairPrice('ETHUSDT', NOW) / before).toBeCloseTo(0.8, 9);
    expect(side.fairPrice('ETHBTC', NOW) / cross).toBeCloseTo(0.8, 9);
    expect(side.candles('ETHUSDT', '1m', page)).toEqual(past);
    clock.now = (NOW + 86_400_000) as Millis;
    const again = await market(clock, files);
    const unshocked = await market(clock);
    const ratio = again.fairPrice('ETHUSDT', clock.now) / unshocked.fairPrice('ETHUSDT', clock.now);
    expect(ratio).toBeCloseTo(0.8, 6);
    expect(again.ticker('ETHUSDT').last / unshocked.ticker('ETHUSDT').last).toBeCloseTo(0.8, 3);
  });
});

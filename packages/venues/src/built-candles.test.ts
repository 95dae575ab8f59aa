import type { Candle, CandleInterval, Millis } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { BuiltCandles, foldCandles } from './built-candles.ts';

const HOUR = 3_600_000;
/** A Monday, 00:00 UTC. */
const MIDNIGHT = 1_769_990_400_000;

function bar(time: number, [open, high, low, close]: readonly number[] = [1, 3, 0.5, 2]): Candle {
  return { time: time as Millis, open, high, low, close, volume: 10 } as Candle;
}

const EIGHT_HOURS: ReadonlyMap<CandleInterval, CandleInterval> = new Map([['8h', '4h']]);

describe('folding', () => {
  test('a built bar opens with its first part, closes with its last, spans all, and adds the volume', () => {
    const parts = [bar(MIDNIGHT, [5, 9, 4, 6]), bar(MIDNIGHT + 4 * HOUR, [6, 7, 1, 2])];
    expect(foldCandles(parts, '8h')).toEqual([
      { time: MIDNIGHT, open: 5, high: 9, low: 1, close: 2, volume: 20 },
    ]);
  });

  test('parts of different bars stay apart, and a bar is named by its own opening time', () => {
    const parts = [4, 8, 12, 16].map((hour) => bar(MIDNIGHT + hour * HOUR));
    expect(foldCandles(parts, '8h').map((built) => (built.time - MIDNIGHT) / HOUR)).toEqual([0, 8, 16]);
  });
});

describe('live built bars', () => {
  const built = () => new BuiltCandles(EIGHT_HOURS);
  const second = bar(MIDNIGHT + 4 * HOUR, [6, 7, 1, 2]);

  test('a bar whose beginning was never seen is not told', () => {
    expect(built().apply('X', '4h', second, true)).toEqual([]);
  });

  test('a bar is told from its first part on, and is closed when its last part is', () => {
    const bars = built();
    expect(bars.apply('X', '4h', bar(MIDNIGHT), true)).toMatchObject([{ interval: '8h', closed: false }]);
    expect(bars.apply('X', '4h', second, false)).toMatchObject([{ closed: false, candle: { close: 2 } }]);
    expect(bars.apply('X', '4h', second, true)).toMatchObject([
      { closed: true, candle: { time: MIDNIGHT, open: 1, low: 0.5, high: 7, volume: 20 } },
    ]);
  });

  test('a REST page gives the beginning; what the stream told since is newer than the page', () => {
    const bars = built();
    bars.apply('X', '4h', { ...second, close: 5, high: 9 }, false);
    bars.learn('X', '8h', [bar(MIDNIGHT - 4 * HOUR), bar(MIDNIGHT), second]);
    expect(bars.apply('X', '4h', { ...second, close: 6, high: 9 }, false)).toMatchObject([
      { candle: { time: MIDNIGHT, open: 1, close: 6, high: 9 } },
    ]);
  });

  test('one instrument says nothing of another, and a late part changes no newer bar', () => {
    const bars = built();
    bars.learn('X', '8h', [bar(MIDNIGHT + 8 * HOUR)]);
    expect(bars.apply('Y', '4h', bar(MIDNIGHT + 12 * HOUR), false)).toEqual([]);
    expect(bars.apply('X', '4h', second, true)).toEqual([]);
    bars.learn('X', '8h', [bar(MIDNIGHT)]);
    expect(bars.apply('X', '4h', bar(MIDNIGHT + 12 * HOUR), true)).toMatchObject([
      { candle: { time: MIDNIGHT + 8 * HOUR }, closed: true },
    ]);
  });

  test('other native intervals build nothing', () => {
    expect(built().apply('X', '1h', bar(MIDNIGHT), true)).toEqual([]);
  });
});

import {
  amount,
  CANDLE_INTERVALS,
  type CandleInterval,
  type Instrument,
  type Millis,
} from '@crossbook/domain';
import { afterEach, expect, test, vi } from 'vitest';
import { bootStore } from '../../../stores/app/boot.ts';
import { candleReader, INTERVALS_ON_THE_BAR, offeredIntervals } from './candle-reader.ts';

/** The browser's own surroundings, written down: what would be fetched, and an answer that is none. */
function listening(): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal('location', { href: 'http://127.0.0.1:1/' });
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url));
    return new Response('', { status: 503 });
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

function perpetual(platform: 1 | 2 | 3): Instrument {
  const one = amount('1');
  return {
    ...{ platform, symbolType: 'SWAP', symbol: platform === 2 ? 'BTC-USDT-SWAP' : 'BTCUSDT', base: 'BTC' },
    ...{ quote: 'USDT', tickSize: one, lotSize: one, minPrice: one, maxPrice: one, minQty: one, maxQty: one },
    ...{ maxMarketQty: one, minNotional: one, contractValue: one, maxLeverage: 1, status: 'trading' },
  };
}

test.each([
  [1, '1500', '1500'],
  [2, '300', '100'],
  [3, '1000', '1000'],
] as const)('platform %i is asked for %s bars first and %s before them', async (platform, first, older) => {
  const asked = listening();
  const restBases = { SPOT: '/md/venue', SWAP: '/md/venue' };
  bootStore.setState({ status: 'ready', config: { platforms: [{ platform, restBases }] } as never }, true);
  const read = candleReader(perpetual(platform), '1m');
  expect(await read()).toBeUndefined();
  expect(await read(1_600_000_000_000 as Millis)).toBeUndefined();
  expect(asked.map((url) => url.searchParams.get('limit'))).toEqual([first, older]);
});

test.each([
  [1, 'SPOT', []],
  [1, 'SWAP', ['1s']],
  [2, 'SPOT', []],
  [2, 'SWAP', []],
  [3, 'SPOT', ['1s']],
  [3, 'SWAP', ['1s']],
] as const)('platform %i, %s: every interval of the chart but %j', (platform, symbolType, missing) => {
  const offered = offeredIntervals(platform, symbolType);
  expect(CANDLE_INTERVALS.filter((interval) => !offered.includes(interval))).toEqual(missing);
});

test('the resolutions of the chart are those of the specification', () => {
  const shown = '1s 1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1D 3D 1W 1M'.split(' ');
  const spelt = (interval: string) => (/[dw]$/.test(interval) ? interval.toUpperCase() : interval);
  expect(offeredIntervals(1, 'SPOT').map(spelt)).toEqual(shown);
});

/** Minutes as the specification counts them, or its letters. */
function intervalOf(name: string): CandleInterval {
  const minutes = Number(name);
  if (Number.isNaN(minutes)) return name.replace('D', 'd').replace('W', 'w') as CandleInterval;
  return (minutes < 60 ? `${minutes}m` : `${minutes / 60}h`) as CandleInterval;
}

test('the allowed set is offered for pairs and contracts of all three exchanges, the shorter set on the bar itself', () => {
  const allowed = '1 3 5 15 30 60 120 240 480 720 1D 1W 1M'.split(' ').map(intervalOf);
  for (const platform of [1, 2, 3] as const) {
    for (const type of ['SPOT', 'SWAP'] as const)
      expect(offeredIntervals(platform, type)).toEqual(expect.arrayContaining(allowed));
  }
  const shorter = '1 5 15 60 240 1D 1W'.split(' ').map(intervalOf);
  expect(INTERVALS_ON_THE_BAR).toEqual(['1s', ...shorter]);
});

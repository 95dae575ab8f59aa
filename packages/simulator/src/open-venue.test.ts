import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { amount, type Millis, toNumberForDisplay } from '@crossbook/domain';
import { afterEach, describe, expect, test } from 'vitest';
import type { ReplayPlan } from './market/story/replay.ts';
import { type OpenedVenue, openVenues } from './open-venue.ts';
import { openQuietVenue } from './quiet-venue.fixture.ts';

const START = Date.UTC(2026, 10, 20, 16, 20, 30) as Millis;
const opened: OpenedVenue[] = [];
afterEach(async () => {
  for (const venue of opened.splice(0)) await venue.close();
});

describe.each(['binance', 'okx', 'bybit'] as const)('the venue %s', (slug) => {
  test('has full books around the fair price in both kinds of market, and empty ones where it is suspended', async () => {
    const venue = await openQuietVenue(slug, { clock: () => START });
    opened.push(venue);
    for (const market of ['spot', 'perps'] as const) {
      for (const { symbol, status } of venue[market].markets.values()) {
        const { bids, asks } = venue[market].depth(symbol, 1_000);
        expect(Math.min(bids.length, asks.length) > 50, symbol).toBe(status === 'TRADING');
      }
    }
  });

  test('lists one market each that clients must leave out: another quote, suspended, dated', async () => {
    const venue = await openQuietVenue(slug, { clock: () => START });
    opened.push(venue);
    const spot = [...venue.spot.markets.values()];
    const contracts = [...venue.perps.contracts.values()];
    expect(spot.filter(({ quote }) => quote !== 'USDT').length).toBe(1);
    expect(spot.filter(({ status }) => status === 'BREAK').length).toBe(1);
    expect(contracts.filter(({ settle }) => settle !== 'USDT').length).toBe(1);
    expect(contracts.filter(({ status }) => status === 'BREAK').length).toBe(1);
    expect(contracts.filter(({ kind }) => kind === 'DATED').length).toBe(1);
  });
});

describe('bitcoin at Binance trades about as recorded (docs/venues/realism.md)', () => {
  // Six minutes of 2024-08-08: USDT and trades a second, and quantiles over the mean of a trade.
  test.each([
    ['spot', { turnover: 37_823, often: 28.2, median: 0.028, ninth: 2.56 }],
    ['perps', { turnover: 436_459, often: 62.1, median: 0.14, ninth: 2.33 }],
  ] as const)('%s: how often, and how uneven', async (market, recorded) => {
    const venue = await openQuietVenue('binance', { clock: () => START });
    opened.push(venue);
    const asBusy = venue.sides[market]
      .candles('BTCUSDT', '1m', { limit: 10_080 })
      .filter(({ volume, close }) => Math.abs(Math.log((volume * close) / 60 / recorded.turnover)) < 0.2);
    expect(asBusy.length).toBeGreaterThan(30);
    const often = asBusy.reduce((sum, { trades }) => sum + trades, 0) / asBusy.length / 60;
    expect(often).toBeGreaterThan(recorded.often / 1.5);
    expect(often).toBeLessThan(recorded.often * 1.5);
    const values = venue[market]
      .trades('BTCUSDT', { limit: 20_000 })
      .map(({ price, quantity }) => price * quantity)
      .sort((left, right) => left - right);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const at = (share: number): number => (values[Math.floor(values.length * share)] ?? 0) / mean;
    for (const [share, value] of [
      [0.5, recorded.median],
      [0.9, recorded.ninth],
    ] as const) {
      expect(at(share), `${share}`).toBeGreaterThan(value / 2);
      expect(at(share), `${share}`).toBeLessThan(value * 2);
    }
  });
});

// Medians of six minutes of 2024-08-08 and of 42 seconds of 2026-08-09: USDT at the best bid and of a side within 1, 5 and 10 basis
// points. A tick of SOLUSDT was a basis point wide, so that nothing nearer compares.
test.each([
  ['binance', 'spot', 'BTC', [117_316, 290_710, 1_502_307, 2_846_409]],
  ['binance', 'perps', 'BTC', [182_077, 462_065, 3_395_474, 8_967_025]],
  ['bybit', 'perps', 'SOL', [undefined, undefined, 559_348, 1_383_718]],
] as const)(
  'the watched book at %s, %s, of %s is as thick as recorded, a tick wide',
  async (slug, half, coin, recorded) => {
    const symbol = `${coin}USDT`;
    let now = START as number;
    const venues = await openVenues([slug], {
      seed: 1,
      clock: () => now as Millis,
      randomBytes: (size) => new Uint8Array(size),
      onFault: (fault) => {
        throw fault;
      },
      coins: new Set([coin]),
    });
    if (!venues.ok) throw new Error(venues.code);
    const [venue] = venues.value as [OpenedVenue];
    opened.push(venue);
    const facts = venue[half].markets.get(symbol);
    const unit =
      toNumberForDisplay(facts?.tickSize ?? amount('1')) * toNumberForDisplay(facts?.lotSize ?? amount('1'));
    const spreads: number[] = [];
    const looks: number[][] = [];
    venue.watch(half, symbol);
    for (let step = 0; step < 1_200; step += 1) {
      now += 50;
      venue.step(now as Millis);
      if (step % 20 > 0) continue;
      const { bids, asks } = venue[half].depth(symbol, 1_000);
      const [bid, ask] = [Number(bids[0]?.[0]), Number(asks[0]?.[0])];
      const within = (points: number): number =>
        [...bids, ...asks]
          .filter(([price]) => Math.abs(price / ((bid + ask) / 2) - 1) <= points / 10_000)
          .reduce((sum, [price, size]) => sum + (price * size * unit) / 2, 0);
      spreads.push(ask - bid);
      looks.push([bid * Number(bids[0]?.[1]) * unit, within(1), within(5), within(10)]);
    }
    const median = (values: readonly number[]): number =>
      values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
    expect(median(spreads)).toBe(1);
    recorded.forEach((value, at) => {
      if (value === undefined) return;
      const ratio = median(looks.map((look) => look[at] ?? 0)) / value;
      expect(ratio, `${at}`).toBeGreaterThan(1 / 1.4);
      expect(ratio, `${at}`).toBeLessThan(1.4);
    });
  },
);

describe('three venues of one process', () => {
  const NOW = { now: START as number };
  const coins = new Set(['BTC', 'ETH', 'DOGE', 'PEPE']);

  async function openThree(replay?: ReplayPlan): Promise<Record<'binance' | 'okx' | 'bybit', OpenedVenue>> {
    NOW.now = START;
    const venues = await openVenues(['binance', 'okx', 'bybit'], {
      seed: 7,
      clock: () => NOW.now as Millis,
      randomBytes: (size) => new Uint8Array(size),
      onFault: (fault) => {
        throw fault;
      },
      coins,
      ...(replay === undefined ? {} : { replay }),
    });
    if (!venues.ok) throw new Error(venues.code);
    opened.push(...venues.value);
    const [binance, okx, bybit] = venues.value as [OpenedVenue, OpenedVenue, OpenedVenue];
    return { binance, okx, bybit };
  }

  const pass = (seconds: number): void => {
    for (let step = 0; step < seconds * 20; step += 1) {
      NOW.now += 50;
      for (const venue of opened) venue.step(NOW.now as Millis);
    }
  };

  test.each([
    ['asleep', false],
    ['watched', true],
  ])('tell of each coin the same price, %s', async (_, watched) => {
    const { binance, okx, bybit } = await openThree();
    const spot: [OpenedVenue, string][] = [
      [binance, 'BTCUSDT'],
      [okx, 'BTC-USDT'],
      [bybit, 'BTCUSDT'],
    ];
    const perps: [OpenedVenue, string][] = [
      [binance, 'BTCUSDT'],
      [okx, 'BTC-USDT-SWAP'],
      [bybit, 'BTCUSDT'],
    ];
    if (watched) {
      for (const [venue, symbol] of spot) venue.watch('spot', symbol);
      for (const [venue, symbol] of perps) venue.watch('perps', symbol);
    }
    for (let look = 0; look < 20; look += 1) {
      pass(2);
      const lasts = spot.map(([venue, symbol]) => venue.spot.ticker(symbol).last);
      // Two offsets of at most 4 bp, and the crowd's own noise of a few ticks or the age of a sleeper's last trade.
      expect(Math.max(...lasts) / Math.min(...lasts) - 1).toBeLessThan(0.0015);
      for (const [venue, symbol] of perps) {
        const { index, mark } = venue.perps.stats(symbol);
        const { last } = venue.perps.ticker(symbol);
        expect(Math.abs(mark / index - 1)).toBeLessThan(0.001);
        expect(Math.abs(last / mark - 1)).toBeLessThan(0.0025);
        const mean =
          spot.reduce((sum, [one, name]) => sum + one.sides.spot.fairPrice(name, one.spot.now()), 0) / 3;
        expect(index / mean).toBeCloseTo(1, 10);
      }
    }
  });

  test('a shock of one market moves its coin in all of them, contracts and multiples included', async () => {
    const { binance, okx, bybit } = await openThree();
    const prices = () => [
      binance.spot.ticker('PEPEUSDT').last,
      okx.spot.ticker('PEPE-USDT').last,
      bybit.spot.ticker('PEPEUSDT').last,
      binance.perps.ticker('1000PEPEUSDT').last,
      okx.perps.ticker('PEPE-USDT-SWAP').last,
      bybit.perps.stats('1000PEPEUSDT').mark,
    ];
    const before = prices();
    expect((before[3] ?? 0) / (before[0] ?? 1) / 1000).toBeCloseTo(1, 1);
    okx.sides.perps.shock('PEPE-USDT-SWAP', 1.3);
    pass(20);
    prices().forEach((price, at) => {
      expect(price / (before[at] ?? 0)).toBeGreaterThan(1.25);
      expect(price / (before[at] ?? 0)).toBeLessThan(1.35);
    });
    const other = binance.spot.ticker('BTCUSDT').last;
    expect(other / okx.spot.ticker('BTC-USDT').last).toBeCloseTo(1, 2);
  });

  test('contracts count in their own unit: volumes in contracts, quote volumes in money', async () => {
    const { okx, bybit } = await openThree();
    const { last, volume, quoteVolume } = okx.perps.ticker('BTC-USDT-SWAP');
    expect(quoteVolume / (volume * 0.01 * last)).toBeGreaterThan(0.9);
    expect(quoteVolume / (volume * 0.01 * last)).toBeLessThan(1.1);
    const bar = okx.perps.candles('BTC-USDT-SWAP', '1h', { limit: 2 })[0];
    expect((bar?.quoteVolume ?? 0) / ((bar?.volume ?? 1) * 0.01 * (bar?.close ?? 1))).toBeCloseTo(1, 1);
    const facts = okx.perps.contracts.get('BTC-USDT-SWAP');
    const coins = (venue: OpenedVenue, symbol: string, value: number) =>
      venue.perps.stats(symbol).openInterest * value;
    expect(facts?.contractValue).toBe(10n ** 16n);
    expect(coins(okx, 'BTC-USDT-SWAP', 0.01) / coins(bybit, 'BTCUSDT', 1)).toBeGreaterThan(0.3);
    expect(coins(okx, 'BTC-USDT-SWAP', 0.01) / coins(bybit, 'BTCUSDT', 1)).toBeLessThan(3);
  });

  test('a status is the one of its market alone, and contracts show it', async () => {
    const { binance } = await openThree();
    binance.setPerpStatus('ETHUSDT', 'BREAK');
    expect(binance.perps.contracts.get('ETHUSDT')?.status).toBe('BREAK');
    expect(binance.perps.markets.get('ETHUSDT')?.status).toBe('BREAK');
    expect(binance.spot.markets.get('ETHUSDT')?.status).toBe('TRADING');
  });

  test('a recording of one market is followed by its coin everywhere, live and in history', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'crossbook-follow-'));
    try {
      const path = join(directory, 'BTCUSDT-1m.csv');
      const first = Date.UTC(2026, 10, 20, 12);
      const rows = Array.from({ length: 600 }, (_, at) => {
        const price = 60_000 + 4_000 * Math.sin(at / 60);
        const time = new Date(first + at * 60_000).toISOString();
        return `${time},${price.toFixed(2)},${(price + 3).toFixed(2)},${(price - 3).toFixed(2)},${(price + 1).toFixed(2)},5`;
      });
      writeFileSync(path, ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
      const { binance, okx, bybit } = await openThree({ path });
      const closes = (venue: OpenedVenue, market: 'spot' | 'perps', symbol: string) =>
        venue[market].candles(symbol, '1m', { limit: 200 }).map(({ close }) => close);
      const reported = closes(binance, 'spot', 'BTCUSDT');
      expect(Math.max(...reported) - Math.min(...reported)).toBeGreaterThan(3_000);
      for (const [venue, market, symbol] of [
        [okx, 'spot', 'BTC-USDT'],
        [bybit, 'spot', 'BTCUSDT'],
        [okx, 'perps', 'BTC-USDT-SWAP'],
      ] as const) {
        closes(venue, market, symbol).forEach((close, at) => {
          expect(Math.abs(close / (reported[at] ?? 0) - 1), `${symbol} ${at}`).toBeLessThan(0.002);
        });
      }
      pass(90);
      const now = binance.spot.ticker('BTCUSDT').last;
      expect(Math.abs(okx.spot.ticker('BTC-USDT').last / now - 1)).toBeLessThan(0.0015);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('ids of trades', () => {
  test.each(['spot', 'perps'] as const)(
    'of %s rise over a restart, also those told of a market asleep',
    async (market) => {
      const data = mkdtempSync(join(tmpdir(), 'crossbook-ids-'));
      try {
        let now: number = START;
        const open = () => openQuietVenue('binance', { clock: () => now as Millis, coins: ['BTC'], data });
        const ids = (venue: OpenedVenue) =>
          venue[market].trades('BTCUSDT', { limit: 1_000 }).map(({ tradeId, time }) => ({ tradeId, time }));
        const first = await open();
        first[market].ticker('BTCUSDT');
        now += 20_000;
        const reported = ids(first).filter(({ time }) => time > START);
        expect(reported.length).toBeGreaterThan(5);
        await first.close();
        now += 1_000;
        const second = await open();
        opened.push(second);
        const again = ids(second);
        now += 20_000;
        const later = ids(second).filter(({ time }) => time > START + 21_000);
        expect(Math.min(...later.map(({ tradeId }) => tradeId))).toBeGreaterThan(
          reported.at(-1)?.tradeId ?? 0,
        );
        expect(again.every((trade, at) => at === 0 || trade.tradeId > (again[at - 1]?.tradeId ?? 0))).toBe(
          true,
        );
        await second.close();
      } finally {
        rmSync(data, { recursive: true, force: true });
      }
    },
  );

  test('of a market asleep are the same after a restart, trade for trade, and go on without a hole', async () => {
    const data = mkdtempSync(join(tmpdir(), 'crossbook-ids-'));
    try {
      let now: number = START;
      const open = () => openQuietVenue('okx', { clock: () => now as Millis, coins: ['BTC'], data });
      const first = await open();
      const { perps } = first.sides;
      perps.ticker('BTC-USDT-SWAP');
      now += 400_000;
      const before = perps.trades('BTC-USDT-SWAP', { limit: 5_000 });
      await first.close();
      now += 3_600_000;
      const second = await open();
      opened.push(second);
      const fromId = before[0]?.tradeId as number;
      const after = second.sides.perps.trades('BTC-USDT-SWAP', { fromId, limit: 1_000_000 });
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.every(({ tradeId }, at) => tradeId === fromId + at)).toBe(true);
      expect(after.at(-1)?.time).toBeGreaterThan(now - 5_000);
      expect(second.perps.house.lastTradeId('BTC-USDT-SWAP')).toBe(after.at(-1)?.tradeId);
      await second.close();
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CandleInterval, type Millis, nextCandleOpen } from '@crossbook/domain';
import { afterAll, describe, expect, test } from 'vitest';
import { RECORDINGS_DIR } from '../../../../../tests/recordings.ts';
import { LISTING, type ListedMarket } from '../listing/listing.ts';
import { openMarketSide, type RunningMarketSide } from '../market-side.ts';
import { volatileFiles } from './market-files.ts';
import type { ReplayPlan } from './replay.ts';
import { parseRecordedTime, parseRecording } from './replay-parse.ts';

const RECORDINGS = join(RECORDINGS_DIR, 'klines-bybit');
const NOW = Date.UTC(2026, 10, 20, 16, 20, 30) as Millis;
const BITCOIN = LISTING.find((market) => market.symbol === 'BTCUSDT') as ListedMarket;
const directory = mkdtempSync(join(tmpdir(), 'crossbook replay '));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(name: string, lines: readonly string[]): string {
  const path = join(directory, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

async function replayed(replay: ReplayPlan, now = NOW, files = volatileFiles()): Promise<RunningMarketSide> {
  const opened = await openMarketSide({ seed: 4, clock: () => now, files, replay });
  if (!opened.ok) throw new Error(opened.code);
  return opened.value;
}

async function refusal(
  name: string,
  lines: readonly string[],
  replay: Partial<ReplayPlan> = {},
): Promise<string> {
  const opened = await openMarketSide({
    seed: 4,
    clock: () => NOW,
    files: volatileFiles(),
    replay: { path: file(name, lines), ...replay },
  });
  return opened.ok ? 'accepted' : opened.code;
}

interface RecordedBar {
  readonly time: Millis;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

function recordedBars(name: string): RecordedBar[] {
  const [, ...rows] = readFileSync(join(RECORDINGS, name), 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [time = '', open, high, low, close, volume] = row.split(',');
    return {
      time: Date.parse(time) as Millis,
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
      volume: Number(volume),
    };
  });
}

describe.skipIf(!existsSync(RECORDINGS))('a recorded month (skipped without RECORDINGS_DIR)', () => {
  const replay = { path: join(RECORDINGS, 'BTCUSDT_1m.csv') };

  test('its minutes are read back exactly, all 43 200', async () => {
    const side = await replayed(replay);
    expect(side.recordedMinutes).toBe(43_200);
    const recorded = recordedBars('BTCUSDT_1m.csv');
    const bars = side.candles('BTCUSDT', '1m', {
      startTime: recorded[0]?.time as Millis,
      limit: recorded.length,
    });
    expect(
      bars.map(({ time, open, high, low, close, volume }) => ({ time, open, high, low, close, volume })),
    ).toEqual(recorded);
  });

  test.each([
    ['5m', 'BTCUSDT_5m.csv'],
    ['15m', 'BTCUSDT_15m.csv'],
    ['1h', 'BTCUSDT_60m.csv'],
    ['4h', 'BTCUSDT_240m.csv'],
  ] as const)(
    'its minutes folded to %s equal the bars the venue itself published',
    async (interval: CandleInterval, name) => {
      const side = await replayed(replay);
      const end = recordedBars('BTCUSDT_1m.csv').at(-1)?.time as Millis;
      // The venue's last bar was downloaded before it closed; every complete one counts.
      const published = recordedBars(name).filter(
        (bar) => nextCandleOpen(bar.time, interval) <= end + 60_000,
      );
      const bars = side.candles('BTCUSDT', interval, {
        startTime: published[0]?.time as Millis,
        limit: published.length,
      });
      expect(
        bars.map(({ time, open, high, low, close, volume }) => ({ time, open, high, low, close, volume })),
      ).toEqual(published);
      expect(published.length).toBeGreaterThan(170);
    },
  );

  test('the seeded price joins the recording at both ends', async () => {
    const side = await replayed(replay);
    const recorded = recordedBars('BTCUSDT_1m.csv');
    const [first, last] = [recorded[0] as RecordedBar, recorded.at(-1) as RecordedBar];
    const before = side.candles('BTCUSDT', '1m', { endTime: (first.time - 60_000) as Millis, limit: 1 })[0];
    const after = side.candles('BTCUSDT', '1m', { startTime: (last.time + 60_000) as Millis, limit: 1 })[0];
    expect(before?.close).toBeCloseTo(first.open, 1);
    expect(after?.open).toBeCloseTo(last.close, 1);
  });

  test('SIM_REPLAY_START lets the live price follow the file at the same time of day, also after a restart days later', async () => {
    const startAt = '2025-06-10T00:00:00Z';
    const files = volatileFiles();
    const side = await replayed({ ...replay, startAt }, NOW, files);
    const recorded = recordedBars('BTCUSDT_1m.csv');
    const atStart = recorded.find((bar) => bar.time === Date.UTC(2025, 5, 10, 16, 20)) as RecordedBar;
    const live = side.fairPrice('BTCUSDT', NOW);
    expect(live).toBeGreaterThanOrEqual(atStart.low);
    expect(live).toBeLessThanOrEqual(atStart.high);
    const later = (NOW + 2 * 86_400_000) as Millis;
    const again = await replayed({ ...replay, startAt }, later, files);
    const twoDaysOn = recorded.find((bar) => bar.time === Date.UTC(2025, 5, 12, 16, 20)) as RecordedBar;
    expect(again.fairPrice('BTCUSDT', later)).toBeGreaterThanOrEqual(twoDaysOn.low);
    expect(again.fairPrice('BTCUSDT', later)).toBeLessThanOrEqual(twoDaysOn.high);
  });
});

describe('recorded layouts', () => {
  const open = Date.UTC(2025, 0, 2, 3, 4);
  const kline = (unit: number): string =>
    [
      open * unit,
      '100.50000000',
      '101.00',
      '100.25',
      '100.75',
      '2.50000000',
      (open + 59_999) * unit,
      '251.625',
      7,
      '1.5',
      '150.9',
      0,
    ].join();

  test.each([
    ['milliseconds', [kline(1)]],
    ['microseconds', [kline(1_000)]],
    [
      'a header',
      [
        'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
        kline(1),
      ],
    ],
    ['Windows line ends and a blank line at the end', [`${kline(1)}\r`, '']],
  ])('Vision klines with %s keep all their figures', async (_, lines) => {
    const side = await replayed({ path: file('BTCUSDT-1m-2025-01.csv', lines) });
    expect(side.candles('BTCUSDT', '1m', { startTime: open as Millis, limit: 1 })).toEqual([
      {
        time: open,
        open: 100.5,
        high: 101,
        low: 100.25,
        close: 100.75,
        volume: 2.5,
        quoteVolume: 251.625,
        trades: 7,
        takerBaseVolume: 1.5,
        takerQuoteVolume: 150.9,
      },
    ]);
  });

  test('Vision aggTrades become minutes, with a flat one where nothing traded', async () => {
    const lines = [
      `1,100.50,2.00000,10,12,${open * 1_000},True,True`,
      `2,101.00,1.00000,13,13,${(open + 59_000) * 1_000},False,True`,
      `3,99.00,0.50000,14,14,${(open + 120_000) * 1_000},true,true`,
    ];
    const side = await replayed({ path: file('BTCUSDT-aggTrades-2025-01-02.csv', lines) });
    const bars = side.candles('BTCUSDT', '1m', { startTime: open as Millis, limit: 3 });
    expect(bars[0]).toEqual({
      time: open,
      open: 100.5,
      high: 101,
      low: 100.5,
      close: 101,
      volume: 3,
      quoteVolume: 302,
      trades: 4,
      takerBaseVolume: 1,
      takerQuoteVolume: 101,
    });
    expect(bars[1]).toMatchObject({ open: 101, close: 101, volume: 0, trades: 0 });
    expect(bars[2]).toMatchObject({ open: 99, volume: 0.5, takerBaseVolume: 0 });
  });

  test.each([
    ['2025-05-30 16:39:00+00:00', Date.UTC(2025, 4, 30, 16, 39)],
    ['2025-05-30T16:39:00Z', Date.UTC(2025, 4, 30, 16, 39)],
    ['2025-05-30 16:39', Date.UTC(2025, 4, 30, 16, 39)],
    ['2025-05-30', Date.UTC(2025, 4, 30)],
    ['1748623140000', Date.UTC(2025, 4, 30, 16, 39)],
    ['1748623140000000', Date.UTC(2025, 4, 30, 16, 39)],
    ['yesterday', undefined],
    ['2025-13-30T00:00:00Z', undefined],
    ['', undefined],
  ])('the time %j is read as %s', (text, time) => {
    expect(parseRecordedTime(text)).toBe(time);
  });
});

describe('a recording that cannot be used is refused by file and line', () => {
  const header = 'timestamp,open,high,low,close,volume';
  const good = '2025-01-02 03:04:00+00:00,100.5,101,100.25,100.75,2.5';

  test.each([
    [
      'a price between two ticks',
      [header, '2025-01-02 03:04:00+00:00,100.505,101,100,100.5,1'],
      ':2: open "100.505" is no multiple of the tick size 0.01',
    ],
    [
      'a quantity between two lots',
      [header, good, '2025-01-02 03:05:00+00:00,100,101,100,100.5,0.000001'],
      ':3: volume "0.000001" is no multiple of the lot size 0.00001',
    ],
    [
      'an exponent',
      [header, '2025-01-02 03:04:00+00:00,1e2,101,100,100.5,1'],
      ':2: open "1e2" is no multiple',
    ],
    [
      'a high below the close',
      [header, '2025-01-02 03:04:00+00:00,100,100.1,99,100.5,1'],
      ':2: high is below open or close',
    ],
    ['times that stand still', [header, good, good], ':3: the time is not after the line before'],
    [
      'bars of another length',
      [header, '2025-01-02 03:04:30+00:00,100,101,99,100.5,1'],
      ':2: the time is not the start of a minute',
    ],
    ['a time that is none', [header, 'soon,100,101,99,100.5,1'], ':2: time "soon" is neither'],
    ['an unknown layout', ['a,b,c'], ':1: 3 columns are no known layout'],
    ['missing columns', [header, '2025-01-02 03:04:00+00:00,100,101'], ':2: low "" is no multiple'],
    ['an endless line', [header, 'x'.repeat(5_000)], ':2: longer than 1024 characters'],
    ['no rows', [header], ': no rows'],
    ['nothing', [], ': no rows'],
  ])('%s', async (_, lines, message) => {
    expect(await refusal('BTCUSDT_bad.csv', lines)).toContain(`BTCUSDT_bad.csv${message}`);
  });

  test('an unlisted market, a missing file, a start outside the recording', async () => {
    expect(await refusal('NOPEUSDT_1m.csv', [header, good])).toContain('no listed market');
    expect(await refusal('BTCUSDTX_1m.csv', [header, good])).toContain('no listed market');
    expect(await refusal('x.csv', [header, good], { symbol: 'btcusdt' })).toBe('accepted');
    expect(await refusal('BTCUSDT_1m.csv', [header, good], { startAt: '2031-01-01' })).toContain(
      '2025-01-02T03:04:00.000Z to',
    );
    const missing = { path: join(directory, 'BTCUSDT_missing.csv') };
    const opened = await openMarketSide({
      seed: 1,
      clock: () => NOW,
      files: volatileFiles(),
      replay: missing,
    });
    expect(opened).toMatchObject({ ok: false, code: expect.stringContaining('ENOENT') });
  });

  test('damaged lines never crash the parser', async () => {
    const alphabet = ['0', '9', '.', ',', '-', 'e', ' ', '\u0000', 'T', ':', 'é'];
    for (let round = 0; round < 500; round += 1) {
      const at = (round * 7) % good.length;
      const damaged =
        good.slice(0, at) + (alphabet[round % alphabet.length] ?? '') + good.slice(at + (round % 3));
      const parsed = await parseRecording('f', BITCOIN, [header, damaged]);
      if (!parsed.ok) expect(parsed.code).toMatch(/^f:2: /);
    }
  });
});

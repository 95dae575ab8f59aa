import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../tests/property-runs.ts';
import { RECORDINGS_DIR } from '../../tests/recordings.ts';
import { type ReplayReport, replay } from './replay.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-recording-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, bytes: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

type Level = readonly [price: string, size: string];

/** A USD-M diff whose ids follow those before by `pu`. */
const diff = (ids: readonly [pu: number, U: number, u: number], b: Level[], a: Level[] = []): string =>
  JSON.stringify({
    stream: 'btcusdt@depth@0ms',
    data: { e: 'depthUpdate', E: 5, T: 4, s: 'BTCUSDT', U: ids[1], u: ids[2], pu: ids[0], b, a },
  });
const ticker = (u: number, [b, B]: Level, [a, A]: Level): string =>
  JSON.stringify({
    stream: 'btcusdt@bookTicker',
    data: { e: 'bookTicker', u, s: 'BTCUSDT', b, B, a, A, T: 4, E: 5 },
  });
const book = (lastUpdateId: number): string =>
  JSON.stringify({ lastUpdateId, E: 5, T: 4, bids: [['99.5', '1.000']], asks: [['100.0', '2.000']] });

/** A session as hftbacktest writes it: nanoseconds and the message. */
const FUTURES_SESSION = [
  diff([90, 95, 100], [['99.0', '4.000']]),
  book(105),
  diff([100, 104, 110], [['99.6', '1.500']]),
  ticker(110, ['99.6', '1.500'], ['100.0', '2.000']),
  ticker(120, ['99.7', '1.000'], ['100.0', '2.000']),
  diff([110, 119, 120], [['99.6', '0.000']], [['100.0', '2.250']]),
];
const hft = (messages: readonly string[]): string =>
  messages.map((message, index) => `${1_723_161_255_000_000_000n + BigInt(index)} ${message}\n`).join('');

const FUTURES_REPORT: Omit<ReplayReport, 'file'> = {
  venue: 'binance',
  market: 'futures',
  symbol: 'BTCUSDT',
  messages: 4,
  applied: 3,
  gaps: 0,
  resyncs: 0,
  crossed: 0,
  bestEqual: 1,
  bestCompared: 2,
  checksumEqual: 0,
  checksumCompared: 0,
  fallbacks: 1,
  bestBid: '99.5',
  bestAsk: '100.0',
};

describe('the hftbacktest layout', () => {
  test('a futures session is joined with its inline book and compared with bookTicker', async () => {
    const file = written('futures.gz', gzipSync(hft(FUTURES_SESSION)));
    expect(await replay(file)).toEqual({ lines: 6, unreadable: 0, reports: [{ file, ...FUTURES_REPORT }] });
  });

  test('a missing line is a gap: the book is dropped, and no price is told that is not known', async () => {
    const file = written('gap.gz', gzipSync(hft(FUTURES_SESSION.filter((_line, index) => index !== 2))));
    const { reports } = await replay(file);
    expect(reports).toMatchObject([{ applied: 1, gaps: 1, resyncs: 1, bestBid: null, bestAsk: null }]);
  });

  test('a line of another symbol takes no book from the others', async () => {
    const stray = diff([1, 2, 3], [['1', '1']])
      .replaceAll('BTCUSDT', 'XYZUSDT')
      .replace('btcusdt', 'xyzusdt');
    const file = written('stray.gz', gzipSync(hft([...FUTURES_SESSION, stray])));
    const { reports } = await replay(file);
    expect(reports).toMatchObject([
      { symbol: 'BTCUSDT', applied: 3, bestBid: '99.5' },
      { symbol: 'XYZUSDT', applied: 0, bestBid: null },
    ]);
  });

  test('lines that are none are counted and passed over', async () => {
    const [first = '', ...others] = FUTURES_SESSION;
    const spoilt = `${hft([first])}nonsense\n123\n1723161255000000001 {"stream":\n\n${hft(others)}{"t":"recv"}\n`;
    const result = await replay(written('spoilt.gz', gzipSync(spoilt)));
    expect(result).toMatchObject({ lines: 10, unreadable: 4, reports: [{ applied: 3, bestBid: '99.5' }] });
  });

  test('a cut file gives what it holds up to the cut', async () => {
    const size = '7'.repeat(3);
    const many = Array.from({ length: 400 }, (_entry, index) =>
      diff(
        [120 + index, 121 + index, 121 + index],
        [[`${90 + (index % 9)}.${index % 10}`, `${index}.${size}`]],
      ),
    );
    const whole = gzipSync(hft([...FUTURES_SESSION, ...many]));
    const { reports } = await replay(written('cut.gz', whole.subarray(0, whole.length / 2)));
    const [report] = reports;
    expect(report).toMatchObject({ symbol: 'BTCUSDT', gaps: 0, resyncs: 0, bestBid: '99.5' });
    expect(report?.applied).toBeGreaterThan(10);
    expect(report?.applied).toBeLessThan(400);
  });
});

const line = (entry: object): string => `${JSON.stringify(entry)}\n`;
const frame = (conn: string, ts: number, data: object): string =>
  line({ t: 'recv', conn, ts, data: JSON.stringify(data) });

const bybit = (type: 'snapshot' | 'delta', u: number, b: Level[], a: Level[]): object => ({
  topic: 'orderbook.200.SOLUSDT',
  type,
  ts: 1_786_310_818_129,
  data: { s: 'SOLUSDT', b, a, u, seq: u },
  cts: 1_786_310_818_027,
});
const BYBIT_SESSION =
  line({ t: 'header', version: 1 }) +
  line({ t: 'connect', conn: 'BYBIT.ws.1', ts: 1, addr: 'wss://stream.bybit.com/v5/public/spot' }) +
  line({ t: 'send', conn: 'BYBIT.ws.1', ts: 1.5, addr: 'x', data: '{}' }) +
  frame('BYBIT.ws.1', 2, bybit('snapshot', 7, [['77.10', '1.5']], [['77.20', '2']])) +
  frame('BYBIT.ws.1', 3, bybit('delta', 8, [['77.15', '0.25']], [['77.20', '0']]));
const spot = (u: number, b: Level[]): object => ({
  stream: 'nknusdt@depth@100ms',
  data: { e: 'depthUpdate', E: 5, s: 'NKNUSDT', U: u, u, b, a: [] },
});

describe('the cryptofeed layout', () => {
  const expected = {
    venue: 'bybit',
    market: 'spot',
    symbol: 'SOLUSDT',
    messages: 2,
    applied: 2,
    bestBid: '77.15',
    bestAsk: null,
  };

  test.each([
    ['BYBIT.jsonl', (text: string) => Buffer.from(text)],
    ['BYBIT.jsonl.zst', (text: string) => zstdCompressSync(text)],
    ['BYBIT.jsonl.gz', (text: string) => gzipSync(text)],
  ])('%s is read, and its market told by the address', async (name, pack) => {
    const { reports, unreadable } = await replay(written(name, pack(BYBIT_SESSION)));
    expect(reports).toMatchObject([expected]);
    expect(unreadable).toBe(0);
  });

  test('a book by REST is joined at its time, wherever its line stands; steps are those of the listing beside', async () => {
    mkdirSync(join(folder, 'http'), { recursive: true });
    const filters = [
      { filterType: 'PRICE_FILTER', minPrice: '0.0001', maxPrice: '1000', tickSize: '0.0001' },
      { filterType: 'LOT_SIZE', minQty: '1', maxQty: '9000000', stepSize: '1' },
    ];
    const symbols = [{ symbol: 'NKNUSDT', status: 'TRADING', baseAsset: 'NKN', quoteAsset: 'USDT', filters }];
    written('http/BINANCE.api_binance_com_api_v3_exchangeInfo.json', JSON.stringify({ symbols }));
    const conn = 'BINANCE.ws.1';
    const depth = { lastUpdateId: 11, bids: [['0.35', '672']], asks: [['0.36', '5']] };
    const url = 'https://api.binance.com/api/v3/depth?symbol=NKNUSDT&limit=1000';
    const session =
      line({ t: 'http', conn: 'BINANCE.http.0', ts: 2.5, url, data: JSON.stringify(depth) }) +
      line({ t: 'connect', conn, ts: 1, addr: 'wss://stream.binance.com:9443/stream?streams=x' }) +
      frame(conn, 2, spot(10, [['0.34', '1']])) +
      frame(conn, 3, spot(11, [['0.34', '2']])) +
      frame(conn, 4, spot(12, [['0.355', '3']]));
    const { reports } = await replay(written('BINANCE.jsonl', session));
    expect(reports).toMatchObject([
      {
        market: 'spot',
        symbol: 'NKNUSDT',
        messages: 4,
        gaps: 0,
        fallbacks: 0,
        bestBid: '0.3550',
        bestAsk: '0.3600',
      },
    ]);
  });

  test('a connection that is opened anew begins its books anew', async () => {
    const again = line({
      t: 'connect',
      conn: 'BYBIT.ws.1',
      ts: 4,
      addr: 'wss://stream.bybit.com/v5/public/spot',
    });
    const { reports } = await replay(written('again.jsonl', BYBIT_SESSION + again));
    expect(reports).toMatchObject([{ resyncs: 1, bestBid: null }]);
  });
});

describe('files that are no recordings', () => {
  const noise = Buffer.from(Array.from({ length: 5_000 }, (_entry, at) => (at * 7_919 + (at >> 3)) % 256));
  test.each(['noise.gz', 'noise.jsonl', 'noise.jsonl.zst', 'noise'])(
    '%s has no book and does not crash',
    async (name) => {
      const result = await replay(written(name, noise));
      expect(result.reports).toEqual([]);
      expect(result.unreadable).toBeGreaterThan(0);
    },
  );

  test('JSON of other kinds is passed over', async () => {
    const others =
      '[]\n"x"\nnull\n{"t":7}\n{"t":"recv","conn":"c","ts":1,"data":"[1]"}\n{"t":"recv","conn":"c","ts":1,"data":"{}"}\n';
    expect(await replay(written('others.jsonl', others))).toMatchObject({ reports: [], unreadable: 6 });
  });

  test('a cut zst gives up at the cut', async () => {
    const whole = zstdCompressSync(BYBIT_SESSION.repeat(50));
    await expect(
      replay(written('cut.jsonl.zst', whole.subarray(0, whole.length - 20))),
    ).resolves.toBeDefined();
  });

  test('any damage to the bytes of a recording is counted, never thrown at', async () => {
    const whole = Buffer.from(BYBIT_SESSION + hft(FUTURES_SESSION));
    const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const damaged = Buffer.from(whole);
        for (const [at, byte] of changes) damaged[at] = byte;
        for (const report of (await replay(written('damaged.jsonl', damaged))).reports) {
          expect(report.applied).toBeLessThanOrEqual(report.messages);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('a file that is not there is refused', async () => {
    await expect(replay(join(folder, 'absent.gz'))).rejects.toThrow('ENOENT');
  });
});

test('the command prints one JSON line per instrument and tells by its exit code what it could not open', () => {
  const file = written('command.gz', gzipSync(hft(FUTURES_SESSION)));
  const script = join(import.meta.dirname, '../recording.ts');
  const run = (...files: string[]) =>
    spawnSync(process.execPath, [script, ...files], { encoding: 'utf8', timeout: 300_000 });
  const good = run(file);
  expect(
    good.stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text)),
  ).toEqual([{ file, ...FUTURES_REPORT }]);
  expect([good.status, good.stderr]).toEqual([0, '']);
  const mixed = run(join(folder, 'absent.gz'), file);
  expect(mixed.status).toBe(1);
  expect(mixed.stdout).toBe(good.stdout);
  expect(mixed.stderr).toContain('ENOENT');
  expect(run().status).toBe(2);
});

describe('the shared recordings', () => {
  const sound = { gaps: 0, resyncs: 0, crossed: 0 };
  const cases: [string, Partial<ReplayReport>[]][] = [
    ['hftbacktest/spot/btcusdt_20240808.gz', [{ applied: 3_450, bestEqual: 564, bestCompared: 564 }]],
    ['hftbacktest/usdm/btcusdt_20240808.gz', [{ applied: 6_548, bestEqual: 629, bestCompared: 629 }]],
    [
      'cryptofeed/BINANCE.jsonl',
      [
        { bestEqual: 19, bestCompared: 19 },
        { bestEqual: 6, bestCompared: 6 },
      ],
    ],
    [
      'cryptofeed/BINANCE_FUTURES.jsonl',
      [
        { bestEqual: 12, bestCompared: 12 },
        { bestEqual: 7, bestCompared: 7 },
      ],
    ],
    [
      'cryptofeed/BYBIT.jsonl',
      [
        { messages: 414, applied: 414 },
        { messages: 383, applied: 383 },
        { messages: 250, applied: 250 },
      ],
    ],
    ['cryptofeed/OKX.jsonl', [{ messages: 98, applied: 98, checksumEqual: 98, checksumCompared: 98 }]],
  ];
  for (const [path, reports] of cases) {
    const file = join(RECORDINGS_DIR, path);
    if (!existsSync(file))
      console.warn(`SKIPPED: no recording ${path} under RECORDINGS_DIR (${RECORDINGS_DIR})`);
    test.skipIf(!existsSync(file))(`${path} builds the right books`, async () => {
      const result = await replay(file);
      expect(result.unreadable).toBe(0);
      expect(result.reports).toMatchObject(reports.map((report) => ({ ...report, ...sound })));
      for (const report of result.reports)
        expect(Number(report.bestBid)).toBeLessThan(Number(report.bestAsk));
    });
  }
});

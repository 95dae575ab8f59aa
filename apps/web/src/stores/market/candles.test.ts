import type { CandleFrame, TradesFrame } from '@crossbook/contract';
import type { Candle, Millis } from '@crossbook/domain';
import { expect, test, vi } from 'vitest';
import { type CandleListener, createCandleSeries, foldTape, type ReadCandlePage } from './candles.ts';
import { createTapeStore } from './tape.ts';

const MINUTE = 60_000;
function bars(from: number, count: number): Candle[] {
  return Array.from({ length: count }, (_, at) => ({
    time: ((from + at) * MINUTE) as Millis,
    open: 1,
    high: 2,
    low: 0.5,
    close: 1.5,
    volume: 10,
  }));
}
function live(minute: number, close: number): CandleFrame {
  return { ch: 'candle', s: 'BTCUSDT', i: '1m', d: [minute * MINUTE, 1, 2, 0.5, close, 3], x: false };
}

/** A listener that writes down what it heard. */
function recorder() {
  const heard: string[] = [];
  const listener: CandleListener = {
    onBars: (page, older) => heard.push(`bars ${page.length} ${older}`),
    onOlder: (page, older) => heard.push(`older ${page.length} ${older}`),
    onUpdate: (bar) => heard.push(`update ${bar.time / MINUTE} ${bar.close}`),
    onFailure: () => heard.push('failure'),
  };
  return { heard, listener };
}

test('the page before is read ahead, delivered when wanted, and the end of history is said', async () => {
  const pages: Record<string, readonly Candle[]> = { now: bars(20, 10), [20 * MINUTE]: bars(10, 10) };
  const asked: string[] = [];
  const read: ReadCandlePage = async (end) => {
    asked.push(`${end ?? 'now'}`);
    return pages[`${end ?? 'now'}`] ?? [];
  };
  const { heard, listener } = recorder();
  const series = createCandleSeries('1m', read, listener);
  series.start();
  await vi.waitFor(() => expect(asked).toEqual(['now', `${20 * MINUTE}`]), { timeout: 20_000 });
  series.wantOlder();
  await vi.waitFor(() => expect(heard).toEqual(['bars 10 true', 'older 10 true']), { timeout: 20_000 });
  series.wantOlder();
  await vi.waitFor(() => expect(heard.at(-1)).toBe('older 0 false'), { timeout: 20_000 });
  expect(asked).toEqual(['now', `${20 * MINUTE}`, `${10 * MINUTE}`]);
});

test('live bars amend the newest or open the next; older ones change nothing', async () => {
  const { heard, listener } = recorder();
  const series = createCandleSeries('1m', async (end) => (end === undefined ? bars(0, 3) : []), listener);
  series.start();
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000 });
  series.fold(live(2, 7));
  series.fold(live(3, 8));
  series.fold(live(1, 9));
  series.fold({ ...live(4, 9), i: '5m' });
  expect(heard.slice(1)).toEqual(['update 2 7', 'update 3 8']);
});

test('a live bar that came while the page was on its way is not lost', async () => {
  const { heard, listener } = recorder();
  const series = createCandleSeries('1m', async (end) => (end === undefined ? bars(0, 3) : []), listener);
  series.start();
  series.fold(live(3, 8));
  await vi.waitFor(() => expect(heard).toEqual(['bars 3 true', 'update 3 8']), { timeout: 20_000 });
});

test('a hole between the newest bar and a live one is filled by reading again', async () => {
  let first = true;
  const { heard, listener } = recorder();
  const read: ReadCandlePage = async (end) => {
    if (end !== undefined) return [];
    const page = first ? bars(0, 3) : bars(0, 9);
    first = false;
    return page;
  };
  const series = createCandleSeries('1m', read, listener);
  series.start();
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000 });
  series.fold(live(8, 4));
  await vi.waitFor(() => expect(heard.at(-1)).toBe('update 8 4'), { timeout: 20_000 });
  expect(heard.slice(1)).toEqual([2, 3, 4, 5, 6, 7, 8].map((at) => `update ${at} 1.5`).concat('update 8 4'));
});

test('a page that does not reach back to the newest bar starts the series anew', async () => {
  let first = true;
  const { heard, listener } = recorder();
  const read: ReadCandlePage = async (end) => {
    if (end !== undefined) return [];
    const page = first ? bars(0, 3) : bars(100, 5);
    first = false;
    return page;
  };
  const series = createCandleSeries('1m', read, listener);
  series.start();
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000 });
  series.catchUp();
  await vi.waitFor(() => expect(heard).toEqual(['bars 3 true', 'bars 5 true']), { timeout: 20_000 });
});

test('a failed read says so and may be tried again; a closed series is silent', async () => {
  let broken = true;
  const { heard, listener } = recorder();
  const read: ReadCandlePage = async (end) => (broken ? undefined : end === undefined ? bars(0, 2) : []);
  const series = createCandleSeries('1m', read, listener);
  series.start();
  await vi.waitFor(() => expect(heard).toEqual(['failure']), { timeout: 20_000 });
  broken = false;
  series.start();
  await vi.waitFor(() => expect(heard).toEqual(['failure', 'bars 2 true']), { timeout: 20_000 });
  series.close();
  series.fold(live(2, 1));
  expect(heard).toHaveLength(2);
});

test("a hole that the venue's own page has is shown as it is, and read once", async () => {
  let reads = 0;
  const { heard, listener } = recorder();
  const read: ReadCandlePage = async (end) => {
    if (end !== undefined) return [];
    reads += 1;
    return reads === 1 ? bars(0, 3) : [...bars(0, 3), ...bars(7, 2)];
  };
  const series = createCandleSeries('1m', read, listener);
  series.start();
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000 });
  series.fold(live(8, 4));
  await vi.waitFor(() => expect(heard.at(-1)).toBe('update 8 4'), { timeout: 20_000 });
  expect(heard.slice(1)).toEqual(['update 2 1.5', 'update 7 1.5', 'update 8 1.5', 'update 8 4']);
  expect(reads).toBe(2);
});

test('a trade moves the end of the newest bar, never its volume or another bar, until the next live bar', async () => {
  const seen: Candle[] = [];
  const { heard, listener } = recorder();
  const series = createCandleSeries('1m', async (end) => (end === undefined ? bars(0, 3) : []), {
    ...listener,
    onUpdate: (bar) => seen.push(bar),
  });
  series.foldTrade(9, 2 * MINUTE);
  series.start();
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000 });
  series.foldTrade(3, 2 * MINUTE);
  const bar = { time: 2 * MINUTE, open: 1, high: 3, low: 0.5, close: 3, volume: 10 };
  expect(seen.splice(0)).toEqual([bar]);
  series.foldTrade(0.25, 3 * MINUTE - 1);
  expect(seen.splice(0)).toEqual([{ ...bar, low: 0.25, close: 0.25 }]);
  // The same price again, a trade of the next bar, a late one of the bar before.
  series.foldTrade(0.25, 3 * MINUTE - 1);
  series.foldTrade(5, 3 * MINUTE);
  series.foldTrade(5, 2 * MINUTE - 1);
  expect(seen).toEqual([]);
  series.fold(live(2, 1.75));
  expect(seen).toEqual([{ ...bar, high: 2, close: 1.75, volume: 3 }]);
  series.close();
  series.foldTrade(5, 3 * MINUTE - 1);
  expect(seen).toHaveLength(1);
});

test('each trade of the tape is folded once, and nothing after the end', () => {
  const tape = createTapeStore();
  const folded: string[] = [];
  tape.follow({ s: 'BTCUSDT' });
  const series = { foldTrade: (price: number, time: number) => folded.push(`${price} at ${time}`) };
  const stop = foldTape(tape, series, (ticks) => ticks / 100);
  const frame = (id: string, price: number, time: number): TradesFrame => ({
    ch: 'trades',
    s: 'BTCUSDT',
    k: 'd',
    d: [[id, price, 1, 1, time]],
  });
  tape.fold(frame('1', 150, 7), 0);
  tape.fold(frame('1', 150, 7), 0);
  tape.fold(frame('2', 175, 8), 0);
  stop();
  tape.fold(frame('3', 200, 9), 0);
  expect(folded).toEqual(['1.5 at 7', '1.75 at 8']);
});

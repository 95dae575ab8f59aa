import type { BookChange, Instrument, Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { BookSync } from '../book-sync.ts';
import { recorded } from '../conformance/recorded.ts';
import { BTCUSDT } from '../conformance/sample-instruments.ts';
import type { MarketMessage } from '../venue-public.ts';
import { scaled } from '../wire/scaled-instruments.ts';
import { createBinancePublic } from './binance-public.ts';
import { normaliseBookSnapshot } from './normalise.ts';

const NOW = 1_000 as Millis;
const KINDS = ['book', 'trades', 'ticker', 'candle', 'acknowledged', 'ignored', 'malformed'];
const binance = createBinancePublic({
  restBase: '',
  socketBase: '',
  fetchText: () => Promise.reject(new Error('no network in this test')),
  clock: () => NOW,
  instruments: [BTCUSDT] satisfies Instrument[],
});

/** The truth: books by update id, as decimal strings, made by the slowest means there is. */
interface Truth {
  readonly frames: readonly string[];
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
  /** Levels after each frame, price in ticks to size in lots. */
  readonly books: readonly { readonly bids: Map<number, number>; readonly asks: Map<number, number> }[];
}

const decimal = (steps: number, places: number): string => {
  const digits = String(steps).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places).padEnd(8, '0')}`;
};

/** Builds frames from random moves; bids stay below 1,000 ticks and asks above, so the truth never crosses. */
function truthOf(moves: readonly (readonly [number, number, number][])[]): Truth {
  const book = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  const frames: string[] = [];
  const firsts: number[] = [];
  const lasts: number[] = [];
  const books: { bids: Map<number, number>; asks: Map<number, number> }[] = [];
  let last = 100;
  for (const move of moves) {
    const first = last + 1;
    last += move.length + 1;
    const b: [string, string][] = [];
    const a: [string, string][] = [];
    for (const [side, depth, size] of move) {
      const price = side === 0 ? 999 - depth : 1_001 + depth;
      const levels = side === 0 ? book.bids : book.asks;
      if (size === 0) levels.delete(price);
      else levels.set(price, size);
      (side === 0 ? b : a).push([decimal(price, 2), decimal(size, 5)]);
    }
    const data = { e: 'depthUpdate', E: NOW, s: 'BTCUSDT', U: first, u: last, b, a };
    frames.push(JSON.stringify({ stream: 'btcusdt@depth@100ms', data }));
    firsts.push(first);
    lasts.push(last);
    books.push({ bids: new Map(book.bids), asks: new Map(book.asks) });
  }
  return { frames, firsts, lasts, books };
}

function snapshotAt(truth: Truth, index: number): BookChange {
  const book = truth.books[index];
  const rows = (levels: Map<number, number> | undefined) =>
    [...(levels ?? [])].map(([price, size]) => [decimal(price, 2), decimal(size, 5)]);
  const answer = { lastUpdateId: truth.lasts[index], bids: rows(book?.bids), asks: rows(book?.asks) };
  return normaliseBookSnapshot(answer, scaled(BTCUSDT), NOW) as BookChange;
}

/** A live book must be exactly the true book of its update id. */
function expectTrue(sync: BookSync, truth: Truth): void {
  if (sync.state !== 'LIVE') return;
  const book = truth.books[truth.lasts.indexOf(sync.book.lastSeq)];
  expect(book, `a live book at update ${sync.book.lastSeq}, which never was`).toBeDefined();
  for (const side of ['bids', 'asks'] as const) {
    const levels = [...(book?.[side] ?? [])].sort((l, r) => (side === 'bids' ? r[0] - l[0] : l[0] - r[0]));
    expect(sync.book.levels(side)).toEqual(levels);
  }
}

const moves = fc.array(
  fc.array(
    fc.tuple(
      fc.constantFrom(0, 1),
      fc.integer({ min: 0, max: 12 }),
      fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10 ** 9 })),
    ),
    { minLength: 1, maxLength: 6 },
  ),
  { minLength: 6, maxLength: 40 },
);
const fault = fc.constantFrom('none', 'none', 'none', 'none', 'drop', 'repeat', 'swap', 'truncate', 'old');

test('drops, repeats, swaps, truncations and late answers never leave a live book that is not the true one', () => {
  const totals = { lives: 0, resyncs: 0, frames: 0 };
  fc.assert(
    fc.property(moves, fc.array(fault, { minLength: 40, maxLength: 40 }), fc.nat(8), (steps, faults, lag) => {
      const truth = truthOf(steps);
      const sync = new BookSync({ venue: binance, symbol: 'BTCUSDT' });
      const feed = (index: number, bytes: Buffer): void => {
        totals.frames += 1;
        const message = binance.socket.decode(bytes, NOW);
        expect(KINDS).toContain(message.kind);
        if (message.kind === 'book') sync.apply(message.change);
        expectTrue(sync, truth);
        // The snapshot that is asked for may be old: at most `lag` frames behind.
        if (sync.needsSnapshot) sync.apply(snapshotAt(truth, Math.max(0, index - (index % (lag + 1)))));
        expectTrue(sync, truth);
      };
      const order = truth.frames.map((_frame, index) => index);
      for (let at = 0; at < order.length; at += 1) {
        const index = order[at] as number;
        const bytes = Buffer.from(truth.frames[index] as string);
        const kind = faults[at % faults.length];
        if (kind === 'drop') continue;
        if (kind === 'swap' && at + 1 < order.length)
          [order[at], order[at + 1]] = [order[at + 1] as number, index];
        if (kind === 'truncate') feed(index, bytes.subarray(0, Math.floor(bytes.length / 2)));
        else feed(order[at] as number, Buffer.from(truth.frames[order[at] as number] as string));
        if (kind === 'repeat') feed(index, bytes);
        if (kind === 'old') feed(index, Buffer.from(truth.frames[Math.floor(index / 2)] as string));
      }
      totals.resyncs += sync.counters.resyncs;
      // At rest, one sound snapshot and the book is the true one.
      if (sync.needsSnapshot) sync.apply(snapshotAt(truth, truth.frames.length - 1));
      expectTrue(sync, truth);
      if (sync.state === 'LIVE') totals.lives += 1;
    }),
    { numRuns: runs(400), seed: 7 },
  );
  expect(totals.frames).toBeGreaterThan(5_000);
  expect(totals.resyncs).toBeGreaterThan(100);
  expect(totals.lives).toBe(runs(400));
});

test('update ids with a wrong digit are found out by the next sound message at the latest', () => {
  fc.assert(
    fc.property(
      moves,
      fc.nat(),
      fc.integer({ min: 0, max: 3_000 }),
      fc.boolean(),
      (steps, pick, wrong, start) => {
        const truth = truthOf(steps);
        const sync = new BookSync({ venue: binance, symbol: 'BTCUSDT' });
        sync.apply(snapshotAt(truth, 0));
        const victim = 2 + (pick % (truth.frames.length - 3));
        for (let index = 1; index <= victim + 1; index += 1) {
          const message = binance.socket.decode(Buffer.from(truth.frames[index] as string), NOW);
          if (message.kind !== 'book') throw new Error('a sound frame did not decode');
          const ids = start ? { firstSeq: wrong } : { lastSeq: wrong };
          sync.apply(index === victim ? ({ ...message.change, ...ids } as BookChange) : message.change);
        }
        expectTrue(sync, truth);
      },
    ),
    { numRuns: runs(2_000) },
  );
});

/** Changes one to four bytes: flips, removals, insertions, copies of other parts. */
function mutate(bytes: Buffer, edits: readonly (readonly [number, number, number])[]): Buffer {
  let changed = Buffer.from(bytes);
  for (const [kind, where, value] of edits) {
    const at = where % Math.max(changed.length, 1);
    if (kind === 0) changed[at] = value;
    else if (kind === 1)
      changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + 1 + (value % 40))]);
    else if (kind === 2)
      changed = Buffer.concat([changed.subarray(0, at), Buffer.of(value), changed.subarray(at)]);
    else if (kind === 3) changed = Buffer.concat([changed, changed.subarray(at, at + value)]);
    else changed[at] = '0123456789.-eE"[]{},:'.charCodeAt(value % 21);
  }
  return changed;
}

/** Every figure of a decoded message is a number in range, whatever the bytes were. */
function expectSound(message: MarketMessage): void {
  expect(KINDS).toContain(message.kind);
  const whole = (value: number) => expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
  if (message.kind === 'book') {
    whole(message.change.firstSeq);
    whole(message.change.lastSeq - message.change.firstSeq);
    for (const level of [...message.change.bids, ...message.change.asks]) level.forEach(whole);
  }
  if (message.kind === 'trades')
    for (const trade of message.trades) [trade.price, trade.size, trade.time].forEach(whole);
  if (message.kind === 'candle') {
    const { open, high, low, close, volume } = message.candle;
    for (const figure of [open, high, low, close, volume]) expect(Number.isFinite(figure)).toBe(true);
  }
}

const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 4 });
const sessionFile = recorded('hftbacktest/spot/btcusdt_20240808.gz');
const recordedFrames = (sessionFile ?? Buffer.alloc(0))
  .toString('utf8')
  .split('\n')
  .filter((line) => line.includes('"depthUpdate"') || line.includes('"trade"'))
  .slice(0, 3_000)
  .map((line) => Buffer.from(line.slice(line.indexOf(' ') + 1)));

describe('mutated bytes', () => {
  const generated = truthOf([
    [
      [0, 1, 5],
      [1, 2, 0],
    ],
  ]).frames.map((frame) => Buffer.from(frame));
  const kline = { t: 1, T: 2, s: 'BTCUSDT', i: '1m', o: '1.0', c: '1.5', h: '2', l: '0.5', v: '3', x: true };
  const others = [
    { stream: 'btcusdt@kline_1m', data: { e: 'kline', E: 1, s: 'BTCUSDT', k: kline } },
    {
      stream: 'btcusdt@trade',
      data: { e: 'trade', E: 1, s: 'BTCUSDT', t: 9, p: '10.01', q: '0.5', T: 1, m: true },
    },
    { result: null, id: 7 },
  ].map((frame) => Buffer.from(JSON.stringify(frame)));

  test('of generated frames decode to sound figures or to malformed, and never throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...generated, ...others), edits, (frame, changes) => {
        expectSound(binance.socket.decode(mutate(frame, changes), NOW));
      }),
      { numRuns: runs(5_000) },
    );
  });

  test.skipIf(recordedFrames.length === 0)('of recorded frames do the same', () => {
    fc.assert(
      fc.property(fc.nat(recordedFrames.length - 1), edits, (at, changes) => {
        expectSound(binance.socket.decode(mutate(recordedFrames[at] as Buffer, changes), NOW));
      }),
      { numRuns: runs(5_000) },
    );
  });

  test('any bytes and any JSON at all are answered, never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        expectSound(binance.socket.decode(bytes, NOW)),
      ),
    );
    fc.assert(
      fc.property(fc.json(), (json) => {
        expectSound(binance.socket.decode(Buffer.from(json), NOW));
        expectSound(binance.socket.decode(Buffer.from(`{"stream":"btcusdt@trade","data":${json}}`), NOW));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

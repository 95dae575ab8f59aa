import type { Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { BookSync } from '../../book-sync.ts';
import { mutated, unsoundValues } from '../../conformance/mutation.fixture.ts';
import { recorded } from '../../conformance/recorded.ts';
import { checkedText, crc32 } from './checksum.ts';
import { createOkxPublic } from './okx-public.ts';
import { BTC_USDT, BTC_USDT_SWAP } from './sample-instruments.fixture.ts';

const NOW = 1_000 as Millis;
const okx = createOkxPublic({
  restBase: '',
  publicSocketUrl: '',
  businessSocketUrl: '',
  fetchText: () => Promise.reject(new Error('no network in this test')),
  clock: () => NOW,
  instruments: [BTC_USDT, BTC_USDT_SWAP],
});
const business = okx.furtherSockets?.[0] ?? okx.socket;

type Levels = ReadonlyMap<number, number>;

/** The truth: frames with ids and checksums, and the book after each, made by the slowest means there is. */
interface Truth {
  readonly updates: readonly Buffer[];
  readonly snapshots: readonly Buffer[];
  readonly books: readonly { readonly bids: Levels; readonly asks: Levels }[];
}

const price = (ticks: number): string => (ticks / 100).toFixed(2);
const size = (lots: number): string => (lots === 0 ? '0' : (lots / 100_000).toFixed(5));
const best = (levels: Levels, side: 'bids' | 'asks'): [number, number][] =>
  [...levels].sort((l, r) => (side === 'bids' ? r[0] - l[0] : l[0] - r[0]));

function frameOf(action: string, row: object): Buffer {
  return Buffer.from(JSON.stringify({ arg: { channel: 'books', instId: 'BTC-USDT' }, action, data: [row] }));
}

/** At most 13 levels a side, so that the checksum covers the whole book; bids below 1,000 ticks, asks above. */
function truthOf(moves: readonly (readonly [number, number, number][])[]): Truth {
  const book = { bids: new Map<number, number>(), asks: new Map<number, number>() };
  const updates: Buffer[] = [];
  const snapshots: Buffer[] = [];
  const books: { bids: Levels; asks: Levels }[] = [];
  let last = 100;
  for (const move of moves) {
    const prevSeqId = last;
    last += move.length;
    const named = { bids: new Map<number, number>(), asks: new Map<number, number>() };
    for (const [which, depth, lots] of move) {
      const side = which === 0 ? 'bids' : 'asks';
      const ticks = which === 0 ? 999 - depth : 1_001 + depth;
      named[side].set(ticks, lots);
      if (lots === 0) book[side].delete(ticks);
      else book[side].set(ticks, lots);
    }
    const strings = (side: 'bids' | 'asks') =>
      best(book[side], side).map(([ticks, lots]) => `${price(ticks)}:${size(lots)}`);
    const rows = (levels: Levels) => [...levels].map(([ticks, lots]) => [price(ticks), size(lots), '0', '1']);
    const checksum = crc32(checkedText(strings('bids'), strings('asks')));
    const tail = { ts: '1', checksum, seqId: last };
    updates.push(frameOf('update', { asks: rows(named.asks), bids: rows(named.bids), ...tail, prevSeqId }));
    snapshots.push(
      frameOf('snapshot', { asks: rows(book.asks), bids: rows(book.bids), ...tail, prevSeqId: -1 }),
    );
    books.push({ bids: new Map(book.bids), asks: new Map(book.asks) });
  }
  return { updates, snapshots, books };
}

function expectBook(sync: BookSync, truth: Truth, at: number): void {
  for (const side of ['bids', 'asks'] as const) {
    expect(sync.book.levels(side)).toEqual(best(truth.books[at]?.[side] ?? new Map(), side));
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
  { minLength: 6, maxLength: 30 },
);
const fault = fc.constantFrom('none', 'none', 'none', 'drop', 'repeat', 'truncate', 'old', 'damage');
const edit = fc.tuple(fc.nat(1), fc.nat(4_000), fc.nat(255));

/** A byte in place of another, or up to 40 taken out. */
const damaged = (bytes: Buffer, [kind, where, value]: readonly [number, number, number]): Buffer =>
  mutated(bytes, [[kind === 0 ? 4 : 1, where, value]]);

test('lost, repeated, old, cut and damaged messages never leave a live book that is not a true one', () => {
  const totals = { frames: 0, resyncs: 0, checked: 0 };
  fc.assert(
    fc.property(
      moves,
      fc.array(fault, { minLength: 30, maxLength: 30 }),
      fc.array(edit, { minLength: 30, maxLength: 30 }),
      (steps, faults, edits) => {
        const truth = truthOf(steps);
        const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
        let shown = 0;
        const feed = (bytes: Buffer, at: number): void => {
          totals.frames += 1;
          const message = okx.socket.decode(bytes, NOW);
          if (message.kind === 'book' && sync.apply(message.change) === 'applied') shown = at;
          if (sync.state === 'LIVE') expectBook(sync, truth, shown);
          // Venues that send snapshots on the socket get a new subscription.
          if (!sync.needsSnapshot) return;
          const snapshot = okx.socket.decode(truth.snapshots[at] as Buffer, NOW);
          expect(snapshot.kind === 'book' && sync.apply(snapshot.change)).toBe('applied');
          shown = at;
          expectBook(sync, truth, at);
        };
        feed(truth.snapshots[0] as Buffer, 0);
        for (let at = 1; at < truth.updates.length; at += 1) {
          const bytes = truth.updates[at] as Buffer;
          const kind = faults[at % faults.length];
          if (kind === 'drop') continue;
          if (kind === 'truncate') feed(bytes.subarray(0, Math.floor(bytes.length / 2)), at);
          else if (kind === 'damage') feed(damaged(bytes, edits[at % edits.length] ?? [0, 0, 0]), at);
          else feed(bytes, at);
          if (kind === 'repeat') feed(bytes, at);
          if (kind === 'old') feed(truth.updates[Math.max(1, Math.floor(at / 2))] as Buffer, at);
        }
        totals.resyncs += sync.counters.resyncs;
        totals.checked += sync.counters.checksumsCompared;
      },
    ),
    { numRuns: runs(400), seed: 11 },
  );
  expect(totals.frames).toBeGreaterThan(4_000);
  expect(totals.resyncs).toBeGreaterThan(100);
  expect(totals.checked).toBeGreaterThan(3_000);
});

/** A message may be sound and still be nonsense as a book: that must not throw either. */
function answer(bytes: Uint8Array): void {
  for (const socket of [okx.socket, business]) {
    const message = socket.decode(bytes, NOW);
    expect(unsoundValues(message)).toEqual([]);
    if (message.kind !== 'book') continue;
    const sync = new BookSync({ venue: okx, symbol: 'BTC-USDT' });
    sync.apply(message.change);
    expect(sync.state === 'LIVE' && sync.book.isCrossed()).toBe(false);
  }
}

const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 4 });
const session = recorded('cryptofeed/OKX.jsonl');
const recordedFrames = (session ?? Buffer.alloc(0))
  .toString('utf8')
  .split('\n')
  .filter((line) => line.includes('"recv"'))
  .map((line) => Buffer.from(String((JSON.parse(line) as { data: string }).data)));

describe('mutated bytes', () => {
  const { updates, snapshots } = truthOf([
    [
      [0, 1, 5],
      [1, 2, 7],
    ],
  ]);
  const push = (channel: string, instId: string, row: unknown) => ({ arg: { channel, instId }, data: [row] });
  const swap = 'BTC-USDT-SWAP';
  const others = [
    push('trades', 'BTC-USDT', {
      instId: 'BTC-USDT',
      tradeId: '9',
      px: '10.01',
      sz: '0.5',
      side: 'buy',
      ts: '1',
    }),
    push('candle4H', 'BTC-USDT', ['14400000', '1.0', '2', '0.5', '1.5', '3', '4', '5', '1']),
    push('mark-price', swap, { instType: 'SWAP', instId: swap, markPx: '84660.1', ts: '1' }),
    push('funding-rate', swap, { instId: swap, fundingRate: '0.0001', fundingTime: '1703088000000' }),
    { id: '7', event: 'subscribe', arg: { channel: 'books', instId: 'BTC-USDT' } },
  ].map((frame) => Buffer.from(JSON.stringify(frame)));

  test('of generated frames decode to sound figures or to malformed, and never throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...updates, ...snapshots, ...others), edits, (frame, changes) =>
        answer(mutated(frame, changes)),
      ),
      { numRuns: runs(5_000) },
    );
  });

  test.skipIf(recordedFrames.length === 0)('of recorded frames do the same', () => {
    fc.assert(
      fc.property(fc.nat(recordedFrames.length - 1), edits, (at, changes) =>
        answer(mutated(recordedFrames[at] as Buffer, changes)),
      ),
      { numRuns: runs(5_000) },
    );
  });

  test('any bytes and any JSON at all are answered, never thrown at', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), answer));
    fc.assert(
      fc.property(fc.json(), (json) => {
        answer(Buffer.from(json));
        for (const channel of ['books', 'trades', 'tickers', 'mark-price', 'candle1m']) {
          answer(
            Buffer.from(
              `{"arg":{"channel":"${channel}","instId":"BTC-USDT"},"action":"update","data":[${json}]}`,
            ),
          );
        }
      }),
      { numRuns: runs(1_000) },
    );
  });
});

import type { BookChange } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attacks } from '../../../../tests/attack-sizes.ts';
import { runs } from '../../../../tests/property-runs.ts';
import { BookSync } from '../book-sync.ts';
import type { MarketMessage, VenuePublic } from '../venue-public.ts';
import { mutated, unsoundValues } from './mutation.fixture.ts';
import { recorded } from './recorded.ts';
import { type DecimalLevels, NOON, type PublicKit } from './venue-kit.ts';
import { PUBLIC_KITS } from './venue-kits.ts';

/** What no venue's messages may do to a book, whatever happens to them on the way. */

const PROPERTY_MILLIS_MAX = 600_000;

function decode(venue: VenuePublic, frame: string | Buffer): MarketMessage {
  return venue.socket.decode(Buffer.from(frame), NOON);
}

/** Throws by itself: `expect` would cost more than the decoding. */
function expectSound(venue: VenuePublic, frame: Buffer): void {
  const values = unsoundValues(decode(venue, frame));
  if (values.length > 0) throw new Error(`no stats of a market: ${values.join(' ')}`);
}

function changeOf(message: MarketMessage): BookChange {
  if (message.kind !== 'book') throw new Error(`not a book message: ${JSON.stringify(message)}`);
  return message.change;
}

interface Levels {
  readonly bids: Map<number, number>;
  readonly asks: Map<number, number>;
}

/** The truth: the book after every frame, made by the slowest means there is. */
interface Truth {
  readonly frames: readonly string[];
  readonly lasts: readonly number[];
  /** Price in ticks to size in lots. */
  readonly books: readonly Levels[];
}

type Moves = readonly (readonly (readonly [side: number, depth: number, size: number])[])[];

const decimal = (steps: number, places: number): string => {
  const digits = String(steps).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

const rows = (levels: Iterable<readonly [number, number]>): DecimalLevels =>
  [...levels].map(([price, size]) => [decimal(price, 2), decimal(size, 5)]);

const sorted = (levels: Map<number, number>, side: 'bids' | 'asks'): [number, number][] =>
  [...levels].sort((left, right) => (side === 'bids' ? right[0] - left[0] : left[0] - right[0]));

/** Where a venue numbers a message by one id, ranges would be gaps. */
function spansOf(kit: PublicKit, venue: VenuePublic): boolean {
  return changeOf(decode(venue, kit.frames.delta(5, 7, [], []))).firstSeq === 5;
}

/** Builds frames from random moves; bids stay below 1,000 ticks and asks above, so the truth never crosses. */
function truthOf(kit: PublicKit, venue: VenuePublic, moves: Moves): Truth {
  const spans = spansOf(kit, venue);
  const book: Levels = { bids: new Map(), asks: new Map() };
  const truth = { frames: [] as string[], lasts: [] as number[], books: [] as Levels[] };
  let last = 100;
  for (const move of moves) {
    const first = last + 1;
    last += spans ? move.length + 1 : 1;
    const changed: Levels = { bids: new Map(), asks: new Map() };
    for (const [side, depth, size] of move) {
      const [levels, reported] = side === 0 ? [book.bids, changed.bids] : [book.asks, changed.asks];
      const price = side === 0 ? 999 - depth : 1_001 + depth;
      if (size === 0) levels.delete(price);
      else levels.set(price, size);
      reported.set(price, size);
    }
    truth.frames.push(kit.frames.delta(first, last, rows(changed.bids), rows(changed.asks)));
    truth.lasts.push(last);
    truth.books.push({ bids: new Map(book.bids), asks: new Map(book.asks) });
  }
  return truth;
}

/** The book after a frame, in the venue's words: on the socket where it sends snapshots there, else by REST. */
async function snapshotAt(kit: PublicKit, truth: Truth, index: number): Promise<BookChange> {
  const book = truth.books[index] as Levels;
  const bids = rows(sorted(book.bids, 'bids'));
  const asks = rows(sorted(book.asks, 'asks'));
  const seq = truth.lasts[index] as number;
  const text = kit.rest.depth(seq, bids, asks);
  const venue = kit.createPublic(async () => ({ status: 200, text }));
  const streamed = kit.frames.snapshot?.(seq, bids, asks);
  if (streamed !== undefined) return changeOf(decode(venue, streamed));
  const answer = await venue.rest.depth(kit.instrument, 5_000);
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

/** A live book must be exactly the true book of its update id. */
function expectTrue(sync: BookSync, truth: Truth): void {
  if (sync.state !== 'LIVE') return;
  const book = truth.books[truth.lasts.indexOf(sync.book.lastSeq)];
  expect(book, `a live book at update ${sync.book.lastSeq}, which never was`).toBeDefined();
  if (book === undefined) return;
  for (const side of ['bids', 'asks'] as const) {
    expect(sync.book.levels(side)).toEqual(sorted(book[side], side));
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
const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 4 });

/** Frames of a kit, of every kind it can say. */
function framesOf(kit: PublicKit): readonly Buffer[] {
  const { frames } = kit;
  const delta = frames.delta(1, 2, [['10.00', '1.00000']], [['10.01', '0.00000']]);
  const snapshot = frames.snapshot?.(1, [['10.00', '1.00000']], [['10.01', '2.00000']]);
  const reported = [delta, snapshot, frames.trade('10.01', '0.50000', 'buy'), frames.acknowledged(7)];
  return [...reported, ...(frames.further?.() ?? [])]
    .filter((frame) => frame !== undefined)
    .map((frame) => Buffer.from(frame));
}

describe.each(PUBLIC_KITS.map((kit) => ({ name: kit.name, kit })))('$name', ({ kit }) => {
  const venue = kit.createPublic(() => Promise.reject(new Error('no network in this test')));
  const symbol = kit.instrument.symbol;

  test(
    'drops, repeats, swaps, truncations and late answers never leave a live book that is not the true one',
    async () => {
      const totals = { lives: 0, resyncs: 0, frames: 0 };
      const property = fc.asyncProperty(
        moves,
        fc.array(fault, { minLength: 40, maxLength: 40 }),
        fc.nat(8),
        async (steps, faults, lag) => {
          const truth = truthOf(kit, venue, steps);
          const sync = new BookSync({ venue, symbol });
          const feed = async (index: number, bytes: Buffer): Promise<void> => {
            totals.frames += 1;
            const message = decode(venue, bytes);
            if (message.kind === 'book') sync.apply(message.change);
            expectTrue(sync, truth);
            if (!sync.needsSnapshot) return;
            // A snapshot that is fetched may be old: at most `lag` frames behind. On the socket it comes in its turn.
            const behind = venue.socketSendsSnapshots ? 0 : index % (lag + 1);
            sync.apply(await snapshotAt(kit, truth, index - behind));
            expectTrue(sync, truth);
          };
          for (const [index, frame] of disturbed(truth.frames, faults)) await feed(index, frame);
          totals.resyncs += sync.counters.resyncs;
          // At rest, one sound snapshot and the book is the true one.
          if (sync.needsSnapshot) sync.apply(await snapshotAt(kit, truth, truth.frames.length - 1));
          expectTrue(sync, truth);
          if (sync.state === 'LIVE') totals.lives += 1;
        },
      );
      await fc.assert(property, { numRuns: runs(200), seed: 7 });
      expect(totals.frames).toBeGreaterThan(2_000);
      expect(totals.resyncs).toBeGreaterThan(50);
      expect(totals.lives).toBe(runs(200));
    },
    PROPERTY_MILLIS_MAX,
  );

  test(
    'update ids with a wrong digit are found out by the next sound message at the latest',
    async () => {
      const property = fc.asyncProperty(
        moves,
        fc.nat(),
        fc.integer({ min: 0, max: 3_000 }),
        fc.boolean(),
        async (steps, pick, wrong, start) => {
          const truth = truthOf(kit, venue, steps);
          const sync = new BookSync({ venue, symbol });
          sync.apply(await snapshotAt(kit, truth, 0));
          const victim = 2 + (pick % (truth.frames.length - 3));
          for (let index = 1; index <= victim + 1; index += 1) {
            const change = changeOf(decode(venue, truth.frames[index] as string));
            const ids = start ? { firstSeq: wrong } : { lastSeq: wrong };
            sync.apply(index === victim ? ({ ...change, ...ids } as BookChange) : change);
          }
          expectTrue(sync, truth);
        },
      );
      await fc.assert(property, { numRuns: runs(1_000) });
    },
    PROPERTY_MILLIS_MAX,
  );

  test(
    'mutated frames decode to sound figures or to malformed, and never throw',
    () => {
      const frames = framesOf(kit);
      for (const frame of frames) expect(decode(venue, frame).kind).not.toBe('malformed');
      fc.assert(
        fc.property(fc.constantFrom(...frames), edits, (frame, changes) => {
          expectSound(venue, mutated(frame, changes));
        }),
        { numRuns: attacks(runs(4_000), 350_000) },
      );
    },
    PROPERTY_MILLIS_MAX,
  );

  test(
    'any bytes and any JSON at all are answered, never thrown at',
    () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => expectSound(venue, Buffer.from(bytes))),
        { numRuns: runs(500) },
      );
      fc.assert(
        fc.property(fc.json(), (json) => {
          expectSound(venue, Buffer.from(json));
          for (const frame of framesOf(kit)) {
            expectSound(
              venue,
              Buffer.from(
                frame.toString().replace(/"(?:data|b|a|bids|asks)":/, (field) => `${field}${json},"x":`),
              ),
            );
          }
        }),
        { numRuns: runs(300) },
      );
    },
    PROPERTY_MILLIS_MAX,
  );
});

/** Frames with their index, as a bad connection would deliver them. */
function* disturbed(
  frames: readonly string[],
  faults: readonly string[],
): Generator<readonly [index: number, frame: Buffer]> {
  const order = frames.map((_frame, index) => index);
  const bytesOf = (index: number): Buffer => Buffer.from(frames[index] as string);
  for (let at = 0; at < order.length; at += 1) {
    const index = order[at] as number;
    const kind = faults[at % faults.length];
    if (kind === 'drop') continue;
    if (kind === 'swap' && at + 1 < order.length)
      [order[at], order[at + 1]] = [order[at + 1] as number, index];
    const whole = bytesOf(order[at] as number);
    yield [order[at] as number, kind === 'truncate' ? whole.subarray(0, whole.length / 2) : whole];
    if (kind === 'repeat') yield [index, bytesOf(index)];
    if (kind === 'old') yield [index, bytesOf(Math.floor(index / 2))];
  }
}

const SESSIONS = [
  { kitName: 'Binance spot', path: 'hftbacktest/spot/btcusdt_20240808.gz', kinds: /"(?:depthUpdate|trade)"/ },
  {
    kitName: 'Binance USD-M futures',
    path: 'hftbacktest/usdm/btcusdt_20240808.gz',
    kinds: /"(?:depthUpdate|trade)"/,
  },
];

describe.each(SESSIONS)('recorded frames of $kitName', ({ kitName, path, kinds }) => {
  const frames = (recorded(path) ?? Buffer.alloc(0))
    .toString('utf8')
    .split('\n')
    .filter((line) => kinds.test(line))
    .slice(0, 3_000)
    .map((line) => Buffer.from(line.slice(line.indexOf(' ') + 1)));

  test.skipIf(frames.length === 0)(
    'mutated, decode to sound figures or to malformed, and never throw',
    () => {
      const kit = PUBLIC_KITS.find((one) => one.name === kitName) as PublicKit;
      const venue = kit.createPublic(() => Promise.reject(new Error('no network in this test')));
      fc.assert(
        fc.property(fc.nat(frames.length - 1), edits, (at, changes) => {
          expectSound(venue, mutated(frames[at] as Buffer, changes));
        }),
        { numRuns: runs(4_000) },
      );
    },
    PROPERTY_MILLIS_MAX,
  );
});

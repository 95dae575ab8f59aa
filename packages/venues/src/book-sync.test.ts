import type { BookChange, BookLevel, Millis, Seq } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { binanceSpotContinuity } from './binance/spot/continuity.ts';
import { BookSync, type BookSyncOptions } from './book-sync.ts';

const venue: BookSyncOptions['venue'] = { continuity: binanceSpotContinuity, socketSendsSnapshots: false };

function delta(first: number, last: number, bids: [number, number][] = [[first, 1]], at = last): BookChange {
  return {
    kind: 'delta',
    symbol: 'BTCUSDT',
    bids: bids as unknown as BookLevel[],
    asks: [],
    firstSeq: first as Seq,
    lastSeq: last as Seq,
    time: at as Millis,
    receivedAt: at as Millis,
  };
}

function snapshot(seq: number, bids: [number, number][] = [[1, 1]]): BookChange {
  return { ...delta(seq, seq, bids), kind: 'snapshot', asks: [[1_000_000, 1]] as unknown as BookLevel[] };
}

function sync(options: Partial<BookSyncOptions> = {}): BookSync {
  return new BookSync({ venue, symbol: 'BTCUSDT', ...options });
}

/** A live book at update 10. */
function live(): BookSync {
  const book = sync();
  book.apply(snapshot(10));
  return book;
}

describe('BookSync joins', () => {
  test('deltas wait for the snapshot, those it contains are skipped, the overlapping one joins it', () => {
    const book = sync();
    expect([book.apply(delta(5, 8)), book.apply(delta(9, 12)), book.apply(delta(13, 14))]).toEqual([
      'kept',
      'kept',
      'kept',
    ]);
    expect(book.needsSnapshot).toBe(true);
    expect(book.apply(snapshot(10))).toBe('applied');
    expect([book.state, book.book.lastSeq, book.needsSnapshot]).toEqual(['LIVE', 14, false]);
    expect(book.book.levels('bids').map(([price]) => price)).toEqual([13, 9, 1]);
    expect(book.counters).toMatchObject({ duplicates: 0, gaps: 0, resyncs: 0 });
  });

  test('a snapshot older than the first kept delta is refused and another one asked for', () => {
    const book = sync();
    book.apply(delta(20, 25));
    expect(book.apply(snapshot(10))).toBe('needs-snapshot');
    expect(book.counters.snapshotsTooOld).toBe(1);
    expect(book.apply(snapshot(19))).toBe('applied');
    expect(book.book.lastSeq).toBe(25);
  });

  test('a snapshot alone is live, and deltas it contains that arrive late are dropped', () => {
    const book = live();
    expect([book.apply(delta(7, 9)), book.apply(delta(10, 10)), book.apply(delta(9, 12))]).toEqual([
      'dropped',
      'dropped',
      'applied',
    ]);
  });

  test('a snapshot that the stream has overtaken does not take the book back in time', () => {
    const book = live();
    book.apply(delta(11, 20));
    expect(book.apply(snapshot(15))).toBe('dropped');
    expect(book.book.lastSeq).toBe(20);
  });

  test('kept deltas are bounded: on overflow they go and a snapshot is asked for', () => {
    const book = sync({ keptChangesMax: 2 });
    book.apply(delta(1, 1));
    book.apply(delta(2, 2));
    expect(book.apply(delta(3, 3))).toBe('needs-snapshot');
    expect(book.counters.overflows).toBe(1);
  });

  test('kept deltas before a hole are useless and dropped', () => {
    const book = sync();
    book.apply(delta(1, 2));
    book.apply(delta(5, 6));
    expect(book.apply(snapshot(4))).toBe('applied');
    expect([book.book.lastSeq, book.counters.gaps]).toEqual([6, 1]);
  });
});

describe('BookSync doubts', () => {
  const doubts: [string, (book: BookSync) => unknown, string][] = [
    ['a gap', (book) => book.apply(delta(12, 13)), 'gaps'],
    [
      'a delta that overlaps a joined book',
      (book) => [book.apply(delta(11, 12)), book.apply(delta(12, 15))],
      'contradictions',
    ],
    [
      'a delta inside an applied range',
      (book) => [book.apply(delta(11, 90)), book.apply(delta(14, 15))],
      'contradictions',
    ],
    [
      'a delta with the end but not the start of an applied one',
      (book) => [book.apply(delta(11, 15)), book.apply(delta(14, 15))],
      'contradictions',
    ],
    ['a crossed book', (book) => book.apply(delta(11, 11, [[1_000_000, 1]])), 'crossed'],
    ['a message of its stream that nobody could read', (book) => book.malformed(), 'malformed'],
  ];
  test.each(doubts)('%s throws the book away and asks for a snapshot', (_name, damage, counter) => {
    const book = live();
    damage(book);
    expect([book.state, book.needsSnapshot, book.book.count('bids'), book.book.lastSeq]).toEqual([
      'SYNCING',
      true,
      0,
      0,
    ]);
    expect(book.counters).toMatchObject({ [counter]: 1, resyncs: 1 });
    expect(book.apply(snapshot(100))).toBe('applied');
  });

  test('the delta after a gap is kept and joins the next snapshot', () => {
    const book = live();
    book.apply(delta(12, 13));
    book.apply(snapshot(12));
    expect([book.state, book.book.lastSeq]).toEqual(['LIVE', 13]);
  });

  test('a repeated message is dropped and counted, and changes nothing', () => {
    const book = live();
    const once = delta(11, 12);
    book.apply(once);
    book.apply(delta(13, 14, [[11, 0]]));
    expect(book.apply(once)).toBe('dropped');
    expect(book.counters).toMatchObject({ duplicates: 1, resyncs: 0 });
    expect(book.book.levels('bids')).toEqual([[1, 1]]);
  });

  test('a message about another symbol is not applied', () => {
    const book = live();
    expect(book.apply({ ...delta(11, 12), symbol: 'ETHUSDT' })).toBe('dropped');
  });
});

describe('BookSync ages', () => {
  test('silence makes a live book stale, and a delta that continues it makes it live again', () => {
    const book = live();
    expect(book.checkAge(10_000 as Millis, 5_000)).toBe('STALE');
    expect(book.book.count('bids')).toBe(1);
    book.apply(delta(11, 11, [[5, 1]], 10_001));
    expect([book.state, book.checkAge(10_002 as Millis, 5_000)]).toEqual(['LIVE', 'LIVE']);
  });

  test('without a stream nothing makes the book live; after a reconnect only a new snapshot does', () => {
    const book = live();
    book.disconnected();
    expect([book.state, book.apply(snapshot(50)), book.apply(delta(11, 11)), book.state]).toEqual([
      'STALE',
      'dropped',
      'dropped',
      'STALE',
    ]);
    expect(book.reconnected()).toBe('needs-snapshot');
    expect(book.apply(snapshot(60))).toBe('applied');
    expect(book.state).toBe('LIVE');
  });
});

import type { BookChange, Millis } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { LiveBooks } from './live-books.ts';
import { change, instrument, ScriptedPublicVenue, settled } from './scripted-venue.fixture.ts';

let venue: ScriptedPublicVenue;
let books: LiveBooks;
let silent: string[];
beforeEach(() => {
  venue = new ScriptedPublicVenue();
  silent = [];
  books = new LiveBooks(venue, venue.ports, (symbol) => silent.push(symbol));
  books.reconnected();
});

const SNAPSHOT = change('BTCUSDT', [10, 10], { bids: [[99, 1]], asks: [[101, 1]] }, 'snapshot');

/** A delta that arrives now. */
function hear(first: number, last: number, levels: Parameters<typeof change>[2] = {}): void {
  books.apply({ ...change('BTCUSDT', [first, last], levels), receivedAt: venue.time.clock() });
}

/** The book joins its snapshot. */
async function join(): Promise<void> {
  books.open(instrument('BTCUSDT'));
  venue.depth = async () => ({ ok: true, value: { ...SNAPSHOT, receivedAt: venue.time.clock() } });
  books.tend(venue.time.clock());
  await settled();
}

const best = () => {
  const live = books.live('BTCUSDT');
  return live === undefined ? undefined : [live.book.bestBid(), live.book.bestAsk()];
};

describe('a followed book', () => {
  test('joins its snapshot and what was said meanwhile, once', async () => {
    books.open(instrument('BTCUSDT'));
    books.open(instrument('BTCUSDT'));
    hear(9, 10, { bids: [[98, 5]] });
    hear(11, 11, { bids: [[100, 2]] });
    expect(best()).toBeUndefined();
    await join();
    expect([best(), venue.asked]).toEqual([[100, 101], ['BTCUSDT']]);
    expect(books.takeDirtyLevels('BTCUSDT')).toMatchObject({ reset: true });
    expect(books.takeDirtyLevels('BTCUSDT')).toBeUndefined();
  });

  test('says which prices changed since it was asked last', async () => {
    await join();
    books.takeDirtyLevels('BTCUSDT');
    hear(11, 11, { bids: [[100, 2]], asks: [[101, 0]] });
    hear(12, 12, { bids: [[100, 3]], asks: [[102, 1]] });
    const dirtyLevels = books.takeDirtyLevels('BTCUSDT');
    expect([dirtyLevels?.reset, [...(dirtyLevels?.bids ?? [])], [...(dirtyLevels?.asks ?? [])]]).toEqual([
      false,
      [100],
      [101, 102],
    ]);
  });

  test('is thrown away at a gap and whole again after a new snapshot', async () => {
    await join();
    books.takeDirtyLevels('BTCUSDT');
    hear(12, 12);
    expect(best()).toBeUndefined();
    expect(books.takeDirtyLevels('BTCUSDT')).toBeUndefined();
    venue.depth = async () => ({
      ok: true,
      value: { ...change('BTCUSDT', [12, 12], { bids: [[50, 1]], asks: [[60, 1]] }, 'snapshot') },
    });
    venue.time.advance(200);
    books.tend(venue.time.clock());
    await settled();
    expect([best(), venue.asked.length, books.takeDirtyLevels('BTCUSDT')?.reset]).toEqual([
      [50, 60],
      2,
      true,
    ]);
    expect(books.totals()).toMatchObject({ gaps: 1, resyncs: 1 });
  });

  test('is stale after five seconds of silence and live with the next change that continues it', async () => {
    await join();
    venue.time.advance(5_000);
    books.tend(venue.time.clock());
    expect(best()).toEqual([99, 101]);
    venue.time.advance(1);
    books.tend(venue.time.clock());
    expect([best(), books.states()]).toEqual([undefined, { SYNCING: 0, LIVE: 0, STALE: 1 }]);
    hear(11, 11, { bids: [[100, 1]] });
    expect(best()).toEqual([100, 101]);
  });

  test('that stays silent is subscribed anew after 10 s, then after twice as long each time, until it talks', async () => {
    await join();
    const begin = venue.time.clock();
    const at: number[] = [];
    for (let second = 0; second < 400; second += 1) {
      venue.time.advance(1_000);
      const before = silent.length;
      books.tend(venue.time.clock());
      if (silent.length > before) at.push(Math.round((venue.time.clock() - begin) / 1_000));
    }
    expect(at).toEqual([11, 22, 43, 84, 165, 326]);
    hear(11, 11);
    venue.time.advance(11_000);
    books.tend(venue.time.clock());
    expect(silent).toHaveLength(7);
  });

  test('that lost its stream is not asked after: the feed brings it back', async () => {
    await join();
    books.disconnected();
    venue.time.advance(60_000);
    books.tend(venue.time.clock());
    expect([silent, best(), venue.asked.length]).toEqual([[], undefined, 1]);
    books.reconnected();
    books.tend(venue.time.clock());
    await settled();
    expect(best()).toEqual([99, 101]);
  });

  test('is forgotten when it is shut, and changes of unknown books are nothing', async () => {
    await join();
    books.shut('BTCUSDT');
    hear(11, 11);
    expect([best(), books.takeDirtyLevels('BTCUSDT')]).toEqual([undefined, undefined]);
  });
});

describe('snapshots', () => {
  test('are asked for three at once at the most', async () => {
    const waiting: (() => void)[] = [];
    venue.depth = () =>
      new Promise((resolve) => {
        waiting.push(() => resolve({ ok: false, code: 'network' }));
      });
    for (let count = 0; count < 10; count += 1) books.open(instrument(`A${count}USDT`));
    books.tend(venue.time.clock());
    books.tend(venue.time.clock());
    expect(venue.asked).toHaveLength(3);
    for (const answer of waiting) answer();
    await settled();
    books.tend(venue.time.clock());
    expect(venue.asked).toHaveLength(6);
  });

  test('that fail are asked for again after 0.4 s, doubling to ten seconds, for ever', async () => {
    books.open(instrument('BTCUSDT'));
    const at: number[] = [];
    const begin = venue.time.clock();
    for (let tick = 0; tick < 600; tick += 1) {
      const before = venue.asked.length;
      books.tend(venue.time.clock());
      await settled();
      if (venue.asked.length > before) at.push((venue.time.clock() - begin) / 100);
      venue.time.advance(100);
    }
    expect(at.slice(0, 8)).toEqual([0, 4, 12, 28, 60, 124, 224, 324]);
    await join();
    expect(best()).toBeUndefined();
    venue.time.advance(10_000);
    books.tend(venue.time.clock());
    await settled();
    expect(best()).toEqual([99, 101]);
  });

  test('a connector that breaks its promise and throws does not stop the others', async () => {
    books.open(instrument('BTCUSDT'));
    venue.depth = async () => {
      throw new Error('a bug');
    };
    books.tend(venue.time.clock());
    await settled();
    expect(venue.notes).toEqual(['book snapshot not taken']);
    venue.time.advance(10_000);
    await join();
    expect(best()).toEqual([99, 101]);
  });
});

describe('waiting for a book', () => {
  test('ends when it is live, when it is shut, and when the time is over', async () => {
    const soon = books.whenLive('BTCUSDT', 3_000);
    await join();
    expect(await soon).toBe(true);
    expect(await books.whenLive('BTCUSDT', 3_000)).toBe(true);
    books.open(instrument('ETHUSDT'));
    const shut = books.whenLive('ETHUSDT', 3_000);
    books.shut('ETHUSDT');
    expect(await shut).toBe(false);
    const late = books.whenLive('ETHUSDT', 3_000);
    venue.time.advance(3_000);
    expect(await late).toBe(false);
    expect(venue.time.waiting).toBe(0);
  });

  test('every waiter is woken, each by its own time or by the book', async () => {
    books.open(instrument('BTCUSDT'));
    const short = books.whenLive('BTCUSDT', 1_000);
    const long = books.whenLive('BTCUSDT', 9_000);
    venue.time.advance(1_000 as Millis);
    expect(await short).toBe(false);
    await join();
    expect(await long).toBe(true);
    expect(venue.time.waiting).toBe(0);
  });
});

describe('books that come as a snapshot on the socket', () => {
  beforeEach(() => {
    venue.socketSendsSnapshots = true;
    silent = [];
    books = new LiveBooks(venue, venue.ports, (symbol) => silent.push(symbol));
    books.reconnected();
    books.open(instrument('BTCUSDT'));
  });
  const tend = (seconds: number, each: () => void = () => undefined) => {
    const at: number[] = [];
    for (let second = 1; second <= seconds; second += 1) {
      venue.time.advance(1_000);
      each();
      const before = silent.length;
      books.tend(venue.time.clock());
      if (silent.length > before) at.push(second);
    }
    return at;
  };
  const snapshot = (id: number) =>
    books.apply({ ...SNAPSHOT, firstSeq: id, lastSeq: id, receivedAt: venue.time.clock() } as BookChange);

  test('are never fetched; one that does not come is asked for anew after 3 s, then 3, 6, 12 and at most 60 s', () => {
    expect(tend(200)).toEqual([3, 6, 12, 24, 48, 96, 156]);
    expect(venue.asked).toEqual([]);
  });

  test('after a gap the book is asked for at once, and after a new one all is as before', () => {
    snapshot(10);
    expect(best()).toEqual([99, 101]);
    venue.time.advance(1_000);
    hear(12, 12);
    expect(best()).toBeUndefined();
    venue.time.advance(3_000);
    books.tend(venue.time.clock());
    expect(silent).toEqual(['BTCUSDT']);
    snapshot(20);
    hear(21, 21, { bids: [[100, 1]] });
    expect([best(), venue.asked, books.takeDirtyLevels('BTCUSDT')?.reset]).toEqual([[100, 101], [], true]);
  });

  test('a venue whose every book breaks again is asked ever more rarely; one that kept is asked at once', () => {
    let id = 100;
    const breaks = tend(120, () => {
      snapshot(id);
      hear(id + 2, id + 2);
      id += 10;
    });
    expect(breaks).toEqual([3, 6, 12, 24, 48, 96]);
    tend(60, () => {
      snapshot(id);
      hear(id + 1, id + 1);
      id += 10;
    });
    hear(id + 50, id + 50);
    expect(tend(3)).toEqual([1]);
  });

  test('a fresh connection sends them by itself: they are waited for again', () => {
    tend(2);
    books.disconnected();
    books.reconnected();
    expect(tend(4)).toEqual([3]);
  });
});

describe('a venue whose books may be quiet', () => {
  beforeEach(async () => {
    venue.bookSilenceMillisMax = 65_000;
    books = new LiveBooks(venue, venue.ports, (symbol) => silent.push(symbol));
    books.reconnected();
    await join();
  });

  test('keeps them live for as long as it says, while the connection is alive', () => {
    for (let second = 0; second < 65; second += 1) {
      venue.time.advance(1_000);
      books.tend(venue.time.clock());
    }
    expect(best()).toEqual([99, 101]);
    venue.time.advance(1);
    books.tend(venue.time.clock());
    expect([best(), silent]).toEqual([undefined, ['BTCUSDT']]);
  });

  test('without a sign of life of the connection five seconds are the bound', () => {
    const heardAt = venue.time.clock();
    venue.time.advance(5_000);
    books.tend(heardAt);
    expect(best()).toEqual([99, 101]);
    venue.time.advance(1);
    books.tend(heardAt);
    expect(best()).toBeUndefined();
  });
});

describe('what happened to books', () => {
  test('a book that is opened without a stream is not live from a snapshot alone', async () => {
    books.disconnected();
    await join();
    expect([best(), venue.asked]).toEqual([undefined, []]);
    books.reconnected();
    books.tend(venue.time.clock());
    await settled();
    expect(best()).toEqual([99, 101]);
  });

  test('stays counted when they are shut', async () => {
    await join();
    hear(12, 12);
    hear(13, 15);
    const before = books.totals();
    expect(before).toMatchObject({ gaps: 1 });
    books.shut('BTCUSDT');
    expect(books.totals()).toEqual(before);
    books.shut('BTCUSDT');
    expect(books.totals()).toEqual(before);
  });
});

import type { ServerFrame } from '@crossbook/contract';
import {
  Book,
  type BookChange,
  type Lots,
  type Millis,
  type PublicTrade,
  type Seq,
  type Ticks,
} from '@crossbook/domain';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { BookChannel, CandleChannel, RECENT_TRADES_MAX, TickerChannel, TradesChannel } from './channels.ts';
import { FanOut, type Follower } from './fan-out.ts';
import { LiveBooks } from './live-books.ts';
import { change, instrument, ScriptedPublicVenue, settled } from './scripted-venue.fixture.ts';

/** Someone who keeps what is written, write by write. */
class Reader implements Follower {
  reads = true;
  readonly writes: ServerFrame[][] = [];

  ready(): boolean {
    return this.reads;
  }

  write(frames: readonly Uint8Array[]): void {
    this.writes.push(frames.map((frame) => JSON.parse(Buffer.from(frame).toString()) as ServerFrame));
  }

  get frames(): ServerFrame[] {
    return this.writes.flat();
  }
}

let encoded: number;
let fanOut: FanOut;
let trades: TradesChannel;
let ticker: TickerChannel;
beforeEach(() => {
  encoded = 0;
  fanOut = new FanOut((frame) => {
    encoded += 1;
    return Buffer.from(JSON.stringify(frame));
  });
  trades = new TradesChannel({ s: 'BTCUSDT' });
  ticker = new TickerChannel({ s: 'BTCUSDT' });
  fanOut.open('trades', trades);
  fanOut.open('ticker', ticker);
});

const trade = (id: number): PublicTrade => ({
  ...{
    id: String(id),
    symbol: 'BTCUSDT',
    price: id as Ticks,
    size: 1 as Lots,
    side: 'buy',
    time: id as Millis,
  },
});
const price = (last: string) =>
  ticker.set({
    ...{ symbol: 'BTCUSDT', lastPrice: last, change: '0', openPrice: '1', highPrice: '1', lowPrice: '1' },
    ...{ volume: '1', quoteVolume: '1', time: 1 as Millis },
  });
const ids = (frames: readonly ServerFrame[]) =>
  frames.flatMap((frame) =>
    'ch' in frame && frame.ch === 'trades' ? frame.d.map(([id]) => Number(id)) : [],
  );

describe('spreading channels', () => {
  test('one write per follower and tick, one frame made per channel, however many follow', () => {
    const readers = Array.from({ length: 500 }, () => new Reader());
    for (const reader of readers) for (const key of ['trades', 'ticker']) fanOut.join(reader, key);
    price('1');
    fanOut.tick();
    encoded = 0;
    price('2');
    trades.add([trade(1), trade(2)]);
    fanOut.tick();
    expect(encoded).toBe(2);
    for (const reader of readers) {
      expect(reader.writes).toHaveLength(2);
      expect(reader.writes[1]).toHaveLength(2);
    }
  });

  test('nothing new is nothing written, and a change nobody follows is not even encoded', () => {
    const reader = new Reader();
    fanOut.join(reader, 'trades');
    fanOut.tick();
    encoded = 0;
    price('1');
    for (let tick = 0; tick < 10; tick += 1) fanOut.tick();
    expect([encoded, reader.writes.length]).toEqual([0, 1]);
  });

  test('a newcomer gets a snapshot, then changes; joining again, however often, is one snapshot more', () => {
    trades.add([trade(1)]);
    fanOut.tick();
    const reader = new Reader();
    for (let times = 0; times < 1_000; times += 1) fanOut.join(reader, 'trades');
    fanOut.tick();
    trades.add([trade(2)]);
    fanOut.tick();
    expect(reader.frames).toMatchObject([
      { k: 's', d: [['1', 1, 1, 1, 1]] },
      { k: 'd', d: [['2', 2, 1, 1, 2]] },
    ]);
    fanOut.join(reader, 'trades');
    fanOut.tick();
    expect(ids(reader.frames)).toEqual([1, 2, 1, 2]);
    expect(fanOut.followersOf('trades')).toBe(1);
  });

  test('a trade between joining and the tick is told once', () => {
    const reader = new Reader();
    trades.add([trade(1)]);
    fanOut.join(reader, 'trades');
    trades.add([trade(2)]);
    fanOut.tick();
    fanOut.tick();
    expect(ids(reader.frames)).toEqual([1, 2]);
  });

  test('a slow follower skips ticks and gets a snapshot when it reads again, others go on', () => {
    const [slow, quick] = [new Reader(), new Reader()];
    for (const reader of [slow, quick]) fanOut.join(reader, 'trades');
    fanOut.tick();
    slow.reads = false;
    for (let id = 1; id <= 5; id += 1) {
      trades.add([trade(id)]);
      fanOut.tick();
    }
    expect([slow.writes.length, quick.writes.length]).toEqual([1, 6]);
    slow.reads = true;
    fanOut.tick();
    expect(slow.writes.at(-1)).toMatchObject([{ k: 's' }]);
    expect(ids(slow.frames)).toEqual([1, 2, 3, 4, 5]);
    trades.add([trade(6)]);
    fanOut.tick();
    expect(slow.writes.at(-1)).toMatchObject([{ k: 'd' }]);
  });

  test('who leaves hears no more; a shut channel is gone for all, and may come again', () => {
    const [one, two] = [new Reader(), new Reader()];
    for (const reader of [one, two]) for (const key of ['trades', 'ticker']) fanOut.join(reader, key);
    fanOut.tick();
    const heard = one.frames.length;
    expect(fanOut.leaveAll(one)).toEqual(['trades', 'ticker']);
    price('1');
    fanOut.tick();
    expect([one.frames.length, two.frames.length > heard]).toEqual([heard, true]);
    fanOut.shut('ticker');
    price('2');
    const before = two.frames.length;
    fanOut.tick();
    expect([fanOut.has('ticker'), two.frames.length]).toEqual([false, before]);
    fanOut.open('ticker', ticker);
    fanOut.join(two, 'ticker');
    fanOut.tick();
    expect(two.frames.at(-1)).toMatchObject({ ch: 'ticker', d: { last: '2' } });
    fanOut.join(two, 'nothing');
    fanOut.leave(two, 'nothing');
    expect(fanOut.followersOf('nothing')).toBe(0);
  });
});

describe('channels', () => {
  test('the tape keeps the newest, oldest first, and tells no trade twice', () => {
    trades.add([trade(1), trade(1)]);
    trades.add(Array.from({ length: 500 }, (_none, at) => trade(at + 2)));
    expect(trades.change()?.d).toHaveLength(RECENT_TRADES_MAX);
    expect(trades.change()).toBeUndefined();
    trades.add([trade(501)]);
    expect(trades.change()).toBeUndefined();
    const snapshot = trades.snapshot().d.map(([id]) => Number(id));
    expect(snapshot).toEqual(Array.from({ length: RECENT_TRADES_MAX }, (_none, at) => 442 + at));
  });

  test('of ticker and bar only the newest is told', () => {
    price('1');
    price('2');
    expect(ticker.change()).toMatchObject({ d: { last: '2' } });
    expect(ticker.change()).toBeUndefined();
    const bars = new CandleChannel({ s: 'BTCUSDT' }, '1m');
    expect([bars.snapshot(), bars.change()]).toEqual([undefined, undefined]);
    const bar = { time: 60 as Millis, open: 1, high: 2, low: 1, close: 2, volume: 3, quoteVolume: 4 };
    bars.set(bar, false);
    bars.set({ ...bar, close: 1.5 }, true);
    const frame = { ch: 'candle', s: 'BTCUSDT', i: '1m', d: [60, 1, 2, 1, 1.5, 3], x: true };
    expect([bars.change(), bars.change(), bars.snapshot()]).toEqual([frame, undefined, frame]);
  });
});

/** What a client makes of book frames: contract/stream.ts says how. `undefined` until the first snapshot. */
class Client {
  readonly reader = new Reader();
  readonly book = new Book();
  gaps = 0;
  sequence: number | undefined;
  #read = 0;

  /** Reads what was written since. */
  read(): void {
    for (const frame of this.reader.frames.slice(this.#read)) {
      this.#read += 1;
      if (!('ch' in frame) || frame.ch !== 'book') continue;
      if (frame.k === 'd' && frame.p !== this.sequence) {
        this.gaps += 1;
        continue;
      }
      this.sequence = frame.q;
      this.book.apply(this.#change(frame));
    }
  }

  #change(frame: Extract<ServerFrame, { readonly ch: 'book' }>): BookChange {
    const levels = (flat: readonly number[]) =>
      flat.flatMap((at, index) => (index % 2 === 0 ? [[at as Ticks, flat[index + 1] as Lots] as const] : []));
    const kind = frame.k === 's' ? 'snapshot' : 'delta';
    return {
      ...{ kind, symbol: frame.s, bids: levels(frame.b), asks: levels(frame.a) },
      ...{
        firstSeq: frame.q as Seq,
        lastSeq: frame.q as Seq,
        time: frame.t as Millis,
        receivedAt: 0 as Millis,
      },
    };
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), at: fc.nat(9), size: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('join' as const, 'slow' as const), who: fc.nat(3) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('gap' as const, 'silence' as const, 'lost' as const) }),
  },
);

test("whatever happens, at rest every follower's book is the source's, and no follower ever sees a gap", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const venue = new ScriptedPublicVenue();
      const books = new LiveBooks(venue, venue.ports, () => undefined);
      const source = new Book();
      let id = 10;
      const now = () => ({ receivedAt: venue.time.clock() });
      venue.depth = async () => ({
        ok: true,
        value: {
          ...change('BTCUSDT', [id, id], {}, 'snapshot'),
          ...{ bids: source.levels('bids'), asks: source.levels('asks'), ...now() },
        },
      });
      books.reconnected();
      books.open(instrument('BTCUSDT'));
      const made = new FanOut((frame) => Buffer.from(JSON.stringify(frame)));
      const symbol = 'BTCUSDT';
      made.open(
        'book',
        new BookChannel(
          { s: symbol },
          { dirtyLevels: () => books.takeDirtyLevels(symbol), live: () => books.live(symbol) },
        ),
      );
      const clients = Array.from({ length: 4 }, () => new Client());
      const tick = async () => {
        venue.time.advance(100);
        books.tend(venue.time.clock());
        await settled();
        made.tick();
      };
      const alter = (at: number, size: number, heard: boolean) => {
        id += 1;
        const level: [number, number][] = [[at < 5 ? 90 + at : 100 + at, size]];
        const delta = change(symbol, [id, id], at < 5 ? { bids: level } : { asks: level });
        source.apply(delta);
        if (heard) books.apply({ ...delta, ...now() });
      };
      for (const next of steps) {
        if (next.do === 'change') alter(next.at, next.size, true);
        else if (next.do === 'tick') await tick();
        else if (next.do === 'join') made.join((clients[next.who] as Client).reader, 'book');
        else if (next.do === 'slow') {
          const { reader } = clients[next.who] as Client;
          reader.reads = !reader.reads;
        } else if (next.do === 'gap') alter(1, 7, false);
        else if (next.do === 'silence') venue.time.advance(6_000);
        else {
          books.disconnected();
          await tick();
          books.reconnected();
        }
      }
      // At rest: everybody follows and reads, a change comes through, and the clock has gone on for any retry.
      for (const client of clients) {
        client.reader.reads = true;
        made.join(client.reader, 'book');
      }
      alter(2, 1, true);
      for (let rest = 0; rest < 30; rest += 1) await tick();
      alter(3, 2, true);
      await tick();
      expect(books.live(symbol)?.book.levels('bids')).toEqual(source.levels('bids'));
      for (const client of clients) {
        client.read();
        expect(client.gaps).toBe(0);
        expect(client.book.levels('bids')).toEqual(source.levels('bids'));
        expect(client.book.levels('asks')).toEqual(source.levels('asks'));
      }
    }),
    { numRuns: 300 },
  );
});

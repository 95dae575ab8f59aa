import type { MarketChannel, MarketMessage } from '@crossbook/venues';
import { beforeEach, describe, expect, test } from 'vitest';
import { VenueFeed } from './feed.ts';
import { change, ScriptedPublicVenue } from './scripted-venue.fixture.ts';

let venue: ScriptedPublicVenue;
let feed: VenueFeed;
let reported: string[];
beforeEach(() => {
  venue = new ScriptedPublicVenue();
  reported = [];
  feed = openFeed();
});

function openFeed(): VenueFeed {
  return new VenueFeed(venue, venue.ports, {
    facts: { platform: 1 },
    listener: {
      onMessage: (message) =>
        reported.push(message.kind === 'book' ? `book ${message.change.lastSeq}` : message.kind),
      onDown: () => reported.push('DOWN'),
      onUp: () => reported.push('UP'),
    },
  });
}

const BOOK: MarketChannel = { kind: 'book', symbol: 'BTCUSDT' };
const TRADES: MarketChannel = { kind: 'trades', symbol: 'BTCUSDT' };
const BAR: MarketChannel = { kind: 'candle', symbol: 'BTCUSDT', interval: '1m' };
const book = (id: number): MarketMessage => ({ kind: 'book', change: change('BTCUSDT', [id, id]) });
const DAY = 86_400_000;
/** Something that means nothing more than that the venue is there. */
const YES: MarketMessage = { kind: 'acknowledged', requestId: 1, accepted: true };

/** What was told but for what means nothing. */
const heard = () => reported.filter((line) => line !== 'acknowledged');

/** Time passes while the venue talks and the feed is drained. */
function live(millis: number, step = 5_000): void {
  for (let passed = 0; passed < millis; passed += step) {
    venue.time.advance(step);
    for (const socket of venue.sockets) if (!socket.closed) socket.say(YES);
    feed.drain();
  }
}

describe('one upstream connection', () => {
  test('opens with the first request, and however much is asked for there is one', () => {
    expect(venue.sockets).toHaveLength(0);
    for (let times = 0; times < 1_000; times += 1)
      for (const channel of [BOOK, TRADES, BAR]) feed.want(channel);
    expect(venue.sockets).toHaveLength(1);
    venue.newest.open();
    expect(venue.newest.sent).toEqual(['+ book:BTCUSDT trades:BTCUSDT candle:BTCUSDT:1m']);
    expect([feed.state, reported]).toEqual(['live', ['UP']]);
  });

  test('requests that come close together are one message, and messages are spaced', () => {
    feed.want(BOOK);
    venue.newest.open();
    venue.time.advance(1_000);
    feed.want(TRADES);
    feed.want(BAR);
    expect(venue.newest.sent).toHaveLength(1);
    venue.time.advance(20);
    expect(venue.newest.sent.slice(1)).toEqual(['+ trades:BTCUSDT candle:BTCUSDT:1m']);
    feed.release(TRADES);
    feed.release(BAR);
    venue.time.advance(440);
    expect(venue.newest.sent).toHaveLength(2);
    venue.time.advance(10);
    expect(venue.newest.sent.slice(2)).toEqual(['- trades:BTCUSDT candle:BTCUSDT:1m']);
  });

  test('a channel stays until everybody has released it; one released before it was asked for is never asked for', () => {
    feed.want(BOOK);
    feed.want(BOOK);
    venue.newest.open();
    feed.release(BOOK);
    feed.want(TRADES);
    feed.release(TRADES);
    feed.release(TRADES);
    venue.time.advance(1_000);
    expect(venue.newest.sent).toEqual(['+ book:BTCUSDT']);
    feed.release(BOOK);
    venue.time.advance(1_000);
    expect(venue.newest.sent.at(-1)).toBe('- book:BTCUSDT');
  });

  test('asking anew for a silent channel is one message of each kind, for what is wanted only', () => {
    feed.want(BOOK);
    venue.newest.open();
    venue.time.advance(1_000);
    feed.resubscribe(BOOK);
    feed.resubscribe(BOOK);
    feed.resubscribe(TRADES);
    venue.time.advance(1_000);
    expect(venue.newest.sent.slice(1)).toEqual(['- book:BTCUSDT', '+ book:BTCUSDT']);
  });
});

describe('frames', () => {
  test('wait for the next drain and are handled in order; what cannot be read is counted and told', () => {
    feed.want(BOOK);
    venue.newest.open();
    venue.newest.say(book(1));
    venue.newest.say('garbage');
    venue.newest.say(book(2));
    expect(reported).toEqual(['UP']);
    feed.drain();
    expect(reported.slice(1)).toEqual(['book 1', 'malformed', 'book 2']);
    expect(feed.counters).toMatchObject({ frames: 3, malformed: 1 });
    feed.drain();
    expect(reported).toHaveLength(4);
  });

  test('a refused subscription is counted and noted', () => {
    feed.want(BOOK);
    venue.newest.open();
    venue.newest.say({ kind: 'acknowledged', requestId: 1, accepted: false });
    feed.drain();
    expect([feed.counters.refused, venue.notes]).toEqual([1, ['venue refused a subscription']]);
  });

  test('more than the queue takes drops the connection and the queue, and starts again', () => {
    feed.want(BOOK);
    venue.newest.open();
    for (let count = 0; count <= 20_000; count += 1) venue.newest.say(book(count));
    expect(feed.counters.overflows).toBe(1);
    expect([feed.state, venue.newest.closed, reported]).toEqual(['down', true, ['UP', 'DOWN']]);
    feed.drain();
    expect(reported).toEqual(['UP', 'DOWN']);
    venue.time.advance(30_000);
    expect(venue.sockets).toHaveLength(2);
  });
});

describe('a connection that is lost', () => {
  test('comes back with everything that is wanted then', () => {
    feed.want(BOOK);
    venue.newest.open();
    venue.newest.say(book(1));
    venue.newest.drop();
    feed.want(TRADES);
    feed.release(BOOK);
    feed.want(BAR);
    feed.drain();
    expect(reported).toEqual(['UP', 'DOWN']);
    venue.time.advance(30_000);
    expect(venue.sockets).toHaveLength(2);
    venue.newest.open();
    expect(venue.newest.sent).toEqual(['+ trades:BTCUSDT candle:BTCUSDT:1m']);
  });

  test.each([
    [1, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]],
    [0.5, [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]],
    [0, [250, 250, 250, 250, 250, 250, 250, 250, 250]],
  ])('is tried again for ever, jitter %d, after %j ms', (chance, delays) => {
    venue.chance = chance;
    feed.want(BOOK);
    for (const delay of delays) {
      const before = venue.sockets.length;
      venue.newest.drop();
      venue.time.advance(delay - 1);
      expect(venue.sockets).toHaveLength(before);
      venue.time.advance(1);
      expect(venue.sockets).toHaveLength(before + 1);
    }
  });

  test('delays begin anew only when the venue has delivered something', () => {
    feed.want(BOOK);
    const cycle = (delivers: boolean): number => {
      venue.newest.open();
      if (delivers) venue.newest.say(book(1));
      venue.newest.drop();
      const before = venue.sockets.length;
      let waited = 0;
      for (; venue.sockets.length === before; waited += 250) venue.time.advance(250);
      return waited;
    };
    expect([cycle(false), cycle(false), cycle(false), cycle(true), cycle(false)]).toEqual([
      500, 1_000, 2_000, 500, 1_000,
    ]);
  });

  test('an address that is none is an attempt that failed, not a crash', () => {
    venue.refusesSockets = true;
    feed.want(BOOK);
    venue.time.advance(100_000);
    expect([feed.state, feed.counters.reconnects > 3]).toEqual(['down', true]);
    venue.refusesSockets = false;
    venue.time.advance(30_000);
    venue.newest.open();
    expect(feed.state).toBe('live');
  });

  test('what the old socket says after its end counts no more', () => {
    feed.want(BOOK);
    const old = venue.newest;
    old.open();
    old.drop();
    old.say(book(9));
    old.drop();
    venue.time.advance(30_000);
    venue.newest.open();
    old.say(book(10));
    feed.drain();
    expect(reported).toEqual(['UP', 'DOWN', 'UP']);
    expect(venue.sockets).toHaveLength(2);
  });
});

describe('silence', () => {
  test('of 15 seconds ends a connection that has subscriptions', () => {
    feed.want(BOOK);
    venue.newest.open();
    live(60_000);
    expect(heard()).toEqual(['UP']);
    venue.time.advance(15_000);
    expect(heard()).toEqual(['UP']);
    venue.time.advance(1_000);
    expect([heard(), venue.sockets[0]?.closed]).toEqual([['UP', 'DOWN'], true]);
  });

  test('is no fault where nothing is subscribed; a minute later the connection is let go until the next request', () => {
    feed.want(BOOK);
    venue.newest.open();
    feed.release(BOOK);
    venue.time.advance(60_000);
    expect([reported, feed.state, venue.held]).toEqual([['UP'], 'live', 1]);
    venue.time.advance(2_000);
    expect([reported, venue.held, feed.counters.reconnects]).toEqual([['UP', 'DOWN'], 0, 0]);
    venue.time.advance(600_000);
    expect(venue.sockets).toHaveLength(1);
    feed.want(TRADES);
    venue.newest.open();
    expect([venue.sockets.length, venue.newest.sent]).toEqual([2, ['+ trades:BTCUSDT']]);
  });
});

describe('before the venue ends a connection of a day', () => {
  beforeEach(() => {
    feed.want(BOOK);
    venue.newest.open();
    live(DAY - 3_600_000 + 5_000);
  });

  test('a successor takes over, both are heard for five seconds, and nobody hears of a loss', () => {
    const [old] = venue.sockets;
    expect(venue.sockets).toHaveLength(2);
    venue.newest.open();
    expect(venue.newest.sent).toEqual(['+ book:BTCUSDT']);
    feed.drain();
    reported = [];
    old?.say(book(1));
    venue.newest.say(book(2));
    feed.drain();
    expect(reported).toEqual(['book 1', 'book 2']);
    expect(old?.closed).toBe(false);
    live(5_000, 500);
    expect([old?.closed, venue.newest.closed]).toEqual([true, false]);
    old?.say(book(3));
    old?.drop();
    feed.drain();
    expect(heard()).toEqual(['book 1', 'book 2']);
    expect(feed.state).toBe('live');
    feed.want(TRADES);
    venue.time.advance(1_000);
    expect(venue.newest.sent.at(-1)).toBe('+ trades:BTCUSDT');
  });

  test('a successor is succeeded in its turn, day after day, with one connection held in between', () => {
    for (let day = 0; day < 3; day += 1) {
      venue.newest.open();
      live(10_000);
      expect(venue.held).toBe(1);
      live(DAY - 3_600_000);
      expect(venue.held).toBe(2);
    }
    feed.drain();
    expect(reported.filter((line) => line === 'UP' || line === 'DOWN')).toEqual(['UP']);
  });

  test('a successor that fails is tried again while the old connection goes on', () => {
    venue.newest.drop();
    live(5_000);
    expect(venue.sockets.length).toBeGreaterThan(2);
    expect([feed.state, venue.sockets[0]?.closed]).toEqual(['live', false]);
  });

  test('an old connection that is lost meanwhile is replaced, and the late successor is not kept', () => {
    const late = venue.newest;
    venue.sockets[0]?.drop();
    venue.time.advance(30_000);
    venue.newest.open();
    late.open();
    expect(late.closed).toBe(true);
    late.say(book(5));
    feed.drain();
    expect(heard()).toEqual(['UP', 'DOWN', 'UP']);
  });

  test('a loss during the overlap ends both', () => {
    const [old] = venue.sockets;
    venue.newest.open();
    venue.newest.drop();
    expect(old?.closed).toBe(true);
    old?.say(book(5));
    feed.drain();
    expect(reported.includes('book 5')).toBe(false);
    venue.time.advance(30_000);
    expect(venue.sockets).toHaveLength(3);
  });

  test.each([false, true])('closing then ends every socket and timer (successor open: %s)', (open) => {
    if (open) venue.newest.open();
    feed.close();
    expect([venue.held, venue.time.waiting]).toEqual([0, 0]);
  });
});

test('a closed feed stays closed', () => {
  feed.want(BOOK);
  venue.newest.open();
  feed.close();
  venue.newest.drop();
  venue.time.advance(100_000);
  expect([venue.sockets.length, venue.time.waiting, venue.held]).toEqual([1, 0, 0]);
});

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
const BAR: MarketChannel = { kind: 'candle', symbol: 'BTCUSDT', interval: '1m' };
const book = (id: number): MarketMessage => ({ kind: 'book', change: change('BTCUSDT', [id, id]) });
const DAY = 86_400_000;
/** Something that means nothing more than that the venue is there. */
const YES: MarketMessage = { kind: 'acknowledged', requestId: 1, accepted: true };

/** Time passes while the venue talks and the feed is drained. */
function live(millis: number, step = 5_000): void {
  for (let passed = 0; passed < millis; passed += step) {
    venue.time.advance(step);
    for (const socket of venue.sockets) if (!socket.closed) socket.say(YES);
    feed.drain();
  }
}

describe('a connection that has nothing to say', () => {
  test('is asked for a sign of life; while it answers it stays, and it is dropped 15 s after the last answer', () => {
    feed.want(BOOK);
    venue.newest.open();
    venue.newest.say(YES);
    feed.drain();
    for (let second = 0; second < 60; second += 1) {
      const before = venue.newest.pings;
      venue.time.advance(1_000);
      if (venue.newest.pings > before) venue.newest.pong();
      expect(venue.time.clock() - feed.aliveAt).toBeLessThan(5_000);
    }
    const { pings } = venue.newest;
    expect([pings > 10, venue.newest.closed]).toEqual([true, false]);
    venue.time.advance(15_000);
    // One unanswered question is enough.
    expect([venue.sockets[0]?.closed, venue.sockets[0]?.pings]).toEqual([false, pings + 1]);
    venue.time.advance(1_000);
    expect([venue.sockets[0]?.closed, reported]).toEqual([true, ['UP', 'acknowledged', 'DOWN']]);
  });

  test('is given up after five minutes without data, however often it says that it is there', () => {
    feed.want(BOOK);
    venue.newest.open();
    venue.newest.say(YES);
    const [first] = venue.sockets;
    for (let second = 0; second < 300; second += 1) {
      feed.drain();
      venue.time.advance(1_000);
      first?.pong();
      first?.say({ kind: 'ignored' });
    }
    expect(first?.closed).toBe(false);
    venue.time.advance(1_000);
    expect(first?.closed).toBe(true);
  });

  test('is given up after 15 s when what was asked for is not answered', () => {
    feed.want(BOOK);
    venue.newest.open();
    const [first] = venue.sockets;
    for (let second = 0; second < 15; second += 1) {
      venue.time.advance(1_000);
      first?.pong();
      first?.say('garbage');
      feed.drain();
    }
    expect(first?.closed).toBe(false);
    venue.time.advance(1_000);
    expect([first?.closed, feed.counters.malformed]).toEqual([true, 15]);
    // Noted now and then, counted always.
    expect(venue.notes.filter((note) => note === 'venue frame unreadable')).toHaveLength(2);
  });
});

describe('what a venue wants', () => {
  test('its heartbeat is sent as often as it says, while the connection is open', () => {
    venue.socket = { ...venue.socket, heartbeat: { everyMillis: 10_000, frame: 'ping' } };
    feed = openFeed();
    feed.want(BOOK);
    venue.time.advance(60_000);
    venue.newest.open();
    live(30_000, 1_000);
    expect(venue.newest.sent).toEqual(['+ book:BTCUSDT', 'ping', 'ping', 'ping']);
    venue.newest.drop();
    venue.time.advance(30_000);
    expect(venue.newest.sent).toEqual([]);
  });

  test('its heartbeat goes on while nobody wants anything, until the connection is ended', () => {
    venue.socket = { ...venue.socket, heartbeat: { everyMillis: 10_000, frame: 'ping' } };
    feed = openFeed();
    feed.want(BOOK);
    venue.newest.open();
    live(1_000, 1_000);
    feed.release(BOOK);
    venue.newest.sent.length = 0;
    live(59_000, 1_000);
    expect(venue.newest.sent.filter((frame) => frame === 'ping')).toHaveLength(6);
    expect(venue.newest.closed).toBe(false);
    live(3_000, 1_000);
    expect(venue.newest.closed).toBe(true);
  });

  test('no message names more channels than it takes, two messages at a time, and nothing is left out', () => {
    venue.socket = { ...venue.socket, channelsPerRequestMax: 3 };
    feed = openFeed();
    const channels = Array.from({ length: 20 }, (_none, at) => ({ kind: 'book' as const, symbol: `A${at}` }));
    for (const channel of channels) feed.want(channel);
    venue.newest.open();
    expect(venue.newest.sent).toHaveLength(2);
    venue.time.advance(449);
    expect(venue.newest.sent).toHaveLength(2);
    live(2_000, 100);
    const asked = venue.newest.sent.map((text) => text.slice(2).split(' '));
    expect(asked.map((names) => names.length)).toEqual([3, 3, 3, 3, 3, 3, 2]);
    expect(new Set(asked.flat()).size).toBe(20);
  });

  test('asking anew for many channels ends all of them before it begins the first', () => {
    venue.socket = { ...venue.socket, channelsPerRequestMax: 2 };
    feed = openFeed();
    const channels = Array.from({ length: 5 }, (_none, at) => ({ kind: 'book' as const, symbol: `A${at}` }));
    for (const channel of channels) feed.want(channel);
    venue.newest.open();
    live(3_000, 100);
    venue.newest.sent.length = 0;
    for (const channel of channels) feed.resubscribe(channel);
    live(3_000, 100);
    expect(venue.newest.sent.map((text) => text[0]).join('')).toBe('---+++');
  });
});

describe('a venue that counts what one connection asks', () => {
  test('finds a fresh connection in its place before the count is full', () => {
    venue.socket = { ...venue.socket, controlMessagesMax: 20 };
    feed = openFeed();
    feed.want(BOOK);
    venue.newest.open();
    const [first] = venue.sockets;
    for (let count = 0; venue.sockets.length === 1; count += 1) {
      expect(count).toBeLessThan(100);
      feed.resubscribe(BOOK);
      live(1_000, 500);
    }
    expect(first?.sent.length).toBeGreaterThanOrEqual(16);
    expect(first?.sent.length).toBeLessThanOrEqual(20);
    venue.newest.open();
    live(6_000, 500);
    expect([first?.closed, venue.newest.sent[0], venue.held]).toEqual([true, '+ book:BTCUSDT', 1]);
    live(60_000);
    expect(venue.sockets).toHaveLength(2);
  });
});

describe('a venue with several addresses', () => {
  const lanes = () => [...new Set(venue.sockets.map((socket) => socket.url))];
  beforeEach(() => {
    const { socket } = venue;
    venue.socket = { ...socket, carries: ({ kind }) => kind !== 'candle' };
    venue.furtherSockets = [
      { ...socket, url: () => 'ws://venue/business', carries: ({ kind }) => kind === 'candle' },
    ];
    reported = [];
    feed = new VenueFeed(venue, venue.ports, {
      facts: { platform: 2 },
      listener: {
        onMessage: ({ kind }) => reported.push(kind),
        onDown: (carries) => reported.push(`DOWN ${carries(BOOK) ? 'books' : 'bars'}`),
        onUp: (carries) => reported.push(`UP ${carries(BOOK) ? 'books' : 'bars'}`),
      },
    });
  });
  const at = (url: string) => {
    const socket = venue.sockets.filter((one) => one.url === url).at(-1);
    if (socket === undefined) throw new Error(`nobody connected to ${url}`);
    return socket;
  };

  test('is asked for each channel where it has it, and only addresses that are wanted are opened', () => {
    feed.want(BAR);
    expect(lanes()).toEqual(['ws://venue/business']);
    feed.want(BOOK);
    at('ws://venue').open();
    at('ws://venue/business').open();
    expect(at('ws://venue').sent).toEqual(['+ book:BTCUSDT']);
    expect(at('ws://venue/business').sent).toEqual(['+ candle:BTCUSDT:1m']);
    expect(reported).toEqual(['UP books', 'UP bars']);
  });

  test('loses one without the other; a book is stale only when its own connection is', () => {
    feed.want(BAR);
    feed.want(BOOK);
    at('ws://venue').open();
    at('ws://venue/business').open();
    at('ws://venue/business').drop();
    expect([reported.at(-1), feed.state]).toEqual(['DOWN bars', 'partly']);
    at('ws://venue').say(book(1));
    feed.drain();
    expect(reported.at(-1)).toBe('book');
    venue.time.advance(30_000);
    at('ws://venue/business').open();
    expect([reported.at(-1), at('ws://venue/business').sent]).toEqual(['UP bars', ['+ candle:BTCUSDT:1m']]);
    for (const socket of venue.sockets) if (!socket.closed) socket.drop();
    expect(feed.state).toBe('down');
  });

  test('is as alive as the one of its wanted connections that was heard from least recently', () => {
    feed.want(BAR);
    feed.want(BOOK);
    at('ws://venue').open();
    at('ws://venue/business').open();
    const began = venue.time.clock();
    venue.time.advance(2_000);
    at('ws://venue').pong();
    expect([feed.aliveAt, feed.aliveAtOf(BOOK)]).toEqual([began, began + 2_000]);
    feed.release(BAR);
    expect(feed.aliveAt).toBe(began + 2_000);
  });

  test('a channel that no address carries is nowhere asked for', () => {
    venue.socket = { ...venue.socket, carries: () => false };
    venue.furtherSockets = [];
    feed = openFeed();
    feed.want(BOOK);
    feed.resubscribe(BOOK);
    feed.release(BOOK);
    expect(venue.sockets).toHaveLength(0);
    expect(feed.aliveAtOf(BOOK)).toBe(0);
  });
});

describe('before the end of a connection whose books come as a snapshot', () => {
  test('the successor begins with new books; what the old one says of books counts no more, its trades do', () => {
    venue.socketSendsSnapshots = true;
    feed = openFeed();
    feed.want(BOOK);
    venue.newest.open();
    live(DAY - 3_600_000 + 5_000);
    const [old] = venue.sockets;
    reported = [];
    venue.newest.open();
    expect(reported).toEqual(['UP']);
    old?.say(book(1));
    old?.say({ kind: 'trades', trades: [] });
    venue.newest.say(book(2));
    feed.drain();
    expect(reported).toEqual(['UP', 'trades', 'book 2']);
  });
});

import type { UserEvent } from '@crossbook/contract';
import { describe, expect, test } from 'vitest';
import { createFrameDispatcher } from './frame-dispatch.ts';

/** A dispatcher whose sink writes down what reached it. */
function recording() {
  const seen: string[] = [];
  const users: UserEvent[] = [];
  const dispatcher = createFrameDispatcher({
    onPublic: (key, frame) => seen.push(`${key}${frame.ch === 'book' ? `@${frame.q}` : ''}`),
    onVenue: (frame) => seen.push(`venue ${frame.state}`),
    onEvent: (frame) => seen.push(`event ${frame.event}`),
    onUser: (event) => users.push(event),
    onUserGap: () => seen.push('user gap'),
    onMalformed: () => seen.push('malformed'),
  });
  const take = (...frames: readonly unknown[]) => {
    for (const frame of frames) dispatcher.take(JSON.stringify(frame));
  };
  return { seen, users, dispatcher, take };
}

const snapshot = (q: number, s = 'BTCUSDT') => ({ ch: 'book', s, k: 's', q, b: [], a: [], t: 1 });
const delta = (p: number, q: number, s = 'BTCUSDT') => ({ ch: 'book', s, k: 'd', p, q, b: [], a: [], t: 1 });
const balance = (q: number) => ({ ch: 'user', q, d: { kind: 'balance', wallet: 'funding', rows: [] } });
const hello = (q: number) => ({ ch: 'user', q, d: { kind: 'hello' } });

test('every frame of a book goes to its channel, whatever its sequence: the book itself checks that', () => {
  const { seen, take } = recording();
  const perp = (frame: object) => ({ ...frame, m: 2 });
  take(
    snapshot(5),
    perp(snapshot(40)),
    delta(5, 6),
    delta(8, 9),
    perp(delta(41, 42)),
    delta(1, 2, 'ETHUSDT'),
  );
  expect(seen).toEqual([
    'book:BTCUSDT@5',
    'book.perp:BTCUSDT@40',
    'book:BTCUSDT@6',
    'book:BTCUSDT@9',
    'book.perp:BTCUSDT@42',
    'book:ETHUSDT@2',
  ]);
});

describe('private events', () => {
  test('events in order are delivered and nothing is read again', () => {
    const { seen, users, take } = recording();
    take(hello(10), balance(11), balance(12));
    expect(users).toHaveLength(2);
    expect(seen).toEqual([]);
  });

  test('a jump is a gap, and the event that showed it still counts', () => {
    const { seen, users, take } = recording();
    take(hello(10), balance(13));
    expect(seen).toEqual(['user gap']);
    expect(users).toHaveLength(1);
  });

  test('an event that was already applied is dropped and the counter stays', () => {
    const { seen, users, take } = recording();
    take(hello(10), balance(11), balance(11), balance(9), balance(12));
    expect(users).toHaveLength(2);
    expect(seen).toEqual([]);
  });

  test('a hello after a reconnect shows whether something was missed', () => {
    const { seen, take } = recording();
    take(hello(10), hello(10));
    expect(seen).toEqual([]);
    take(hello(14));
    expect(seen).toEqual(['user gap']);
  });

  test('another member begins a count of his own', () => {
    const { seen, dispatcher, take } = recording();
    take(hello(10));
    dispatcher.forgetMember();
    take(hello(3), balance(4));
    expect(seen).toEqual([]);
  });
});

test('candle frames are told apart by interval, and every frame by its market', () => {
  const { seen, take } = recording();
  const candle = { ch: 'candle', s: 'BTCUSDT', i: '5m', d: [0, 1, 1, 1, 1, 1], x: false };
  take(
    candle,
    { ...candle, m: 2 },
    { ch: 'bbo', s: 'BTC', d: [], t: 1 },
    { ch: 'bbo', s: 'BTC', m: 2, d: [], t: 1 },
  );
  expect(seen).toEqual(['candle:BTCUSDT:5m', 'candle.perp:BTCUSDT:5m', 'bbo:BTC', 'bbo.perp:BTC']);
});

test.each(['', '{', '[]', 'null', '7', '"pong"', '{"a":1}', '{"ch":"nonsense"}'])(
  'the frame %j is counted as malformed and nothing is thrown',
  (text) => {
    const { seen, dispatcher } = recording();
    dispatcher.take(text);
    expect(seen).toEqual(['malformed']);
  },
);

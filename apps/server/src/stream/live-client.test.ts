import { STREAM_LIMITS } from '@crossbook/contract';
import type { UserId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { change, instrument, settled } from '../market/scripted-venue.fixture.ts';
import { type LiveReader, LiveWorld, login, subscribe, unsubscribe, until } from './live-world.fixture.ts';
import { UNANSWERED_CHECKS_MAX } from './unread-meter.ts';

let world: LiveWorld;
let client: LiveReader;
beforeEach(async () => {
  world = await new LiveWorld().open();
  client = await world.connect();
});
afterEach(() => world.close());

const seven = 7 as UserId;
const tickerOf = (last: string) =>
  ({
    kind: 'ticker',
    ticker: {
      ...{ symbol: 'BTCUSDT', lastPrice: last, change: '0', openPrice: '1', highPrice: '1', lowPrice: '1' },
      ...{ volume: '1', quoteVolume: '1', time: 1 },
    },
  }) as never;

describe('a connection', () => {
  test('is told the state of the venue at once, every five seconds, and within a second when it changes', async () => {
    expect(client.of('venue')).toMatchObject([{ state: 'live' }]);
    client.send(subscribe('ticker:BTCUSDT'));
    await client.handled();
    // Following is what opens the upstream: it is told at once, and not again until something changes.
    expect(client.of('venue')).toMatchObject([{ state: 'live' }, { state: 'down' }]);
    world.venue.time.advance(500);
    await client.handled();
    expect(client.of('venue')).toHaveLength(2);
    world.venue.newest.open();
    world.venue.time.advance(500);
    await until(() => client.of('venue').at(-1)?.state === 'live');
    world.venue.time.advance(3_000);
    await client.handled();
    expect(client.of('venue')).toHaveLength(3);
    world.venue.time.advance(1_000);
    await until(() => client.of('venue').length > 3);
  });

  test('is told with it how old the oldest comparison of accounts with the venue is', async () => {
    client.send(subscribe('ticker:BTCUSDT'));
    await client.handled();
    world.oldestCheckMillis = 61_001;
    world.venue.time.advance(5_000);
    await until(() => client.of('venue').length > 2);
    expect(client.of('venue').map(({ c }) => c)).toEqual([0, 0, 62]);
  });

  test.each(['ping', 'ping ping', '', '{}', 'PING'])('the text %j', async (text) => {
    client.send(text);
    if (text === 'ping') await until(() => client.texts.at(-1) === 'pong');
    else await until(() => client.events.length === 1);
    if (text !== 'ping') expect(client.events).toMatchObject([{ event: 'error', code: 1001 }]);
  });

  test('a binary frame and a protocol ping are answered each in its way', async () => {
    client.socket.send(Buffer.from('ping'));
    await until(() => client.events.length === 1);
    const ponged = new Promise((resolve) => client.socket.once('pong', resolve));
    client.socket.ping('x');
    expect(String(await ponged)).toBe('x');
  });

  test('that says nothing for 40 s is ended, one that pings stays', async () => {
    const silent = await world.connect();
    for (let passed = 0; passed < 50; passed += 5) {
      world.venue.time.advance(5_000);
      if (client.closed === undefined) await client.handled();
    }
    await until(() => silent.closed !== undefined);
    expect([client.closed, world.gateway.connections()]).toEqual([undefined, 1]);
  });

  test('for a platform without a market there is none, and closing ends all with 1001', async () => {
    const other = world.url.replace('/live/1', '/live/2');
    const refused = await new Promise((resolve) => {
      const socket = new WebSocket(other);
      socket.on('unexpected-response', (_request, response) => {
        response.resume();
        resolve(response.statusCode);
      });
      socket.on('error', () => undefined);
    });
    expect(refused).toBe(404);
    world.gateway.close();
    await until(() => client.closed !== undefined);
    expect(client.closed).toEqual({ code: 1001, reason: 'server stops' });
  });
});

describe('subscriptions', () => {
  test('are answered in order, known or not, before any data', async () => {
    client.send(subscribe('book:BTCUSDT', 'book:NOPEUSDT', 'candle:BTCUSDT:7m', 'ticker:BTCUSDT'));
    await client.handled();
    world.venue.newest.open();
    world.venue.newest.say(tickerOf('5'));
    await world.tick();
    await until(() => client.of('ticker').length > 0);
    expect(client.events).toEqual([
      { event: 'subscribe', code: 0, msg: '', arg: { ch: 'book', s: 'BTCUSDT' } },
      { event: 'subscribe', code: 3002, msg: 'no such channel', arg: { ch: 'book', s: 'NOPEUSDT' } },
      {
        event: 'subscribe',
        code: 3002,
        msg: 'no such channel',
        arg: { ch: 'candle', s: 'BTCUSDT', i: '7m' },
      },
      { event: 'subscribe', code: 0, msg: '', arg: { ch: 'ticker', s: 'BTCUSDT' } },
    ]);
    client.send(unsubscribe('ticker:BTCUSDT', 'trades:ETHUSDT'));
    await client.handled();
    expect(client.events.slice(4)).toMatchObject([{ event: 'unsubscribe' }, { event: 'unsubscribe' }]);
    world.venue.newest.say(tickerOf('6'));
    await world.tick();
    await client.handled();
    expect(client.of('ticker')).toHaveLength(1);
  });

  test('a book comes as a snapshot, then by its changes, and as a snapshot again when subscribed again', async () => {
    const levels = { bids: [[99, 1]], asks: [[101, 2]] } as const;
    world.venue.depth = async () => ({
      ok: true,
      value: {
        ...change('BTCUSDT', [10, 10], { bids: [[99, 1]], asks: [[101, 2]] }, 'snapshot'),
        receivedAt: world.venue.time.clock(),
      },
    });
    client.send(subscribe('book:BTCUSDT'));
    await client.handled();
    world.venue.newest.open();
    for (let count = 0; count < 3; count += 1) await world.tick();
    world.venue.newest.say({ kind: 'book', change: change('BTCUSDT', [11, 11], { bids: [[100, 3]] }) });
    await world.tick();
    await until(() => client.of('book').length >= 2);
    client.send(subscribe('book:BTCUSDT'));
    await client.handled();
    await world.tick();
    await until(() => client.of('book').length >= 3);
    const [snapshot, delta, again] = client.of('book');
    expect(snapshot).toMatchObject({ k: 's', b: levels.bids.flat(), a: levels.asks.flat() });
    expect(delta).toMatchObject({ k: 'd', p: snapshot?.q, q: (snapshot?.q ?? 0) + 1, b: [100, 3], a: [] });
    expect(again).toMatchObject({ k: 's', q: delta?.q, b: [100, 3, 99, 1] });
  });

  test('beyond two hundred are refused by name; an old one may be asked for again and makes room when it ends', async () => {
    const many = Array.from({ length: 230 }, (_none, at) => instrument(`A${at}USDT`));
    world.venue.instruments = async () => ({ ok: true, value: many });
    world.venue.time.advance(600_000);
    await settled();
    client = await world.connect();
    const keys = many.map(({ symbol }) => `ticker:${symbol}`);
    client.send(subscribe(...keys.slice(0, 100)));
    client.send(subscribe(...keys.slice(100, 200)));
    client.send(subscribe(keys[200] ?? '', keys[0] ?? ''));
    await client.handled();
    const codes = client.events.map((event) => event.code);
    expect([codes.length, codes.filter((code) => code === 0).length]).toEqual([202, 201]);
    const refused = client.events.find((event) => event.code !== 0);
    expect(refused).toMatchObject({
      code: 1003,
      msg: `at most ${STREAM_LIMITS.channelsMax} channels`,
      arg: { s: 'A200USDT' },
    });
    client.send(unsubscribe(keys[0] ?? ''));
    client.send(subscribe(keys[200] ?? ''));
    await client.handled();
    expect(client.events.at(-1)?.code).toBe(0);
  });

  test('end with the connection', async () => {
    client.send(subscribe('ticker:BTCUSDT'));
    await client.handled();
    client.socket.close();
    await until(() => world.gateway.connections() === 0);
    world.venue.time.advance(60_000);
    expect(world.markets.of('SPOT')?.stats.channels).toBe(0);
  });
});

describe('limits', () => {
  test('forty messages a second pass, one more ends the connection', async () => {
    for (let count = 0; count < 40; count += 1) client.send('ping');
    await until(() => client.texts.filter((text) => text === 'pong').length === 40);
    world.venue.time.advance(1_000);
    for (let count = 0; count < 41; count += 1) client.send('ping');
    await until(() => client.closed !== undefined);
    expect(client.closed).toEqual({ code: 1008, reason: 'too many messages' });
    await until(() => world.gateway.connections() === 0);
  });

  test('a message of 16 kB is read, a larger one ends the connection', async () => {
    client.send(`"${'x'.repeat(STREAM_LIMITS.clientFrameBytesMax - 2)}"`);
    await until(() => client.events.length === 1);
    client.send(`"${'x'.repeat(STREAM_LIMITS.clientFrameBytesMax - 1)}"`);
    await until(() => client.closed !== undefined);
    expect(client.closed?.code).toBe(1009);
    const other = await world.connect();
    await other.handled();
  });

  test('a client that does not read is let go, and others lose nothing', async () => {
    const slow = await world.connect();
    for (const one of [slow, client]) one.send(subscribe('trades:BTCUSDT'));
    await Promise.all([slow.handled(), client.handled()]);
    world.venue.newest.open();
    slow.socket.pause();
    const long = 'y'.repeat(100_000);
    let sent = 0;
    const begin = world.venue.time.clock();
    while (world.gateway.connections() > 1) {
      sent += 1;
      const trade = { id: `${sent}${long}`, symbol: 'BTCUSDT', price: 1, size: 1, side: 'buy', time: 1 };
      world.venue.newest.say({ kind: 'trades', trades: [trade] } as never);
      await world.tick();
      await client.handled();
      if (sent % 20 === 0) world.venue.time.advance(1_000);
    }
    // For being behind, not for being idle: that would take 40 s.
    expect(world.venue.time.clock() - begin).toBeLessThan(35_000);
    await until(() => client.of('trades').reduce((sum, frame) => sum + frame.d.length, 0) === sent);
    expect(client.closed).toBeUndefined();
    await client.handled();
    slow.socket.resume();
    await until(() => slow.closed !== undefined);
  });

  test('a client whose unread data lies in buffers that nobody sees is let go, though it goes on sending', async () => {
    const hidden = await world.connect();
    hidden.socket.pause();
    for (let check = 0; check <= UNANSWERED_CHECKS_MAX + 1; check += 1) {
      hidden.send('ping');
      await client.handled();
      world.venue.time.advance(5_000);
    }
    await until(() => world.gateway.connections() === 1);
    await client.handled();
    expect(client.closed).toBeUndefined();
    hidden.socket.resume();
    await until(() => hidden.closed !== undefined);
  });

  test('an answer that is none of ours proves no reading', async () => {
    const forger = await world.connect();
    forger.socket.pause();
    for (let check = 0; check <= UNANSWERED_CHECKS_MAX + 1; check += 1) {
      forger.socket.pong('x'.repeat(8));
      forger.send('ping');
      await client.handled();
      world.venue.time.advance(5_000);
    }
    await until(() => world.gateway.connections() === 1);
  });
});

describe('login', () => {
  beforeEach(() => world.knows('key', 7));

  test('opens the private side, which greets with the newest number', async () => {
    client.send(login('key'));
    await until(() => client.of('user').length === 1);
    expect(client.events).toEqual([{ event: 'login', code: 0, msg: '' }]);
    expect(client.of('user')).toEqual([{ ch: 'user', q: 1_000, d: { kind: 'hello' } }]);
  });

  test.each(['nobody', 'broken'])('as %s is refused, and nothing private is heard', async (apiKey) => {
    client.send(login(apiKey));
    await until(() => client.events.length === 1);
    expect(client.events).toEqual([{ event: 'login', code: -2, msg: 'login failed' }]);
    world.events.publish(seven, { kind: 'signed-out' });
    await client.handled();
    expect(client.of('user')).toEqual([]);
  });

  test('is judged with the origin of its own handshake', async () => {
    const origin = world.url.replace('ws:', 'http:').replace('/live/1', '');
    const page = await world.connect({ origin });
    page.send(login('key'));
    await until(() => page.events.length === 1);
    expect(world.logins).toEqual([{ user: 7, origin }]);
  });

  test('that is still being judged when the connection ends opens nothing', async () => {
    let judge: () => void = () => undefined;
    world.verifying = new Promise((resolve) => {
      judge = resolve;
    });
    client.send(login('key'));
    client.send(login('key'));
    client.socket.close();
    await until(() => world.gateway.connections() === 0);
    judge();
    await settled();
    world.events.publish(seven, { kind: 'signed-out' });
    expect(client.of('user')).toEqual([]);
  });

  test.each([
    ['its session', ['session-of-key'], -2],
    ['so many sessions that nobody knows which', Array.from({ length: 1_001 }, (_none, at) => `${at}`), -2],
    ['the session of another', ['session-of-other'], 0],
  ] as const)('while which %s ends', async (_what, ended, code) => {
    let judge: () => void = () => undefined;
    world.verifying = new Promise((resolve) => {
      judge = resolve;
    });
    client.send(login('key'));
    await client.handled();
    for (const session of ended) world.gateway.endSession(session);
    judge();
    await until(() => client.events.length === 1);
    expect(client.events).toMatchObject([{ event: 'login', code }]);
    expect(world.events.heard(seven)).toBe(code === 0);
    world.verifying = Promise.resolve();
    client.send(login('key'));
    await until(() => client.events.length === 2);
    expect(client.events.at(-1)).toMatchObject({ event: 'login', code: 0 });
  });

  test('private events reach every connection of the member and nobody else, without a gap', async () => {
    world.knows('other', 8);
    const [one, two, foreign] = [
      await world.loggedIn('key'),
      await world.loggedIn('key'),
      await world.loggedIn('other'),
    ];
    for (let count = 0; count < 300; count += 1) {
      world.events.publish(seven, { kind: 'balance', wallet: 'funding', rows: [] });
    }
    await until(() => one.of('user').length === 301 && two.of('user').length === 301);
    for (const reader of [one, two]) {
      expect(reader.of('user').map((frame) => frame.q)).toEqual(
        Array.from({ length: 301 }, (_none, at) => 1_000 + at),
      );
    }
    expect(foreign.of('user')).toHaveLength(1);
    expect(client.of('user')).toEqual([]);
  });

  test('events while nobody listens move the number, so that the next greeting shows the gap', async () => {
    const one = await world.loggedIn('key');
    one.socket.close();
    await until(() => world.gateway.connections() === 1);
    world.events.publish(seven, { kind: 'balance', wallet: 'funding', rows: [] });
    const again = await world.loggedIn('key');
    expect(again.of('user')[0]?.q).toBe(1_001);
  });

  test('as another member on the same connection hears the new one only', async () => {
    world.knows('other', 8);
    const one = await world.loggedIn('key');
    expect([7, 8].map((user) => world.events.heard(user as UserId))).toEqual([true, false]);
    one.send(login('other'));
    await until(() => one.of('user').length === 2);
    expect([7, 8].map((user) => world.events.heard(user as UserId))).toEqual([false, true]);
    world.events.publish(seven, { kind: 'balance', wallet: 'funding', rows: [] });
    world.events.publish(8 as UserId, { kind: 'balance', wallet: 41, rows: [] });
    await until(() => one.of('user').length === 3);
    expect(one.of('user').at(-1)).toMatchObject({ q: 1_001, d: { wallet: 41 } });
  });

  test('the end of a session tells and ends its own logins, and leaves the other devices of the member alone', async () => {
    world.knows('phone', 7);
    const [page, tab, phone] = [
      await world.loggedIn('key'),
      await world.loggedIn('key'),
      await world.loggedIn('phone'),
    ];
    world.gateway.endSession('session-of-key');
    await until(() => page.of('user').length === 2 && tab.of('user').length === 2);
    expect(page.of('user').at(-1)).toEqual({ ch: 'user', q: 1_001, d: { kind: 'signed-out' } });
    world.events.publish(seven, { kind: 'balance', wallet: 'funding', rows: [] });
    await until(() => phone.of('user').length === 2);
    expect(phone.of('user').at(-1)).toMatchObject({ q: 1_001, d: { kind: 'balance' } });
    await page.handled();
    expect([page.of('user').length, tab.of('user').length, page.closed]).toEqual([2, 2, undefined]);
    world.gateway.endSession('session-of-key');
    await page.handled();
    expect(page.of('user')).toHaveLength(2);
  });

  test('ends when its session runs out', async () => {
    world.knows('short', 9, 3_000);
    const one = await world.loggedIn('short');
    world.venue.time.advance(5_000);
    await until(() => one.of('user').at(-1)?.d.kind === 'signed-out');
    world.events.publish(9 as UserId, { kind: 'balance', wallet: 'funding', rows: [] });
    await one.handled();
    expect(one.of('user')).toHaveLength(2);
  });
});

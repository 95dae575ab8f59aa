import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ConnectionCaps } from './connection-places.ts';
import { type LiveReader, LiveWorld, login, subscribe, until } from './live-world.fixture.ts';

let world: LiveWorld;
afterEach(() => world.close());

const PROXIED = { proxy: { hops: 1, publicUrl: new URL('https://trade.example.org') } };
const CAPS = { all: 20, strangers: 8, perNetwork: 6, strangersPerNetwork: 4, perMember: 2 };

async function open(caps: Partial<ConnectionCaps> = CAPS): Promise<void> {
  world = await new LiveWorld({ caps, face: PROXIED }).open();
}

/** Headers of a client behind the declared proxy. */
function from(address: string): Record<string, string> {
  return { host: 'trade.example.org', 'x-forwarded-for': `6.6.6.6, ${address}` };
}

/** Status of a handshake that is refused. */
function refusalOf(address: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(world.url, { headers: from(address) });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode);
    });
    socket.on('open', () => reject(new Error('it was let in')));
    socket.on('error', () => undefined);
  });
}

async function loggedIn(address: string, apiKey: string): Promise<LiveReader> {
  const reader = await world.connect(from(address));
  reader.send(login(apiKey));
  await until(() => reader.of('user').length > 0 || reader.closed !== undefined);
  return reader;
}

test('one address that opens all it can leaves places for every other, and keeps those it has', async () => {
  await open();
  const flood = [];
  for (let count = 0; count < 4; count += 1) flood.push(await world.connect(from('203.0.113.9')));
  expect(await refusalOf('203.0.113.9')).toBe(429);
  expect(await refusalOf('::ffff:203.0.113.9')).toBe(429);
  const other = await world.connect(from('203.0.113.10'));
  other.send(subscribe('ticker:BTCUSDT'));
  await other.handled();
  for (const reader of flood) await reader.handled();
  expect(world.gateway.connections()).toBe(5);
  flood[0]?.socket.close();
  await until(() => world.gateway.connections() === 4);
  await (await world.connect(from('203.0.113.9'))).handled();
});

test('all networks of an IPv6 site are one', async () => {
  await open();
  for (let count = 0; count < 4; count += 1) await world.connect(from(`2001:db8:1:${count + 1}::1`));
  expect(await refusalOf('2001:db8:1:ffff::9')).toBe(429);
  await (await world.connect(from('2001:db8:2:1::1'))).handled();
});

test('strangers from two networks who hold every place make room for a third, one by one, and are told why', async () => {
  await open();
  const flood: LiveReader[] = [];
  for (const address of ['203.0.113.1', '203.0.113.2']) {
    for (let count = 0; count < 4; count += 1) flood.push(await world.connect(from(address)));
  }
  const guest = await world.connect(from('198.51.100.1'));
  await guest.handled();
  await until(() => flood[0]?.closed !== undefined);
  expect(flood.filter((reader) => reader.closed !== undefined)).toHaveLength(1);
  expect(flood[0]?.closed).toEqual({ code: 1013, reason: 'busy' });
  expect(world.gateway.connections()).toBe(8);
});

test('where each network has one and all are taken, the next is told to come later', async () => {
  await open({ ...CAPS, strangers: 2 });
  for (const address of ['203.0.113.1', '203.0.113.2']) await world.connect(from(address));
  expect(await refusalOf('203.0.113.3')).toBe(503);
});

test('strangers who fill all their places do not push members out, nor keep one from coming', async () => {
  await open();
  world.knows('ada', 7);
  const ada = await loggedIn('198.51.100.7', 'ada');
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
    for (let count = 0; count < 3; count += 1) await world.connect(from(address));
  }
  const second = await loggedIn('198.51.100.8', 'ada');
  for (const reader of [ada, second]) {
    await reader.handled();
    expect(reader.closed).toBeUndefined();
  }
});

test('a member has so many; the next is told so, and one that ends makes room', async () => {
  await open();
  world.knows('ada', 7);
  world.knows('bob', 8);
  const [one] = [await loggedIn('198.51.100.1', 'ada'), await loggedIn('198.51.100.2', 'ada')];
  const third = await loggedIn('198.51.100.3', 'ada');
  await until(() => third.closed !== undefined);
  expect(third.closed).toEqual({ code: 1013, reason: 'too many connections of this member' });
  expect((await loggedIn('198.51.100.3', 'bob')).closed).toBeUndefined();
  one?.socket.close();
  await until(() => world.gateway.connections() === 2);
  expect((await loggedIn('198.51.100.3', 'ada')).closed).toBeUndefined();
});

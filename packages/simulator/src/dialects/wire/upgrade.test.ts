import { once } from 'node:events';
import { connect } from 'node:net';
import type { Millis, PlatformSlug } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenedVenue } from '../../open-venue.ts';
import { openQuietVenue } from '../../quiet-venue.fixture.ts';
import { type SimulatorServer, serveSimulator } from '../../server.ts';

const SLUGS: readonly PlatformSlug[] = ['binance', 'okx', 'bybit'];
const complaints: unknown[] = [];
let venues: readonly OpenedVenue[];
let server: SimulatorServer;

beforeAll(async () => {
  const clock = () => Date.UTC(2026, 10, 20, 12) as Millis;
  venues = await Promise.all(SLUGS.map((slug) => openQuietVenue(slug, { clock, coins: ['BTC'] })));
  server = await serveSimulator({
    venues,
    port: 0,
    adminToken: 'token',
    randomText: (length) => 'a'.repeat(length),
    onFault: (fault) => complaints.push(fault),
  });
});

afterAll(async () => {
  await server.close();
  for (const venue of venues) await venue.close();
});

/** Sends bytes as they are. @returns the answer's status line, once the simulator has let go of what it turned away. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const over = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // A socket that was let in stays open: it is not waited for.
      if (Buffer.concat(chunks).toString('latin1').startsWith('HTTP/1.1 101 ')) resolve();
    });
    socket.once('end', resolve);
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await over;
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1').split('\r\n')[0] ?? '';
}

function upgradeTo(path: string): string {
  const headers = [
    'host: 127.0.0.1',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  return `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
}

test.each([
  ['no address at all', '//', 404],
  ['an address without a host', 'http://', 404],
  ['a port that is none', 'http://a:99999/ws', 404],
  ['broken escapes', '/ws/%E0%A4', 404],
  ['a path of nobody', '/elsewhere', 404],
  ["a path under OKX's that it has not", '/ws/v5/nothing', 404],
  ["a path under the futures' that it has not", '/private/elsewhere', 404],
])('an upgrade to %s is turned away and harms nobody', async (_, path, status) => {
  expect(await sendRaw(upgradeTo(path))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect((await fetch(`${server.admin}/health`)).status).toBe(200);
  expect(complaints).toEqual([]);
});

test('bytes that are no HTTP are answered and let go of', async () => {
  expect(await sendRaw('nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
});

// Whose account a private socket hears is decided by its listen key; one that nobody has opens, and hears nothing.
test.each([
  ...['/ws', '/public/ws', '/ws/v5/public', '/v5/public/spot'],
  ...['/private/ws', '/private/ws/x', '/private/ws?listenKey=x'],
])('%s opens', async (path) => {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  socket.close();
  await closed;
});

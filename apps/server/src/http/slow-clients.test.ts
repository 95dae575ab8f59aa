import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attacks } from '../../../../tests/attack-sizes.ts';
import { startTestHub, type TestHub } from '../main/testing.ts';

/** Many connections that take as long as they can: everybody else is answered meanwhile, and each of them ends. */

let hub: TestHub;
let port: number;
beforeAll(async () => {
  hub = await startTestHub({
    deadlines: { requestMillis: 4_000, headersMillis: 3_000, answerMillis: 3_000, checkedEveryMillis: 100 },
  });
  port = Number(new URL(hub.url).port);
});
afterAll(() => hub.close());

const CONNECTIONS = attacks(100, 1_000);
/** Those of everybody else stay open for their next request. */
const OTHERS_MAX = 40;
const BIG = `GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n`;

function open(begin: string, drip: boolean): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(begin));
  socket.on('error', () => undefined);
  if (!drip) return socket.pause();
  const timer = setInterval(() => socket.write('x'), 500);
  socket.on('data', () => undefined);
  return socket.on('close', () => clearInterval(timer));
}

const connections = () =>
  new Promise<number>((resolve) => {
    hub.hub.server.server.getConnections((_error, count) => resolve(count));
  });

test.each([
  ['send their headers letter by letter', 'GET / HTTP/1.1\r\nX-Slow: ', true],
  [
    'send a body letter by letter',
    'POST /api/user/login HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n',
    true,
  ],
  ['ask for far more than they read', BIG.repeat(200), false],
])('clients that %s stop nobody, and none of them is left', async (_what, begin, drip) => {
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    open(begin.replaceAll('PORT', String(port)), drip),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (let n = 0; n < 20; n += 1) expect((await hub.visitor().call('common/country', {})).code).toBe(1);
  await expect.poll(connections, { timeout: 120_000 }).toBeLessThan(OTHERS_MAX);
  for (const socket of sockets) socket.destroy();
});

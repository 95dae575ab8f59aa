import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { attachLiveGateway, type LiveUpgrade } from './live-gateway.ts';

let server: Server;
let base: string;
const taken: LiveUpgrade[] = [];
beforeAll(async () => {
  const sockets = new WebSocketServer({ noServer: true });
  server = createServer((_request, response) => response.end());
  const gateway = {
    handleUpgrade(upgrade: LiveUpgrade) {
      taken.push(upgrade);
      sockets.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (socket) => socket.close(4_000));
    },
  };
  attachLiveGateway(server, gateway, { face: { proxy: undefined }, platforms: [1] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** What became of a handshake: the close code of the gateway, or the status of the refusal. */
function knock(path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${base}${path}`, { headers });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => resolve(code));
  });
}

describe('handshakes of live connections', () => {
  test('our own page and programs without origin come through, with what the gateway must know', async () => {
    const origin = base.replace('ws:', 'http:');
    expect(await knock('/live/1', { origin })).toBe(4_000);
    expect(await knock('/live/1')).toBe(4_000);
    expect(taken.map(({ platform, origin: seen, network }) => ({ platform, seen, network }))).toEqual([
      { platform: 1, seen: origin, network: '127.0.0.1' },
      { platform: 1, seen: '', network: '127.0.0.1' },
    ]);
  });

  test.each([
    ['/live/1', { origin: 'http://evil.example' }, 403],
    ['/live/1', { host: 'evil.example' }, 403],
    ['/live/2', {}, 404],
    ['/live/1/', {}, 404],
    ['/live/1?x=1', {}, 404],
    ['/', {}, 404],
  ])('%s with %j is refused with %i', async (path, headers, status) => {
    const before = taken.length;
    expect(await knock(path, headers as Record<string, string>)).toBe(status);
    expect(taken).toHaveLength(before);
  });
});

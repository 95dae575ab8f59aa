import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openFeedSocket } from './outside.ts';

let server: WebSocketServer;
let url: string;
beforeEach(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  url = `ws://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** What a feed socket tells, until it has told what is waited for. */
function open(address: string) {
  const reported: string[] = [];
  let look = (): void => undefined;
  const tell = (line: string): void => {
    reported.push(line);
    look();
  };
  const socket = openFeedSocket(address, {
    onOpen: () => tell('open'),
    onFrame: (bytes) => tell(`frame ${Buffer.from(bytes).toString()}`),
    onPong: () => tell('pong'),
    onClosed: () => tell('closed'),
  });
  const until = (line: string) =>
    new Promise<void>((resolve) => {
      look = () => reported.includes(line) && resolve();
      look();
    });
  return { socket, reported, until };
}

test('a feed socket carries frames as they come, hears the answer to its ping, and says once that it is closed', async () => {
  const arrived = new Promise<WebSocket>((resolve) => server.once('connection', resolve));
  const { socket, reported, until } = open(url);
  socket.ping();
  await until('open');
  const far = await arrived;
  const heard = new Promise((resolve) => far.once('message', (data) => resolve(String(data))));
  socket.send('ping');
  expect(await heard).toBe('ping');
  far.send('{"a":1}');
  await until('frame {"a":1}');
  socket.ping();
  await until('pong');
  far.close();
  await until('closed');
  socket.send('lost');
  socket.ping();
  socket.close();
  expect(reported).toEqual(['open', 'frame {"a":1}', 'pong', 'closed']);
});

test('a refused connection is told as closed, once', async () => {
  await new Promise((resolve) => server.close(resolve));
  const { reported, until } = open(url);
  await until('closed');
  expect(reported).toEqual(['closed']);
});

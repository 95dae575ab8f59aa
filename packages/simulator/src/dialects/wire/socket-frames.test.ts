import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { onText, sendFrame } from './socket-frames.ts';

const faults: unknown[] = [];
let server: WebSocketServer;
let url: string;

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('connection', (socket) => {
    onText(
      socket,
      (fault) => faults.push(fault),
      (text) => {
        if (text === 'throw') throw new Error('thrown');
        if (text === 'reject') return Promise.reject(new Error('rejected'));
        sendFrame(socket, `heard "${text}"`);
      },
    );
  });
});

afterAll(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

async function openSocket(): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return socket;
}

async function answerTo(socket: WebSocket, message: string | Buffer): Promise<string> {
  const heard = once(socket, 'message');
  socket.send(message);
  return String((await heard)[0]);
}

test('text arrives as it was sent, what is binary as an empty text', async () => {
  const socket = await openSocket();
  expect(await answerTo(socket, 'hello')).toBe('heard "hello"');
  expect(await answerTo(socket, Buffer.from('hello'))).toBe('heard ""');
  socket.terminate();
});

test.each([
  ['throw', 'thrown'],
  ['reject', 'rejected'],
])('a fault of ours (%s) costs its client the connection and nobody else anything', async (word, fault) => {
  const [unlucky, other] = [await openSocket(), await openSocket()];
  const closed = once(unlucky, 'close');
  unlucky.send(word);
  await closed;
  expect(faults.at(-1)).toEqual(new Error(fault));
  expect(await answerTo(other, 'still here')).toBe('heard "still here"');
  other.terminate();
});

test('a socket that has closed takes no frame', async () => {
  const socket = await openSocket();
  const closed = once(socket, 'close');
  socket.close();
  await closed;
  expect(sendFrame(socket, 'late')).toBe(false);
});

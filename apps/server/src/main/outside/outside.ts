import { setTimeout as delay } from 'node:timers/promises';
import type { Millis } from '@crossbook/domain';
import type { FetchText } from '@crossbook/venues';
import {
  feedHttp,
  type HttpAnswer,
  type HttpRequest,
  type PublicDoor,
  type PublicHost,
  type TextSocket,
  type TextSocketEvents,
} from '@crossbook/venues/trading';
import { WebSocket } from 'ws';
import type { FeedSocket, FeedSocketHandlers } from '../../market/ports.ts';

/** Sockets, HTTP and timers of the real world behind the ports of venues and features. */

const PUBLIC_TIMEOUT_MILLIS = 10_000;
const HANDSHAKE_TIMEOUT_MILLIS = 10_000;
/** Longest frame taken from a venue. */
const FRAME_BYTES_MAX = 8 * 1024 * 1024;
/** Longest body taken from a venue: all of a venue's instruments is about 15 MB. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error('answer too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString('utf8');
}

/** GET for the hub's own market data: each asks the venue's arbiter first. */
export function feedFetch(door: PublicDoor, host: PublicHost): FetchText {
  const send = feedHttp(door, host, sendHttp);
  return (url) => send({ method: 'GET', url, headers: {}, timeoutMillis: PUBLIC_TIMEOUT_MILLIS });
}

/** Time of day at the start of the process, and from there on never set: for windows and waits kept in memory. */
export function steadyClock(): Millis {
  return (performance.timeOrigin + performance.now()) as Millis;
}

/** One signed request, sent once. A connection that breaks is never tried again here: that would be a blind resend. */
export async function sendHttp(request: HttpRequest): Promise<HttpAnswer> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: { ...request.headers },
    redirect: 'error',
    signal: AbortSignal.timeout(request.timeoutMillis),
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await boundedText(response) };
}

function openWebSocket(url: string): WebSocket {
  return new WebSocket(url, {
    handshakeTimeout: HANDSHAKE_TIMEOUT_MILLIS,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
  });
}

/** Opens a public feed's socket: bytes as received. */
export function openFeedSocket(url: string, handlers: FeedSocketHandlers): FeedSocket {
  const socket = openWebSocket(url);
  let why = 'closed';
  socket.on('open', () => handlers.onOpen());
  socket.on('message', (data) => handlers.onFrame(data as Buffer));
  socket.on('pong', () => handlers.onPong());
  socket.on('error', (error) => {
    why = error.message;
  });
  socket.on('close', (code) => handlers.onClosed(`${why} (${code})`));
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    ping() {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    close: () => endSocket(socket),
  };
}

/** Opens a trading socket: text both ways. */
export function openTextSocket(url: string, events: TextSocketEvents): TextSocket {
  const socket = openWebSocket(url);
  let why = 'closed';
  socket.on('open', () => events.onOpen());
  socket.on('message', (data) => events.onText(data.toString()));
  socket.on('error', (error) => {
    why = (error as { code?: string }).code ?? 'socket error';
  });
  socket.on('close', (code) => events.onClose(`${why} (${code})`));
  return {
    send(text) {
      if (socket.readyState !== WebSocket.OPEN) throw new Error('the socket is not open');
      socket.send(text);
    },
    close: () => endSocket(socket),
  };
}

/** Closing waits for the peer's answer; a peer that is gone gives none. */
function endSocket(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) {
    socket.terminate();
    return;
  }
  socket.close();
  const forced = setTimeout(() => socket.terminate(), 1_000);
  forced.unref();
  socket.once('close', () => clearTimeout(forced));
}

/** Repeating and single timers; both return what stops them. A pause ends early when its signal aborts. */
export const timers = {
  pause: (millis: number, signal: AbortSignal): Promise<void> =>
    delay(millis, undefined, { signal }).catch(() => undefined),
  every(millis: number, run: () => void): () => void {
    const timer = setInterval(run, millis);
    return () => clearInterval(timer);
  },
  after(millis: number, run: () => void): () => void {
    const timer = setTimeout(run, millis);
    return () => clearTimeout(timer);
  },
} as const;

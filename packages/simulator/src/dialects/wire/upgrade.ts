import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';

/** How every dialect takes, or refuses, an upgrade to a WebSocket. */

/** Largest message a client may send on a socket. */
const MESSAGE_BYTES_MAX = 65_536;

/** Accepts the upgrades that it is handed: no compression, small messages; whoever hands them over keeps the sockets. */
export function makeSocketServer(): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    clientTracking: false,
  });
}

/** What a request asks for; `undefined` when it is no address (`//`), and so no dialect's. */
export function addressOfUpgrade(request: IncomingMessage): URL | undefined {
  return URL.parse(request.url ?? '/', 'http://localhost') ?? undefined;
}

/**
 * Turns a connection away: answers with an error, then lets go of it whether or not the client closes its side.
 * @param status as in the status line: `404 Not Found`.
 * @param body JSON text; empty for none.
 */
export function turnAway(socket: Duplex, status: string, body = ''): void {
  const type = body === '' ? '' : 'content-type: application/json\r\n';
  const headers = `connection: close\r\n${type}content-length: ${Buffer.byteLength(body)}\r\n`;
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n${body}`);
}

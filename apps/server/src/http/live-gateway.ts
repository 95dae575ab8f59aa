import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Platform } from '@crossbook/domain';
import { networkOf } from '../accounts/budgets.ts';
import { addressOf, isOwnPage, type PublicFace, targetOf } from './own-origin.ts';

/** A handshake that passed the door: host, origin and path are right. */
export interface LiveUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly platform: Platform;
  /** Origin header of the handshake, empty when it had none; what `verifyWebsocketArgs` wants. */
  readonly origin: string;
  /** IPv4 address or IPv6 site (/48) of the sender, as our own proxies saw it. */
  readonly network: string;
}

/** The live connections; implemented in `stream/`. */
export interface LiveGateway {
  /** Takes over the socket. */
  handleUpgrade(upgrade: LiveUpgrade): void;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Sends WebSocket handshakes for `/live/n` to the gateway, and everything else away. */
export function attachLiveGateway(
  server: Server,
  gateway: LiveGateway,
  options: { readonly face: PublicFace; readonly platforms: readonly Platform[] },
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Until the gateway listens, a reset by the peer must not become an uncaught error.
    socket.on('error', () => socket.destroy());
    const target = targetOf(request.headers, options.face);
    if (target === undefined || !isOwnPage(request.headers, target)) return refuse(socket, '403 Forbidden');
    const match = /^\/live\/([123])$/.exec(request.url ?? '');
    const platform = options.platforms.find((known) => String(known) === match?.[1]);
    if (platform === undefined) return refuse(socket, '404 Not Found');
    gateway.handleUpgrade({
      request,
      socket,
      head,
      platform,
      origin: request.headers.origin?.toLowerCase() ?? '',
      network: networkOf(addressOf(request.headers, request.socket.remoteAddress, options.face), 48),
    });
  });
}

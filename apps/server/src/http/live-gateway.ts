import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Platform } from '@crossbook/domain';
import { networkOf } from '../accounts/budgets.ts';
import { addressOf, isOwnPage, type PublicFace, targetOf } from './own-origin.ts';
import { bareAnswer } from './security-headers.ts';

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
  /** Sends the handshake away. @param status code and reason. */
  refuse(status: string): void;
}

/** The live connections; implemented in `stream/`. */
export interface LiveGateway {
  /** Takes over the socket. */
  handleUpgrade(upgrade: LiveUpgrade): void;
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
    const refuse = (status: string): void => {
      socket.end(bareAnswer(status, options.face.proxy !== undefined));
    };
    const target = targetOf(request.headers, options.face);
    if (target === undefined || !isOwnPage(request.headers, target)) return refuse('403 Forbidden');
    const match = /^\/live\/([123])$/.exec(request.url ?? '');
    const platform = options.platforms.find((known) => String(known) === match?.[1]);
    if (platform === undefined) return refuse('404 Not Found');
    gateway.handleUpgrade({
      request,
      socket,
      head,
      platform,
      origin: request.headers.origin?.toLowerCase() ?? '',
      network: networkOf(addressOf(request.headers, request.socket.remoteAddress, options.face), 48),
      refuse,
    });
  });
}

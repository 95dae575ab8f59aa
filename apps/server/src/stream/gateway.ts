import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { STREAM_LIMITS } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';
import { type WebSocket, WebSocketServer } from 'ws';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import type { VenueMarket, VenueState } from '../market/venue-market.ts';
import { LiveClient } from './live-client.ts';
import type { GatewayPorts } from './ports.ts';

/** Connections one process takes; above it the newest is told to try again later. */
export const CONNECTIONS_MAX = 10_000;
/** State of the venue is reported this often, and within the shorter time when it changes. */
const VENUE_FRAME_EVERY_MILLIS = 5_000;
const VENUE_CHECK_EVERY_MILLIS = 500;
const TRY_AGAIN_LATER = 1013;

/** A handshake for `/live/n` whose host, origin and path were found right. */
export interface StreamUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly platform: Platform;
  /** Origin header, empty when there was none. */
  readonly origin: string;
}

/** The live connections `/live/1`, `/live/2`, `/live/3`. */
export interface Gateway {
  /** Takes over a handshake that passed the HTTP door. */
  handleUpgrade(upgrade: StreamUpgrade): void;
  /** Ends the connections of a session that is over. */
  endSession(sessionHash: string): void;
  connections(): number;
  close(): void;
}

/** Makes the gateway. */
export function createGateway(ports: GatewayPorts): Gateway {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: STREAM_LIMITS.clientFrameBytesMax,
    perMessageDeflate: false,
  });
  const clients = new Set<LiveClient>();

  let reportedAt = ports.clock();
  const stopVenueFrames = ports.every(VENUE_CHECK_EVERY_MILLIS, () => {
    const now = ports.clock();
    const regular = now - reportedAt >= VENUE_FRAME_EVERY_MILLIS;
    if (regular) reportedAt = now;
    const states = new Map<VenueMarket, VenueState>();
    for (const client of clients) {
      for (const market of client.followedMarkets()) {
        const state = states.get(market) ?? market.state;
        states.set(market, state);
        client.reportState(market, state, regular);
      }
      if (regular) client.endIfIdle(now);
    }
  });

  const accept = (webSocket: WebSocket, markets: PlatformMarkets, upgrade: StreamUpgrade): void => {
    if (clients.size >= CONNECTIONS_MAX) {
      webSocket.close(TRY_AGAIN_LATER, 'busy');
      return;
    }
    const { socket, origin } = upgrade;
    const spot = markets.of('SPOT');
    const client = new LiveClient({ webSocket, socket, markets, origin, ports });
    clients.add(client);
    webSocket.on('close', () => {
      clients.delete(client);
      client.gone();
    });
    // The first report says that the connection is taken; other markets are reported when they are followed.
    if (spot !== undefined) client.reportState(spot, spot.state, true);
  };

  return {
    handleUpgrade(upgrade) {
      const { request, socket, head, platform } = upgrade;
      const markets = ports.markets(platform);
      if (markets === undefined) {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, markets, upgrade));
    },
    endSession(sessionHash) {
      for (const client of clients) client.endSession(sessionHash);
    },
    connections: () => clients.size,
    close() {
      stopVenueFrames();
      for (const client of clients) client.close(1001, 'server stops');
      server.close();
    },
  };
}

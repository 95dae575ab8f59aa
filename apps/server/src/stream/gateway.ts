import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { STREAM_LIMITS } from '@crossbook/contract';
import type { Platform } from '@crossbook/domain';
import { type WebSocket, WebSocketServer } from 'ws';
import type { PlatformMarkets } from '../market/platform-markets.ts';
import type { VenueMarket, VenueState } from '../market/venue-market.ts';
import { ConnectionPlaces, type NoPlace } from './connection-places.ts';
import { LiveClient } from './live-client.ts';
import type { GatewayPorts } from './ports.ts';

/** State of the venue is reported this often, and within the shorter time when it changes. */
const VENUE_FRAME_EVERY_MILLIS = 5_000;
const VENUE_CHECK_EVERY_MILLIS = 500;
/** What a handshake without a place is told. */
const NO_PLACE: Readonly<Record<NoPlace, string>> = {
  'network-full': '429 Too Many Requests',
  full: '503 Service Unavailable',
};

/** A handshake for `/live/n` whose host, origin and path were found right. */
export interface StreamUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly platform: Platform;
  /** Origin header, empty when there was none. */
  readonly origin: string;
  /** Whose place it takes: an IPv4 address or an IPv6 site. */
  readonly network: string;
  /** Sends the handshake away. @param status code and reason. */
  refuse(status: string): void;
}

/** The live connections `/live/1`, `/live/2`, `/live/3`. */
export interface Gateway {
  /** Takes over a handshake that passed the HTTP door. */
  handleUpgrade(upgrade: StreamUpgrade): void;
  /** Ends the connections of a session that is over. */
  endSession(sessionId: string): void;
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
  const places = new ConnectionPlaces<LiveClient>(ports.caps);

  let reportedAt = ports.steady();
  const stopVenueFrames = ports.every(VENUE_CHECK_EVERY_MILLIS, () => {
    const now = ports.steady();
    const regular = now - reportedAt >= VENUE_FRAME_EVERY_MILLIS;
    if (regular) reportedAt = now;
    const states = new Map<VenueMarket, VenueState>();
    for (const client of clients) {
      for (const market of client.followedMarkets()) {
        const state = states.get(market) ?? market.state;
        states.set(market, state);
        client.reportState(market, state, regular);
      }
      if (regular) client.check();
    }
  });

  const accept = (webSocket: WebSocket, markets: PlatformMarkets, upgrade: StreamUpgrade): void => {
    const { socket, origin, network } = upgrade;
    const spot = markets.of('SPOT');
    const client: LiveClient = new LiveClient({
      ...{ webSocket, socket, markets, origin, ports },
      belongsTo: (user) => places.belongsTo(client, user),
    });
    clients.add(client);
    places.enter(client, network);
    webSocket.on('close', () => {
      clients.delete(client);
      client.gone();
      places.leave(client);
    });
    // The first report says that the connection is taken; other markets are reported when they are followed.
    if (spot !== undefined) client.reportState(spot, spot.state, true);
  };

  return {
    handleUpgrade(upgrade) {
      const { request, socket, head, platform, network } = upgrade;
      const markets = ports.markets(platform);
      if (markets === undefined) {
        upgrade.refuse('404 Not Found');
        return;
      }
      const place = places.ask(network);
      if (!place.ok) {
        upgrade.refuse(NO_PLACE[place.why]);
        return;
      }
      if (place.leaves !== undefined) {
        places.leave(place.leaves);
        place.leaves.drop('busy');
      }
      server.handleUpgrade(request, socket, head, (webSocket) => accept(webSocket, markets, upgrade));
    },
    endSession(sessionId) {
      for (const client of clients) client.endSession(sessionId);
    },
    connections: () => clients.size,
    close() {
      stopVenueFrames();
      for (const client of clients) client.close(1001, 'server stops');
      server.close();
    },
  };
}

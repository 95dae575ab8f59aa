import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FaultBox } from '../../faults.ts';
import type { SimulatedVenue } from '../../simulated-venue.ts';
import type { Dialect, SocketKind } from '../dialect.ts';
import { FormatBook } from '../wire/format.ts';
import { addressOf } from '../wire/request.ts';
import { SocketHealth, type SocketManners } from '../wire/socket-health.ts';
import { addressOfUpgrade, makeSocketServer, turnAway } from '../wire/upgrade.ts';
import { DisconnectGuards } from './disconnects.ts';
import type { Desk } from './endpoint.ts';
import { type BybitCategory, marketFormat } from './format.ts';
import { SymbolNumbers } from './ids.ts';
import { BYBIT_LIMITS, type BybitLimits, RateLimits } from './rate-limits.ts';
import { handleRest, ownsPath } from './rest.ts';
import { contractUpdates } from './streams/contract-updates.ts';
import { cancelDisconnected } from './streams/disconnected-cancels.ts';
import { PrivateSocket } from './streams/private-socket.ts';
import { PublicSocket } from './streams/public-socket.ts';
import { TopicHub } from './streams/topic-hub.ts';
import { TradeSocket } from './streams/trade-socket.ts';
import { userUpdates } from './streams/user-updates.ts';
import { WalletUpdates } from './streams/wallet-updates.ts';
import { UserStreams } from './user-streams.ts';

const CONNECTION_ID_LETTERS = 20;
/** A client that has said nothing for ten minutes is told so; Bybit sends no pings (websocket/connect, 2026-07-24). */
const MANNERS: SocketManners = {
  signsOfLife: ['message', 'ping', 'pong'],
  silenceMillisMax: 600_000,
  silenceClose: { code: 1000, reason: 'no message for too long' },
};

/** What the dialect is made from. */
export interface BybitDialectParts {
  readonly venue: SimulatedVenue;
  readonly faults: FaultBox;
  readonly randomText: (length: number) => string;
  readonly limits?: Partial<BybitLimits>;
  /** Hears of a fault of ours; the client is told that the outcome is unknown. */
  readonly onFault: (fault: unknown) => void;
}

/** Bybit v5 over one simulated venue: REST, the public sockets of spot and perpetuals, the private and the trade socket. */
export class BybitDialect implements Dialect {
  readonly #desk: Desk;
  readonly #hubs: Readonly<Record<BybitCategory, TopicHub>>;
  readonly #health: SocketHealth;
  readonly #server = makeSocketServer();
  readonly #detach: readonly (() => void)[];

  constructor(parts: BybitDialectParts) {
    const { venue } = parts;
    const { spot, perps } = venue;
    this.#desk = {
      venue,
      format: {
        spot: new FormatBook(spot.markets, (market) => marketFormat(market, 'spot')),
        linear: new FormatBook(perps.markets, (market) => marketFormat(market, 'linear')),
      },
      numbers: {
        spot: new SymbolNumbers(spot.markets.keys()),
        linear: new SymbolNumbers(perps.markets.keys()),
      },
      rates: new RateLimits({ ...BYBIT_LIMITS, ...parts.limits }),
      faults: parts.faults,
      userStreams: new UserStreams(),
      guards: new DisconnectGuards({
        now: () => spot.now(),
        cancel: (account, product) => cancelDisconnected(this.#desk, account, product),
        onFault: parts.onFault,
      }),
      randomText: parts.randomText,
      onFault: parts.onFault,
    };
    this.#hubs = {
      spot: new TopicHub(this.#desk, 'spot'),
      linear: new TopicHub(this.#desk, 'linear'),
    };
    this.#health = new SocketHealth(() => spot.now(), MANNERS);
    const wallets = new WalletUpdates(this.#desk);
    this.#detach = [
      spot.subscribe(userUpdates(this.#desk, wallets)),
      perps.subscribePerps(contractUpdates(this.#desk, wallets)),
      spot.subscribe(this.#hubs.spot.listener()),
      perps.subscribe(this.#hubs.linear.listener()),
    ];
  }

  /** Whether a REST path is Bybit's. */
  owns(path: string): boolean {
    return ownsPath(path);
  }

  async handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await handleRest(this.#desk, request, response);
  }

  /** Takes an upgrade to a WebSocket. @returns false when the path is not Bybit's. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const url = addressOfUpgrade(request);
    const door = DOORS.get(url?.pathname ?? '');
    if (url === undefined || door === undefined) return false;
    const address = addressOf(request);
    if (!this.#desk.rates.connect(address, this.#desk.venue.spot.now())) {
      turnAway(socket, '403 Forbidden');
      return true;
    }
    const silence = silenceMillisOf(url);
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#greet(opened, door, silence));
    return true;
  }

  /** Drops sockets without a close frame, as a network would. @returns how many. */
  dropSockets(kind: SocketKind): number {
    return this.#health.dropAll(kind);
  }

  close(): void {
    for (const detach of this.#detach) detach();
    for (const hub of Object.values(this.#hubs)) hub.close();
    this.#health.close();
    this.#desk.guards.close();
    this.#server.close();
  }

  #greet(socket: WebSocket, door: Door, silenceMillisMax: number | undefined): void {
    const isPublic = door === 'spot' || door === 'linear';
    this.#health.watch(socket, isPublic ? 'streams' : 'api', silenceMillisMax);
    const desk = this.#desk;
    const connectionId = desk.randomText(CONNECTION_ID_LETTERS);
    if (door === 'private') new PrivateSocket({ desk, socket, connectionId });
    else if (door === 'trade') new TradeSocket({ desk, socket, connectionId });
    else new PublicSocket({ desk, hub: this.#hubs[door], category: door, socket, connectionId });
  }
}

type Door = BybitCategory | 'private' | 'trade';

const DOORS: ReadonlyMap<string, Door> = new Map<string, Door>([
  ['/v5/public/spot', 'spot'],
  ['/v5/public/linear', 'linear'],
  ['/v5/private', 'private'],
  ['/v5/trade', 'trade'],
]);

/** `?max_active_time=30s` to `10m`: how long a private connection may be silent (websocket/connect). */
function silenceMillisOf(url: URL): number | undefined {
  const match = /^([0-9]{1,3})([sm])$/.exec(url.searchParams.get('max_active_time') ?? '');
  if (match === null) return undefined;
  const millis = Number(match[1]) * (match[2] === 'm' ? 60_000 : 1_000);
  return Math.min(Math.max(millis, 30_000), 600_000);
}

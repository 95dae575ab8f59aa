import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FaultBox } from '../../../faults.ts';
import type { SimulatedVenue } from '../../../simulated-venue.ts';
import type { Dialect, SocketKind } from '../../dialect.ts';
import { FormatBook } from '../../wire/format.ts';
import { addressOf } from '../../wire/request.ts';
import { SocketHealth, type SocketManners } from '../../wire/socket-health.ts';
import { addressOfUpgrade, makeSocketServer, turnAway } from '../../wire/upgrade.ts';
import { errorBody } from '../errors.ts';
import { handleRest } from '../rest.ts';
import { makeStreamHub, type StreamHub, watched } from '../streams/stream-hub.ts';
import { StreamSocket } from '../streams/stream-socket.ts';
import { UserStreams } from '../user-stream.ts';
import { FUTURES_ENDPOINTS, unknownFuturesRoute } from './calls.ts';
import type { FuturesDesk } from './desk.ts';
import { FUTURES_ERRORS } from './errors.ts';
import { contractFormat } from './format.ts';
import { FUTURES_LIMITS, type FuturesLimits, FuturesRates } from './limits.ts';
import { makeFuturesChannel } from './market/channels.ts';
import { refuseRequests } from './refusing-socket.ts';

/** Futures ping every three minutes, wait ten for the answer, and keep no socket for longer than a day. */
const FUTURES_MANNERS: SocketManners = {
  signsOfLife: ['pong'],
  silenceMillisMax: 600_000,
  pingEveryMillis: 180_000,
  lifeMillisMax: 86_400_000,
};
/** Faults on order name the futures' streams with this before them, so that spot's of the same name are not meant. */
const FAULT_PREFIX = 'fapi.';

/** What the dialect is made from. */
export interface BinanceFuturesDialectParts {
  readonly venue: Pick<SimulatedVenue, 'spot' | 'perps' | 'watch'>;
  readonly faults: FaultBox;
  readonly randomText: (length: number) => string;
  readonly limits?: Partial<FuturesLimits>;
  /** Hears of a fault of ours; the client is told that the outcome is unknown. */
  readonly onFault: (fault: unknown) => void;
}

/** Binance USD-M futures: public REST calls and market streams. What needs an account is refused by name. */
export class BinanceFuturesDialect implements Dialect {
  readonly #desk: FuturesDesk;
  readonly #hub: StreamHub;
  readonly #health: SocketHealth;
  readonly #server = makeSocketServer();
  readonly #watch: (symbol: string) => () => void;
  readonly #detach: () => void;

  constructor(parts: BinanceFuturesDialectParts) {
    const { venue, faults, randomText, onFault } = parts;
    const { perps, spot } = venue;
    this.#desk = {
      exchange: spot,
      perps,
      format: new FormatBook(perps.contracts, contractFormat),
      rates: new FuturesRates({ ...FUTURES_LIMITS, ...parts.limits }),
      faults,
      userStreams: new UserStreams(() => perps.now()),
      randomText,
      onFault,
    };
    this.#watch = (symbol) => venue.watch('perps', symbol);
    this.#hub = makeStreamHub({
      now: () => perps.now(),
      skipsDepth: (stream) => faults.skipsDepth(`${FAULT_PREFIX}${stream}`),
      onFault,
    });
    this.#health = new SocketHealth(() => perps.now(), FUTURES_MANNERS);
    this.#detach = perps.subscribe(this.#hub.listener());
  }

  /** `/fapi/…`, and `/dapi/…` so that clients find an empty list there. */
  owns(path: string): boolean {
    return /^\/[fd]api\//.test(path);
  }

  async handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const door = { desk: this.#desk, endpoints: FUTURES_ENDPOINTS, unknown: unknownFuturesRoute };
    await handleRest(door, request, response);
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const url = addressOfUpgrade(request);
    const door = url === undefined ? undefined : openingOf(url);
    if (door === undefined) return false;
    if (door === 'private') {
      turnAway(socket, '400 Bad Request', JSON.stringify(errorBody(FUTURES_ERRORS.notTraded)));
      return true;
    }
    const address = addressOf(request);
    const { rates, perps } = this.#desk;
    const opened = rates.connections.add(address, 1, perps.now());
    if (opened > rates.limits.connectionsPer5MinutesMax) {
      turnAway(socket, '429 Too Many Requests');
      return true;
    }
    this.#server.handleUpgrade(request, socket, head, (accepted) => this.#greet(accepted, door));
    return true;
  }

  dropSockets(kind: SocketKind): number {
    return this.#health.dropAll(kind);
  }

  close(): void {
    this.#detach();
    this.#hub.close();
    this.#health.close();
    this.#server.close();
  }

  #greet(socket: WebSocket, door: StreamDoor | 'api'): void {
    this.#health.watch(socket, door === 'api' ? 'api' : 'streams');
    const { onFault } = this.#desk;
    if (door === 'api') {
      refuseRequests(socket, onFault);
      return;
    }
    const now = () => this.#desk.perps.now();
    const open = (name: string) => watched(makeFuturesChannel(this.#desk, name), this.#watch);
    new StreamSocket({ hub: this.#hub, open, socket, now, limits: this.#desk.rates.limits, onFault }, door);
  }
}

interface StreamDoor {
  readonly combined: boolean;
  readonly names: readonly string[];
}

/**
 * What a socket's address asks for: `/public` and `/market` with `/ws/<stream>` or `/stream?streams=a/b`, on either of
 * which every stream is told; `/private` and `/ws-fapi`, which need an account. Some clients number their sockets
 * (`/public/ws/0`); those begin empty.
 */
function openingOf({ pathname, searchParams }: URL): StreamDoor | 'api' | 'private' | undefined {
  if (pathname.startsWith('/private/')) return 'private';
  if (pathname === '/ws-fapi/v1') return 'api';
  const door = /^\/(?:public|market)\/(ws|stream)(?:\/(.*))?$/.exec(pathname);
  if (door === null) return undefined;
  const listed = door[1] === 'stream' ? (searchParams.get('streams') ?? '') : decodePart(door[2] ?? '');
  const names = listed.split('/').filter((name) => name !== '' && !/^[0-9]+$/.test(name));
  return { combined: door[1] === 'stream', names };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

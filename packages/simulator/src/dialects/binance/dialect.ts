import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Exchange } from '../../exchange.ts';
import type { FaultBox } from '../../faults.ts';
import type { OrderLists } from '../../order-list-port.ts';
import type { PerpExchange } from '../../perp-exchange.ts';
import type { Dialect, SocketKind } from '../dialect.ts';
import { FormatBook } from '../wire/format.ts';
import { addressOf } from '../wire/request.ts';
import { SocketHealth, type SocketManners } from '../wire/socket-health.ts';
import { addressOfUpgrade, makeSocketServer, turnAway } from '../wire/upgrade.ts';
import { AggregateTapes } from './aggregate-trades.ts';
import type { Desk } from './endpoint.ts';
import { REST_ENDPOINTS, unknownRoute } from './endpoints.ts';
import { ERRORS, errorBody } from './errors.ts';
import { marketFormat } from './format.ts';
import { PreventedMatches } from './prevented-matches.ts';
import { BINANCE_LIMITS, type BinanceLimits, RateLimits } from './rate-limits.ts';
import { handleRest } from './rest.ts';
import { openChannel } from './spot/stream-channels.ts';
import { userEvents } from './spot/user-events.ts';
import { makeStreamHub, type StreamHub } from './streams/stream-hub.ts';
import { StreamSocket } from './streams/stream-socket.ts';
import { type TimeUnit, timeUnitOf } from './time-unit.ts';
import { UserStreams } from './user-stream.ts';
import { SocketApiSession } from './ws-api.ts';

/** Spot pings every twenty seconds, waits a minute for the answer, and keeps no socket for longer than a day. */
const SPOT_MANNERS: SocketManners = {
  signsOfLife: ['pong'],
  silenceMillisMax: 60_000,
  pingEveryMillis: 20_000,
  lifeMillisMax: 86_400_000,
};

/** What the dialect is made from. */
export interface BinanceDialectParts {
  readonly exchange: Exchange & OrderLists;
  readonly perps: PerpExchange;
  readonly faults: FaultBox;
  readonly randomText: (length: number) => string;
  /** Full agents act only in markets that somebody watches (decision 0030.26). */
  readonly watch?: (symbol: string) => () => void;
  readonly limits?: Partial<BinanceLimits>;
  /** Hears of a fault of ours; the client is told that the outcome is unknown. */
  readonly onFault: (fault: unknown) => void;
}

/** Binance spot over one core: the REST calls, the market streams and the WebSocket API. */
export class BinanceDialect implements Dialect {
  readonly #desk: Desk;
  readonly #hub: StreamHub;
  readonly #health: SocketHealth;
  readonly #server = makeSocketServer();
  readonly #detach: readonly (() => void)[];

  constructor(parts: BinanceDialectParts) {
    const format = new FormatBook(parts.exchange.markets, marketFormat);
    this.#desk = {
      exchange: parts.exchange,
      perps: parts.perps,
      format,
      rates: new RateLimits({ ...BINANCE_LIMITS, ...parts.limits }),
      faults: parts.faults,
      userStreams: new UserStreams(() => parts.exchange.now()),
      aggregates: new AggregateTapes(),
      preventedMatches: new PreventedMatches(parts.exchange),
      randomText: parts.randomText,
      watch: parts.watch ?? (() => () => undefined),
      onFault: parts.onFault,
    };
    this.#hub = makeStreamHub({
      now: () => parts.exchange.now(),
      skipsDepth: (stream) => parts.faults.skipsDepth(stream),
      onFault: parts.onFault,
    });
    this.#health = new SocketHealth(() => parts.exchange.now(), SPOT_MANNERS);
    this.#detach = [
      parts.exchange.subscribe(userEvents(this.#desk)),
      parts.exchange.subscribe(this.#desk.aggregates.listener()),
      parts.exchange.subscribe(this.#desk.preventedMatches.listener()),
      parts.exchange.subscribe(this.#hub.listener()),
    ];
  }

  /** Whether a REST path is Binance's. */
  owns(path: string): boolean {
    return /^\/(api|sapi)\//.test(path);
  }

  async handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The wallet's calls (`/sapi/`) know no other unit.
    const hasTimeUnit = (path: string) => path.startsWith('/api/');
    const door = { desk: this.#desk, endpoints: REST_ENDPOINTS, unknown: unknownRoute, hasTimeUnit };
    await handleRest(door, request, response);
  }

  /** Takes an upgrade to a WebSocket. @returns false when the path is not Binance's. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const url = addressOfUpgrade(request);
    const start = url === undefined ? undefined : openingOf(url);
    if (start === undefined) return false;
    const unit = timeUnitOf(url?.searchParams.get('timeUnit'));
    if (unit === undefined) {
      turnAway(socket, '400 Bad Request', JSON.stringify(errorBody(ERRORS.badTimeUnit)));
      return true;
    }
    const address = addressOf(request);
    const { rates, exchange } = this.#desk;
    const opened = rates.connections.add(address, 1, exchange.now());
    if (opened > rates.limits.connectionsPer5MinutesMax) {
      turnAway(socket, '429 Too Many Requests');
      return true;
    }
    this.#server.handleUpgrade(request, socket, head, (opened) =>
      this.#greet(opened, { ...start, unit }, address),
    );
    return true;
  }

  /** Drops sockets without a close frame, as a network would. @returns how many. */
  dropSockets(kind: SocketKind): number {
    return this.#health.dropAll(kind);
  }

  close(): void {
    for (const detach of this.#detach) detach();
    this.#hub.close();
    this.#health.close();
    this.#server.close();
  }

  #greet(socket: WebSocket, start: Opening & { readonly unit: TimeUnit }, address: string): void {
    this.#health.watch(socket, start.door);
    if (start.door === 'api') {
      new SocketApiSession(this.#desk, socket, { address, showLimits: start.showLimits, unit: start.unit });
      return;
    }
    const { exchange, rates, userStreams, onFault } = this.#desk;
    const now = () => exchange.now();
    const open = (name: string) => openChannel(this.#desk, name);
    new StreamSocket(
      { hub: this.#hub, open, socket, now, limits: rates.limits, userStreams, onFault },
      start,
    );
  }
}

type Opening =
  | { readonly door: 'api'; readonly showLimits: boolean }
  | { readonly door: 'streams'; readonly combined: boolean; readonly names: readonly string[] };

/**
 * What a socket's address asks for: `/ws-api/v3`, `/ws/<stream>`, `/stream?streams=a/b`. One client
 * numbers its sockets `/stream/ws/0`, `/stream/ws/1`, ...; those are raw and begin empty.
 */
function openingOf(url: URL): Opening | undefined {
  const path = decodePath(url.pathname);
  if (path === undefined) return undefined;
  if (path === '/ws-api/v3') {
    return { door: 'api', showLimits: url.searchParams.get('returnRateLimits') !== 'false' };
  }
  if (path === '/stream') {
    const names = (url.searchParams.get('streams') ?? '').split('/').filter(Boolean);
    return { door: 'streams', combined: true, names };
  }
  const raw = /^(?:\/stream)?\/ws(?:\/(.*))?$/.exec(path);
  if (raw === null) return undefined;
  const names = (raw[1] ?? '').split('/').filter((name) => name !== '' && !/^[0-9]+$/.test(name));
  return { door: 'streams', combined: false, names };
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

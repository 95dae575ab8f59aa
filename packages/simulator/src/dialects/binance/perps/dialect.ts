import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FaultBox } from '../../../faults.ts';
import type { SimulatedVenue } from '../../../simulated-venue.ts';
import type { Dialect, SocketKind } from '../../dialect.ts';
import { CancelTimers } from '../../wire/cancel-timers.ts';
import { FormatBook } from '../../wire/format.ts';
import { addressOf } from '../../wire/request.ts';
import { SocketHealth, type SocketManners } from '../../wire/socket-health.ts';
import { addressOfUpgrade, makeSocketServer, turnAway } from '../../wire/upgrade.ts';
import { AggregateTapes } from '../aggregate-trades.ts';
import { FUTURES_PREFIX } from '../endpoint.ts';
import { handleRest } from '../rest.ts';
import { makeStreamHub, type StreamHub, watched } from '../streams/stream-hub.ts';
import { StreamSocket } from '../streams/stream-socket.ts';
import { UserStreams } from '../user-stream.ts';
import { FUTURES_ENDPOINTS, FUTURES_METHODS, unknownFuturesRoute } from './calls.ts';
import { ChangeNotes } from './change-notes.ts';
import type { FuturesDesk } from './desk.ts';
import { contractFormat } from './format.ts';
import { FUTURES_LIMITS, type FuturesLimits, FuturesRates } from './limits.ts';
import { LiquidationTape } from './liquidation-tape.ts';
import { makeFuturesChannel } from './market/channels.ts';
import { openFuturesApi } from './streams/socket-api.ts';
import { futuresUserEvents } from './streams/user-events.ts';

/** Futures ping every three minutes, wait ten for the answer, and keep no socket for longer than a day. */
const FUTURES_MANNERS: SocketManners = {
  signsOfLife: ['pong'],
  silenceMillisMax: 600_000,
  pingEveryMillis: 180_000,
  lifeMillisMax: 86_400_000,
};
/** How often it is looked whose listen key's hour is over. */
const LISTEN_KEY_SWEEP_MILLIS = 1_000;

/** What the dialect is made from. */
export interface BinanceFuturesDialectParts {
  readonly venue: Pick<SimulatedVenue, 'spot' | 'perps' | 'story' | 'watch'>;
  readonly faults: FaultBox;
  readonly randomText: (length: number) => string;
  readonly limits?: Partial<FuturesLimits>;
  /** Hears of a fault of ours; the client is told that the outcome is unknown. */
  readonly onFault: (fault: unknown) => void;
}

/** Binance USD-M futures over one core: the REST calls, the market and private streams, and the WebSocket API. */
export class BinanceFuturesDialect implements Dialect {
  readonly #desk: FuturesDesk;
  readonly #hub: StreamHub;
  readonly #health: SocketHealth;
  readonly #server = makeSocketServer();
  readonly #watch: (symbol: string) => () => void;
  readonly #detach: readonly (() => void)[];

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
      aggregates: new AggregateTapes(),
      notes: new ChangeNotes(),
      cancelTimers: new CancelTimers(() => venue.perps.now(), onFault, venue.perps.contracts.size),
      liquidations: new LiquidationTape(),
      story: venue.story,
      randomText,
      onFault,
    };
    this.#watch = (symbol) => venue.watch('perps', symbol);
    this.#hub = makeStreamHub({
      now: () => perps.now(),
      skipsDepth: (stream) => faults.skipsDepth(`${FUTURES_PREFIX}${stream}`),
      onFault,
    });
    this.#health = new SocketHealth(() => perps.now(), FUTURES_MANNERS);
    const sweep = setInterval(() => this.#desk.userStreams.endExpired(), LISTEN_KEY_SWEEP_MILLIS);
    sweep.unref();
    this.#detach = [
      perps.subscribe(this.#hub.listener()),
      perps.subscribe(this.#desk.aggregates.listener()),
      perps.subscribePerps(futuresUserEvents(this.#desk)),
      perps.subscribePerps({ onLiquidation: (liquidation) => this.#desk.liquidations.note(liquidation) }),
      () => clearInterval(sweep),
    ];
  }

  /** `/fapi/…`, the statistics of `/futures/data/…`, and `/dapi/…` so that clients find an empty list there. */
  owns(path: string): boolean {
    return /^\/(?:[fd]api|futures\/data)\//.test(path);
  }

  async handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const door = { desk: this.#desk, endpoints: FUTURES_ENDPOINTS, unknown: unknownFuturesRoute };
    await handleRest(door, request, response);
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const url = addressOfUpgrade(request);
    const knows = (key: string) => this.#desk.userStreams.accountOfListenKey(key) !== undefined;
    const door = url === undefined ? undefined : openingOf(url, knows);
    if (door === undefined) return false;
    const address = addressOf(request);
    const { rates, perps } = this.#desk;
    const opened = rates.connections.add(address, 1, perps.now());
    if (opened > rates.limits.connectionsPer5MinutesMax) {
      turnAway(socket, '429 Too Many Requests');
      return true;
    }
    this.#server.handleUpgrade(request, socket, head, (accepted) => this.#greet(accepted, door, address));
    return true;
  }

  dropSockets(kind: SocketKind): number {
    return this.#health.dropAll(kind);
  }

  close(): void {
    for (const detach of this.#detach) detach();
    this.#hub.close();
    this.#health.close();
    this.#desk.cancelTimers.close();
    this.#server.close();
  }

  #greet(socket: WebSocket, door: Door, address: string): void {
    this.#health.watch(socket, door.kind === 'streams' ? 'streams' : 'api');
    const desk = this.#desk;
    if (door.kind === 'api') {
      openFuturesApi(desk, socket, { address, showLimits: door.showLimits, endpoints: FUTURES_METHODS });
      return;
    }
    const { userStreams, onFault } = desk;
    const now = () => desk.perps.now();
    const open = (name: string) => watched(makeFuturesChannel(desk, name), this.#watch);
    const limits = desk.rates.limits;
    new StreamSocket({ hub: this.#hub, open, socket, now, limits, userStreams, onFault }, door);
  }
}

type Door =
  | { readonly kind: 'api'; readonly showLimits: boolean }
  | {
      /** Of markets, or of an account; each takes the other's names as well. */
      readonly kind: 'streams' | 'private';
      readonly combined: boolean;
      readonly names: readonly string[];
      readonly events?: ReadonlySet<string>;
    };

/**
 * What a socket's address asks for: `/public` and `/market` with `/ws/<stream>` or `/stream?streams=a/b`, on either of
 * which every stream is told; `/private` with the listen key in its path or as a parameter, and `events` to hear only
 * some; the WebSocket API. A listen key of ours at the old `/ws/<key>` is heard too: one client still goes there. Some
 * clients number their sockets (`/public/ws/0`); those begin empty.
 */
function openingOf({ pathname, searchParams }: URL, knows: (listenKey: string) => boolean): Door | undefined {
  if (pathname === '/ws-fapi/v1') {
    return { kind: 'api', showLimits: searchParams.get('returnRateLimits') !== 'false' };
  }
  const old = /^\/ws\/([a-zA-Z0-9]+)$/.exec(pathname)?.[1];
  if (old !== undefined) return knows(old) ? { kind: 'private', combined: false, names: [old] } : undefined;
  const door = /^\/(public|market|private)\/(ws|stream)(?:\/(.*))?$/.exec(pathname);
  if (door === null) return undefined;
  const combined = door[2] === 'stream';
  const listed = combined ? (searchParams.get('streams') ?? '') : decodePart(door[3] ?? '');
  const named = listed.split('/').filter((name) => name !== '' && !/^[0-9]+$/.test(name));
  if (door[1] !== 'private') return { kind: 'streams', combined, names: named };
  const names = [...named, ...searchParams.getAll('listenKey')];
  const events = searchParams.getAll('events').flatMap((list) => list.split('/'));
  return { kind: 'private', combined, names, ...(events.length === 0 ? {} : { events: new Set(events) }) };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

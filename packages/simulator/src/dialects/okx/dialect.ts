import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { FaultBox } from '../../faults.ts';
import type { SimulatedVenue } from '../../venue.ts';
import type { Dialect, SocketKind } from '../dialect.ts';
import { AccountNews } from './account-news.ts';
import { ChannelHub } from './channel-hub.ts';
import type { Desk } from './desk.ts';
import { Listing } from './listing.ts';
import { OkxSocket } from './okx-socket.ts';
import { OrderNotes } from './order-notes.ts';
import { OKX_LIMITS, OKX_UNLIMITED, type OkxLimits, RateLimits } from './rate-limits.ts';
import { handleRest } from './rest.ts';
import { type Door, SocketHealth } from './socket-health.ts';
import { TransferNotes } from './transfer-notes.ts';

/** Longest message a client may send on a socket (wire.md 3.7). */
const MESSAGE_BYTES_MAX = 65_536;
const DOORS: ReadonlyMap<string, Door> = new Map([
  ['/ws/v5/public', 'public'],
  ['/ws/v5/business', 'business'],
  ['/ws/v5/private', 'private'],
]);

/** What the dialect is made from. */
export interface OkxDialectParts {
  readonly venue: SimulatedVenue;
  readonly faults: FaultBox;
  readonly randomText: (length: number) => string;
  /** Whether the venue's rate limits hold. */
  readonly limited: boolean;
  /** Other limits than OKX's own. */
  readonly limits?: Partial<OkxLimits>;
  /** Hears of a fault of ours; the client is told that the outcome is unknown. */
  readonly onFault: (fault: unknown) => void;
}

/** OKX v5 over one venue: spot with members, contracts with public data; REST and the three sockets. */
export class OkxDialect implements Dialect {
  readonly #desk: Desk;
  readonly #hub: ChannelHub;
  readonly #health: SocketHealth;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    clientTracking: false,
  });
  readonly #detach: readonly (() => void)[];

  constructor(parts: OkxDialectParts) {
    const { venue, faults, randomText, onFault, limited, limits } = parts;
    this.#desk = {
      venue,
      faults,
      randomText,
      onFault,
      listing: new Listing(venue),
      rates: new RateLimits({ ...(limited ? OKX_LIMITS : OKX_UNLIMITED), ...limits }),
      accountNews: new AccountNews(),
      orderNotes: new OrderNotes(),
      transferNotes: new TransferNotes(),
      now: () => venue.spot.now(),
    };
    this.#hub = new ChannelHub(this.#desk);
    this.#health = new SocketHealth(() => venue.spot.now());
    this.#detach = [
      venue.spot.subscribe(this.#desk.accountNews.listener()),
      venue.spot.subscribe(this.#hub.listener()),
      venue.perps.subscribe(this.#hub.listener()),
    ];
  }

  owns(path: string): boolean {
    return path.startsWith('/api/v5/');
  }

  async handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await handleRest(this.#desk, request, response);
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (!path.startsWith('/ws/v5/')) return false;
    const door = DOORS.get(path);
    const address = request.socket.remoteAddress ?? 'unknown';
    const { rates, now } = this.#desk;
    if (door === undefined) return refuseUpgrade(socket, '404 Not Found');
    if (!rates.connections.take(address, rates.limits.connectionsPerWindowMax, { now: now() })) {
      return refuseUpgrade(socket, '429 Too Many Requests');
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      const watched = this.#health.watch(opened, door);
      const connection = new OkxSocket({ desk: this.#desk, hub: this.#hub, socket: watched });
      opened.on('message', (data, isBinary) => connection.onText(isBinary ? '' : String(data)));
      opened.once('close', () => connection.end());
    });
    return true;
  }

  dropSockets(kind: SocketKind): number {
    return this.#health.dropAll((door) => kind === 'all' || (door === 'private') === (kind === 'api'));
  }

  close(): void {
    for (const detach of this.#detach) detach();
    this.#hub.close();
    this.#health.close();
    this.#server.close();
  }
}

/** The path is this dialect's, and there is nothing behind it. */
function refuseUpgrade(socket: Duplex, status: string): true {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  return true;
}

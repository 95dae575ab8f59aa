import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FaultBox } from '../../faults.ts';
import type { SimulatedVenue } from '../../simulated-venue.ts';
import type { Dialect, SocketKind } from '../dialect.ts';
import { CancelTimers } from '../wire/cancel-timers.ts';
import { addressOf } from '../wire/request.ts';
import { onText, sendFrame } from '../wire/socket-frames.ts';
import { SocketHealth, type SocketManners } from '../wire/socket-health.ts';
import { addressOfUpgrade, makeSocketServer, turnAway } from '../wire/upgrade.ts';
import { AccountUpdates } from './account-updates.ts';
import { type Desk, TAGS_PER_ACCOUNT_MAX } from './desk.ts';
import { Listing } from './listing.ts';
import { FundWatch } from './memory/fund-watch.ts';
import { IcebergList } from './memory/iceberg-list.ts';
import { LiquidationTape } from './memory/liquidation-tape.ts';
import { OrderNotes } from './memory/order-notes.ts';
import { TransferNotes } from './memory/transfer-notes.ts';
import { OKX_LIMITS, OKX_UNLIMITED, type OkxLimits, RateLimits } from './rate-limits.ts';
import { handleRest } from './rest.ts';
import { makePublicHub, type PublicHub } from './streams/channel-hub.ts';
import { type Door, type OkxClient, OkxSocket } from './streams/okx-socket.ts';
import { Icebergs } from './trade/icebergs.ts';

/** Half a minute in which nothing was heard or said ends a connection; OKX sends no ping frames. */
const MANNERS: SocketManners = {
  signsOfLife: ['message'],
  silenceMillisMax: 30_000,
  silenceClose: { code: 4004, reason: 'No data received in 30s.' },
};
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

/** OKX v5 over one venue: pairs and contracts, public and private; REST and the three sockets. */
export class OkxDialect implements Dialect {
  readonly #desk: Desk;
  readonly #hub: PublicHub;
  readonly #icebergs: Icebergs;
  readonly #health: SocketHealth;
  readonly #server = makeSocketServer();
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
      accountUpdates: new AccountUpdates(),
      orderNotes: new OrderNotes(),
      cancelTimers: new CancelTimers(() => venue.spot.now(), onFault, TAGS_PER_ACCOUNT_MAX),
      transferNotes: new TransferNotes(),
      liquidations: new LiquidationTape(),
      fundWatch: new FundWatch(),
      icebergs: new IcebergList(),
      now: () => venue.spot.now(),
    };
    const noteFund = () => this.#desk.fundWatch.note(venue.spot.now(), venue.perps.insuranceFund());
    noteFund();
    this.#icebergs = new Icebergs(this.#desk);
    this.#icebergs.start();
    this.#hub = makePublicHub(this.#desk);
    this.#health = new SocketHealth(() => venue.spot.now(), MANNERS);
    this.#detach = [
      venue.spot.subscribe(this.#desk.accountUpdates.listener()),
      venue.perps.subscribePerps(this.#desk.accountUpdates.contractListener()),
      venue.perps.subscribePerps({
        onLiquidation: (one) => {
          this.#desk.liquidations.note(one);
          noteFund();
        },
      }),
      venue.perps.subscribePerps(this.#desk.fundWatch.listener()),
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
    const path = addressOfUpgrade(request)?.pathname ?? '';
    if (!path.startsWith('/ws/v5/')) return false;
    const door = DOORS.get(path);
    const address = addressOf(request);
    const { rates, now } = this.#desk;
    // The path is OKX's, and there is nothing behind it.
    if (door === undefined) {
      turnAway(socket, '404 Not Found');
      return true;
    }
    if (!rates.connections.take(address, rates.limits.connectionsPerWindowMax, { now: now() })) {
      turnAway(socket, '429 Too Many Requests');
      return true;
    }
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      this.#greet(opened, door);
    });
    return true;
  }

  dropSockets(kind: SocketKind): number {
    return this.#health.dropAll(kind);
  }

  close(): void {
    for (const detach of this.#detach) detach();
    this.#desk.cancelTimers.close();
    this.#icebergs.close();
    this.#hub.close();
    this.#health.close();
    this.#server.close();
  }

  #greet(opened: WebSocket, door: Door): void {
    this.#health.watch(opened, door === 'private' ? 'api' : 'streams');
    const client: OkxClient = {
      door,
      send: (frame) => {
        if (sendFrame(opened, frame)) this.#health.touch(opened);
      },
      drop: () => opened.terminate(),
    };
    const connection = new OkxSocket({ desk: this.#desk, hub: this.#hub, client });
    onText(opened, this.#desk.onFault, (text) => connection.onText(text));
    opened.once('close', () => connection.end());
  }
}

import type { Millis } from '@crossbook/domain';
import { KeptSocket, type KeptSocketBounds, type SocketLink } from '../../trading/kept-socket.ts';
import { PendingRequests } from '../../trading/pending-requests.ts';
import type { VenueClock } from '../../trading/venue-clock.ts';
import type { OpenTextSocket, Timers } from '../../transport.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import { asObject, parseJson } from '../../wire/guards.ts';
import { answerOfSocket, type CallAnswer } from './answers.ts';
import { SERVICE_RESTARTING } from './errors.ts';
import { authFrame } from './sign.ts';

/** Requests under way on one socket at the same time; beyond it another way is taken. */
const PENDING_REQUESTS_MAX = 500;
/** Sockets kept at once: the venue allows 1,000 connections an address. Further accounts trade by REST. */
const SOCKETS_MAX = 300;
/** An account that has not traded for so long gives its socket back. */
const IDLE_MILLIS_MAX = 600_000;
const IDLE_CHECK_MILLIS = 60_000;

/** What the sockets of orders need. */
export interface TradeSocketOptions {
  readonly url: string;
  readonly openSocket: OpenTextSocket;
  readonly timers: Timers;
  readonly clock: () => Millis;
  readonly random: () => number;
  readonly bounds: Partial<KeptSocketBounds>;
  readonly venueClock: VenueClock;
  readonly receiveWindowMillis: number;
}

/** One order request as it is written. */
export interface TradeRequest {
  readonly op: string;
  readonly header: Readonly<Record<string, string>>;
  readonly parameters: object;
  readonly timeoutMillis: number;
}

/**
 * Request and answer over Bybit's trade sockets (websocket/trade/guideline). A connection is logged on for one key, so
 * that every account that trades has one of its own: opened by its first order, which goes by REST, and closed after
 * ten minutes without another. Every request is written at most once; one that is not answered is `lost`.
 */
export class TradeSockets {
  readonly #options: TradeSocketOptions;
  readonly #sockets = new Map<string, TradeSocket>();
  #cancelTimer: () => void;

  constructor(options: TradeSocketOptions) {
    this.#options = options;
    this.#cancelTimer = this.#checkLater();
  }

  /** Whether a request of this account would be written now. Opens a socket for its later ones where there is none. */
  isOpen(credentials: VenueCredentials): boolean {
    const known = this.#sockets.get(credentials.apiKey);
    if (known !== undefined) {
      known.lastUsedAt = this.#options.clock();
      return known.isOpen;
    }
    if (this.#sockets.size < SOCKETS_MAX) {
      this.#sockets.set(credentials.apiKey, new TradeSocket(this.#options, credentials));
    }
    return false;
  }

  /**
   * Writes one request before it returns.
   * @returns `undefined` when there is no open socket: nothing was written and another way may be taken.
   */
  call(credentials: VenueCredentials, request: TradeRequest): Promise<CallAnswer> | undefined {
    return this.#sockets.get(credentials.apiKey)?.call(request);
  }

  close(): void {
    this.#cancelTimer();
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  #checkLater(): () => void {
    return this.#options.timers.after(IDLE_CHECK_MILLIS, () => {
      const now = this.#options.clock();
      for (const [apiKey, socket] of this.#sockets) {
        if (socket.isBusy || now - socket.lastUsedAt < IDLE_MILLIS_MAX) continue;
        this.#sockets.delete(apiKey);
        socket.close();
      }
      this.#cancelTimer = this.#checkLater();
    });
  }
}

class TradeSocket {
  lastUsedAt: Millis;
  readonly #socket: KeptSocket;
  readonly #pending: PendingRequests<CallAnswer>;

  constructor(options: TradeSocketOptions, credentials: VenueCredentials) {
    const { venueClock, receiveWindowMillis } = options;
    this.lastUsedAt = options.clock();
    this.#pending = new PendingRequests<CallAnswer>({
      timers: options.timers,
      pendingRequestsMax: PENDING_REQUESTS_MAX,
      lost: (why) => ({ kind: 'lost', why }),
    });
    this.#socket = new KeptSocket({
      ...options,
      heartbeat: () => '{"op":"ping"}',
      onOpen: (link) => link.send(authFrame(credentials, venueClock.now() + receiveWindowMillis)),
      onText: (text, link) => this.#onText(text, link),
      onLinkClosed: (link) => this.#pending.linkClosed(link),
    });
  }

  get isOpen(): boolean {
    return this.#socket.current !== undefined && !this.#pending.isFull;
  }

  get isBusy(): boolean {
    return this.#pending.isBusy;
  }

  call(request: TradeRequest): Promise<CallAnswer> | undefined {
    const { op, header, parameters, timeoutMillis } = request;
    return this.#pending.write(this.#socket.current, timeoutMillis, (reqId) =>
      JSON.stringify({ reqId, header, op, args: [parameters] }),
    );
  }

  close(): void {
    this.#socket.close();
  }

  #onText(text: string, link: SocketLink): void {
    const frame = asObject(parseJson(text));
    if (frame === undefined) return;
    if (frame.op === 'auth') {
      if (frame.retCode === 0) link.ready();
      else link.close(`log-on refused: ${String(frame.retCode).slice(0, 10)}`);
      return;
    }
    const read = answerOfSocket(frame);
    if (read === undefined) return;
    if (frame.retCode === SERVICE_RESTARTING) this.#socket.replace();
    this.#pending.settle(read.requestId, read.answer);
  }
}

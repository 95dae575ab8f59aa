import { KeptSocket, type KeptSocketOptions } from '../../trading/kept-socket.ts';
import { PendingRequests } from '../../trading/pending-requests.ts';
import type { VenueClock } from '../../trading/venue-clock.ts';
import { answerOfSocket, type CallAnswer } from './answers.ts';

/** Requests under way on the socket at the same time; beyond it a request is refused unsent. */
const PENDING_REQUESTS_MAX = 2_000;

/** What the socket of calls needs. */
export interface SocketApiOptions
  extends Pick<KeptSocketOptions, 'url' | 'openSocket' | 'timers' | 'clock' | 'random' | 'bounds'> {
  readonly venueClock: VenueClock;
  /** The venue's own count of request weight in this minute. */
  readonly reportWeight: (used: number) => void;
}

/**
 * Request and answer over Binance's WebSocket API (web-socket-api.md): one socket for everybody, kept open. Every
 * request is written at most once; if it is not answered, in time and readably, it is `lost` and never repeated.
 */
export class SocketApi {
  readonly #venueClock: VenueClock;
  readonly #reportWeight: (used: number) => void;
  readonly #socket: KeptSocket;
  readonly #pending: PendingRequests<CallAnswer>;
  #beats = 1;

  constructor(options: SocketApiOptions) {
    this.#venueClock = options.venueClock;
    this.#reportWeight = options.reportWeight;
    this.#pending = new PendingRequests<CallAnswer>({
      timers: options.timers,
      pendingRequestsMax: PENDING_REQUESTS_MAX,
      lost: (why) => ({ kind: 'lost', why }),
    });
    this.#socket = new KeptSocket({
      ...options,
      heartbeat: () => JSON.stringify({ id: `heartbeat-${this.#beats++}`, method: 'ping' }),
      onOpen: (link) => link.ready(),
      onText: (text) => this.#onText(text),
      onLinkClosed: (link) => this.#pending.linkClosed(link),
    });
  }

  /**
   * Writes one request before it returns.
   * @returns `undefined` when the socket is not open or full: nothing was written and another way may be taken.
   */
  call(method: string, parameters: object, timeoutMillis: number): Promise<CallAnswer> | undefined {
    return this.#pending.write(this.#socket.current, timeoutMillis, (id) =>
      JSON.stringify({ id, method, params: parameters }),
    );
  }

  close(): void {
    this.#socket.close();
  }

  #onText(text: string): void {
    const read = answerOfSocket(text, this.#venueClock.now());
    if (read === undefined) {
      if (text.includes('"serverShutdown"')) this.#socket.replace();
      return;
    }
    if (read.usedWeight !== undefined) this.#reportWeight(read.usedWeight);
    this.#pending.settle(read.id, read.answer);
  }
}

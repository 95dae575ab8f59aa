import { KeptSocket, type KeptSocketOptions, type SocketLink } from '../../trading/kept-socket.ts';
import type { VenueClock } from '../../trading/venue-clock.ts';
import type { Timers } from '../../transport.ts';
import { answerOfSocket, type CallAnswer } from './answers.ts';
import type { WeightBudget } from './weight-budget.ts';

/** Requests under way on the socket at the same time; beyond it a request is refused unsent. */
const PENDING_REQUESTS_MAX = 2_000;

/** What the socket of calls needs. */
export interface SocketApiOptions
  extends Pick<KeptSocketOptions, 'url' | 'openSocket' | 'timers' | 'clock' | 'random' | 'bounds'> {
  readonly venueClock: VenueClock;
  readonly budget: WeightBudget;
}

interface Pending {
  readonly link: SocketLink;
  readonly settle: (answer: CallAnswer) => void;
}

/**
 * Request and answer over Binance's WebSocket API (web-socket-api.md): one socket for everybody, kept open. Every
 * request is written at most once; if it is not answered, in time and readably, it is `lost` and never repeated.
 */
export class SocketApi {
  readonly #timers: Timers;
  readonly #venueClock: VenueClock;
  readonly #budget: WeightBudget;
  readonly #socket: KeptSocket;
  readonly #pending = new Map<string, Pending>();
  #nextId = 1;

  constructor(options: SocketApiOptions) {
    this.#timers = options.timers;
    this.#venueClock = options.venueClock;
    this.#budget = options.budget;
    this.#socket = new KeptSocket({
      ...options,
      heartbeat: () => JSON.stringify({ id: `heartbeat-${this.#nextId++}`, method: 'ping' }),
      onOpen: (link) => link.ready(),
      onText: (text) => this.#onText(text),
      onLinkClosed: (link) => this.#onLinkClosed(link),
    });
  }

  /** True when a call would be written now. */
  get isOpen(): boolean {
    return this.#socket.current !== undefined;
  }

  /**
   * Writes one request before it returns.
   * @returns `undefined` when the socket is not open or full: nothing was written and another way may be taken.
   */
  call(method: string, parameters: object, timeoutMillis: number): Promise<CallAnswer> | undefined {
    const link = this.#socket.current;
    if (link === undefined || this.#pending.size >= PENDING_REQUESTS_MAX) return undefined;
    const id = String(this.#nextId++);
    const text = JSON.stringify({ id, method, params: parameters });
    let settle: (answer: CallAnswer) => void = () => undefined;
    const answered = new Promise<CallAnswer>((resolve) => {
      settle = resolve;
    });
    const cancelTimer = this.#timers.after(timeoutMillis, () =>
      this.#settle(id, { kind: 'lost', why: 'no answer in time' }),
    );
    this.#pending.set(id, {
      link,
      settle: (answer) => {
        cancelTimer();
        settle(answer);
      },
    });
    try {
      if (!link.send(text)) {
        this.#settle(id, { kind: 'lost', why: 'nobody hears this' });
        return undefined;
      }
    } catch {
      // The socket may have written a part of it: from here on the request counts as sent.
      this.#settle(id, { kind: 'lost', why: 'socket failed while writing' });
    }
    return answered;
  }

  close(): void {
    this.#socket.close();
  }

  #settle(id: string, answer: CallAnswer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.settle(answer);
  }

  #onText(text: string): void {
    const read = answerOfSocket(text, this.#venueClock.now());
    if (read === undefined) {
      if (text.includes('"serverShutdown"')) this.#socket.replace();
      return;
    }
    if (read.usedWeight !== undefined) this.#budget.report(read.usedWeight);
    this.#settle(read.id, read.answer);
  }

  #onLinkClosed(link: SocketLink): void {
    for (const [id, pending] of this.#pending) {
      if (pending.link === link) this.#settle(id, { kind: 'lost', why: 'connection lost before the answer' });
    }
  }
}

import type { Timers } from '../transport.ts';
import type { SocketLink } from './kept-socket.ts';

/** What requests over sockets need. */
export interface PendingRequestsOptions<Answer> {
  readonly timers: Timers;
  /** Requests under way at the same time; beyond it nothing is written and another way may be taken. */
  readonly pendingRequestsMax: number;
  /** The answer of a request that was written and to which nothing readable came back. */
  readonly lost: (why: string) => Answer;
}

interface Pending<Answer> {
  readonly link: SocketLink;
  readonly settle: (answer: Answer) => void;
}

/**
 * Requests written to sockets and the answers they wait for, known by an id that is never used twice. A request that
 * was written counts as sent and is never repeated: it ends with its answer, or as lost when its time is up or its link
 * has gone, because the venue may have carried it out.
 */
export class PendingRequests<Answer> {
  readonly #options: PendingRequestsOptions<Answer>;
  readonly #pending = new Map<string, Pending<Answer>>();
  #nextId = 1;

  constructor(options: PendingRequestsOptions<Answer>) {
    this.#options = options;
  }

  /** Whether no further request would be written. */
  get isFull(): boolean {
    return this.#pending.size >= this.#options.pendingRequestsMax;
  }

  /** Whether any answer is awaited. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Whether the answer to this id is awaited. */
  has(id: string): boolean {
    return this.#pending.has(id);
  }

  /**
   * Writes one request before it returns.
   * @param link the current link; `undefined` when there is none. @param textOf the request under its id.
   * @returns `undefined` when nothing was written: another way may be taken.
   */
  write(
    link: SocketLink | undefined,
    timeoutMillis: number,
    textOf: (id: string) => string,
  ): Promise<Answer> | undefined {
    if (link === undefined || this.isFull) return undefined;
    const { timers, lost } = this.#options;
    const id = String(this.#nextId++);
    const text = textOf(id);
    let settle: (answer: Answer) => void = () => undefined;
    const answered = new Promise<Answer>((resolve) => {
      settle = resolve;
    });
    const cancelTimer = timers.after(timeoutMillis, () => this.settle(id, lost('no answer in time')));
    this.#pending.set(id, {
      link,
      settle: (answer) => {
        cancelTimer();
        settle(answer);
      },
    });
    try {
      if (!link.send(text)) {
        this.settle(id, lost('nobody hears this'));
        return undefined;
      }
    } catch {
      // The socket may have written a part of it: from here on the request counts as sent.
      this.settle(id, lost('socket failed while writing'));
    }
    return answered;
  }

  /** Ends a request with its answer; an answer that nobody waits for changes nothing. */
  settle(id: string, answer: Answer): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.settle(answer);
  }

  /** A link has gone, and with it every answer that was to come over it. */
  linkClosed(link: SocketLink): void {
    for (const [id, pending] of this.#pending) {
      if (pending.link === link) this.settle(id, this.#options.lost('connection lost before the answer'));
    }
  }
}

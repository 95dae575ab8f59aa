/** Bytes written since the last proof of reading above which a client is let go, whatever lies in which buffer. */
export const UNREAD_BYTES_MAX = 8 * 1024 * 1024;
/** Above this much the next proof is asked for at once. */
const ASK_ABOVE_BYTES = 1024 * 1024;
/** Checks that one proof may take. The gateway checks every 5 s, so a reader is at most 25 s behind. */
export const UNANSWERED_CHECKS_MAX = 4;

/**
 * What a client has surely read. Bytes that left this process lie in the kernel's buffers and on the way for as long as
 * a reader likes, so the client proves it: a ping goes out in the order of the data, and its pong comes back when all
 * before it was read. Ages are counted in checks, so that a process that stood still blames nobody for it.
 */
export class UnreadMeter {
  #written = 0;
  #read = 0;
  #asked: { readonly payload: string; readonly written: number; checks: number } | undefined;

  /** Counts what was written; whether a proof is due now. */
  wrote(bytes: number): boolean {
    this.#written += bytes;
    return this.#asked === undefined && this.#written - this.#read > ASK_ABOVE_BYTES;
  }

  /** A ping with this payload went out. */
  asked(payload: string): void {
    this.#asked = { payload, written: this.#written, checks: 0 };
  }

  /** A pong came; what is not the answer to our ping proves nothing. */
  answered(payload: string): void {
    if (this.#asked?.payload !== payload) return;
    this.#read = this.#asked.written;
    this.#asked = undefined;
  }

  /** A regular check: whether a ping is to be sent, is waited for, or was waited for too long. */
  check(): 'ask' | 'wait' | 'behind' {
    if (this.#asked === undefined) return 'ask';
    this.#asked.checks += 1;
    return this.#asked.checks > UNANSWERED_CHECKS_MAX ? 'behind' : 'wait';
  }

  /** Whether more lies unread than may. */
  get isFull(): boolean {
    return this.#written - this.#read > UNREAD_BYTES_MAX;
  }
}

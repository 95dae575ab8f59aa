import type { Millis } from '@crossbook/domain';
import type { SendHttp, Timers } from '../transport.ts';
import { parseJson } from '../wire/guards.ts';

const SYNC_EVERY_MILLIS = 60_000;
const SYNC_RETRY_MILLIS = 2_000;
const SYNC_TIMEOUT_MILLIS = 5_000;
/** A sample that took longer says too little about the venue's clock; one is taken all the same where there is no other. */
const ROUND_TRIP_MILLIS_MAX = 2_000;
/**
 * How far ahead of the venue a sample may put us. Exchanges refuse what comes from more than a second in their future and
 * accept what is several seconds old, so that a slow sample is read as an answer late in its round trip.
 */
const AHEAD_MILLIS_MAX = 500;
/** How wrong the offset may be, once measured: a round trip and the drift until the next measurement. */
const SKEW_MARGIN_MILLIS = 3_000;
/** Before the first measurement: how far two clocks that are both kept by NTP could be apart in practice, and more. */
const UNMEASURED_MARGIN_MILLIS = 60_000;

/** What the clock needs from outside. */
export interface VenueClockOptions {
  /** Full address of the venue's time call. */
  readonly timeUrl: string;
  /** The venue's time in an answer of that call; `undefined` for any other shape. */
  readonly readTime: (answer: unknown) => number | undefined;
  readonly clock: () => Millis;
  readonly timers: Timers;
  readonly sendHttp: SendHttp;
}

/** The venue's time as seen from here: our clock plus an offset that is measured again and again. */
export class VenueClock {
  readonly #options: VenueClockOptions;
  #offsetMillis = 0;
  #measured = false;
  #measuring = false;
  #closed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(options: VenueClockOptions) {
    this.#options = options;
  }

  /** Now, in the venue's time. */
  now(): Millis {
    return Math.round(this.#options.clock() + this.#offsetMillis) as Millis;
  }

  /** A moment of our clock in the venue's time. */
  toVenue(ours: Millis): Millis {
    return Math.round(ours + this.#offsetMillis) as Millis;
  }

  /**
   * The moment of OUR clock after which the venue must refuse a request that carries `timestamp`, with a margin
   * for how wrong the offset may be.
   */
  deadlineAt(timestamp: Millis, receiveWindowMillis: number): Millis {
    const margin = this.#measured ? SKEW_MARGIN_MILLIS : UNMEASURED_MARGIN_MILLIS;
    return Math.ceil(timestamp - this.#offsetMillis + receiveWindowMillis + margin) as Millis;
  }

  /** Measures now and then every minute. Also called when the venue says that our time is wrong. */
  measure(): void {
    if (this.#measuring || this.#closed) return;
    this.#measuring = true;
    this.#cancelTimer();
    void this.#sample().then((measured) => {
      this.#measuring = false;
      if (this.#closed) return;
      const wait = measured ? SYNC_EVERY_MILLIS : SYNC_RETRY_MILLIS;
      this.#cancelTimer = this.#options.timers.after(wait, () => this.measure());
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  async #sample(): Promise<boolean> {
    const { clock, timeUrl, readTime, sendHttp } = this.#options;
    const before = clock();
    try {
      const answer = await sendHttp({
        method: 'GET',
        url: timeUrl,
        headers: {},
        timeoutMillis: SYNC_TIMEOUT_MILLIS,
      });
      const after = clock();
      const serverTime = readTime(parseJson(answer.text));
      if (answer.status !== 200 || serverTime === undefined) return false;
      const roundTrip = after - before;
      const good = roundTrip <= ROUND_TRIP_MILLIS_MAX;
      if (this.#measured && !good) return false;
      this.#offsetMillis = serverTime - after + Math.min(roundTrip / 2, AHEAD_MILLIS_MAX);
      this.#measured = true;
      return good;
    } catch {
      return false;
    }
  }
}

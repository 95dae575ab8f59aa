import type { Millis } from '@crossbook/domain';
import type { MarketMessage, PublicSocketCodec } from '@crossbook/venues';
import type { FeedSocket } from './ports.ts';

/** Nothing received for this long: the connection is half open. */
const SILENCE_MILLIS_MAX = 15_000;
/** A subscription is unanswered for this long and no data came: the far end does not process requests. */
const ANSWER_MILLIS_MAX = 15_000;
/** Pongs without data for this long: the stream is dead. Bars and trades of a quiet market may pause for minutes. */
const DATA_MILLIS_MAX = 300_000;
/** After this long without a frame a ping is sent. */
const QUIET_MILLIS_MAX = 2_500;

/** Why a connection is given up. */
export type Silence = 'silent' | 'does not answer' | 'says nothing';

/**
 * Monitors one connection: sends the venue's own heartbeat, tells a quiet market from a dead line by pings, and finds a
 * far end that answers but delivers no data.
 */
export class HeartbeatMonitor {
  readonly #heartbeat: PublicSocketCodec['heartbeat'];
  #aliveAt = 0;
  #beatAt = 0;
  /** Whether a ping is on its way that nothing has answered yet. */
  #pinged = false;
  /** When what is still unanswered was asked for. */
  #askedAt: number | undefined;
  #talkedAt = 0;

  constructor(heartbeat: PublicSocketCodec['heartbeat']) {
    this.#heartbeat = heartbeat;
  }

  /** When the far end last gave a sign of life. */
  get aliveAt(): Millis {
    return this.#aliveAt as Millis;
  }

  /** A fresh connection. */
  restart(now: Millis): void {
    this.#aliveAt = now;
    this.#beatAt = now;
    this.#pinged = false;
    this.#talkedAt = now;
    this.#askedAt = undefined;
  }

  /** A frame or a pong came. */
  alive(now: Millis): void {
    this.#aliveAt = now;
    this.#pinged = false;
  }

  /** A frame was read; only what says something counts as an answer. */
  heard(message: MarketMessage, at: Millis): void {
    if (message.kind === 'ignored' || message.kind === 'malformed') return;
    this.#talkedAt = at;
    this.#askedAt = undefined;
  }

  /** Channels were asked for. An older question that was not answered stays open. */
  asked(now: Millis): void {
    this.#askedAt ??= now;
  }

  /** Called every second: sends what keeps and proves the connection; says why it must be given up. */
  watch(now: Millis, socket: FeedSocket): Silence | undefined {
    if (now - this.#aliveAt > SILENCE_MILLIS_MAX) return 'silent';
    if (this.#askedAt !== undefined && now - this.#askedAt > ANSWER_MILLIS_MAX) return 'does not answer';
    if (now - this.#talkedAt > DATA_MILLIS_MAX) return 'says nothing';
    // One is enough: what is written arrives or the connection breaks, and venues count what they are sent.
    if (now - this.#aliveAt > QUIET_MILLIS_MAX && !this.#pinged) {
      this.#pinged = true;
      socket.ping();
    }
    if (this.#heartbeat !== undefined && now - this.#beatAt >= this.#heartbeat.everyMillis) {
      this.#beatAt = now;
      socket.send(this.#heartbeat.frame);
    }
    return undefined;
  }
}

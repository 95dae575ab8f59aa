import type { Millis } from '@crossbook/domain';
import type { VenueArbiter } from '../arbiter/venue-arbiter.ts';
import type { OpenTextSocket, SendHttp, Timers } from '../transport.ts';
import type { KeptSocketBounds } from './kept-socket.ts';

/** What every trading half needs from outside. */
export interface TradingOptions {
  /** The venue's public address, or a simulator's base. */
  readonly restBase: string;
  readonly clock: () => Millis;
  /** Uniform in [0, 1), for jitter only. */
  readonly random: () => number;
  readonly timers: Timers;
  readonly sendHttp: SendHttp;
  readonly openSocket: OpenTextSocket;
  /** How long after its making the venue may take a request, or still carry out a placement. */
  readonly receiveWindowMillis?: number;
  /** How long to wait for an answer before the outcome is unknown. */
  readonly answerMillisMax?: number;
  readonly socketBounds?: Partial<KeptSocketBounds>;
  /** Whom every request of the venue asks first; one of its own where the caller has no other use of the venue. */
  readonly arbiter?: VenueArbiter;
}

/** How long an answer is waited for, unless told otherwise. */
export const ANSWER_MILLIS_MAX = 10_000;

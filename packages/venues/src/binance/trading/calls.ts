import type { Millis } from '@crossbook/domain';
import type { KeptSocketBounds } from '../../trading/kept-socket.ts';
import { LOCAL_CODES } from '../../trading/local-codes.ts';
import { VenueClock } from '../../trading/venue-clock.ts';
import type { OpenTextSocket, SendHttp, Timers } from '../../transport.ts';
import type { VenueCredentials } from '../../venue-trading.ts';
import { asCounter, asObject } from '../../wire/guards.ts';
import { publicUrl } from '../../wire/query-url.ts';
import { BINANCE_PROFILE } from '../profile.ts';
import { PUBLIC_PATHS } from '../urls.ts';
import type { CallAnswer } from './answers.ts';
import { OUTSIDE_RECEIVE_WINDOW } from './errors.ts';
import { sendSigned } from './rest.ts';
import { type CallParameters, signedParameters, signedPayload } from './sign.ts';
import { WeightBudget } from './weight-budget.ts';
import { SocketApi } from './ws-api.ts';

/** What Binance spot's trading half needs from outside. */
export interface BinanceTradingOptions {
  /** `https://api.binance.com`, or a simulator's base. */
  readonly restBase: string;
  /** Full address of the WebSocket API: `wss://ws-api.binance.com:443/ws-api/v3`. */
  readonly wsApiUrl: string;
  readonly clock: () => Millis;
  /** Uniform in [0, 1), for jitter only. */
  readonly random: () => number;
  readonly timers: Timers;
  readonly sendHttp: SendHttp;
  readonly openSocket: OpenTextSocket;
  /** How long the venue may take a request after its timestamp; at most 60,000. */
  readonly receiveWindowMillis?: number;
  /** How long to wait for an answer before the outcome is unknown. */
  readonly answerMillisMax?: number;
  readonly socketBounds?: Partial<KeptSocketBounds>;
}

/** How long the venue may take a request after its timestamp, unless told otherwise. */
export const RECEIVE_WINDOW_MILLIS = BINANCE_PROFILE.trading.receiveWindowMillis;
const ANSWER_MILLIS_MAX = 10_000;

/** One call of the venue, as both transports know it. */
export interface Call {
  /** Name on the WebSocket API; absent where only REST has the call. */
  readonly socketMethod?: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly weight: number;
  readonly kind: 'read' | 'change';
  readonly parameters: CallParameters;
}

/** A call's answer, and the moment of our clock after which the venue must refuse the request if it still comes. */
export interface Called {
  readonly answer: CallAnswer;
  readonly fenceClosesAt: Millis;
}

/** Signs calls and sends each exactly once: over the WebSocket API where it is open, by REST where it is not. */
export class Calls {
  readonly venueClock: VenueClock;
  readonly #options: BinanceTradingOptions;
  readonly #budget: WeightBudget;
  readonly #socketApi: SocketApi;
  #closed = false;

  constructor(options: BinanceTradingOptions) {
    this.#options = options;
    this.#budget = new WeightBudget(options.clock);
    this.venueClock = new VenueClock({
      ...options,
      timeUrl: publicUrl(options.restBase, PUBLIC_PATHS.time),
      readTime: (answer) => asCounter(asObject(answer)?.serverTime),
    });
    this.venueClock.measure();
    this.#socketApi = new SocketApi({
      ...options,
      url: options.wsApiUrl,
      venueClock: this.venueClock,
      budget: this.#budget,
      bounds: options.socketBounds ?? {},
    });
  }

  /** Sends one call. It is written before this returns its promise, unless the answer is `unsent`. */
  async send(credentials: VenueCredentials, call: Call): Promise<Called> {
    const recvWindow = this.#options.receiveWindowMillis ?? RECEIVE_WINDOW_MILLIS;
    const timestamp = this.venueClock.now();
    const fenceClosesAt = this.venueClock.fenceClosesAt(timestamp, recvWindow);
    if (this.#closed) return { answer: { kind: 'unsent', code: LOCAL_CODES.closed }, fenceClosesAt };
    if (!this.#budget.take(call.weight, call.kind)) {
      return { answer: { kind: 'unsent', code: LOCAL_CODES.rateLimited }, fenceClosesAt };
    }
    const answer = await this.#write(credentials, call, { ...call.parameters, recvWindow, timestamp });
    if (answer.kind === 'error') this.#heed(answer);
    return { answer, fenceClosesAt };
  }

  close(): void {
    this.#closed = true;
    this.#socketApi.close();
    this.venueClock.close();
  }

  #write(credentials: VenueCredentials, call: Call, parameters: CallParameters): Promise<CallAnswer> {
    const timeoutMillis = this.#options.answerMillisMax ?? ANSWER_MILLIS_MAX;
    if (call.socketMethod !== undefined) {
      const signed = signedParameters({ ...parameters, apiKey: credentials.apiKey }, credentials.secret);
      const written = this.#socketApi.call(call.socketMethod, signed, timeoutMillis);
      // `undefined` means that nothing was written; anything else is never repeated by REST.
      if (written !== undefined) return written;
    }
    return sendSigned(
      { restBase: this.#options.restBase, sendHttp: this.#options.sendHttp, budget: this.#budget },
      {
        method: call.method,
        path: call.path,
        apiKey: credentials.apiKey,
        payload: signedPayload(parameters, credentials.secret),
        timeoutMillis,
      },
    );
  }

  #heed(answer: CallAnswer & { readonly kind: 'error' }): void {
    const { status, code } = answer.error;
    if (status === 429 || status === 418) this.#budget.pause(answer.retryAfterMillis);
    if (code === OUTSIDE_RECEIVE_WINDOW) this.venueClock.measure();
  }
}

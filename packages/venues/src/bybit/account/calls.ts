import type { Millis } from '@crossbook/domain';
import type { Cost, LimitScope } from '../../arbiter/limit-scope.ts';
import { feedHttp } from '../../arbiter/public-requests.ts';
import type { RequestClass } from '../../arbiter/request-class.ts';
import { VenueArbiter } from '../../arbiter/venue-arbiter.ts';
import { ANSWER_MILLIS_MAX, type TradingOptions } from '../../trading/trading-options.ts';
import { unsentOf } from '../../trading/unsent.ts';
import { VenueClock } from '../../trading/venue-clock.ts';
import type { HttpAnswer, HttpRequest } from '../../transport.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import { publicUrl, queryString, trimBase } from '../../wire/query-url.ts';
import { BYBIT_PUBLIC_LIMITS, HOST_CALL, HOST_PAUSE_MILLIS } from '../limits.ts';
import { BYBIT_PROFILE } from '../profile.ts';
import { PUBLIC_PATHS, SOCKET_PATHS } from '../urls.ts';
import { asEnvelope, asMillis } from '../wire.ts';
import { answerOfHttp, type CallAnswer } from './answers.ts';
import { OUTSIDE_RECEIVE_WINDOW, TOO_MANY_VISITS } from './errors.ts';
import { signedHeaders } from './sign.ts';
import { TradeSockets } from './trade-sockets.ts';

/** What Bybit's trading half needs from outside. */
export interface BybitTradingOptions extends TradingOptions {
  /** `wss://stream.bybit.com`: the private and the trade sockets are paths below it. */
  readonly socketBase: string;
  /** Absent: only pairs are traded. */
  readonly contracts?: true;
}

/** How long the venue may take a request after its timestamp, unless told otherwise. */
export const RECEIVE_WINDOW_MILLIS = BYBIT_PROFILE.trading.receiveWindowMillis;
/** How long an account's call is left alone after "too many visits" without a time; and the longest time believed. */
const ACCOUNT_PAUSE_MILLIS_DEFAULT = 1_000;
const ACCOUNT_PAUSE_MILLIS_MAX = 60_000;

/** One call of the venue. GET parameters become the query, POST parameters the JSON body. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly requestClass: RequestClass;
  /** What the venue counts the call by, for each account. */
  readonly limit: LimitScope;
  /** How many it counts as there; 1 where absent. */
  readonly weight?: number;
  /** Whose turn it is; the account of the key where absent. */
  readonly member?: string;
  readonly waitMillisMax?: number;
  /** Name on the trade socket; absent where only REST has the call. */
  readonly op?: 'order.create' | 'order.create-batch' | 'order.cancel' | 'order.amend' | 'order.cancel-batch';
  readonly parameters: Readonly<Record<string, string | number | boolean | object>>;
}

/** A call's answer, and the moment of our clock after which the venue must refuse the request if it still comes. */
export interface Called {
  readonly answer: CallAnswer;
  readonly deadlineAt: Millis;
}

/** What a call needs of them. */
export type Asking = Pick<Calls, 'send' | 'venueClock'>;

/** Signs calls and sends each exactly once: over the account's trade socket where it is open, by REST where not. */
export class Calls {
  readonly venueClock: VenueClock;
  readonly #options: BybitTradingOptions;
  readonly #arbiter: VenueArbiter;
  readonly #sockets: TradeSockets;
  #closed = false;

  constructor(options: BybitTradingOptions) {
    this.#options = options;
    this.#arbiter = options.arbiter ?? new VenueArbiter(options);
    const door = { arbiter: this.#arbiter, limits: BYBIT_PUBLIC_LIMITS };
    this.venueClock = new VenueClock({
      ...options,
      sendHttp: feedHttp(door, { market: 'SPOT', restBase: options.restBase }, options.sendHttp),
      timeUrl: publicUrl(options.restBase, PUBLIC_PATHS.time),
      readTime: (answer) => asEnvelope(answer)?.time,
    });
    this.venueClock.measure();
    this.#sockets = new TradeSockets({
      ...options,
      url: `${trimBase(options.socketBase)}${SOCKET_PATHS.trade}`,
      bounds: options.socketBounds ?? {},
      venueClock: this.venueClock,
      receiveWindowMillis: this.#receiveWindowMillis,
    });
  }

  /**
   * Sends one call. Where the arbiter has room it is written before this returns its promise; else it may be written a
   * little later, or the answer is `unsent`. Its timestamp is that of the writing.
   */
  async send(credentials: VenueCredentials, call: Call): Promise<Called> {
    const viaSocket = call.op !== undefined && this.#sockets.isOpen(credentials);
    const { requestClass, member = credentials.apiKey, waitMillisMax, weight = 1 } = call;
    const account: Cost = { scope: call.limit, key: credentials.apiKey, weight };
    const wait = waitMillisMax === undefined ? {} : { waitMillisMax };
    // What is written to an open socket does not count against the address.
    const costs = viaSocket ? [account] : [account, HOST_CALL];
    const asked = this.#arbiter.ask({ requestClass, member, costs, ...wait });
    const permit = asked instanceof Promise ? await asked : asked;
    const timestamp = this.venueClock.now();
    const deadlineAt = this.venueClock.deadlineAt(timestamp, this.#receiveWindowMillis);
    const unsent = unsentOf(this.#closed, permit);
    if (unsent !== undefined) return { answer: unsent, deadlineAt };
    const written = viaSocket ? this.#writeSocket(credentials, call, timestamp) : undefined;
    // `undefined` means that nothing was written; anything else is never repeated by REST.
    const answer = await (written ?? this.#sendRest(credentials, call, { account, timestamp }));
    if (answer.kind === 'error') this.#heed(account, answer.error.code);
    return { answer, deadlineAt };
  }

  /** The same in the class of whoever asks, whatever the call. */
  inClass(requestClass: RequestClass): Asking {
    return {
      venueClock: this.venueClock,
      send: (credentials, call) => this.send(credentials, { ...call, requestClass }),
    };
  }

  /** Whether members' keys are for contracts too. */
  get tradesContracts(): boolean {
    return this.#options.contracts === true;
  }

  close(): void {
    this.#closed = true;
    this.#sockets.close();
    this.venueClock.close();
  }

  get #receiveWindowMillis(): number {
    return this.#options.receiveWindowMillis ?? RECEIVE_WINDOW_MILLIS;
  }

  #writeSocket(
    credentials: VenueCredentials,
    call: Call,
    timestamp: number,
  ): Promise<CallAnswer> | undefined {
    if (call.op === undefined) return undefined;
    return this.#sockets.call(credentials, {
      op: call.op,
      header: {
        'X-BAPI-TIMESTAMP': String(timestamp),
        'X-BAPI-RECV-WINDOW': String(this.#receiveWindowMillis),
      },
      parameters: call.parameters,
      timeoutMillis: this.#options.answerMillisMax ?? ANSWER_MILLIS_MAX,
    });
  }

  async #sendRest(
    credentials: VenueCredentials,
    call: Call,
    { account, timestamp }: { readonly account: Cost; readonly timestamp: number },
  ): Promise<CallAnswer> {
    try {
      const answer = await this.#options.sendHttp(this.#requestOf(credentials, call, timestamp));
      this.#heedLimits(account, answer);
      return answerOfHttp(answer.status, answer.text);
    } catch {
      // The text of a network error may contain the address with its parameters: it is dropped on purpose.
      return { kind: 'lost', why: 'no answer: connection failed or timed out' };
    }
  }

  #requestOf(credentials: VenueCredentials, call: Call, timestamp: number): HttpRequest {
    const { method, path, parameters } = call;
    const payload = method === 'GET' ? queryString(asQuery(parameters)) : JSON.stringify(parameters);
    const receiveWindowMillis = this.#receiveWindowMillis;
    const headers = signedHeaders(credentials, { timestamp, receiveWindowMillis, payload });
    const timeoutMillis = this.#options.answerMillisMax ?? ANSWER_MILLIS_MAX;
    const url = `${trimBase(this.#options.restBase)}${path}`;
    if (method === 'GET') {
      return { method, url: payload === '' ? url : `${url}?${payload}`, headers, timeoutMillis };
    }
    const json = { ...headers, 'content-type': 'application/json' };
    return { method, url, headers: json, body: payload, timeoutMillis };
  }

  #heed(account: Cost, code: number | undefined): void {
    if (code === OUTSIDE_RECEIVE_WINDOW) this.venueClock.measure();
    if (code === TOO_MANY_VISITS) this.#arbiter.pause(account, ACCOUNT_PAUSE_MILLIS_DEFAULT);
  }

  #heedLimits(account: Cost, answer: HttpAnswer): void {
    if (answer.status === 403 || answer.status === 429) this.#arbiter.pause(HOST_CALL, HOST_PAUSE_MILLIS);
    const left = Number(answer.headers['x-bapi-limit-status'] ?? Number.NaN);
    if (left > 0) this.#arbiter.report(account, account.scope.weightMax - left);
    if (left !== 0) return;
    // Nothing is left until the window turns: a moment of the venue's clock.
    const reset = asMillis(answer.headers['x-bapi-limit-reset-timestamp']);
    const wait = reset === undefined ? ACCOUNT_PAUSE_MILLIS_DEFAULT : reset - this.venueClock.now();
    this.#arbiter.pause(account, Math.min(Math.max(wait, 0), ACCOUNT_PAUSE_MILLIS_MAX));
  }
}

function asQuery(parameters: Call['parameters']): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : String(value),
    ]),
  );
}

import { type Millis, ok, refused, type SymbolType } from '@crossbook/domain';
import { feedHttp } from '../../arbiter/public-requests.ts';
import type { RequestClass } from '../../arbiter/request-class.ts';
import { type ArbiterRequest, VenueArbiter } from '../../arbiter/venue-arbiter.ts';
import { failedRead } from '../../trading/call-answers.ts';
import { LOCAL_CODES } from '../../trading/local-codes.ts';
import { ANSWER_MILLIS_MAX, type TradingOptions } from '../../trading/trading-options.ts';
import { unsentOf } from '../../trading/unsent.ts';
import { VenueClock } from '../../trading/venue-clock.ts';
import type { HttpRequest } from '../../transport.ts';
import type { VenueCredentials, VenueRead } from '../../venue-answers.ts';
import { asCounter, asObject } from '../../wire/guards.ts';
import { publicUrl } from '../../wire/query-url.ts';
import { ACCOUNT_ORDERS, BINANCE_PUBLIC_LIMITS, HOSTS, ORDERS_PER_DAY_MAX, pauseMillis } from '../limits.ts';
import { BINANCE_PROFILE } from '../profile.ts';
import { PUBLIC_PATHS } from '../urls.ts';
import type { CallAnswer } from './answers.ts';
import { OUTSIDE_RECEIVE_WINDOW, TOO_MANY_ORDERS } from './errors.ts';
import { dayPauseMillis, type OrderCount } from './order-counts.ts';
import { sendSigned } from './rest.ts';
import { type CallParameters, signedParameters, signedPayload } from './sign.ts';
import { SocketApi } from './ws-api.ts';

/** What Binance's trading half needs from outside. */
export interface BinanceTradingOptions extends TradingOptions {
  /** Full address of the WebSocket API: `wss://ws-api.binance.com:443/ws-api/v3`. */
  readonly wsApiUrl: string;
  /** USD-M futures: `https://fapi.binance.com` and `wss://fstream.binance.com`. Absent: only pairs are traded. */
  readonly futures?: { readonly restBase: string; readonly socketBase: string };
}

/** How long the venue may take a request after its timestamp, unless told otherwise. */
export const RECEIVE_WINDOW_MILLIS = BINANCE_PROFILE.trading.receiveWindowMillis;

/** One call of the venue, as both transports know it. */
export interface Call {
  /** Name on the WebSocket API; absent where only REST has the call. */
  readonly socketMethod?: string;
  readonly method: HttpRequest['method'];
  readonly path: string;
  /** Whose host has the call; spot's where absent, which has the members' accounts too. */
  readonly market?: SymbolType;
  /** How many orders it places, which the venue counts for the account besides; none where absent. */
  readonly places?: 1 | 2 | 3 | 5;
  /** The key alone stands for it (listen keys). */
  readonly unsigned?: true;
  readonly weight: number;
  readonly requestClass: RequestClass;
  /** Whose turn it is; the account of the key where absent. */
  readonly member?: string;
  readonly waitMillisMax?: number;
  /** The venue takes its weight back when it succeeds. */
  readonly freeWhenDone?: true;
  readonly parameters: CallParameters;
}

/** A call's answer, and the moment of our clock after which the venue must refuse the request if it still comes. */
export interface Called {
  readonly answer: CallAnswer;
  readonly deadlineAt: Millis;
}

/** After "too many new orders", which names no time. */
const ORDERS_PAUSE_MILLIS = 10_000;

/** The host of a call, as the arbiter knows it. */
function hostOf({ market = 'SPOT' }: Call) {
  return { scope: HOSTS[market], key: '' };
}

function requestOf({ apiKey }: VenueCredentials, call: Call): ArbiterRequest {
  const { requestClass, member = apiKey, waitMillisMax, weight, market = 'SPOT' } = call;
  const { places = 0 } = call;
  const orders = places > 0 ? ACCOUNT_ORDERS[market] : [];
  return {
    requestClass,
    member,
    costs: [{ ...hostOf(call), weight }, ...orders.map((scope) => ({ scope, key: apiKey, weight: places }))],
    ...(waitMillisMax === undefined ? {} : { waitMillisMax }),
  };
}

/** What a call needs of them. */
export type Asking = Pick<Calls, 'send' | 'venueClock'>;

/** Signs calls and sends each exactly once: over the WebSocket API where it is open, by REST where it is not. */
export class Calls {
  readonly venueClock: VenueClock;
  readonly #options: BinanceTradingOptions;
  readonly #arbiter: VenueArbiter;
  readonly #socketApi: SocketApi;
  #closed = false;

  constructor(options: BinanceTradingOptions) {
    this.#options = options;
    this.#arbiter = options.arbiter ?? new VenueArbiter(options);
    const door = { arbiter: this.#arbiter, limits: BINANCE_PUBLIC_LIMITS };
    this.venueClock = new VenueClock({
      ...options,
      sendHttp: feedHttp(door, { market: 'SPOT', restBase: options.restBase }, options.sendHttp),
      timeUrl: publicUrl(options.restBase, PUBLIC_PATHS.time),
      readTime: (answer) => asCounter(asObject(answer)?.serverTime),
    });
    this.venueClock.measure();
    this.#socketApi = new SocketApi({
      ...options,
      url: options.wsApiUrl,
      venueClock: this.venueClock,
      reportWeight: (used) => this.#arbiter.report({ scope: HOSTS.SPOT, key: '' }, used),
      bounds: options.socketBounds ?? {},
    });
  }

  /**
   * Sends one call. Where the arbiter has room it is written before this returns its promise; else it may be written a
   * little later, or the answer is `unsent`. Its timestamp is that of the writing.
   */
  async send(credentials: VenueCredentials, call: Call): Promise<Called> {
    const asked = this.#arbiter.ask(requestOf(credentials, call));
    const permit = asked instanceof Promise ? await asked : asked;
    const recvWindow = this.#options.receiveWindowMillis ?? RECEIVE_WINDOW_MILLIS;
    const timestamp = this.venueClock.now();
    const deadlineAt = this.venueClock.deadlineAt(timestamp, recvWindow);
    const unsent = unsentOf(this.#closed, permit);
    if (unsent !== undefined) return { answer: unsent, deadlineAt };
    const answer = await this.#write(credentials, call, { ...call.parameters, recvWindow, timestamp });
    if (answer.kind === 'error') this.#heed(credentials, call, answer);
    if (answer.kind === 'error' || answer.kind === 'result')
      this.#believe(credentials, call, answer.orderCounts);
    // Successful orders and cancels cost no weight (changelog, 2026-04-02).
    if (answer.kind === 'result' && call.freeWhenDone === true && permit.granted)
      permit.giveBack(hostOf(call).scope);
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
    return this.#options.futures !== undefined;
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
    const restBase = call.market === 'SWAP' ? this.#options.futures?.restBase : this.#options.restBase;
    if (restBase === undefined) return Promise.resolve({ kind: 'unsent', code: LOCAL_CODES.notExpressible });
    return sendSigned(
      {
        restBase,
        sendHttp: this.#options.sendHttp,
        reportWeight: (used) => this.#arbiter.report(hostOf(call), used),
      },
      {
        method: call.method,
        path: call.path,
        apiKey: credentials.apiKey,
        payload: call.unsigned === true ? '' : signedPayload(parameters, credentials.secret),
        timeoutMillis,
      },
    );
  }

  /** The venue's own counts of an account's orders, which others with the account may have raised. */
  #believe({ apiKey: key }: VenueCredentials, call: Call, counts: readonly OrderCount[] = []): void {
    if (counts.length === 0) return;
    const scopes = ACCOUNT_ORDERS[call.market ?? 'SPOT'];
    for (const { windowMillis, count } of counts) {
      const scope = scopes.find((known) => known.windowMillis === windowMillis);
      if (scope !== undefined) this.#arbiter.report({ scope, key }, count);
    }
    const silence = dayPauseMillis(counts, ORDERS_PER_DAY_MAX, this.venueClock.now());
    if (silence > 0) this.#arbiter.pause({ scope: scopes[0], key }, silence);
  }

  #heed({ apiKey }: VenueCredentials, call: Call, answer: CallAnswer & { readonly kind: 'error' }): void {
    const { status, code } = answer.error;
    // "Too many new orders" comes with 429 as well and speaks of one account: nobody else is held up by it.
    const silence = code === TOO_MANY_ORDERS ? undefined : pauseMillis(status, answer.retryAfterMillis);
    if (silence !== undefined) this.#arbiter.pause(hostOf(call), silence);
    if (code === TOO_MANY_ORDERS) {
      const [scope] = ACCOUNT_ORDERS[call.market ?? 'SPOT'];
      this.#arbiter.pause({ scope, key: apiKey }, ORDERS_PAUSE_MILLIS);
    }
    if (code === OUTSIDE_RECEIVE_WINDOW) this.venueClock.measure();
  }
}

/** Sends a call that only reads, and reads its answer; `malformed` for any other shape than the documented one. */
export async function readCall<Value>(
  calls: Asking,
  credentials: VenueCredentials,
  call: Call,
  readAnswer: (answer: unknown) => Value | undefined,
): Promise<VenueRead<Value>> {
  const { answer } = await calls.send(credentials, call);
  if (answer.kind === 'result') {
    const value = readAnswer(answer.value);
    return value === undefined ? refused('malformed') : ok(value);
  }
  return failedRead(answer);
}

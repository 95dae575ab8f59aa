import type { Millis } from '@crossbook/domain';
import type { Cost, LimitScope } from '../../arbiter/limit-scope.ts';
import { feedHttp } from '../../arbiter/public-requests.ts';
import type { RequestClass } from '../../arbiter/request-class.ts';
import { VenueArbiter } from '../../arbiter/venue-arbiter.ts';
import { joinedStreams } from '../../trading/joined-streams.ts';
import { ANSWER_MILLIS_MAX, type TradingOptions } from '../../trading/trading-options.ts';
import { unsentOf } from '../../trading/unsent.ts';
import { VenueClock } from '../../trading/venue-clock.ts';
import type { HttpRequest } from '../../transport.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import type { UserStream, UserStreamHandlers } from '../../venue-streams.ts';
import { publicUrl, queryString, trimBase } from '../../wire/query-url.ts';
import { ACCOUNT_ORDERS, OKX_PUBLIC_LIMITS, PAUSE_MILLIS } from '../limits.ts';
import { OKX_PROFILE } from '../profile.ts';
import { PUBLIC_PATHS } from '../urls.ts';
import { asTextCounter, onlyRowOf } from '../wire.ts';
import {
  AccountSocket,
  type AccountSocketOptions,
  type ChannelReader,
  type Operation,
} from './account-socket.ts';
import { answerOfHttp, type CallAnswer } from './answers.ts';
import { TOO_MANY, WRONG_TIME } from './errors.ts';
import { InstrumentCodes } from './instrument-codes.ts';
import { signedHeaders } from './sign.ts';

/** What OKX's trading half needs from outside. */
export interface OkxTradingOptions extends TradingOptions {
  /** Full address of the private socket: `wss://ws.okx.com:8443/ws/v5/private`. */
  readonly privateSocketUrl: string;
  /** That of the socket which tells of algo orders: `wss://ws.okx.com:8443/ws/v5/business`. Absent: nobody follows them. */
  readonly businessSocketUrl?: string;
  /** Absent: only pairs are traded. */
  readonly contracts?: true;
}

const RECEIVE_WINDOW_MILLIS = OKX_PROFILE.trading.receiveWindowMillis;

/**
 * How old a signature may be when the venue looks at it (OKX v5 guide, "Making Requests"): all that bounds the arrival of
 * what takes no `expTime`.
 */
const SIGNATURE_MILLIS_MAX = 30_000;

/** Parameters of a call: figures are strings, only switches are not. A body may have lists of parts. */
export interface CallParameters {
  readonly [name: string]: string | boolean | readonly CallParameters[];
}

/** One call of the venue. GET parameters become the query, POST parameters the JSON body. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly requestClass: RequestClass;
  /** What the venue counts the call by, and for what besides the account: an instrument, a coin. */
  readonly limit: LimitScope;
  readonly limitOf?: string;
  /** Whose turn it is; the account of the key where absent. */
  readonly member?: string;
  readonly waitMillisMax?: number;
  /** Items of a body that is a list; the venue may count each. */
  readonly parameters: CallParameters | readonly CallParameters[];
  /** How many it counts as; 1 where absent. */
  readonly weight?: number;
  /** Name on the private socket and the instrument it is about; absent where only REST has the call. */
  readonly operation?: { readonly op: Operation['op']; readonly symbol: string };
}

/** A call's answer, and the moment of our clock after which the venue must refuse the request if it still comes. */
export interface Called {
  readonly answer: CallAnswer;
  readonly deadlineAt: Millis;
}

const EXPIRING: ReadonlySet<Operation['op']> = new Set(['order', 'batch-orders', 'amend-order']);

/** Only placing and changing an order does (OKX v5 guide, "Transaction timeouts"); the account counts both. */
function knowsDeadline(operation: Call['operation']): boolean {
  return operation !== undefined && EXPIRING.has(operation.op);
}

/** The call's own limit, and for an order that of all orders of the account. */
function costsOf({ apiKey }: VenueCredentials, call: Call): readonly Cost[] {
  const { limit, limitOf, operation, weight = 1 } = call;
  const own = { scope: limit, key: limitOf === undefined ? apiKey : `${apiKey} ${limitOf}`, weight };
  return knowsDeadline(operation) ? [own, { scope: ACCOUNT_ORDERS, key: apiKey, weight }] : [own];
}

function queryOf(parameters: Call['parameters']): string {
  const plain = Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'object' ? [] : [[name, value] as const],
  );
  return queryString(Object.fromEntries(plain));
}

/** What an account's private socket follows, and its business socket. */
export interface FollowedChannels {
  readonly private: readonly ChannelReader[];
  readonly business: readonly ChannelReader[];
}

/** What a call needs of them. */
export type Asking = Pick<Calls, 'send' | 'venueClock'>;

/** Signs calls and sends each exactly once: over the account's private socket where it is open, by REST where not. */
export class Calls {
  readonly venueClock: VenueClock;
  readonly #options: OkxTradingOptions;
  readonly #arbiter: VenueArbiter;
  readonly #codes: InstrumentCodes;
  readonly #readers: FollowedChannels;
  readonly #sockets = new Map<string, AccountSocket>();
  #closed = false;

  /** @param readersOf what an account's sockets follow; it may look up what a contract counts. */
  constructor(options: OkxTradingOptions, readersOf: (codes: InstrumentCodes) => FollowedChannels) {
    this.#options = options;
    this.#arbiter = options.arbiter ?? new VenueArbiter(options);
    const host = { market: 'SPOT', restBase: options.restBase } as const;
    const door = { arbiter: this.#arbiter, limits: OKX_PUBLIC_LIMITS };
    const sendHttp = feedHttp(door, host, options.sendHttp);
    this.venueClock = new VenueClock({
      ...{ ...options, sendHttp },
      timeUrl: publicUrl(options.restBase, PUBLIC_PATHS.time),
      readTime: (answer) => asTextCounter(onlyRowOf(answer)?.ts),
    });
    this.venueClock.measure();
    const symbolTypes = options.contracts === true ? (['SPOT', 'SWAP'] as const) : (['SPOT'] as const);
    this.#codes = new InstrumentCodes({ ...options, sendHttp, symbolTypes });
    this.#readers = readersOf(this.#codes);
  }

  /**
   * Sends one call. Where the arbiter has room it is written before this returns its promise; else it may be written a
   * little later, or the answer is `unsent`. Its timestamp is that of the writing.
   */
  async send(credentials: VenueCredentials, call: Call): Promise<Called> {
    const costs = costsOf(credentials, call);
    const { requestClass, member = credentials.apiKey, waitMillisMax } = call;
    const wait = waitMillisMax === undefined ? {} : { waitMillisMax };
    const asked = this.#arbiter.ask({ requestClass, member, costs, ...wait });
    const permit = asked instanceof Promise ? await asked : asked;
    const now = this.venueClock.now();
    const expires = knowsDeadline(call.operation);
    const window = this.#options.receiveWindowMillis ?? RECEIVE_WINDOW_MILLIS;
    const deadlineAt = this.venueClock.deadlineAt(now, expires ? window : SIGNATURE_MILLIS_MAX);
    const unsent = unsentOf(this.#closed, permit);
    if (unsent !== undefined) return { answer: unsent, deadlineAt };
    const expiresAt = expires ? ((now + window) as Millis) : undefined;
    const written = this.#writeSocket(credentials, call, expiresAt);
    // `undefined` means that nothing was written; anything else is never repeated by REST.
    const answer = await (written ?? this.#sendRest(credentials, call, { now, expiresAt }));
    this.#heed(costs, answer);
    return { answer, deadlineAt };
  }

  /**
   * Opens an account's private socket, over which its orders go from now on, and beside it the one that tells of algo
   * orders where somebody listens to them.
   */
  follow(credentials: VenueCredentials, handlers: UserStreamHandlers): UserStream {
    const { businessSocketUrl } = this.#options;
    const orders = (each: UserStreamHandlers) => this.#followOrders(credentials, each);
    if (businessSocketUrl === undefined || handlers.onAlgo === undefined) return orders(handlers);
    return joinedStreams(handlers, [
      orders,
      (each) =>
        this.#open(credentials, { url: businessSocketUrl, handlers: each, readers: this.#readers.business }),
    ]);
  }

  #followOrders(credentials: VenueCredentials, handlers: UserStreamHandlers): UserStream {
    const { apiKey } = credentials;
    const url = this.#options.privateSocketUrl;
    const socket = this.#open(credentials, { url, handlers, readers: this.#readers.private });
    this.#sockets.set(apiKey, socket);
    return {
      close: () => {
        if (this.#sockets.get(apiKey) === socket) this.#sockets.delete(apiKey);
        socket.close();
      },
    };
  }

  #open(
    credentials: VenueCredentials,
    of: Pick<AccountSocketOptions, 'url' | 'handlers' | 'readers'>,
  ): AccountSocket {
    const bounds = this.#options.socketBounds ?? {};
    return new AccountSocket({ ...this.#options, ...of, bounds, venueClock: this.venueClock, credentials });
  }

  /** The same in the class of whoever asks, whatever the call. */
  inClass(requestClass: RequestClass): Asking {
    return {
      venueClock: this.venueClock,
      send: (credentials, call) => this.send(credentials, { ...call, requestClass }),
    };
  }

  close(): void {
    this.#closed = true;
    this.#sockets.clear();
    this.#codes.close();
    this.venueClock.close();
  }

  #writeSocket(
    credentials: VenueCredentials,
    call: Call,
    expiresAt: Millis | undefined,
  ): Promise<CallAnswer> | undefined {
    if (call.operation === undefined) return undefined;
    const { op, symbol } = call.operation;
    const instIdCode = this.#codes.find(symbol);
    if (instIdCode === undefined) return undefined;
    return this.#sockets.get(credentials.apiKey)?.call({
      op,
      args: [call.parameters].flat().map((parameters) => ({ ...parameters, instIdCode })),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      timeoutMillis: this.#options.answerMillisMax ?? ANSWER_MILLIS_MAX,
    });
  }

  async #sendRest(
    credentials: VenueCredentials,
    call: Call,
    moment: { readonly now: Millis; readonly expiresAt: Millis | undefined },
  ): Promise<CallAnswer> {
    const { method, path } = call;
    const query = method === 'GET' ? queryOf(call.parameters) : '';
    const requestPath = query === '' ? path : `${path}?${query}`;
    const body = method === 'GET' ? '' : JSON.stringify(call.parameters);
    const signed = signedHeaders(credentials, { method, requestPath, body }, moment.now);
    const deadline = moment.expiresAt === undefined ? {} : { exptime: String(moment.expiresAt) };
    const request: HttpRequest = {
      method,
      url: `${trimBase(this.#options.restBase)}${requestPath}`,
      headers: { ...signed, ...deadline },
      timeoutMillis: this.#options.answerMillisMax ?? ANSWER_MILLIS_MAX,
      ...(method === 'GET' ? {} : { body }),
    };
    try {
      const answer = await this.#options.sendHttp(request);
      return answerOfHttp(answer.status, answer.text);
    } catch {
      // The text of a network error may contain what was sent: it is dropped on purpose.
      return { kind: 'lost', why: 'no answer: connection failed or timed out' };
    }
  }

  #heed(costs: readonly Cost[], answer: CallAnswer): void {
    if (answer.kind !== 'error') return;
    const { code, status } = answer.error;
    if (code === undefined ? status === 429 : TOO_MANY.has(code)) {
      for (const cost of costs) this.#arbiter.pause(cost, PAUSE_MILLIS);
    }
    if (code !== undefined && WRONG_TIME.has(code)) this.venueClock.measure();
  }
}

import type { Result } from '@crossbook/domain';
import type { AccountNumber, Exchange } from '../../exchange.ts';
import type { FaultBox } from '../../faults.ts';
import type { OrderLists } from '../../order-list-port.ts';
import type { PerpExchange } from '../../perp-exchange.ts';
import type { AggregateTapes } from './aggregate-trades.ts';
import type { BinanceError } from './errors.ts';
import type { MarketFormatBook } from './format.ts';
import type { ParamReader } from './params.ts';
import type { PreventedMatches } from './prevented-matches.ts';
import type { CallRates, RateLimits } from './rate-limits.ts';
import type { UserStreams } from './user-stream.ts';
import type { WalletScope } from './wallet-rates.ts';

/** What a call is carried out with, be it one of spot or of the futures. */
export interface CallDesk {
  /** Holds the members, their keys and what they have in spot. */
  readonly exchange: Exchange;
  /** Holds their contracts, and what they have there. */
  readonly perps: PerpExchange;
  readonly rates: CallRates;
  readonly faults: FaultBox;
  readonly userStreams: UserStreams;
  readonly aggregates: AggregateTapes;
  /** A random text of `length` letters and digits: client ids, listen keys. */
  randomText(length: number): string;
  /** Hears of a fault of ours while a call was carried out. */
  onFault(fault: unknown): void;
}

/** What every handler of spot may use. The exchange holds the rules; the rest is Binance's manner of speaking. */
export interface Desk extends CallDesk {
  readonly exchange: Exchange & OrderLists;
  readonly format: MarketFormatBook;
  readonly preventedMatches: PreventedMatches;
  readonly rates: RateLimits;
  /** Tells the market side that somebody looks at a market's stream, until the returned function is called. */
  watch(symbol: string): () => void;
}

/** How the names of the futures' calls begin, so that spot's of the same name are not meant. */
export const FUTURES_PREFIX = 'fapi.';

/** NONE: anybody. KEY: the key alone. SIGNED: key, timestamp and signature. */
export type Security = 'NONE' | 'KEY' | 'SIGNED';

/** What a handler answers: a JSON value, or Binance's refusal. */
export type Answer = Result<unknown, BinanceError>;

/** Who calls. `account` is set unless the endpoint's security is NONE. */
export interface Caller {
  readonly account: AccountNumber | undefined;
  readonly apiKey: string | undefined;
  readonly address: string;
}

/** One call of the API, reached through REST, through the WebSocket API, or both. */
export interface Endpoint<Room extends CallDesk = Desk> {
  /** The WebSocket API's method, or a name of ours where it has none. */
  readonly name: string;
  /** `GET /api/v3/depth`; several for aliases. */
  readonly rest: readonly string[];
  /** Whether the WebSocket API has it under `name`. */
  readonly socket: boolean;
  readonly security: Security;
  /** Counts against the account's ORDERS limits. */
  readonly countsOrder: boolean;
  /** Whose minute a call of the wallet (`/sapi/`) is counted in; `undefined` = it shares the weight of its address. */
  readonly walletLimit?: WalletScope['by'];
  /** Successful order and cancel calls cost no weight since 2026-04-02. */
  readonly freeWhenOk: boolean;
  /** Every parameter Binance documents for the call, including those that are refused when used; futures look at no others. */
  readonly params: ReadonlySet<string> | 'ANY';
  /** Reads the parameters; what it returns is run only when the reader has no refusal. */
  prepare(reader: ParamReader, desk: Room): Prepared;
}

/** A call whose parameters were read. */
export interface Prepared {
  readonly weight: number;
  /** As how many orders it counts, where that is not one. */
  readonly orders?: number;
  run(caller: Caller): Answer | Promise<Answer>;
}

/** Which doors an endpoint has, who may use it and how it counts. */
export type Manner = Pick<Endpoint, 'socket' | 'security' | 'countsOrder' | 'freeWhenOk' | 'walletLimit'>;

/** Data that anybody may ask for, through both doors. */
export const PUBLIC: Manner = { socket: true, security: 'NONE', countsOrder: false, freeWhenOk: false };
/** What is signed, through both doors. */
export const SIGNED: Manner = { ...PUBLIC, security: 'SIGNED' };
/** What is signed and costs nothing when it succeeds. */
export const CANCEL: Manner = { ...SIGNED, freeWhenOk: true };
/** The same where it also counts against the account's orders. */
export const ORDER: Manner = { ...CANCEL, countsOrder: true };
/** Calls by REST alone. */
export const REST_SIGNED: Manner = { ...SIGNED, socket: false };
/** Calls of the wallet, counted by address or by account. */
export const WALLET_BY_IP: Manner = { ...REST_SIGNED, walletLimit: 'IP' };
export const WALLET_BY_UID: Manner = { ...REST_SIGNED, walletLimit: 'UID' };
export const REST_KEY: Manner = { ...REST_SIGNED, security: 'KEY' };

const SIGNING = ['timestamp', 'recvWindow', 'signature'];

/** Words of a text, as tables write lists of names. */
function wordsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

/**
 * Declares an endpoint.
 * @param head `order.place POST /api/v3/order`; a method of the WebSocket API alone has no route.
 * @param params every parameter Binance documents for the call but those of signing, parted by blanks.
 */
export function endpoint<Room extends CallDesk = Desk>(
  manner: Manner,
  head: string,
  params: string,
  prepare: (reader: ParamReader, desk: Room) => Prepared,
): Endpoint<Room> {
  const [name = '', ...route] = wordsOf(head);
  const signing = manner.security === 'SIGNED' ? SIGNING : [];
  return {
    ...manner,
    name,
    rest: route.length === 0 ? [] : [route.join(' ')],
    params: new Set([...wordsOf(params), ...signing]),
    prepare,
  };
}

/** By `METHOD /path`. */
export function byRoute<Room extends CallDesk>(
  endpoints: readonly Endpoint<Room>[],
): ReadonlyMap<string, Endpoint<Room>> {
  return new Map(endpoints.flatMap((entry) => entry.rest.map((route) => [route, entry] as const)));
}

/** By the WebSocket API's method. */
export function byMethod<Room extends CallDesk>(
  endpoints: readonly Endpoint<Room>[],
): ReadonlyMap<string, Endpoint<Room>> {
  return new Map(endpoints.filter((entry) => entry.socket).map((entry) => [entry.name, entry] as const));
}

/** The account of a signed call. @throws Error when the dispatcher let a call through without one. */
export function accountOf(caller: Caller): AccountNumber {
  if (caller.account === undefined) throw new Error('invariant broken: a signed call has an account');
  return caller.account;
}

import type { Result } from '@crossbook/domain';
import type { AccountNumber } from '../../exchange.ts';
import type { FaultBox } from '../../faults.ts';
import type { SimulatedVenue } from '../../simulated-venue.ts';
import type { PerpMarkets, PublicMarkets } from '../../venue.ts';
import type { DisconnectGuards } from './disconnects.ts';
import type { BybitError } from './errors.ts';
import type { BybitCategory, MarketFormatBook } from './format.ts';
import type { SymbolNumbers } from './ids.ts';
import type { ParamReader } from './params.ts';
import type { Counted, RateLimits } from './rate-limits.ts';
import type { UserStreams } from './user-streams.ts';

/** What every handler may use. The exchange holds the rules; the rest is Bybit's manner of speaking. */
export interface Desk {
  readonly venue: SimulatedVenue;
  readonly format: Readonly<Record<BybitCategory, MarketFormatBook>>;
  readonly numbers: Readonly<Record<BybitCategory, SymbolNumbers>>;
  readonly rates: RateLimits;
  readonly faults: FaultBox;
  readonly userStreams: UserStreams;
  readonly guards: DisconnectGuards;
  /** A random text of `length` letters and digits: connection and trace ids. */
  randomText(length: number): string;
  /** Hears of a fault of ours while a call was carried out. */
  onFault(fault: unknown): void;
}

/** The public side of a category. */
export function marketsOf(desk: Desk, category: BybitCategory): PublicMarkets | PerpMarkets {
  return category === 'spot' ? desk.venue.spot : desk.venue.perps;
}

/** What an answer carries beside the envelope. */
export interface Reply {
  readonly result: object;
  /** Codes of the single orders of a batch. */
  readonly retExtInfo?: object;
}

/** What a handler answers. */
export type Answer = Result<Reply, BybitError>;

/** A good answer. */
export function reply(result: object, retExtInfo?: object): Answer {
  return { ok: true, value: retExtInfo === undefined ? { result } : { result, retExtInfo } };
}

/** Who calls; `account` is set where the endpoint is signed. */
export interface Caller {
  readonly account: AccountNumber | undefined;
  readonly apiKey: string | undefined;
}

/** What is run when the parameters were in order. */
export type Run = (caller: Caller) => Answer | Promise<Answer>;

/** One call of the API, reached through REST, through the trade socket, or both. */
export interface Endpoint {
  /** The trade socket's name of it (`order.create`), or one of ours. Faults are armed by it. */
  readonly name: string;
  /** `GET /v5/market/time`. */
  readonly route: string;
  /** Whether the trade socket has it. */
  readonly socket: boolean;
  readonly signed: boolean;
  /** Calls an account may make in a second. */
  readonly perSecondMax: number;
  /** Of contracts, where these are counted by themselves. */
  readonly linearPerSecondMax?: number;
  /** Reads the parameters; what it returns is run only when the reader has no refusal. */
  prepare(reader: ParamReader, desk: Desk): Run;
}

const PUBLIC_CALLS_PER_SECOND_MAX = 1_000;

/** Declares a public call; `head` is its name with its route: `market.time GET /v5/market/time`. */
export function publicCall(head: string, prepare: Endpoint['prepare']): Endpoint {
  return { ...signedCall(head, PUBLIC_CALLS_PER_SECOND_MAX, prepare), signed: false };
}

/** Declares a call that is signed, and how often an account may make it in a second. */
export function signedCall(head: string, perSecondMax: number, prepare: Endpoint['prepare']): Endpoint {
  const cut = head.indexOf(' ');
  const names = { name: head.slice(0, cut), route: head.slice(cut + 1) };
  return { ...names, socket: false, signed: true, perSecondMax, prepare };
}

/** The same for one that the trade socket has, too. */
export function tradeCall(head: string, perSecondMax: number, prepare: Endpoint['prepare']): Endpoint {
  return { ...signedCall(head, perSecondMax, prepare), socket: true };
}

/** A call that pairs and contracts have in common, each with its own limit. */
export function sharedCall(
  declare: typeof signedCall,
  head: string,
  limits: Readonly<Record<BybitCategory, number>>,
  prepare: Endpoint['prepare'],
): Endpoint {
  return { ...declare(head, limits.spot, prepare), linearPerSecondMax: limits.linear };
}

/** As what a call is counted: those of contracts by themselves where the venue does so. */
export function countedAs(
  { name, perSecondMax, linearPerSecondMax }: Pick<Endpoint, 'name' | 'perSecondMax' | 'linearPerSecondMax'>,
  category: BybitCategory,
): Counted {
  return linearPerSecondMax !== undefined && category === 'linear'
    ? { name: `${name} linear`, perSecondMax: linearPerSecondMax }
    : { name, perSecondMax };
}

/** The account of a signed call. @throws Error when the dispatcher let a call through without one. */
export function accountOf(caller: Caller): AccountNumber {
  if (caller.account === undefined) throw new Error('invariant broken: a signed call has an account');
  return caller.account;
}

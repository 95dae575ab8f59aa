import type { Result } from '@crossbook/domain';
import type { AccountNumber, Exchange } from '../../exchange.ts';
import type { FaultBox } from '../../faults.ts';
import type { BinanceError } from './errors.ts';
import type { MarketFigureBook } from './figures.ts';
import type { ParamReader } from './params.ts';
import type { RateLimits } from './rate-limits.ts';
import type { UserStreams } from './user-stream.ts';

/** What every handler may use. The exchange holds the rules; the rest is Binance's manner of speaking. */
export interface Desk {
  readonly exchange: Exchange;
  readonly figures: MarketFigureBook;
  readonly rates: RateLimits;
  readonly faults: FaultBox;
  readonly userStreams: UserStreams;
  /** A random text of `length` letters and digits: client ids, listen keys. */
  randomText(length: number): string;
  /** Tells the market side that somebody looks at a market's stream, until the returned function is called. */
  watch(symbol: string): () => void;
  /** Hears of a fault of ours while a call was carried out. */
  onFault(fault: unknown): void;
}

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
export interface Endpoint {
  /** The WebSocket API's method, or a name of ours where it has none. */
  readonly name: string;
  /** `GET /api/v3/depth`; several for aliases. */
  readonly rest: readonly string[];
  /** Whether the WebSocket API has it under `name`. */
  readonly socket: boolean;
  readonly security: Security;
  /** Counts against the account's ORDERS limits. */
  readonly countsOrder: boolean;
  /** Successful order and cancel calls cost no weight since 2026-04-02. */
  readonly freeWhenOk: boolean;
  /** Every parameter Binance documents for the call, including those that are refused when used. */
  readonly params: ReadonlySet<string>;
  /** Reads the parameters; what it returns is run only when the reader has no refusal. */
  prepare(reader: ParamReader, desk: Desk): Prepared;
}

/** A call whose parameters were read. */
export interface Prepared {
  readonly weight: number;
  run(caller: Caller): Answer | Promise<Answer>;
}

/** The facts of an endpoint that are usually the same. */
interface EndpointFacts {
  readonly name: string;
  readonly rest?: string | readonly string[];
  readonly socket?: boolean;
  readonly security?: Security;
  readonly countsOrder?: boolean;
  readonly freeWhenOk?: boolean;
  readonly params?: readonly string[];
}

const SIGNING = ['timestamp', 'recvWindow', 'signature'];

/** Declares an endpoint. */
export function endpoint(
  facts: EndpointFacts,
  prepare: (reader: ParamReader, desk: Desk) => Prepared,
): Endpoint {
  const security = facts.security ?? 'NONE';
  const signing = security === 'SIGNED' ? SIGNING : [];
  return {
    name: facts.name,
    rest: typeof facts.rest === 'string' ? [facts.rest] : (facts.rest ?? []),
    socket: facts.socket ?? false,
    security,
    countsOrder: facts.countsOrder ?? false,
    freeWhenOk: facts.freeWhenOk ?? false,
    params: new Set([...(facts.params ?? []), ...signing]),
    prepare,
  };
}

/** The account of a signed call. @throws Error when the dispatcher let a call through without one. */
export function accountOf(caller: Caller): AccountNumber {
  if (caller.account === undefined) throw new Error('invariant broken: a signed call has an account');
  return caller.account;
}

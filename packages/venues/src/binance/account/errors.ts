import type { SymbolType } from '@crossbook/domain';
import type { CallError } from '../../trading/call-answers.ts';

/**
 * What Binance's error codes prove about a request that changes something (errors.md, 2026-07-21).
 *
 * Definitive: the request was refused and had no effect; the hold may be released.
 * Everything else is ambiguous, codes not listed here included: the request may have been carried out, so its outcome
 * is `unknown` until a query by our id proves it (decision 0004). Listing a code wrongly loses money;
 * leaving one out only costs a query.
 */
export const DEFINITIVE: ReadonlyMap<number, string> = new Map([
  [-1002, 'not authorised: stopped at the door'],
  [-1003, 'too many requests: stopped by the limiter before any processing'],
  [-1013, 'a filter failed: checked before the matching engine'],
  [-1014, 'unsupported combination of order fields'],
  [-1015, 'too many new orders: stopped by the order limiter'],
  [-1020, 'operation not supported'],
  [-1021, 'timestamp outside of the receive window: this very request was turned away'],
  [-1022, 'signature not valid'],
  [-2008, 'invalid API key id'],
  [-2010, 'the matching engine refused the order (but see DUPLICATE)'],
  [-2014, 'API key badly formed'],
  [-2015, 'API key, address or permissions refused'],
  [-2016, 'no trading window for the symbol'],
  [-2039, 'client order id not valid'],
  [-9000, 'broker calls: no available amount'],
]);

/**
 * What is definitive of contracts besides: rules of positions, margin and settings that the venue checks before anything
 * is done, and filters of the -4000s (USD-M error codes, 2026-07). -2021 and -2022 mean something else here than of
 * pairs: a trigger that would fire at once, and a reduce-only order that would not reduce.
 */
export const DEFINITIVE_ON_CONTRACTS: ReadonlyMap<number, string> = new Map([
  ...[-2018, -2019].map((code) => [code, 'balance or margin does not suffice'] as const),
  [-2020, 'unable to fill'],
  [-2021, 'would trigger at once'],
  [-2022, 'reduce-only, and nothing is there to reduce'],
  ...[-2024, -2025, -2026, -2027, -2028].map((code) => [code, 'position, open orders or leverage'] as const),
  ...[-4001, -4002, -4003, -4004, -4005, -4013, -4014, -4015].map(
    (code) => [code, 'a field or filter'] as const,
  ),
  ...[-4016, -4023, -4024, -4028, -4029, -4030, -4131].map((code) => [code, 'a filter'] as const),
  ...[-4044, -4045, -4061, -4118, -4120, -4164].map((code) => [code, 'rules of the order'] as const),
  ...[-4047, -4048, -4067, -4068].map((code) => [code, 'orders or positions forbid the change'] as const),
  ...[-4049, -4050, -4051, -4052, -4053, -4054, -4055].map((code) => [code, 'isolated margin'] as const),
  ...[-4087, -4088, -4400, -4401].map((code) => [code, 'only reducing is allowed'] as const),
  ...[-4140, -4141].map((code) => [code, 'the contract does not trade'] as const),
  [-4130, 'another order closes the position for the same purpose'],
  ...[-4135, -4136, -4137, -4138, -4142, -4509].map((code) => [code, 'rules of algo orders'] as const),
  [-4161, 'leverage of an isolated position cannot be lowered'],
  [-4168, 'not in multi-assets mode'],
  [-5021, 'FOK that could not be filled'],
  ...[-5025, -5026].map((code) => [code, 'rules of changes'] as const),
  [-5022, 'post-only that would have taken'],
]);

/**
 * Named here only to say why they are NOT definitive:
 * -1000 unknown error, -1001 internal disconnect, -1006 unexpected response ("execution status unknown"),
 * -1007 timeout ("send status unknown; execution status unknown"), -1008 overloaded, -1010 engine message without a
 * fixed meaning, -1016 shutting down, -2011 cancel rejected (`gone`: the order must be queried), -2013 no such order
 * (answers a query, says nothing of a request under way), -2021/-2022 a replace that may be half done.
 */

/** -1100 to -1199 are "request issues": parameters that were refused before anything was done with them. */
const REQUEST_ISSUES = { from: -1199, to: -1100 };

/** Refusals that name an id already in use: an earlier request with this id may live, so it must be looked up. */
const DUPLICATE = /duplicat/i;

/** Statuses that prove by themselves that the request went no further: 403 firewall, 418 and 429 limiter. */
const DEFINITIVE_STATUSES: ReadonlySet<number> = new Set([403, 418, 429]);

/** The code of a cancel of an order that is not open. */
export const CANCEL_REJECTED = -2011;
/** The code of a query for an order that does not exist. */
export const NO_SUCH_ORDER = -2013;
/** The code of a request that came too late or too early. */
export const OUTSIDE_RECEIVE_WINDOW = -1021;

/** Codes of a replacement: neither half was done, or the old order was cancelled and no new one placed. */
export const REPLACE_FAILED = { both: -2022, half: -2021 } as const;
/** The code of a change to what an order asks for already. */
export const NOTHING_TO_CHANGE = -5027;

/** Codes of a setting that is so already: what was asked for holds. */
export const SET_ALREADY = { marginMode: -4046, positionMode: -4059 } as const;

/** An error answer: HTTP status (or the `status` of a WebSocket API answer), code and text. */
export type VenueError = CallError<number>;

/** Whether an error proves that a request had no effect. A server error never does, whatever code it carries. */
export function isDefinitive(error: VenueError, market: SymbolType = 'SPOT'): boolean {
  if (error.status >= 500) return false;
  if (DEFINITIVE_STATUSES.has(error.status)) return true;
  if (error.code === undefined || DUPLICATE.test(error.message)) return false;
  if (market === 'SWAP' && DEFINITIVE_ON_CONTRACTS.has(error.code)) return true;
  const { from, to } = REQUEST_ISSUES;
  return DEFINITIVE.has(error.code) || (error.code >= from && error.code <= to);
}

/** Statuses and the code of the limiter. */
const TOO_MANY_STATUSES: ReadonlySet<number> = new Set([418, 429]);
const TOO_MANY = -1003;
/** The account has placed as many orders as it may for the moment. */
export const TOO_MANY_ORDERS = -1015;

/** Whether a request was stopped by the limiter; a server error says nothing, whatever code it carries. */
export function isTooMany(error: VenueError): boolean {
  return TOO_MANY_STATUSES.has(error.status) || (error.status < 500 && error.code === TOO_MANY);
}

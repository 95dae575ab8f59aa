import type { CallError } from '../../trading/call-answers.ts';

/**
 * What Bybit's codes prove about a request that changes something (error, 2026-07-24).
 *
 * Definitive: the request was refused and had no effect; the hold may be released. Everything else is ambiguous, codes
 * not listed here included. Listing a code wrongly loses money; leaving one out only costs a query.
 */
export const DEFINITIVE: ReadonlyMap<number, string> = new Map([
  [10_001, 'request parameter error (but see DUPLICATE)'],
  [10_002, 'time outside of the receive window: this very request was turned away'],
  [10_003, 'API key is invalid'],
  [10_004, 'signature is wrong'],
  [10_005, 'permission denied'],
  [10_006, 'rate limit of the account: stopped before any processing'],
  [10_008, 'user has been banned'],
  [10_009, 'IP has been banned'],
  [10_010, "address is not one of the key's"],
  [10_017, 'route not found'],
  [10_018, 'rate limit of the address'],
  [10_027, 'transactions are banned'],
  [10_028, 'unified accounts only'],
  [10_029, 'symbol is not whitelisted'],
  [10_404, 'operation or category not found (trade socket)'],
  [10_429, 'frequency protection of the system (trade socket)'],
  [110_003, 'order price out of the permissible range'],
  [110_004, 'insufficient wallet balance'],
  [110_007, 'insufficient available balance'],
  [110_009, 'more orders that wait than may be'],
  [110_012, 'insufficient available balance'],
  [110_020, 'more than 500 active orders'],
  [110_044, 'insufficient available margin'],
  [110_045, 'insufficient wallet balance'],
  [110_057, 'take-profit or stop-loss of an order that has none'],
  [110_058, 'position too small for the take-profit or stop-loss'],
  [110_061, 'more than 20 partial take-profits and stop-losses'],
  [110_064, 'a change to less than has executed'],
  [110_065, 'no trading at the current time'],
  [110_074, 'contract is not live'],
  [110_011, 'the position would be liquidated at once'],
  [110_013, 'leverage above the risk limit'],
  [110_015, 'margin of a cross position'],
  [110_017, 'reduce-only, and nothing is there to reduce'],
  [110_021, 'open interest limit'],
  [110_024, 'a position forbids the change of mode'],
  [110_028, 'orders forbid the change of mode'],
  [110_029, 'hedge mode is not there for the contract'],
  [110_033, 'margin of no position'],
  [110_039, 'the position would be liquidated'],
  [110_046, 'the position would be liquidated'],
  [110_047, 'margin for the leverage does not suffice'],
  [110_073, 'margin mode could not be set'],
  [110_078, 'more margin than may be taken'],
  [110_086, 'margin for the leverage does not suffice'],
  [110_089, 'position above the largest tier'],
  [110_090, 'position above the limit of its leverage'],
  [110_092, 'the price to rise to is there already'],
  [110_093, 'the price to fall to is there already'],
  [110_094, 'order below the smallest value'],
  [100_028, 'a call of accounts that are not unified'],
  [3_400_045, 'margin mode could not be set'],
  [131_210, 'transfer: too many decimals'],
  [131_212, 'transfer: insufficient balance'],
  [131_215, 'transfer: amount is none'],
  [131_228, 'transfer: balance is not enough'],
  [131_231, 'transfer: not into this account'],
  [131_232, 'transfer: not out of this account'],
  [170_121, 'invalid symbol'],
  [170_124, 'amount too large'],
  [170_130, 'a parameter was empty or wrong'],
  [170_131, 'balance insufficient'],
  [170_132, 'order price too high'],
  [170_133, 'order price too low'],
  [170_134, 'price has too many decimals'],
  [170_136, 'quantity below the smallest'],
  [170_137, 'quantity has too many decimals'],
  [170_140, 'value below the smallest'],
  [170_193, 'buy price above the band'],
  [170_194, 'sell price below the band'],
  [170_202, 'no price to wait for'],
  [170_203, 'price to wait for too high'],
  [170_204, 'price to wait for too low'],
  [170_227, 'not supported'],
  [170_810, 'more than 500 orders'],
]);

/**
 * Named here only to say why they are NOT definitive:
 * 10000 server time-out, 10007 (a time-out of the backend in older versions), 10014 duplicate request, 10016 internal
 * error, 10019 trade service restarting, 131214 transfer id used before, 20006 request id used before, 110072 and 170141 order id used before (an
 * earlier request with it may live), 170007 and its like (time-outs), and the codes of GONE (they answer a cancel).
 */

/** Refusals that name something already in use: an earlier request with it may live, so it must be looked up. */
const DUPLICATE = /duplicat|already exist/i;

/** Statuses that prove by themselves that the request went no further: 403 and 429 limiter. */
const DEFINITIVE_STATUSES: ReadonlySet<number> = new Set([403, 429]);

/** Codes of a cancel of an order that is not open: it may just have filled, and must be queried. */
const GONE: ReadonlySet<number> = new Set([110_001, 110_008, 110_010, 170_142, 170_143, 170_213]);

/** Codes of a query for an order that does not exist; usually the list is just empty. */
const NO_SUCH_ORDER: ReadonlySet<number> = new Set([110_001, 170_213]);

/** Codes of a setting that is so already: leverage, position mode. */
export const SET_ALREADY: ReadonlySet<number | undefined> = new Set([110_025, 110_043]);

/** The code of a request that came too late or too early. */
export const OUTSIDE_RECEIVE_WINDOW = 10_002;
/** The code of a request beyond the account's rate limit. */
export const TOO_MANY_VISITS = 10_006;
/** The trade service takes no new requests on this connection. */
export const SERVICE_RESTARTING = 10_019;

/** An error answer: HTTP status (200 on the trade socket), code and text. */
export interface VenueError extends CallError<number> {
  /** Why, where the answer says it beside its code. */
  readonly reason?: { readonly code: string; readonly message: string };
}

/** Whether an error proves that a request had no effect. A server error never does, whatever code it carries. */
export function isDefinitive(error: VenueError): boolean {
  if (error.status >= 500) return false;
  if (DEFINITIVE_STATUSES.has(error.status)) return true;
  if (error.code === undefined || DUPLICATE.test(error.message)) return false;
  return DEFINITIVE.has(error.code);
}

/** Codes of the limiters: the request was stopped before any processing. */
const TOO_MANY: ReadonlySet<number> = new Set([TOO_MANY_VISITS, 10_018, 10_429]);

/** Whether a request was stopped by a limiter; a server error says nothing, whatever code it carries. */
export function isTooMany(error: VenueError): boolean {
  if (error.status >= 500) return false;
  return DEFINITIVE_STATUSES.has(error.status) || (error.code !== undefined && TOO_MANY.has(error.code));
}

/** Whether a cancel was refused because no such order is open. */
export function isGone(error: VenueError): boolean {
  return error.status < 500 && error.code !== undefined && GONE.has(error.code);
}

/** Whether a query was answered with "no such order". */
export function isNoSuchOrder(error: VenueError): boolean {
  return error.status < 500 && error.code !== undefined && NO_SUCH_ORDER.has(error.code);
}

/** What protects a position is as was asked already (position/trading-stop). */
const STOPS_UNCHANGED = 34_040;

/** Whether a change was refused because the order, or what protects a position, is so already. */
export function isUnchanged(error: VenueError): boolean {
  if (error.status >= 500) return false;
  return (
    error.code === STOPS_UNCHANGED || (error.code === 10_001 && /remains unchanged/i.test(error.message))
  );
}

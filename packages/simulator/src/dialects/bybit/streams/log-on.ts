import type { AccountNumber } from '../../../exchange.ts';
import { hexHmacFits } from '../../wire/hmac.ts';
import type { Desk } from '../endpoint.ts';
import { type BybitError, ERRORS, invalid } from '../errors.ts';
import { logOnPayload } from '../sign.ts';

/** Who logged on. */
export interface Session {
  readonly account: AccountNumber;
  readonly apiKey: string;
}

/**
 * Checks `[key, expires, signature]`. The expiry must lie ahead; it comes as a number or as its digits.
 * @returns the session, or why not.
 */
export function logOn(desk: Desk, args: readonly unknown[]): Session | BybitError {
  const [apiKey, expires, signature] = args;
  const until = typeof expires === 'number' ? String(expires) : expires;
  if (typeof apiKey !== 'string' || typeof until !== 'string' || typeof signature !== 'string') {
    return invalid('args');
  }
  if (!/^[0-9]{1,16}$/.test(until)) return invalid('expires');
  if (Number(until) <= desk.venue.spot.now())
    return { code: 10_001, message: 'params error: expires is in the past' };
  const owner = desk.venue.spot.keyOwner(apiKey);
  if (owner === undefined) return ERRORS.badKey;
  if (!hexHmacFits(owner.secret, logOnPayload(until), signature)) return ERRORS.badSignature;
  return { account: owner.account, apiKey };
}

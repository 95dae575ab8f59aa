import type { Permit } from '../arbiter/venue-arbiter.ts';
import type { VenueRead } from '../venue-answers.ts';
import type { SettingOutcome } from '../venue-contracts.ts';
import { LOCAL_CODES } from './local-codes.ts';

/** A request that was certainly never written to the wire. */
export interface Unsent {
  readonly kind: 'unsent';
  readonly code: string;
  /** Our own budget for the venue was used up; there may be room after so long. */
  readonly retryAfterMillis?: number;
}

/** Why nothing may be written: the connector is closed, or the arbiter has said no. `undefined` where it may be. */
export function unsentOf(closed: boolean, permit: Permit): Unsent | undefined {
  if (closed) return { kind: 'unsent', code: LOCAL_CODES.closed };
  if (permit.granted) return undefined;
  return { kind: 'unsent', code: LOCAL_CODES.rateLimited, retryAfterMillis: permit.retryAfterMillis };
}

/** The refusal that a request came to which was never written: ours, not the venue's. */
export function refusalOfUnsent({ code, retryAfterMillis }: Unsent) {
  const refusal = { outcome: 'refused', venueCode: code, message: 'not sent to the venue' } as const;
  return retryAfterMillis === undefined ? refusal : { ...refusal, retryAfterMillis };
}

/** A change that was not begun, because how things stand before it could not be read. */
export function notBegun(
  what: string,
  { code, retryAfterMillis }: VenueRead<unknown> & { readonly ok: false },
): SettingOutcome {
  return retryAfterMillis === undefined
    ? { outcome: 'unknown', why: `${what} could not be read: ${code}` }
    : refusalOfUnsent({ kind: 'unsent', code: LOCAL_CODES.rateLimited, retryAfterMillis });
}

/** When there may be room again, where an answer is that our own budget let nothing be written. */
export function waitOf(
  answer: Unsent | { readonly kind: 'result' | 'error' | 'lost' },
): Pick<Unsent, 'retryAfterMillis'> {
  if (answer.kind !== 'unsent' || answer.retryAfterMillis === undefined) return {};
  return { retryAfterMillis: answer.retryAfterMillis };
}

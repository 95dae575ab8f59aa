import {
  type Caller,
  CODE_SUCCESS,
  type DeviceCookie,
  type Envelope,
  errorFacts,
  type Refusal,
  refusalText,
  type SessionCookie,
  venueReason,
} from '@crossbook/contract';
import type { UserId } from '@crossbook/domain';

/** What a call came to, before it is written. */
export type CallOutcome =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly cookie?: SessionCookie;
      readonly device?: DeviceCookie;
    }
  | { readonly ok: false; readonly code: Refusal; readonly about?: UserId };

/** The fixed envelope of every answer (spec section 7). */
export function envelopeOf(outcome: CallOutcome, language: Caller['language']): Envelope<unknown> {
  if (outcome.ok) return { code: CODE_SUCCESS, msg: 'OK', data: outcome.value };
  return {
    code: errorFacts(outcome.code.error).code,
    msg: refusalText(outcome.code, language),
    data: venueReason(outcome.code) ?? null,
  };
}

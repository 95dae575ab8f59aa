import type { VenueRead, VenueRefusal } from '../venue-answers.ts';
import { LOCAL_CODES } from './local-codes.ts';
import { refusalOfUnsent, type Unsent, waitOf } from './unsent.ts';

/** An error that a venue answered with. */
export interface CallError<Code extends string | number = string | number> {
  readonly status: number;
  /** `undefined` where the body named none (a firewall's page). */
  readonly code: Code | undefined;
  readonly message: string;
}

/**
 * What came back from one call, whichever way it went. `unsent`: certainly never written to the wire. `lost`: written,
 * but nothing that can be read came back; the venue may have carried it out.
 */
export type AnswerWith<Good extends object, Failed extends { readonly error: CallError }> =
  | ({ readonly kind: 'result' } & Good)
  | ({ readonly kind: 'error' } & Failed)
  | { readonly kind: 'lost'; readonly why: string }
  | Unsent;

type AnyAnswer = AnswerWith<object, { readonly error: CallError }>;

/** Venue texts are shown to members and logged: bounded. */
export const MESSAGE_LENGTH_MAX = 200;

/** A refusal that proves that nothing happened, or `undefined`. @param definitive whether the venue's error proves it. */
export function provenRefusal(answer: AnyAnswer, definitive: boolean): VenueRefusal | undefined {
  if (answer.kind === 'unsent') return refusalOfUnsent(answer);
  if (answer.kind !== 'error' || !definitive) return undefined;
  return { outcome: 'refused', venueCode: codeOf(answer.error), message: answer.error.message };
}

/** The refusal of what cannot be said in the venue's words; nothing was sent. */
export function notExpressible(message: string): VenueRefusal {
  return { outcome: 'refused', venueCode: LOCAL_CODES.notExpressible, message };
}

/** Why an outcome is unknown, in a few words that contain no secret. */
export function reasonOf(answer: AnyAnswer): string {
  if (answer.kind === 'lost') return answer.why;
  if (answer.kind === 'error') return `venue answered ${codeOf(answer.error)}`;
  return answer.kind === 'unsent' ? answer.code : 'unreadable answer';
}

/** What a read came to that gave nothing. */
export function failedRead(answer: AnyAnswer): VenueRead<never> {
  const silent = answer.kind === 'lost' || (answer.kind === 'error' && answer.error.status >= 500);
  return { ok: false, code: silent ? 'network' : 'refused', ...waitOf(answer) };
}

function codeOf({ code, status }: CallError): string {
  return code === undefined ? `HTTP ${status}` : String(code);
}

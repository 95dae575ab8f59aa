import type { RefusalCause } from '@crossbook/domain';
import { allowedIn } from './allowed-words.ts';
import { type ErrorName, errorFacts } from './errors.ts';
import { causeText } from './refusal-causes.ts';

/** A refusal as features return it: which error, and what fills its text. */
export interface Refusal {
  readonly error: ErrorName;
  readonly field?: string;
  readonly given?: string;
  readonly allowed?: string;
  /** Of an exchange: why, where its code has a name of ours. It is then what is given. */
  readonly cause?: RefusalCause | undefined;
  /** Of an exchange: its bare code. */
  readonly venueCode?: string | undefined;
}

/** What stands behind a refusal of an exchange: the `data` of the answer. */
export interface VenueReason {
  readonly cause: RefusalCause | null;
  readonly venueCode: string;
}

/** Text of a refusal in a caller's language. */
export function refusalText(refusal: Refusal, language: 'en' | 'ja' | 'ko'): string {
  const given = refusal.cause === undefined ? refusal.given : causeText(refusal.cause, language);
  return errorFacts(refusal.error)[language].replace(
    /\{(field|allowed|given)\}/g,
    (_whole, name: 'field' | 'allowed' | 'given') => {
      if (name === 'allowed') return allowedIn(refusal.allowed ?? '', language);
      return (name === 'given' ? given : refusal.field) ?? '';
    },
  );
}

/** What of an exchange's refusal is told besides its text; `undefined` where none of its codes stands behind it. */
export function venueReason({ cause, venueCode }: Refusal): VenueReason | undefined {
  return venueCode === undefined ? undefined : { cause: cause ?? null, venueCode };
}

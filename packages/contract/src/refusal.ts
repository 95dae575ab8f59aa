import type { RefusalCause } from '@crossbook/domain';
import { allowedIn } from './allowed-words.ts';
import { type ErrorName, errorFacts } from './errors.ts';
import { causeText } from './refusal-causes.ts';
import { transferReasonText } from './transfer-reasons.ts';

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

/** What was given, in a caller's language where it is a sentence. */
function givenText({ error, given, cause }: Refusal, language: 'en' | 'ja' | 'ko'): string | undefined {
  if (cause !== undefined) return causeText(cause, language);
  if (error === 'content-incomplete') return allowedIn(given ?? '', language);
  return error === 'transfer-refused' ? transferReasonText(given ?? '', language) : given;
}

/** Text of a refusal in a caller's language. */
export function refusalText(refusal: Refusal, language: 'en' | 'ja' | 'ko'): string {
  const given = givenText(refusal, language);
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

import { allowedIn } from './allowed-words.ts';
import { type ErrorName, errorFacts } from './errors.ts';

/** A refusal as features return it: which error, and what fills its text. */
export interface Refusal {
  readonly error: ErrorName;
  readonly field?: string;
  readonly given?: string;
  readonly allowed?: string;
}

/** Text of a refusal in a caller's language. */
export function refusalText(refusal: Refusal, language: 'en' | 'ja' | 'ko'): string {
  return errorFacts(refusal.error)[language].replace(
    /\{(field|allowed|given)\}/g,
    (_whole, name: 'field' | 'allowed' | 'given') =>
      name === 'allowed' ? allowedIn(refusal.allowed ?? '', language) : (refusal[name] ?? ''),
  );
}

import { composedPassword } from './composed-password.ts';

/** Which class of character a password still lacks; each has its own hint (spec section 5). */
export type PasswordGap = 'length' | 'number' | 'uppercase' | 'lowercase' | 'special';

/** Shortest password the specification allows. */
export const PASSWORD_LENGTH_MIN = 6;
/** Longest password taken; a bound for the hash, far above any phrase. */
export const PASSWORD_LENGTH_MAX = 128;

/** What a password lacks once it is composed, in the order the hints are shown; empty when it is acceptable. */
export function passwordGaps(typed: string): readonly PasswordGap[] {
  const password = composedPassword(typed);
  const gaps: PasswordGap[] = [];
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX) gaps.push('length');
  if (!/[0-9]/.test(password)) gaps.push('number');
  if (!/\p{Lu}/u.test(password)) gaps.push('uppercase');
  if (!/\p{Ll}/u.test(password)) gaps.push('lowercase');
  if (!/[^\p{L}\p{N}\s]/u.test(password)) gaps.push('special');
  return gaps;
}

const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** Whether a text is a deliverable-looking e-mail address of at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text);
}

/** The form under which an address is unique: lower case. Provider-specific rules (dots, plus) are left alone. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether a text is a verification code: 4 digits, or 12 while somebody guesses codes. */
export function isVerificationCode(text: string): boolean {
  return /^(?:[0-9]{4}|[0-9]{12})$/.test(text);
}

import { isEmail, normaliseEmail } from '@crossbook/domain';
import { type Refused, refusal } from './ports.ts';

/** A way to a person: an e-mail address, or a mobile number in E.164. */
export interface Contact {
  readonly kind: 'email' | 'mobile';
  /** Under this form it is unique and is sent to. */
  readonly to: string;
}

const E164 = /^\+[1-9][0-9]{5,14}$/;

/** Reads what was typed: with `@` it is an address; spaces, hyphens and brackets of a number are left out. */
export function contactOf(typed: string): Contact | undefined {
  // As it was typed: lower case makes plain letters of some that are none.
  if (isEmail(typed.trim())) return { kind: 'email', to: normaliseEmail(typed) };
  const mobile = typed.replace(/[\s()-]/g, '');
  return E164.test(mobile) ? { kind: 'mobile', to: mobile } : undefined;
}

/** What a password must not be made of, because it can be read off the contact. */
export function ownWords(to: string): readonly string[] {
  return to === '' ? [] : to.split(/[@.]/);
}

/** Where a member gets codes: the mailbox, or the number of who has none. */
export function reachedAt({
  email,
  mobile,
}: {
  readonly email: string | undefined;
  readonly mobile: string | undefined;
}): Contact {
  if (email !== undefined) return { kind: 'email', to: email };
  if (mobile !== undefined) return { kind: 'mobile', to: mobile };
  throw new Error('a member without a contact was to be sent a code');
}

/** What is wrong with what was typed. */
export function contactRefusal(typed: string, field: string): Refused {
  return refusal({ error: /^[\s(]*\+/.test(typed) ? 'mobile-invalid' : 'email-invalid', field });
}

/** An address as far as it is shown: `a***@e***.org`. */
function maskedEmail(email: string): string {
  const [name = '', host = ''] = email.split('@');
  const dot = host.lastIndexOf('.');
  return `${name.slice(0, 1)}***@${host.slice(0, 1)}***${dot < 0 ? '' : host.slice(dot)}`;
}

/** A contact as far as it is shown. A number: `+81******78`. */
export function masked({ kind, to }: Contact): string {
  return kind === 'email' ? maskedEmail(to) : `${to.slice(0, 3)}******${to.slice(-2)}`;
}

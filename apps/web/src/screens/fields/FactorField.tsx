import type { UseFormRegisterReturn } from 'react-hook-form';
import { useText } from '../../i18n/i18n.ts';
import { Field } from '../../ui/Field.tsx';

/** The 6 digits that an authenticator shows. */
export const TOTP = /^[0-9]{6}$/;
/** A recovery code: 24 letters and digits of base32, in any grouping and case. */
const RECOVERY = /^[A-Za-z2-7 -]{24,40}$/;

/** What was typed, as the calls take it: digits are the authenticator's, anything else is a recovery code. */
export function factorOf(typed: string): { readonly totp: string } | { readonly recovery: string } {
  const text = typed.trim();
  const digits = text.replace(/\s/g, '');
  return TOTP.test(digits) ? { totp: digits } : { recovery: text };
}

/** Whether a text can be a recovery code. */
export function isRecovery(typed: string): boolean {
  return RECOVERY.test(typed.trim());
}

/** Whether a text can be either. */
export function isFactor(typed: string): boolean {
  return 'totp' in factorOf(typed) || isRecovery(typed);
}

/** One field for both, so that nobody has to look for the other one. */
export function FactorField(props: {
  readonly label: string;
  /** Which of both it takes, where that is not both. */
  readonly hint?: string;
  readonly error: string | undefined;
  readonly autoFocus?: boolean;
  readonly field: UseFormRegisterReturn;
}) {
  const t = useText();
  return (
    <Field
      label={props.label}
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      autoFocus={props.autoFocus}
      error={props.error}
      hint={props.hint ?? t('account.factorHint')}
      {...props.field}
    />
  );
}

import { isVerificationCode } from '@crossbook/domain';
import type { ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { Field } from '../../ui/Field.tsx';
import { OutboxBanner } from './OutboxBanner.tsx';

/** Whether a text has the form of a code that was sent; spaces around it are forgiven. */
export function isCode(text: string): boolean {
  return isVerificationCode(text.trim());
}

/** Where a code that was sent is typed: one field, filled in by phones, and in paper mode the way to the outbox. */
export function CodeField(props: {
  /** Absent: "Verification code". */
  readonly label?: string;
  /** Where it went, in full, where that is known here: the outbox then has the newest at hand. */
  readonly sentTo: string | undefined;
  /** Absent: yes. One of two fields is enough to show the way there. */
  readonly withOutbox?: boolean;
  readonly error: string | undefined;
  readonly suffix?: ReactNode;
  readonly autoFocus?: boolean;
  readonly onUse: (code: string) => void;
  readonly field: UseFormRegisterReturn;
}) {
  const t = useText();
  return (
    <>
      {bootConfig().outbox && props.withOutbox !== false && (
        <OutboxBanner sentTo={props.sentTo} onUse={props.onUse} />
      )}
      <Field
        label={props.label ?? t('sign.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        autoFocus={props.autoFocus}
        error={props.error}
        hint={t('sign.codeHint', { minutes: 30 })}
        suffix={props.suffix}
        {...props.field}
      />
    </>
  );
}

import { isEmail, normaliseEmail } from '@crossbook/domain';
import { Controller, useFormContext } from 'react-hook-form';
import { isMobile } from '../../calculators/mobile-number.ts';
import { type Text, useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { Segments } from '../../ui/entry/Segments.tsx';
import { Field } from '../../ui/Field.tsx';
import { MobileField } from './MobileField.tsx';

/** A way to a person. */
export type ContactKind = 'email' | 'mobile';

/** The fields of a form that asks for a contact; the one that is not shown is not looked at. */
export interface ContactForm {
  readonly email: string;
  readonly mobile: string;
}

/** The contact of a form as it is sent. */
export function contactOfForm(kind: ContactKind, { email, mobile }: ContactForm): string {
  return kind === 'email' ? normaliseEmail(email) : mobile;
}

/** Why no code can be sent to what was typed; `undefined` where one can. */
export function wrongContact(kind: ContactKind, contact: string, t: Text): string | undefined {
  if (kind === 'email') return isEmail(contact) ? undefined : t('sign.emailWrong');
  return isMobile(contact) ? undefined : t('account.mobileWrong');
}

/** Props of `ContactField`. */
export interface ContactFieldProps {
  /** What is done with it: "Log in with". */
  readonly label: string;
  readonly kind: ContactKind;
  readonly onKind: (kind: ContactKind) => void;
  readonly autoComplete: 'email' | 'username';
  /** Absent: typing begins here. */
  readonly autoFocus?: false;
  /** A number that was typed elsewhere. */
  readonly typedMobile?: string;
}

/** E-mail address, or mobile number with its country: fields of the form around it. */
export function ContactField(props: ContactFieldProps) {
  const t = useText();
  const form = useFormContext<ContactForm>();
  return (
    <>
      <Segments
        label={props.label}
        value={props.kind}
        onChange={props.onKind}
        items={[
          { value: 'email', label: t('sign.email') },
          { value: 'mobile', label: t('account.mobile') },
        ]}
      />
      {props.kind === 'email' ? (
        <Field
          label={t('sign.email')}
          type="email"
          autoComplete={props.autoComplete}
          autoFocus={props.autoFocus ?? true}
          error={form.formState.errors.email?.message}
          {...form.register('email', { validate: (text) => isEmail(text.trim()) || t('sign.emailInvalid') })}
        />
      ) : (
        <Controller
          name="mobile"
          control={form.control}
          rules={{ validate: (text) => isMobile(text) || t('account.mobileInvalid') }}
          render={({ field, fieldState }) => (
            <MobileField
              label={t('account.mobile')}
              typed={props.typedMobile}
              error={fieldState.error?.message}
              onChange={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        />
      )}
    </>
  );
}

import { type ReactNode, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useText } from '../../i18n/i18n.ts';
import { sendCode } from '../../stores/member/codes.ts';
import { CodeField, isCode } from './CodeField.tsx';
import {
  ContactField,
  type ContactFieldProps,
  type ContactForm,
  contactOfForm,
  wrongContact,
} from './ContactField.tsx';
import { SendCode } from './SendCode.tsx';
import type { Captcha } from './use-captcha.ts';

/** The fields of a form that asks for a contact and for the code that proves it. */
export interface ProvedContactForm extends ContactForm {
  readonly code: string;
}

/** Address or number, and the code that was sent there: fields of the form around it. */
export function ProvedContact({
  purpose,
  captcha,
  children,
  ...contact
}: ContactFieldProps & {
  /** What the code is for. */
  readonly purpose: Parameters<typeof sendCode>[0]['purpose'];
  readonly captcha: Captcha;
  /** What is said between both. */
  readonly children?: ReactNode;
}) {
  const t = useText();
  const form = useFormContext<ProvedContactForm>();
  const [sentTo, setSentTo] = useState<string>();
  const { kind, onKind } = contact;
  const target = () => contactOfForm(kind, form.getValues());
  const send = async () =>
    wrongContact(kind, target(), t) ?? sendCode({ target: target(), purpose }, await captcha.take());
  return (
    <>
      <ContactField
        {...contact}
        onKind={(next) => {
          setSentTo(undefined);
          onKind(next);
        }}
      />
      {children}
      <CodeField
        sentTo={sentTo}
        error={form.formState.errors.code?.message}
        onUse={(code) => form.setValue('code', code, { shouldValidate: true, shouldDirty: true })}
        suffix={
          <SendCode
            key={kind}
            send={send}
            onSent={() => {
              form.clearErrors(kind);
              setSentTo(target());
              form.setFocus('code');
            }}
            onProblem={(message) => form.setError(kind, { message })}
          />
        }
        field={form.register('code', { validate: (text) => isCode(text) || t('sign.codeInvalid') })}
      />
    </>
  );
}

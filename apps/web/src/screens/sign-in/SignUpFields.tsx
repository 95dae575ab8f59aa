import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { looksLikeMobile } from '../../calculators/mobile-number.ts';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { sendCode } from '../../stores/member/codes.ts';
import { readQuickRegistration } from '../../stores/member/quick-registration.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaLine } from '../fields/CaptchaLine.tsx';
import { CodeField, isCode } from '../fields/CodeField.tsx';
import {
  ContactField,
  type ContactForm,
  type ContactKind,
  contactOfForm,
  wrongContact,
} from '../fields/ContactField.tsx';
import { NewPassword } from '../fields/NewPassword.tsx';
import { SendCode } from '../fields/SendCode.tsx';
import { useCaptcha } from '../fields/use-captcha.ts';
import { RegionField, type RegionForm } from './RegionField.tsx';

/** What a newcomer fills in. */
export interface SignUpForm extends ContactForm, RegionForm {
  readonly code: string;
  readonly password: string;
  readonly again: string;
  readonly referralCode: string;
  readonly agree: boolean;
}

/** An empty form. */
export const EMPTY_SIGN_UP: SignUpForm = {
  ...{ email: '', mobile: '', code: '', password: '', again: '' },
  ...{ referralCode: '', agree: false },
};

/** Country where it matters, password, referral code and agreement: fields of the form around it. */
export function AccountFields({ withReferral = true }: { readonly withReferral?: boolean }) {
  const t = useText();
  const { register, formState } = useFormContext<SignUpForm>();
  return (
    <>
      <RegionField />
      <NewPassword label={t('sign.password')} />
      {withReferral && (
        <Field label={t('sign.referral')} autoComplete="off" maxLength={20} {...register('referralCode')} />
      )}
      <Checkbox
        label={t('sign.agree')}
        error={formState.errors.agree?.message}
        {...register('agree', { validate: (agreed) => agreed || t('sign.agreeRequired') })}
      />
      <AgreedTexts />
    </>
  );
}

/** What is agreed to, in a tab of its own: the form keeps what was typed. */
function AgreedTexts() {
  const t = useText();
  const { terms, privacy } = bootConfig().links;
  const texts = [
    [terms || '/terms', t('footer.terms')],
    [privacy || '/privacy', t('footer.privacy')],
  ] as const;
  return (
    <p className="-mt-2 flex gap-4 pl-6 text-[13px]">
      {texts.map(([href, label]) => (
        <a
          key={label}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="text-link hover:underline"
        >
          {label}
          <span className="sr-only"> ({t('footer.newTab')})</span>
        </a>
      ))}
    </p>
  );
}

/** Address or number, human check, code. */
export function ContactFields(props: {
  readonly kind: ContactKind;
  readonly onKind: (kind: ContactKind) => void;
}) {
  const { kind } = props;
  const t = useText();
  const form = useFormContext<SignUpForm>();
  const captcha = useCaptcha();
  const [sentTo, setSentTo] = useState<string>();
  const { errors } = form.formState;
  const contact = () => contactOfForm(kind, form.getValues());
  const send = async () =>
    wrongContact(kind, contact(), t) ??
    sendCode({ target: contact(), purpose: 'register' }, await captcha.take());
  const typedAtHome = readQuickRegistration();
  return (
    <>
      <ContactField
        label={t('sign.with')}
        kind={kind}
        onKind={(next) => {
          setSentTo(undefined);
          props.onKind(next);
        }}
        autoComplete="email"
        typedMobile={looksLikeMobile(typedAtHome) ? typedAtHome : ''}
      />
      <CodeField
        sentTo={sentTo}
        error={errors.code?.message}
        onUse={(code) => form.setValue('code', code, { shouldValidate: true, shouldDirty: true })}
        suffix={
          <SendCode
            key={kind}
            send={send}
            onSent={() => {
              form.clearErrors(kind);
              setSentTo(contact());
              form.setFocus('code');
            }}
            onProblem={(message) => form.setError(kind, { message })}
          />
        }
        field={form.register('code', { validate: (text) => isCode(text) || t('sign.codeInvalid') })}
      />
      <CaptchaLine captcha={captcha} />
    </>
  );
}

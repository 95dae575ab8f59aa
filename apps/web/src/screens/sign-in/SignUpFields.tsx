import { useFormContext } from 'react-hook-form';
import { looksLikeMobile } from '../../calculators/mobile-number.ts';
import { useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { readQuickRegistration } from '../../stores/member/quick-registration.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaLine } from '../fields/CaptchaLine.tsx';
import type { ContactKind } from '../fields/ContactField.tsx';
import { NewPassword } from '../fields/NewPassword.tsx';
import { ProvedContact, type ProvedContactForm } from '../fields/ProvedContact.tsx';
import { useCaptcha } from '../fields/use-captcha.ts';
import { RegionField, type RegionForm } from './RegionField.tsx';

/** What a newcomer fills in. */
export interface SignUpForm extends ProvedContactForm, RegionForm {
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
  const t = useText();
  const captcha = useCaptcha();
  const typedAtHome = readQuickRegistration();
  return (
    <>
      <ProvedContact
        {...props}
        {...{ captcha, purpose: 'register', label: t('sign.with'), autoComplete: 'email' }}
        typedMobile={looksLikeMobile(typedAtHome) ? typedAtHome : ''}
      />
      <CaptchaLine captcha={captcha} />
    </>
  );
}

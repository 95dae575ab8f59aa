import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm, useFormContext } from 'react-hook-form';
import { looksLikeMobile } from '../../calculators/mobile-number.ts';
import { type Text, useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { notify } from '../../stores/app/notices.ts';
import { sendCode } from '../../stores/member/codes.ts';
import { call } from '../../stores/member/own-service.ts';
import { keepQuickRegistration, readQuickRegistration } from '../../stores/member/quick-registration.ts';
import { beginSession } from '../../stores/member/session.ts';
import { Button } from '../../ui/Button.tsx';
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
import { FormError } from '../fields/FormError.tsx';
import { NewPassword } from '../fields/NewPassword.tsx';
import { SendCode } from '../fields/SendCode.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { useCaptcha } from '../fields/use-captcha.ts';

interface RegisterForm extends ContactForm {
  readonly code: string;
  readonly password: string;
  readonly again: string;
  readonly referralCode: string;
  readonly agree: boolean;
}

const EMPTY: RegisterForm = {
  ...{ email: '', mobile: '', code: '', password: '', again: '' },
  ...{ referralCode: '', agree: false },
};

type Refusal = { readonly field: 'code' | 'root'; readonly message: string };

/** Verifies the code, then registers. @returns what was refused; `undefined` once logged in. */
async function register(kind: ContactKind, values: RegisterForm, t: Text): Promise<Refusal | undefined> {
  const contact = contactOfForm(kind, values);
  const checked = await call(
    'user/checkcode',
    { target: contact, purpose: 'register', code: values.code.trim() },
    { quiet: true },
  );
  if (!checked.ok) {
    return checked.kind === 'refused'
      ? { field: 'code', message: checked.message }
      : { field: 'root', message: t('common.noAnswer') };
  }
  const referralCode = values.referralCode.trim();
  const answer = await call(
    'user/usernew',
    {
      ...(kind === 'email' ? { email: contact } : { mobile: contact }),
      flow: checked.data.flow,
      password: values.password,
      agree: values.agree ? 'true' : 'false',
      ...(referralCode === '' ? {} : { referralCode }),
    },
    { quiet: true },
  );
  if (!answer.ok) {
    return { field: 'root', message: answer.kind === 'refused' ? answer.message : t('common.noAnswer') };
  }
  keepQuickRegistration('');
  beginSession(answer.data);
  return undefined;
}

/** /regist */
export function RegisterScreen() {
  const t = useText();
  const navigate = useNavigate();
  const { ref = '' } = useSearch({ from: '/regist' });
  const [typedAtHome] = useState(readQuickRegistration);
  const isNumber = looksLikeMobile(typedAtHome);
  const [kind, setKind] = useState<ContactKind>(isNumber ? 'mobile' : 'email');
  const form = useForm<RegisterForm>({
    // A field that is not shown is not asked for.
    shouldUnregister: true,
    defaultValues: { ...EMPTY, email: isNumber ? '' : typedAtHome, referralCode: ref },
  });

  const submit = async (values: RegisterForm) => {
    const refusal = await register(kind, values, t);
    if (refusal !== undefined) return form.setError(refusal.field, { message: refusal.message });
    notify('success', { id: 'sign.registered' });
    await navigate({ to: '/wallet/WalletOverviewSub', replace: true });
  };

  return (
    <SignFrame
      heading={t('sign.register')}
      foot={
        <Link to="/login" className="text-link hover:underline">
          {t('sign.toLogin')}
        </Link>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <FormProvider {...form}>
          <ContactFields kind={kind} onKind={setKind} />
          <NewPassword label={t('sign.password')} />
        </FormProvider>
        <Field
          label={t('sign.referral')}
          autoComplete="off"
          maxLength={20}
          {...form.register('referralCode')}
        />
        <Checkbox
          label={t('sign.agree')}
          error={form.formState.errors.agree?.message}
          {...form.register('agree', { validate: (agreed) => agreed || t('sign.agreeRequired') })}
        />
        <AgreedTexts />
        <FormError message={form.formState.errors.root?.message} />
        <Button type="submit" tone="primary" size="large" busy={form.formState.isSubmitting}>
          {t('sign.register')}
        </Button>
      </form>
    </SignFrame>
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
function ContactFields(props: { readonly kind: ContactKind; readonly onKind: (kind: ContactKind) => void }) {
  const { kind } = props;
  const t = useText();
  const form = useFormContext<RegisterForm>();
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

import { isEmail, normaliseEmail } from '@crossbook/domain';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
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
import { FormError } from '../fields/FormError.tsx';
import { NewPassword } from '../fields/NewPassword.tsx';
import { SendCode } from '../fields/SendCode.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { useCaptcha } from '../fields/use-captcha.ts';

interface RegisterForm {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly again: string;
  readonly referralCode: string;
  readonly agree: boolean;
}

const EMPTY: RegisterForm = { email: '', code: '', password: '', again: '', referralCode: '', agree: false };

type Refusal = { readonly field: 'code' | 'root'; readonly message: string };

/** Verifies the code, then registers. @returns what was refused; `undefined` once logged in. */
async function register(values: RegisterForm, t: Text): Promise<Refusal | undefined> {
  const email = normaliseEmail(values.email);
  const checked = await call(
    'user/checkcode',
    { target: email, purpose: 'register', code: values.code.trim() },
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
      email,
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
  const form = useForm<RegisterForm>({
    defaultValues: { ...EMPTY, email: readQuickRegistration(), referralCode: ref },
  });

  const submit = async (values: RegisterForm) => {
    const refusal = await register(values, t);
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
        <AddressFields form={form} />
        <FormProvider {...form}>
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

/** E-mail, human check, code. */
function AddressFields({ form }: { readonly form: UseFormReturn<RegisterForm> }) {
  const t = useText();
  const captcha = useCaptcha();
  const [sentTo, setSentTo] = useState<string>();
  const { errors } = form.formState;
  const send = async () => {
    const target = normaliseEmail(form.getValues('email'));
    if (!isEmail(target)) return t('sign.emailWrong');
    return sendCode({ target, purpose: 'register' }, await captcha.take());
  };
  return (
    <>
      <Field
        label={t('sign.email')}
        type="email"
        autoComplete="email"
        autoFocus
        error={errors.email?.message}
        {...form.register('email', { validate: (text) => isEmail(text.trim()) || t('sign.emailInvalid') })}
      />
      <CodeField
        sentTo={sentTo}
        error={errors.code?.message}
        onUse={(code) => form.setValue('code', code, { shouldValidate: true, shouldDirty: true })}
        suffix={
          <SendCode
            send={send}
            onSent={() => {
              form.clearErrors('email');
              setSentTo(normaliseEmail(form.getValues('email')));
              form.setFocus('code');
            }}
            onProblem={(message) => form.setError('email', { message })}
          />
        }
        field={form.register('code', { validate: (text) => isCode(text) || t('sign.codeInvalid') })}
      />
      <CaptchaLine captcha={captcha} />
    </>
  );
}

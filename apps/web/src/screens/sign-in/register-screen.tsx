import { isEmail, isVerificationCode, normaliseEmail, passwordGaps } from '@crossbook/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { type Text, useText } from '../../i18n/i18n.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { notify } from '../../stores/app/notices.ts';
import { call } from '../../stores/member/own-service.ts';
import { keepQuickRegistration, readQuickRegistration } from '../../stores/member/quick-registration.ts';
import { beginSession } from '../../stores/member/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaLine } from './CaptchaLine.tsx';
import { OutboxBanner } from './OutboxBanner.tsx';
import { PasswordField } from './PasswordField.tsx';
import { PasswordHints } from './PasswordHints.tsx';
import { SendCode } from './SendCode.tsx';
import { SignFrame } from './SignFrame.tsx';
import { useCaptcha } from './use-captcha.ts';

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
  const form = useForm<RegisterForm>({ defaultValues: { ...EMPTY, email: readQuickRegistration() } });

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
        <SecretFields form={form} />
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
        {form.formState.errors.root !== undefined && (
          <p role="alert" className="text-[13px] text-danger">
            {form.formState.errors.root.message}
          </p>
        )}
        <Button type="submit" tone="primary" size="large" busy={form.formState.isSubmitting}>
          {t('sign.register')}
        </Button>
      </form>
    </SignFrame>
  );
}

/** E-mail, human check, code. */
function AddressFields({ form }: { readonly form: UseFormReturn<RegisterForm> }) {
  const t = useText();
  const captcha = useCaptcha();
  const [sentTo, setSentTo] = useState<string>();
  const { errors } = form.formState;
  const { outbox } = bootConfig();
  const email = form.watch('email');
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
      {outbox && (
        <OutboxBanner
          sentTo={sentTo}
          onUse={(code) => form.setValue('code', code, { shouldValidate: true, shouldDirty: true })}
        />
      )}
      <Field
        label={t('sign.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        error={errors.code?.message}
        hint={t('sign.codeHint', { minutes: 30 })}
        suffix={
          <SendCode
            email={email}
            captcha={captcha}
            onSent={(to) => {
              form.clearErrors('email');
              setSentTo(to);
              form.setFocus('code');
            }}
            onProblem={(message) => form.setError('email', { message })}
          />
        }
        {...form.register('code', {
          validate: (text) => isVerificationCode(text.trim()) || t('sign.codeInvalid'),
        })}
      />
      <CaptchaLine captcha={captcha} />
    </>
  );
}

/** Password with its hints, and once more. */
function SecretFields({ form }: { readonly form: UseFormReturn<RegisterForm> }) {
  const t = useText();
  const { errors } = form.formState;
  const password = form.watch('password');
  return (
    <>
      <div className="flex flex-col gap-2">
        <PasswordField
          label={t('sign.password')}
          autoComplete="new-password"
          error={errors.password?.message}
          {...form.register('password', {
            validate: (text) => {
              const gaps = passwordGaps(text);
              if (gaps.length === 0) return true;
              return t('sign.passwordWeak', { gaps: gaps.map((gap) => t(`sign.gap.${gap}`)).join(', ') });
            },
          })}
        />
        <PasswordHints password={password} />
      </div>
      <PasswordField
        label={t('sign.passwordAgain')}
        autoComplete="new-password"
        error={errors.again?.message}
        {...form.register('again', {
          validate: (text, values) => text === values.password || t('sign.passwordMismatch'),
        })}
      />
    </>
  );
}

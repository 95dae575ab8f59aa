import { isEmail, normaliseEmail } from '@crossbook/domain';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Controller, type UseFormReturn, useForm } from 'react-hook-form';
import { isMobile } from '../../calculators/mobile-number.ts';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { notify } from '../../stores/app/notices.ts';
import { keepLogIn, logInStore, takeAnswer } from '../../stores/member/log-in.ts';
import { call, isRefused, problemOf } from '../../stores/member/own-service.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/entry/Segments.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaLine } from '../fields/CaptchaLine.tsx';
import { CodeField } from '../fields/CodeField.tsx';
import { FormError } from '../fields/FormError.tsx';
import { MobileField } from '../fields/MobileField.tsx';
import { PasswordField } from '../fields/PasswordField.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { useCaptcha } from '../fields/use-captcha.ts';

/** Codes of the error catalogue that this page answers itself. */
const REFUSED = { captcha: 2001, codeWrong: 2005, codeNeeded: 2014, frozen: 2019, codeLonger: 2034 } as const;

interface LoginForm {
  readonly email: string;
  readonly mobile: string;
  readonly password: string;
  readonly code: string;
}

type Kind = 'email' | 'mobile';

/** /login */
export function LoginScreen() {
  const t = useText();
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false });
  const captcha = useCaptcha();
  const [kind, setKind] = useState<Kind>('email');
  const [asksCode, setAsksCode] = useState(false);
  const { account: before, goTo } = logInStore.getState();
  const form = useForm<LoginForm>({
    // A field that is not shown is not asked for.
    shouldUnregister: true,
    defaultValues: { email: before.includes('@') ? before : '', mobile: '', password: '', code: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const logIn = async ({ email, mobile, password, code }: LoginForm) => {
    const account = kind === 'email' ? normaliseEmail(email) : mobile;
    const attempt = async () => {
      const solved = await captcha.take(account);
      if (solved === undefined) return undefined;
      const proof = asksCode ? { code: code.trim() } : {};
      return call('user/login', { account, password, captcha: solved, ...proof }, { quiet: true });
    };
    let answer = await attempt();
    // The work done while the form was filled in was too little, or is too old: the next is done for this account.
    if (answer !== undefined && isRefused(answer, REFUSED.captcha)) answer = await attempt();
    if (answer === undefined) return form.setError('root', { message: t('sign.captchaFailed') });
    keepLogIn(account, next ?? goTo);
    if (answer.ok) return navigate({ to: takeAnswer(answer.data), replace: true });
    if (isRefused(answer, REFUSED.frozen)) {
      notify('warning', { text: problemOf(answer) ?? '' }, 'log-in');
      return navigate({ to: '/forgotPassword_A', search: { for: 'unfreeze' } });
    }
    if (isRefused(answer, REFUSED.codeNeeded)) return setAsksCode(true);
    const aboutCode = isRefused(answer, REFUSED.codeWrong) || isRefused(answer, REFUSED.codeLonger);
    return form.setError(aboutCode ? 'code' : 'root', { message: problemOf(answer) ?? '' });
  };

  return (
    <SignFrame heading={t('sign.login')} foot={<Elsewhere />}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(logIn)(event)}
      >
        <AccountFields form={form} kind={kind} onKind={setKind} />
        <PasswordField
          label={t('sign.password')}
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password', { validate: (text) => text !== '' || t('sign.passwordEmpty') })}
        />
        {asksCode && (
          <>
            <p className="text-[13px] text-soft">{t('login.guarded')}</p>
            <CodeField
              sentTo={kind === 'email' ? normaliseEmail(form.watch('email')) : undefined}
              error={errors.code?.message}
              onUse={(code) => form.setValue('code', code)}
              field={form.register('code')}
            />
          </>
        )}
        <CaptchaLine captcha={captcha} />
        <FormError message={errors.root?.message} />
        <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
          {t('sign.login')}
        </Button>
      </form>
    </SignFrame>
  );
}

function Elsewhere() {
  const t = useText();
  return (
    <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
      <Link to="/regist" className="text-link hover:underline">
        {t('sign.toRegister')}
      </Link>
      <Link to="/forgotPassword_A" className="text-link hover:underline">
        {t('login.forgot')}
      </Link>
    </div>
  );
}

/** E-mail address, or mobile number with its country. */
function AccountFields(props: {
  readonly form: UseFormReturn<LoginForm>;
  readonly kind: Kind;
  readonly onKind: (kind: Kind) => void;
}) {
  const { form, kind } = props;
  const t = useText();
  return (
    <>
      <Segments
        label={t('login.with')}
        value={kind}
        onChange={props.onKind}
        items={[
          { value: 'email', label: t('sign.email') },
          { value: 'mobile', label: t('account.mobile') },
        ]}
      />
      {kind === 'email' ? (
        <Field
          label={t('sign.email')}
          type="email"
          autoComplete="username"
          autoFocus
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

import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../i18n/i18n.ts';
import { keepLogIn, logInStore, takeAnswer } from '../../stores/member/log-in.ts';
import { call, isRefused, problemOf } from '../../stores/member/own-service.ts';
import { Button } from '../../ui/Button.tsx';
import { CaptchaLine } from '../fields/CaptchaLine.tsx';
import { CodeField } from '../fields/CodeField.tsx';
import { ContactField, type ContactForm, type ContactKind, contactOfForm } from '../fields/ContactField.tsx';
import { FormError } from '../fields/FormError.tsx';
import { PasswordField } from '../fields/PasswordField.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { useCaptcha } from '../fields/use-captcha.ts';
import { ComerUnknown, useComer } from './comer.tsx';
import { PasskeyLogIn } from './PasskeyLogIn.tsx';
import { ProviderButton } from './ProviderButton.tsx';

/** Codes of the error catalogue that this page answers itself. */
const REFUSED = { captcha: 2001, codeWrong: 2005, codeNeeded: 2014, frozen: 2019, codeLonger: 2034 } as const;

interface LoginForm extends ContactForm {
  readonly password: string;
  readonly code: string;
}

/** /login: who is logged in to an account of his own is led to where he wanted to go. */
export function LoginScreen() {
  const comer = useComer();
  const { next } = useSearch({ strict: false });
  if (comer === undefined) return <ComerUnknown />;
  if (comer === 'member') return <Navigate to={next ?? '/wallet/WalletOverviewSub'} replace />;
  return <LoginPage next={next} />;
}

function LoginPage({ next }: { readonly next: string | undefined }) {
  const t = useText();
  const navigate = useNavigate();
  const captcha = useCaptcha();
  const [kind, setKind] = useState<ContactKind>('email');
  const [asksCode, setAsksCode] = useState(false);
  const { account: before, goTo } = logInStore.getState();
  const form = useForm<LoginForm>({
    // A field that is not shown is not asked for.
    shouldUnregister: true,
    defaultValues: { email: before.includes('@') ? before : '', mobile: '', password: '', code: '' },
  });
  const { errors, isSubmitting } = form.formState;

  const logIn = async (typed: LoginForm) => {
    const { password, code } = typed;
    const account = contactOfForm(kind, typed);
    const attempt = async (again: boolean) => {
      const solved = await captcha.take(account);
      if (solved === undefined) return undefined;
      const proof = asksCode ? { code: code.trim() } : {};
      const quiet = again ? [] : [REFUSED.captcha];
      return call('user/login', { account, password, captcha: solved, ...proof }, { quiet });
    };
    let answer = await attempt(false);
    // The work done while the form was filled in was too little, or is too old: the next is done for this account.
    if (answer !== undefined && isRefused(answer, REFUSED.captcha)) answer = await attempt(true);
    if (answer === undefined) return form.setError('root', { message: t('sign.captchaFailed') });
    keepLogIn(account, next ?? goTo);
    if (answer.ok) return navigate({ to: takeAnswer(answer.data), replace: true });
    if (isRefused(answer, REFUSED.frozen))
      return navigate({ to: '/forgotPassword_A', search: { for: 'unfreeze' } });
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
        <FormProvider {...form}>
          <ContactField label={t('login.with')} kind={kind} onKind={setKind} autoComplete="username" />
        </FormProvider>
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
              sentTo={kind === 'email' ? contactOfForm(kind, form.watch()) : undefined}
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
      <PasskeyLogIn next={next} />
      <ProviderButton goTo={next ?? goTo} />
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
      <Link to="/lostAccess" className="text-link hover:underline">
        {t('login.lostAll')}
      </Link>
    </div>
  );
}

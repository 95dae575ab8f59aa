import { isEmail, normaliseEmail } from '@crossbook/domain';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { call } from '../../stores/member/own-service.ts';
import { beginSession } from '../../stores/member/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { CaptchaLine } from './CaptchaLine.tsx';
import { PasswordField } from './PasswordField.tsx';
import { SignFrame } from './SignFrame.tsx';
import { useCaptcha } from './use-captcha.ts';

/** `captcha-invalid` of the error catalogue. */
const CAPTCHA_INVALID = 2001;

interface LoginForm {
  readonly email: string;
  readonly password: string;
}

/** /login */
export function LoginScreen() {
  const t = useText();
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false });
  const captcha = useCaptcha();
  const form = useForm<LoginForm>({ defaultValues: { email: '', password: '' } });
  const { errors, isSubmitting } = form.formState;

  const logIn = async ({ email, password }: LoginForm) => {
    const account = normaliseEmail(email);
    const attempt = async () => {
      const solved = await captcha.take(account);
      if (solved === undefined) return undefined;
      return call('user/login', { account, password, captcha: solved }, { quiet: true });
    };
    let answer = await attempt();
    // The work done while the form was filled in was too little, or is too old: the next is done for this account.
    if (answer?.ok === false && answer.kind === 'refused' && answer.code === CAPTCHA_INVALID) {
      answer = await attempt();
    }
    if (answer === undefined) return form.setError('root', { message: t('sign.captchaFailed') });
    if (!answer.ok) {
      const message = answer.kind === 'refused' ? answer.message : t('common.noAnswer');
      return form.setError('root', { message });
    }
    beginSession(answer.data);
    notify('success', { id: 'sign.loggedIn' });
    await navigate({ to: next ?? '/wallet/WalletOverviewSub', replace: true });
  };

  return (
    <SignFrame
      heading={t('sign.login')}
      foot={
        <Link to="/regist" className="text-link hover:underline">
          {t('sign.toRegister')}
        </Link>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(logIn)(event)}
      >
        <Field
          label={t('sign.email')}
          type="email"
          autoComplete="username"
          autoFocus
          error={errors.email?.message}
          {...form.register('email', { validate: (text) => isEmail(text.trim()) || t('sign.emailInvalid') })}
        />
        <PasswordField
          label={t('sign.password')}
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password', { validate: (text) => text !== '' || t('sign.passwordEmpty') })}
        />
        <CaptchaLine captcha={captcha} />
        {errors.root !== undefined && (
          <p role="alert" className="text-[13px] text-danger">
            {errors.root.message}
          </p>
        )}
        <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
          {t('sign.login')}
        </Button>
      </form>
    </SignFrame>
  );
}

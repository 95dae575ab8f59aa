import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { passkeyObstacle } from '../../../stores/app/passkeys.ts';
import { keepLogIn, logInStore } from '../../../stores/member/log-in.ts';
import { call, isRefused, problemOf } from '../../../stores/member/own-service.ts';
import { askPasskey } from '../../../stores/member/passkeys.ts';
import { keepRecovery, type Recovery, recoveryStore } from '../../../stores/member/recovery.ts';
import { sessionStore } from '../../../stores/member/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { CaptchaLine } from '../../fields/CaptchaLine.tsx';
import { type ContactKind, contactOfForm } from '../../fields/ContactField.tsx';
import { FactorField, factorOf, isFactor } from '../../fields/FactorField.tsx';
import { FormError } from '../../fields/FormError.tsx';
import { NewPassword, type NewPasswordForm } from '../../fields/NewPassword.tsx';
import { PasskeyButton } from '../../fields/PasskeyButton.tsx';
import { ProvedContact, type ProvedContactForm } from '../../fields/ProvedContact.tsx';
import { SignFrame } from '../../fields/SignFrame.tsx';
import { useCaptcha } from '../../fields/use-captcha.ts';
import { NoStep } from '../steps/NoStep.tsx';

/** Codes of the error catalogue that these pages answer themselves. */
const REFUSED = { flow: 2009, factorNeeded: 2014, factorWrong: 2015 } as const;

/** /forgotPassword_A: which account, and the code that proves its mailbox. */
export function ForgotScreen() {
  const t = useText();
  const navigate = useNavigate();
  const { for: purpose = 'recover' } = useSearch({ from: '/forgotPassword_A' });
  const captcha = useCaptcha();
  const { account: before } = logInStore.getState();
  const [kind, setKind] = useState<ContactKind>('email');
  const form = useForm({
    // A field that is not shown is not asked for.
    shouldUnregister: true,
    defaultValues: { email: before.includes('@') ? before : '', mobile: '', code: '' },
  });
  const { isSubmitting } = form.formState;
  const submit = async (typed: ProvedContactForm) => {
    const account = contactOfForm(kind, typed);
    const asked = { target: account, purpose, code: typed.code.trim() };
    const answer = await call('user/checkcode', asked);
    if (!answer.ok) return form.setError('code', { message: problemOf(answer) ?? '' });
    keepRecovery({ purpose, account, flow: answer.data.flow });
    await navigate({ to: '/forgotPassword_B', replace: true });
  };
  return (
    <SignFrame
      heading={t(purpose === 'recover' ? 'title.forgotPassword' : 'recovery.unfreeze')}
      foot={
        <Link to="/login" className="text-link hover:underline">
          {t('sign.toLogin')}
        </Link>
      }
    >
      <p className="text-soft">{t(`recovery.lead.${purpose}`)}</p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <FormProvider {...form}>
          <ProvedContact
            {...{ kind, onKind: setKind, captcha, purpose }}
            {...{ label: t('recovery.with'), autoComplete: 'username' }}
          >
            {kind === 'mobile' && <p className="text-[13px] text-soft">{t('recovery.numberAlone')}</p>}
          </ProvedContact>
        </FormProvider>
        <CaptchaLine captcha={captcha} />
        <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
          {t('recovery.next')}
        </Button>
      </form>
    </SignFrame>
  );
}

/** /forgotPassword_B: the new password, and the authenticator where one is set. */
export function NewPasswordScreen() {
  const t = useText();
  const [proved] = useState(() => recoveryStore.getState().proved);
  if (proved === undefined)
    return <NoStep heading={t('title.forgotPassword')} text={t('recovery.noStep')} to="/forgotPassword_A" />;
  return <NewPasswordStep proved={proved} />;
}

type Factor = ReturnType<typeof factorOf> | { readonly passkey: string } | Record<string, never>;

function useRecovery({ purpose, account, flow }: Recovery) {
  const t = useText();
  const navigate = useNavigate();
  return async (password: string, factor: Factor) => {
    const request = { account, flow, password, ...factor };
    const answer =
      purpose === 'recover'
        ? await call('user/forgetpwd', request)
        : await call('x/account/Unfreeze', request);
    if (answer.ok) {
      keepRecovery(undefined);
      keepLogIn(account, undefined);
      // It ended the sessions of this account, perhaps the one of this browser.
      sessionStore.setState({ user: undefined });
      notify('success', { id: 'account.modified' });
      await navigate({ to: '/login', replace: true });
      return undefined;
    }
    if (isRefused(answer, REFUSED.flow)) {
      keepRecovery(undefined);
      // The account is not typed twice.
      keepLogIn(account, undefined);
      await navigate({ to: '/forgotPassword_A', search: { for: purpose }, replace: true });
      return undefined;
    }
    if (isRefused(answer, REFUSED.factorNeeded))
      return { field: 'factor' as const, message: t('recovery.factorNeeded') };
    const field = isRefused(answer, REFUSED.factorWrong) ? ('factor' as const) : ('root' as const);
    return { field, message: problemOf(answer) ?? '' };
  };
}

function NewPasswordStep({ proved }: { readonly proved: Recovery }) {
  const t = useText();
  const finish = useRecovery(proved);
  const form = useForm<NewPasswordForm & { readonly factor: string }>({
    defaultValues: { password: '', again: '', factor: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const submit = async ({ password, factor }: { readonly password: string; readonly factor: string }) => {
    const refusal = await finish(password, factor.trim() === '' ? {} : factorOf(factor));
    if (refusal !== undefined) form.setError(refusal.field, { message: refusal.message });
  };
  const byPasskey = async (passkey: string): Promise<string | undefined> => {
    const refusal = await finish(form.getValues('password'), { passkey });
    return refusal?.message;
  };
  return (
    <SignFrame
      heading={t(proved.purpose === 'recover' ? 'title.forgotPassword' : 'recovery.unfreeze')}
      foot={null}
    >
      <p className="text-soft">{t('recovery.passwordLead', { account: proved.account })}</p>
      <p className="text-[13px] text-soft">{t('account.lockAhead')}</p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <FormProvider {...form}>
          <NewPassword label={t('account.newPassword')} />
        </FormProvider>
        <FactorField
          label={t('recovery.factor')}
          error={errors.factor?.message}
          field={form.register('factor', {
            validate: (text) => text.trim() === '' || isFactor(text) || t('account.factorInvalid'),
          })}
        />
        <FormError message={errors.root?.message} />
        <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
          {t('recovery.finish')}
        </Button>
        {passkeyObstacle() === undefined && (
          <PasskeyButton
            label={t('recovery.finishPasskey')}
            ask={async () => {
              const isComplete = await form.trigger(['password', 'again']);
              return isComplete
                ? askPasskey({ purpose: 'recover' })
                : { problem: t('recovery.passwordFirst') };
            }}
            onAnswer={byPasskey}
          />
        )}
      </form>
    </SignFrame>
  );
}

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import '../../../i18n/account-words.ts';
import { sendCode } from '../../../stores/member/codes.ts';
import { type LogInState, logInStore } from '../../../stores/member/log-in.ts';
import { Button } from '../../../ui/Button.tsx';
import { CaptchaLine } from '../../fields/CaptchaLine.tsx';
import { CodeField, isCode } from '../../fields/CodeField.tsx';
import { SendCode } from '../../fields/SendCode.tsx';
import { SignFrame } from '../../fields/SignFrame.tsx';
import { useCaptcha } from '../../fields/use-captcha.ts';
import { NoStep } from './NoStep.tsx';
import { useStep } from './use-step.ts';

/** /otp: the code that was mailed for a browser in which the member never logged in. */
export function OtpScreen() {
  const t = useText();
  // As it was when the page was opened: the next step belongs to another page.
  const [{ step, account }] = useState<LogInState>(() => logInStore.getState());
  if (step?.next !== 'device')
    return <NoStep heading={t('title.otp')} text={t('login.noStep')} to="/login" />;
  return <CodeForm step={step} account={account} />;
}

function CodeForm({
  step,
  account,
}: {
  readonly step: NonNullable<LogInState['step']>;
  readonly account: string;
}) {
  const t = useText();
  const take = useStep(step);
  const captcha = useCaptcha();
  const form = useForm({ defaultValues: { code: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = async ({ code }: { readonly code: string }) => {
    const problem = await take({ code: code.trim() });
    if (problem !== undefined) form.setError('code', { message: problem });
  };
  const again = async () =>
    sendCode({ target: account, purpose: 'login', ticket: step.ticket }, await captcha.take());
  return (
    <SignFrame
      heading={t('title.otp')}
      foot={
        <Link to="/login" className="text-link hover:underline">
          {t('login.again')}
        </Link>
      }
    >
      <p className="text-soft">{t('login.newDevice', { contact: step.maskedTo ?? '' })}</p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <CodeField
          sentTo={account.includes('@') || step.maskedTo?.startsWith('+') ? account : undefined}
          autoFocus
          error={errors.code?.message}
          onUse={(code) => form.setValue('code', code, { shouldValidate: true })}
          suffix={
            <SendCode isSent send={again} onProblem={(message) => form.setError('code', { message })} />
          }
          field={form.register('code', { validate: (text) => isCode(text) || t('sign.codeInvalid') })}
        />
        <CaptchaLine captcha={captcha} />
        <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
          {t('sign.login')}
        </Button>
      </form>
    </SignFrame>
  );
}

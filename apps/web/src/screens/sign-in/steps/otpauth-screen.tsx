import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import '../../../i18n/account-words.ts';
import { type LogInStep, logInStore } from '../../../stores/member/log-in.ts';
import { Button } from '../../../ui/Button.tsx';
import { FactorField, factorOf, isFactor } from '../../fields/FactorField.tsx';
import { SignFrame } from '../../fields/SignFrame.tsx';
import { LostAuthenticator } from './LostAuthenticator.tsx';
import { NoStep } from './NoStep.tsx';
import { useStep } from './use-step.ts';

/** /otpauth: the authenticator's code, or a recovery code in its place, or the way out for who has neither. */
export function OtpauthScreen() {
  const t = useText();
  const [{ step }] = useState(() => logInStore.getState());
  if (step?.next !== 'totp')
    return <NoStep heading={t('title.otpauth')} text={t('login.noStep')} to="/login" />;
  return <FactorSteps step={step} />;
}

function FactorSteps({ step }: { readonly step: LogInStep }) {
  const t = useText();
  const [isLost, setLost] = useState(false);
  return (
    <SignFrame
      heading={t(isLost ? 'login.lost' : 'title.otpauth')}
      foot={
        <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
          <Link to="/login" className="text-link hover:underline">
            {t('login.again')}
          </Link>
          <button type="button" className="text-link hover:underline" onClick={() => setLost(!isLost)}>
            {t(isLost ? 'common.back' : 'login.lost')}
          </button>
        </div>
      }
    >
      {isLost ? <LostAuthenticator step={step} /> : <FactorForm step={step} />}
    </SignFrame>
  );
}

function FactorForm({ step }: { readonly step: LogInStep }) {
  const t = useText();
  const take = useStep(step);
  const form = useForm({ defaultValues: { factor: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = async ({ factor }: { readonly factor: string }) => {
    const problem = await take(factorOf(factor));
    if (problem !== undefined) form.setError('factor', { message: problem });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <p className="text-soft">{t('login.factorLead')}</p>
      <FactorField
        label={t('account.factor')}
        autoFocus
        error={errors.factor?.message}
        field={form.register('factor', { validate: (text) => isFactor(text) || t('account.factorInvalid') })}
      />
      <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
        {t('sign.login')}
      </Button>
    </form>
  );
}

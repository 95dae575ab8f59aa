import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import '../../../i18n/account-words.ts';
import { passkeyObstacle } from '../../../stores/app/passkeys.ts';
import { type LogInStep, logInStore } from '../../../stores/member/log-in.ts';
import { Button } from '../../../ui/Button.tsx';
import { FactorField, factorOf, isFactor, isRecovery } from '../../fields/FactorField.tsx';
import { PasskeyButton } from '../../fields/PasskeyButton.tsx';
import { SignFrame } from '../../fields/SignFrame.tsx';
import { LostAuthenticator } from './LostAuthenticator.tsx';
import { NoStep } from './NoStep.tsx';
import { useAskPasskey, useStep } from './use-step.ts';

/** /otpauth: a passkey, the authenticator's code, or a recovery code in their place, or the way out for who has none of them. */
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
  const hasCode = step.methods.includes('totp');
  const lost = t(hasCode ? 'login.lost' : 'login.lostPasskey');
  return (
    <SignFrame
      heading={isLost ? lost : t(hasCode ? 'title.otpauth' : 'login.passkeyStep')}
      foot={
        <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
          <Link to="/login" className="text-link hover:underline">
            {t('login.again')}
          </Link>
          <button type="button" className="text-link hover:underline" onClick={() => setLost(!isLost)}>
            {isLost ? t('common.back') : lost}
          </button>
        </div>
      }
    >
      {!isLost && step.methods.includes('passkey') && <PasskeyStep step={step} />}
      {isLost ? <LostAuthenticator step={step} /> : <FactorForm step={step} />}
    </SignFrame>
  );
}

/** The passkey first: it is the quickest. Where this page cannot ask for one it says why. */
function PasskeyStep({ step }: { readonly step: LogInStep }) {
  const t = useText();
  const take = useStep(step);
  const ask = useAskPasskey(step);
  const obstacle = passkeyObstacle();
  if (obstacle !== undefined) return <p className="text-[13px] text-soft">{t(`passkey.no.${obstacle}`)}</p>;
  return (
    <>
      <PasskeyButton
        tone="primary"
        label={t('login.usePasskey')}
        ask={ask}
        onAnswer={(passkey) => take({ passkey })}
      />
      <p className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('login.or')}
      </p>
    </>
  );
}

function FactorForm({ step }: { readonly step: LogInStep }) {
  const t = useText();
  const take = useStep(step);
  const form = useForm({ defaultValues: { factor: '' } });
  const { errors, isSubmitting } = form.formState;
  const [hasCode, hasPasskey] = [step.methods.includes('totp'), step.methods.includes('passkey')];
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
      <p className="text-soft">{t(hasCode ? 'login.factorLead' : 'login.recoveryLead')}</p>
      {hasCode ? (
        <FactorField
          label={t('account.factor')}
          autoFocus={!hasPasskey}
          error={errors.factor?.message}
          field={form.register('factor', {
            validate: (text) => isFactor(text) || t('account.factorInvalid'),
          })}
        />
      ) : (
        <FactorField
          label={t('account.recovery')}
          hint={t('account.recoveryHint')}
          error={errors.factor?.message}
          field={form.register('factor', {
            validate: (text) => isRecovery(text) || t('account.recoveryHint'),
          })}
        />
      )}
      <Button type="submit" tone={hasPasskey ? 'plain' : 'primary'} size="large" busy={isSubmitting}>
        {t('sign.login')}
      </Button>
    </form>
  );
}

import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { passkeyObstacle } from '../../../stores/app/passkeys.ts';
import type { LogInStep } from '../../../stores/member/log-in.ts';
import { call, problemOf, refusalCode } from '../../../stores/member/own-service.ts';
import { Button } from '../../../ui/Button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CodeField, isCode } from '../../fields/CodeField.tsx';
import { FormError } from '../../fields/FormError.tsx';
import { PasskeyButton } from '../../fields/PasskeyButton.tsx';
import { useAskPasskey, useEnds } from './use-step.ts';

/** Resetting a lost authenticator: codes from mailbox and phone, and a day in which the owner can stop it. */
export function LostAuthenticator({ step }: { readonly step: LogInStep }) {
  const t = useText();
  const [sentTo, setSentTo] = useState<readonly string[]>();
  const [waitHours, setWaitHours] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const ends = useEnds();
  const begin = async () => {
    setBusy(true);
    const answer = await call('x/account/OtpResetBegin', { ticket: step.ticket });
    if (await ends(refusalCode(answer))) return;
    setBusy(false);
    setProblem(problemOf(answer));
    if (answer.ok) setSentTo(answer.data.maskedTo);
  };
  if (waitHours !== undefined)
    return (
      <Banner tone="plain">
        {waitHours === 0 ? t('login.resetDone') : t('login.resetWaiting', { hours: waitHours })}
      </Banner>
    );
  if (sentTo !== undefined) return <BothCodes step={step} sentTo={sentTo} onDone={setWaitHours} />;
  return (
    <>
      <p className="text-soft">{t('login.resetLead')}</p>
      <FormError message={problem} />
      <Button tone="primary" size="large" busy={busy} onClick={() => void begin()}>
        {t('login.resetSend')}
      </Button>
    </>
  );
}

function BothCodes(props: {
  readonly step: LogInStep;
  readonly sentTo: readonly string[];
  readonly onDone: (waitHours: number) => void;
}) {
  const t = useText();
  const form = useForm({ defaultValues: { emailCode: '', mobileCode: '' } });
  const { errors, isSubmitting } = form.formState;
  const [email = '', mobile = ''] = props.sentTo;
  const { ticket, methods } = props.step;
  const ends = useEnds();
  const ask = useAskPasskey(props.step);
  const finish = async (proof: { readonly passkey?: string }): Promise<string | undefined> => {
    const codes = form.getValues();
    const [emailCode, mobileCode] = [codes.emailCode.trim(), codes.mobileCode.trim()];
    const request = { ticket, emailCode, mobileCode, ...proof };
    const answer = await call('x/account/OtpResetFinish', request);
    if (answer.ok) props.onDone(answer.data.waitHours);
    return (await ends(refusalCode(answer))) ? undefined : problemOf(answer);
  };
  const submit = async () => form.setError('root', { message: (await finish({})) ?? '' });
  const sparesTheWait =
    methods.includes('totp') && methods.includes('passkey') && passkeyObstacle() === undefined;
  const validate = (text: string) => isCode(text) || t('sign.codeInvalid');
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      {(['emailCode', 'mobileCode'] as const).map((name) => (
        <CodeField
          key={name}
          label={t('login.codeSentTo', { contact: name === 'emailCode' ? email : mobile })}
          sentTo={undefined}
          withOutbox={name === 'emailCode'}
          error={errors[name]?.message}
          onUse={(code) => form.setValue(name, code)}
          field={form.register(name, { validate })}
        />
      ))}
      <FormError message={errors.root?.message} />
      <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
        {t('login.resetFinish')}
      </Button>
      {sparesTheWait && (
        <>
          <p className="text-[13px] text-soft">{t('login.resetAtOnceLead')}</p>
          <PasskeyButton
            label={t('login.resetAtOnce')}
            ask={async () => {
              const isComplete = await form.trigger();
              return isComplete ? ask() : { problem: t('sign.codeInvalid') };
            }}
            onAnswer={(passkey) => finish({ passkey })}
          />
        </>
      )}
    </form>
  );
}

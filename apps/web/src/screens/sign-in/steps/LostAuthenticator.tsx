import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import type { LogInStep } from '../../../stores/member/log-in.ts';
import { call, problemOf } from '../../../stores/member/own-service.ts';
import { Button } from '../../../ui/Button.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CodeField, isCode } from '../../fields/CodeField.tsx';
import { FormError } from '../../fields/FormError.tsx';

/** Resetting a lost authenticator: codes from mailbox and phone, and a day in which the owner can stop it. */
export function LostAuthenticator({ step }: { readonly step: LogInStep }) {
  const t = useText();
  const [sentTo, setSentTo] = useState<readonly string[]>();
  const [waitHours, setWaitHours] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    const answer = await call('x/account/OtpResetBegin', { ticket: step.ticket }, { quiet: true });
    setBusy(false);
    setProblem(problemOf(answer));
    if (answer.ok) setSentTo(answer.data.maskedTo);
  };
  if (waitHours !== undefined)
    return <Banner tone="plain">{t('login.resetWaiting', { hours: waitHours })}</Banner>;
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
  const submit = async (codes: { readonly emailCode: string; readonly mobileCode: string }) => {
    const { ticket } = props.step;
    const [emailCode, mobileCode] = [codes.emailCode.trim(), codes.mobileCode.trim()];
    const answer = await call('x/account/OtpResetFinish', { ticket, emailCode, mobileCode }, { quiet: true });
    if (answer.ok) return props.onDone(answer.data.waitHours);
    form.setError('root', { message: problemOf(answer) ?? '' });
  };
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
    </form>
  );
}

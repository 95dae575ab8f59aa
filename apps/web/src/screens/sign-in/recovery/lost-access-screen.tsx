import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { call, problemOf } from '../../../stores/member/own-service.ts';
import { Button } from '../../../ui/Button.tsx';
import { Segments } from '../../../ui/entry/Segments.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CaptchaLine } from '../../fields/CaptchaLine.tsx';
import { type ContactKind, contactOfForm } from '../../fields/ContactField.tsx';
import { FormError } from '../../fields/FormError.tsx';
import { PasswordField } from '../../fields/PasswordField.tsx';
import { ProvedContact, type ProvedContactForm } from '../../fields/ProvedContact.tsx';
import { SignFrame } from '../../fields/SignFrame.tsx';
import { useCaptcha } from '../../fields/use-captcha.ts';

interface LostForm extends ProvedContactForm {
  readonly password: string;
  readonly account: string;
  readonly fullName: string;
  readonly birthDate: string;
  readonly documentNumber: string;
}

const EMPTY: LostForm = {
  ...{ email: '', mobile: '', code: '', password: '', account: '' },
  ...{ fullName: '', birthDate: '', documentNumber: '' },
};

/** /lostAccess: for who has lost contacts and authenticator; asks the staff, and days later ends it. */
export function LostAccessScreen() {
  const t = useText();
  const [step, setStep] = useState<'ask' | 'finish'>('ask');
  const [done, setDone] = useState<string>();
  return (
    <SignFrame
      heading={t('title.lostAccess')}
      foot={
        <Link to="/login" className="text-link hover:underline">
          {t('sign.toLogin')}
        </Link>
      }
    >
      {done !== undefined ? (
        <div role="status">
          <Banner tone="plain">{done}</Banner>
        </div>
      ) : (
        <>
          <Segments
            label={t('lost.step')}
            value={step}
            onChange={setStep}
            items={[
              { value: 'ask', label: t('lost.ask') },
              { value: 'finish', label: t('lost.finish') },
            ]}
          />
          {step === 'ask' ? <Ask onDone={setDone} /> : <Finish onDone={setDone} />}
        </>
      )}
    </SignFrame>
  );
}

/** A form whose contact is the new one, and the code that proves it. */
function useNewContact() {
  const captcha = useCaptcha();
  const [kind, setKind] = useState<ContactKind>('email');
  const form = useForm<LostForm>({ shouldUnregister: true, defaultValues: EMPTY });
  /** The token that says that the contact is proved; what is wrong stands beside the code. */
  const prove = async (typed: LostForm): Promise<string | undefined> => {
    const target = contactOfForm(kind, typed);
    const answer = await call('user/checkcode', { target, purpose: 'regain', code: typed.code.trim() });
    if (answer.ok) return answer.data.flow;
    form.setError('code', { message: problemOf(answer) ?? '' });
    return undefined;
  };
  return { captcha, kind, setKind, form, prove };
}

function NewContact({
  use: { captcha, kind, setKind, form },
}: {
  readonly use: Omit<ReturnType<typeof useNewContact>, 'prove'>;
}) {
  const t = useText();
  const label = t('lost.contact');
  return (
    <FormProvider {...form}>
      <h2 className="text-sm font-medium">{label}</h2>
      <ProvedContact
        {...{ kind, onKind: setKind, captcha, purpose: 'regain', label }}
        {...{ autoComplete: 'email', autoFocus: false }}
      />
    </FormProvider>
  );
}

function Password({ form }: { readonly form: UseFormReturn<LostForm> }) {
  const t = useText();
  return (
    <PasswordField
      label={t('lost.password')}
      autoComplete="current-password"
      error={form.formState.errors.password?.message}
      {...form.register('password', { validate: (text) => text !== '' || t('sign.passwordEmpty') })}
    />
  );
}

function Ask({ onDone }: { readonly onDone: (text: string) => void }) {
  const t = useText();
  const { prove, ...use } = useNewContact();
  const { form, kind, captcha } = use;
  const { errors, isSubmitting } = form.formState;
  const needed = (text: string) => text.trim() !== '' || t('lost.needed');
  const submit = async (typed: LostForm) => {
    const flow = await prove(typed);
    if (flow === undefined) return;
    const solved = await captcha.take();
    if (solved === undefined) return form.setError('root', { message: t('sign.captchaFailed') });
    const { account, password, fullName, birthDate, documentNumber } = typed;
    const stated = { fullName: fullName.trim(), birthDate, documentNumber: documentNumber.trim() };
    const contact = contactOfForm(kind, typed);
    const request = { account, password, contact, flow, ...stated, captcha: solved };
    const answer = await call('x/recovery/Ask', request);
    if (!answer.ok) return form.setError('root', { message: problemOf(answer) ?? '' });
    onDone(t('lost.asked', { days: answer.data.lapsesDays, hours: answer.data.waitHours }));
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <p className="text-soft">{t('lost.askLead')}</p>
      <Field
        label={t('lost.account')}
        autoComplete="username"
        autoFocus
        maxLength={254}
        error={errors.account?.message}
        {...form.register('account', { validate: needed })}
      />
      <Password form={form} />
      <Field
        label={t('lost.fullName')}
        autoComplete="name"
        maxLength={100}
        error={errors.fullName?.message}
        {...form.register('fullName', { validate: needed })}
      />
      <Field
        label={t('lost.birthDate')}
        type="date"
        autoComplete="bday"
        error={errors.birthDate?.message}
        {...form.register('birthDate', { validate: needed })}
      />
      <Field
        label={t('lost.documentNumber')}
        autoComplete="off"
        maxLength={30}
        error={errors.documentNumber?.message}
        {...form.register('documentNumber', { validate: needed })}
      />
      <NewContact use={use} />
      <CaptchaLine captcha={captcha} />
      <FormError message={errors.root?.message} />
      <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
        {t('lost.askButton')}
      </Button>
    </form>
  );
}

function Finish({ onDone }: { readonly onDone: (text: string) => void }) {
  const t = useText();
  const { prove, ...use } = useNewContact();
  const { form, kind, captcha } = use;
  const { errors, isSubmitting } = form.formState;
  const submit = async (typed: LostForm) => {
    const flow = await prove(typed);
    if (flow === undefined) return;
    const request = { contact: contactOfForm(kind, typed), flow, password: typed.password };
    const answer = await call('x/recovery/Finish', request);
    if (!answer.ok) return form.setError('root', { message: problemOf(answer) ?? '' });
    onDone(t('lost.finished'));
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <p className="text-soft">{t('lost.finishLead')}</p>
      <p className="text-[13px] text-soft">{t('account.lockAhead')}</p>
      <NewContact use={use} />
      <Password form={form} />
      <CaptchaLine captcha={captcha} />
      <FormError message={errors.root?.message} />
      <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
        {t('lost.finishButton')}
      </Button>
    </form>
  );
}

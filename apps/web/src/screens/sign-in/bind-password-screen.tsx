import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/account-words.ts';
import { bootConfig } from '../../stores/app/boot.ts';
import { notify } from '../../stores/app/notices.ts';
import { call, isRefused, problemOf } from '../../stores/member/own-service.ts';
import { type Arrival, arrivalStore, forgetArrival, keptReferralCode } from '../../stores/member/provider.ts';
import { keepQuickRegistration } from '../../stores/member/quick-registration.ts';
import { beginSession } from '../../stores/member/session.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { type ContactKind, contactOfForm } from '../fields/ContactField.tsx';
import { FormError } from '../fields/FormError.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { AccountFields, ContactFields, EMPTY_SIGN_UP, type SignUpForm } from './SignUpFields.tsx';
import { NoStep } from './steps/NoStep.tsx';

/** Codes of the error catalogue that this page answers itself. */
const REFUSED = { codeWrong: 2005, flowInvalid: 2009, codeLonger: 2034 } as const;

/** /bindPsd: who comes from another service gets an account with a password, or links the one that is there. */
export function BindPasswordScreen() {
  const t = useText();
  const [{ arrival }] = useState(() => arrivalStore.getState());
  const [isNew, setNew] = useState(arrival?.next === 'bindPsd');
  if (arrival === undefined) {
    return <NoStep heading={t('title.bindPassword')} text={t('provider.noArrival')} to="/login" />;
  }
  const isTaken = arrival.next === 'link';
  return (
    <SignFrame
      heading={t(isNew ? 'title.bindPassword' : 'bind.linkTitle')}
      foot={
        isTaken ? null : (
          <button type="button" className="text-link hover:underline" onClick={() => setNew(!isNew)}>
            {t(isNew ? 'bind.haveAccount' : 'bind.newAccount')}
          </button>
        )
      }
    >
      {isNew ? <BindForm arrival={arrival} /> : <LinkLead email={isTaken ? arrival.email : null} />}
    </SignFrame>
  );
}

/** An account is linked by who has logged in to it, and confirms it there. */
function LinkLead({ email }: { readonly email: string | null }) {
  const t = useText();
  const label = bootConfig().logInProvider;
  return (
    <>
      <p className="break-words text-soft">
        {email === null ? t('bind.linkLead', { label }) : t('bind.linkTaken', { email, label })}
      </p>
      <Link to="/login" search={{ next: '/dashboard/security' }} className={buttonClass('primary', 'large')}>
        {t('bind.linkButton')}
      </Link>
    </>
  );
}

type Problem = { readonly field: 'code' | 'root'; readonly message: string; readonly isOver?: boolean };

/** Proves the address where the service does not confirm it, then registers. @returns what was refused. */
async function bind(arrival: Arrival, kind: ContactKind, values: SignUpForm): Promise<Problem | undefined> {
  const { ticket, emailVerified } = arrival;
  let proved = {};
  if (!emailVerified) {
    const contact = contactOfForm(kind, values);
    const given = { target: contact, purpose: 'register', code: values.code.trim() } as const;
    const checked = await call('user/checkcode', given);
    if (!checked.ok) {
      const aboutCode = isRefused(checked, REFUSED.codeWrong) || isRefused(checked, REFUSED.codeLonger);
      return { field: aboutCode ? 'code' : 'root', message: problemOf(checked) ?? '' };
    }
    proved = { ...(kind === 'email' ? { email: contact } : { mobile: contact }), flow: checked.data.flow };
  }
  const referralCode = values.referralCode.trim();
  const answer = await call('x/oauth/BindPassword', {
    ...{ ticket, password: values.password, agree: values.agree ? 'true' : 'false', ...proved },
    ...(referralCode === '' ? {} : { referralCode }),
    ...(values.country === undefined ? {} : { country: values.country }),
  });
  if (!answer.ok) {
    const isOver = isRefused(answer, REFUSED.flowInvalid);
    return { field: 'root', message: problemOf(answer) ?? '', isOver };
  }
  keepQuickRegistration('');
  forgetArrival();
  beginSession(answer.data);
  return undefined;
}

function BindForm({ arrival }: { readonly arrival: Arrival }) {
  const t = useText();
  const navigate = useNavigate();
  const { email, emailVerified } = arrival;
  const [kind, setKind] = useState<ContactKind>('email');
  const form = useForm<SignUpForm>({
    // A field that is not shown is not asked for.
    shouldUnregister: true,
    defaultValues: { ...EMPTY_SIGN_UP, email: email ?? '', referralCode: keptReferralCode() },
  });
  const submit = async (values: SignUpForm) => {
    const problem = await bind(arrival, kind, values);
    if (problem === undefined) {
      notify('success', { id: 'sign.registered' });
      return navigate({ to: '/wallet/WalletOverviewSub', replace: true });
    }
    if (problem.isOver !== true) return form.setError(problem.field, { message: problem.message });
    forgetArrival();
    return navigate({ to: '/login', replace: true });
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <p className="text-soft">{t('bind.lead', { label: bootConfig().logInProvider })}</p>
      <FormProvider {...form}>
        {emailVerified ? (
          <p className="break-words">{t('bind.address', { email: email ?? '' })}</p>
        ) : (
          <ContactFields kind={kind} onKind={setKind} />
        )}
        <AccountFields />
      </FormProvider>
      <FormError message={form.formState.errors.root?.message} />
      <Button type="submit" tone="primary" size="large" busy={form.formState.isSubmitting}>
        {t('bind.finish')}
      </Button>
    </form>
  );
}

import type { CallInput } from '@crossbook/contract';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { looksLikeMobile } from '../../calculators/mobile-number.ts';
import { type Text, useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { call } from '../../stores/member/own-service.ts';
import { keepQuickRegistration, readQuickRegistration } from '../../stores/member/quick-registration.ts';
import { beginSession, renewSession, sessionStore, whileRenewing } from '../../stores/member/session.ts';
import { Button } from '../../ui/Button.tsx';
import { type ContactKind, contactOfForm } from '../fields/ContactField.tsx';
import { FormError } from '../fields/FormError.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { ComerUnknown, useComer } from './comer.tsx';
import { ProviderButton } from './ProviderButton.tsx';
import { AccountFields, ContactFields, EMPTY_SIGN_UP, type SignUpForm } from './SignUpFields.tsx';

type Refusal = { readonly field: 'code' | 'root'; readonly message: string };

/** Verifies the code, then registers. @returns what was refused; `undefined` once logged in. */
async function register(
  { kind, isDemo }: { readonly kind: ContactKind; readonly isDemo: boolean },
  values: SignUpForm,
  t: Text,
): Promise<Refusal | undefined> {
  const contact = contactOfForm(kind, values);
  const checked = await call('user/checkcode', {
    target: contact,
    purpose: 'register',
    code: values.code.trim(),
  });
  if (!checked.ok) {
    return checked.kind === 'refused'
      ? { field: 'code', message: checked.message }
      : { field: 'root', message: t('common.noAnswer') };
  }
  const flow = checked.data.flow;
  const answer = isDemo
    ? await keep({ ...formOf(kind, values), flow })
    : await signUp({ ...formOf(kind, values), flow }, values.referralCode.trim());
  if (!answer.ok) {
    return { field: 'root', message: answer.kind === 'refused' ? answer.message : t('common.noAnswer') };
  }
  keepQuickRegistration('');
  return undefined;
}

function formOf(kind: ContactKind, values: SignUpForm) {
  const contact = contactOfForm(kind, values);
  return {
    ...(kind === 'email' ? { email: contact } : { mobile: contact }),
    ...{ password: values.password, agree: values.agree ? ('true' as const) : ('false' as const) },
    ...(values.country === undefined ? {} : { country: values.country }),
  };
}

async function signUp(form: Omit<CallInput<'user/usernew'>, 'referralCode'>, referralCode: string) {
  const code = referralCode === '' ? {} : { referralCode };
  const answer = await call('user/usernew', { ...form, ...code });
  if (answer.ok) beginSession(answer.data);
  return answer;
}

/** The demo of this browser becomes an account; its session goes on under another token. */
function keep(form: CallInput<'x/demo/Keep'>) {
  return whileRenewing(async () => {
    const answer = await call('x/demo/Keep', form);
    if (answer.ok) {
      renewSession(answer.data.token);
      sessionStore.setState({ user: undefined });
    }
    return answer;
  });
}

/** /regist: an account for a visitor, or for a demo member who wants to keep what is there. */
export function RegisterScreen() {
  const comer = useComer();
  if (comer === undefined) return <ComerUnknown />;
  if (comer === 'member') return <Navigate to="/wallet/WalletOverviewSub" replace />;
  return <RegisterPage key={comer} isDemo={comer === 'demo'} />;
}

function RegisterPage({ isDemo }: { readonly isDemo: boolean }) {
  const t = useText();
  const navigate = useNavigate();
  const { ref = '' } = useSearch({ from: '/regist' });
  const [typedAtHome] = useState(readQuickRegistration);
  const isNumber = looksLikeMobile(typedAtHome);
  const [kind, setKind] = useState<ContactKind>(isNumber ? 'mobile' : 'email');
  const form = useForm<SignUpForm>({
    // A field that is not shown is not asked for.
    shouldUnregister: true,
    defaultValues: { ...EMPTY_SIGN_UP, email: isNumber ? '' : typedAtHome, referralCode: ref },
  });

  const submit = async (values: SignUpForm) => {
    const refusal = await register({ kind, isDemo }, values, t);
    if (refusal !== undefined) return form.setError(refusal.field, { message: refusal.message });
    notify('success', { id: 'sign.registered' });
    await navigate({ to: '/wallet/WalletOverviewSub', replace: true });
  };

  return (
    <SignFrame
      heading={t(isDemo ? 'demo.keep' : 'sign.register')}
      foot={
        isDemo ? null : (
          <Link to="/login" className="text-link hover:underline">
            {t('sign.toLogin')}
          </Link>
        )
      }
    >
      {isDemo && <p className="text-soft">{t('demo.keepLead')}</p>}
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <FormProvider {...form}>
          <ContactFields kind={kind} onKind={setKind} />
          <AccountFields withReferral={!isDemo} />
        </FormProvider>
        <FormError message={form.formState.errors.root?.message} />
        <Button type="submit" tone="primary" size="large" busy={form.formState.isSubmitting}>
          {t(isDemo ? 'demo.keep' : 'sign.register')}
        </Button>
      </form>
      {!isDemo && <ProviderButton referralCode={() => form.getValues('referralCode').trim()} />}
    </SignFrame>
  );
}

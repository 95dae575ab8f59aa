import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { looksLikeMobile } from '../../calculators/mobile-number.ts';
import { type Text, useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { call } from '../../stores/member/own-service.ts';
import { keepQuickRegistration, readQuickRegistration } from '../../stores/member/quick-registration.ts';
import { beginSession } from '../../stores/member/session.ts';
import { Button } from '../../ui/Button.tsx';
import { type ContactKind, contactOfForm } from '../fields/ContactField.tsx';
import { FormError } from '../fields/FormError.tsx';
import { SignFrame } from '../fields/SignFrame.tsx';
import { ProviderButton } from './ProviderButton.tsx';
import { AccountFields, ContactFields, EMPTY_SIGN_UP, type SignUpForm } from './SignUpFields.tsx';

type Refusal = { readonly field: 'code' | 'root'; readonly message: string };

/** Verifies the code, then registers. @returns what was refused; `undefined` once logged in. */
async function register(kind: ContactKind, values: SignUpForm, t: Text): Promise<Refusal | undefined> {
  const contact = contactOfForm(kind, values);
  const checked = await call(
    'user/checkcode',
    { target: contact, purpose: 'register', code: values.code.trim() },
    { quiet: true },
  );
  if (!checked.ok) {
    return checked.kind === 'refused'
      ? { field: 'code', message: checked.message }
      : { field: 'root', message: t('common.noAnswer') };
  }
  const referralCode = values.referralCode.trim();
  const answer = await call(
    'user/usernew',
    {
      ...(kind === 'email' ? { email: contact } : { mobile: contact }),
      flow: checked.data.flow,
      password: values.password,
      agree: values.agree ? 'true' : 'false',
      ...(referralCode === '' ? {} : { referralCode }),
    },
    { quiet: true },
  );
  if (!answer.ok) {
    return { field: 'root', message: answer.kind === 'refused' ? answer.message : t('common.noAnswer') };
  }
  keepQuickRegistration('');
  beginSession(answer.data);
  return undefined;
}

/** /regist */
export function RegisterScreen() {
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
    const refusal = await register(kind, values, t);
    if (refusal !== undefined) return form.setError(refusal.field, { message: refusal.message });
    notify('success', { id: 'sign.registered' });
    await navigate({ to: '/wallet/WalletOverviewSub', replace: true });
  };

  return (
    <SignFrame
      heading={t('sign.register')}
      foot={
        <Link to="/login" className="text-link hover:underline">
          {t('sign.toLogin')}
        </Link>
      }
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <FormProvider {...form}>
          <ContactFields kind={kind} onKind={setKind} />
          <AccountFields />
        </FormProvider>
        <FormError message={form.formState.errors.root?.message} />
        <Button type="submit" tone="primary" size="large" busy={form.formState.isSubmitting}>
          {t('sign.register')}
        </Button>
      </form>
      <ProviderButton referralCode={() => form.getValues('referralCode').trim()} />
    </SignFrame>
  );
}

import type { AdminResponse } from '@crossbook/contract';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useText } from '../i18n/i18n.ts';
import { QrCode } from '../screens/fields/QrCode.tsx';
import { adminCall, beginAdminSession, problemOf } from '../stores/admin/admin-service.ts';
import { goTo, takeLinkToken } from '../stores/admin/place.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Banner, Skeleton } from '../ui/states.tsx';
import { FormPage } from './LogInPage.tsx';

type Begun = AdminResponse<'x/admin/StartBegin'>;

/** `flow-invalid` of the error catalogue. */
const FLOW_INVALID = 2009;

// Taken once for the tab: the page may be drawn twice, the address has it no more.
const linkToken = takeLinkToken();

/** The end of a one-time link: a password and an authenticator, set together. */
export function StartPage() {
  const t = useText();
  const [begun, setBegun] = useState<Begun>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (linkToken === undefined) return setProblem(t('admin.startNoToken'));
    let isHere = true;
    void adminCall('x/admin/StartBegin', { token: linkToken }).then((answer) => {
      if (!isHere) return;
      if (answer.ok) setBegun(answer.data);
      else setProblem(t('admin.startEnded'));
    });
    return () => {
      isHere = false;
    };
  }, [t]);
  return (
    <FormPage title={t('admin.start')} lead={t('admin.startLead')}>
      {problem !== undefined && (
        <>
          <div role="alert">
            <Banner tone="danger">{problem}</Banner>
          </div>
          <Button size="large" onClick={() => goTo('members')}>
            {t('admin.logIn')}
          </Button>
        </>
      )}
      {begun !== undefined && problem === undefined && (
        <StartForm begun={begun} token={linkToken ?? ''} onEnded={() => setProblem(t('admin.startEnded'))} />
      )}
      {begun === undefined && problem === undefined && <Skeleton className="h-40 w-full" />}
    </FormPage>
  );
}

function StartForm(props: {
  readonly begun: Begun;
  readonly token: string;
  /** Somebody was quicker, or it took a quarter of an hour. */
  readonly onEnded: () => void;
}) {
  const { begun, token } = props;
  const t = useText();
  const form = useForm({ defaultValues: { password: '', totp: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ password, totp }) => {
    const answer = await adminCall('x/admin/Start', { token, password, totp: totp.replace(/\s/g, '') });
    if (!answer.ok && answer.kind === 'refused' && answer.code === FLOW_INVALID) return props.onEnded();
    if (!answer.ok) return form.setError('root', { message: problemOf(answer) ?? '' });
    await beginAdminSession(answer.data.token);
    goTo('members');
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="text-sm">
        {begun.email} · {begun.roles.map((role) => t(`admin.role.${role}`)).join(', ')}
      </p>
      <QrCode text={begun.uri} label={t('admin.qr')} />
      <p className="text-xs text-soft">
        {t('admin.secret')} <code className="break-all text-text">{begun.secret}</code>
      </p>
      <Field
        label={t('admin.newPassword')}
        hint={t('admin.newPasswordHint')}
        type="password"
        autoComplete="new-password"
        maxLength={128}
        error={errors.password?.message}
        {...form.register('password', {
          validate: (text) => text.length >= 15 || t('admin.newPasswordHint'),
        })}
      />
      <Field
        label={t('admin.totp')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        error={errors.totp?.message}
        {...form.register('totp', {
          validate: (text) => /^[0-9]{6}$/.test(text.replace(/\s/g, '')) || t('admin.totpHint'),
        })}
      />
      {errors.root !== undefined && (
        <div role="alert">
          <Banner tone="danger">{errors.root.message}</Banner>
        </div>
      )}
      <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
        {t('admin.startButton')}
      </Button>
    </form>
  );
}

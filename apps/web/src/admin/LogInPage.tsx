import type { ReactNode } from 'react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useStore } from 'zustand';
import { useText } from '../i18n/i18n.ts';
import { logInByPasskey } from '../stores/admin/admin-passkeys.ts';
import { adminCall, adminSession, beginAdminSession, problemOf } from '../stores/admin/admin-service.ts';
import { goTo, placeStore } from '../stores/admin/place.ts';
import { bootStore } from '../stores/app/boot.ts';
import { passkeyObstacle } from '../stores/app/passkeys.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Banner } from '../ui/states.tsx';

/** A narrow page with one form. */
export function FormPage(props: {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <main className="m-auto flex w-full max-w-md flex-col gap-4 px-4 py-8">
      <h1 className="text-xl font-medium">{props.title}</h1>
      <p className="text-sm text-soft">{props.lead}</p>
      {props.children}
    </main>
  );
}

/** Address, password and authenticator at once: which of them was wrong is not told. */
export function LogInPage() {
  const t = useText();
  const boot = useStore(bootStore);
  const isOver = useStore(adminSession, (session) => session.isOver);
  const form = useForm({ defaultValues: { email: '', password: '', totp: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ email, password, totp }) => {
    const answer = await adminCall('x/admin/LogIn', { email, password, totp: totp.replace(/\s/g, '') });
    if (answer.ok) return beginAdminSession(answer.data.token);
    form.setError('root', { message: problemOf(answer) ?? '' });
  });
  return (
    <FormPage title={t('admin.logIn')} lead={t('admin.logInLead')}>
      <div role="status" className="empty:-mt-4">
        {isOver && <Banner>{t('admin.sessionOver')}</Banner>}
      </div>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t('admin.email')} type="email" autoComplete="username" {...form.register('email')} />
        <Field
          label={t('admin.password')}
          type="password"
          autoComplete="current-password"
          {...form.register('password')}
        />
        <Field
          label={t('admin.totp')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          {...form.register('totp')}
        />
        {errors.root !== undefined && (
          <div role="alert">
            <Banner tone="danger">{errors.root.message}</Banner>
          </div>
        )}
        <Button type="submit" tone="primary" size="large" busy={isSubmitting}>
          {t('admin.logIn')}
        </Button>
      </form>
      {passkeyObstacle() === undefined && <PasskeyEntry />}
      {boot.status === 'ready' && boot.config.outbox && <DemoEntry />}
    </FormPage>
  );
}

/** A passkey in place of all three. */
function PasskeyEntry() {
  const t = useText();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const enter = async (): Promise<void> => {
    setBusy(true);
    setProblem(await logInByPasskey());
    setBusy(false);
  };
  return (
    <div className="flex flex-col gap-3">
      <Button size="large" busy={busy} onClick={() => void enter()}>
        {t('admin.passkey.logIn')}
      </Button>
      <div role="alert" className="empty:-mt-3">
        {problem !== undefined && <Banner tone="danger">{problem}</Banner>}
      </div>
    </div>
  );
}

/** Paper money with an outbox: two admins whom anybody may play. */
function DemoEntry() {
  const t = useText();
  const [problem, setProblem] = useState<string>();
  const begin = async (as: 'maker' | 'checker'): Promise<void> => {
    const answer = await adminCall('x/admin/Demo', { as });
    if (!answer.ok) return setProblem(problemOf(answer));
    await beginAdminSession(answer.data.token);
    if (placeStore.getState().place === 'start') goTo('members');
  };
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h2 className="text-base font-medium">{t('admin.demo')}</h2>
      <p className="text-[13px] text-soft">{t('admin.demoLead')}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void begin('maker')}>{t('admin.demoMaker')}</Button>
        <Button onClick={() => void begin('checker')}>{t('admin.demoChecker')}</Button>
      </div>
      {problem !== undefined && <Banner tone="danger">{problem}</Banner>}
    </section>
  );
}

import { useRef, useState } from 'react';
import { FormProvider, useForm, useFormContext } from 'react-hook-form';
import { deviceOf } from '../../../calculators/user-agent.ts';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call, isRefused, problemOf } from '../../../stores/member/own-service.ts';
import { keepPasskey, type MemberPasskey, makePasskey } from '../../../stores/member/passkeys.ts';
import { securityChanged } from '../../../stores/member/security.ts';
import { Field } from '../../../ui/Field.tsx';
import { ActDialog, type ActProps, ProofField } from './ActDialog.tsx';
import { ShownCodes } from './RecoveryCodes.tsx';
import { endOnce, GONE, useAct } from './use-act.ts';

const NAME_LENGTH_MAX = 40;

interface PasskeyProps extends ActProps {
  readonly passkey: MemberPasskey;
}

function NameField() {
  const t = useText();
  const { register, formState } = useFormContext<{ readonly name: string }>();
  return (
    <Field
      label={t('passkey.name')}
      autoComplete="off"
      maxLength={NAME_LENGTH_MAX}
      error={formState.errors.name?.message}
      hint={t('passkey.nameHint')}
      {...register('name', { validate: (text) => text.trim() !== '' || t('passkey.nameHint') })}
    />
  );
}

/** A proof of who acts, then the browser's own dialog. Options that were got serve again when that is closed. */
export function AddPasskeyDialog({ security, onClose }: ActProps) {
  const t = useText();
  const act = useAct(security);
  const options = useRef<string>(undefined);
  const [codes, setCodes] = useState<readonly string[]>();
  const form = useForm({
    defaultValues: { name: deviceOf(navigator.userAgent).slice(0, NAME_LENGTH_MAX), proof: '' },
  });
  const submit = form.handleSubmit(async ({ name, proof }) => {
    if (options.current === undefined) {
      const begun = await act(proof, (grant) => call('x/passkey/RegisterOptions', { grant }));
      if ('problem' in begun) return form.setError(begun.problem.field, { message: begun.problem.message });
      options.current = begun.data.options;
    }
    const made = await makePasskey(options.current);
    if ('problem' in made) return form.setError('root', { message: made.problem });
    const answer = await keepPasskey(made.passkey, name.trim());
    if (!answer.ok) {
      options.current = undefined;
      return form.setError('root', { message: problemOf(answer) ?? '' });
    }
    notify('success', { id: 'account.set' });
    if (answer.data.recoveryCodes.length === 0) return onClose();
    setCodes(answer.data.recoveryCodes);
  });
  if (codes !== undefined) return <ShownCodes codes={codes} onClose={onClose} />;
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t('passkey.add')}
        lead={t('passkey.addLead')}
        locks
        button={t('passkey.addButton')}
        onSubmit={submit}
        onClose={onClose}
      >
        <NameField />
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

/** A name proves nothing: nobody is asked who he is. */
export function RenamePasskeyDialog({ passkey, onClose }: PasskeyProps) {
  const t = useText();
  const form = useForm({ defaultValues: { name: passkey.name } });
  const submit = form.handleSubmit(async ({ name }) => {
    const renamed = { id: passkey.id, name: name.trim() };
    const answer = await call('x/passkey/Rename', renamed, { quiet: [GONE] });
    const isGone = isRefused(answer, GONE);
    if (isGone) notify('warning', { id: 'passkey.gone' });
    if (!answer.ok && !isGone) return form.setError('root', { message: problemOf(answer) ?? '' });
    securityChanged();
    onClose();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t('passkey.renameTitle')}
        button={t('passkey.rename')}
        onSubmit={submit}
        onClose={onClose}
      >
        <NameField />
      </ActDialog>
    </FormProvider>
  );
}

/** What is left to log in with afterwards is said before it is done. */
export function RemovePasskeyDialog({ security, passkey, onClose }: PasskeyProps) {
  const t = useText();
  const act = useAct(security);
  const form = useForm({ defaultValues: { proof: '' } });
  const isLast = security.passkeys === 1 && !security.googleAuth;
  const submit = form.handleSubmit(async ({ proof }) => {
    const done = await act(proof, (grant) => endOnce('x/passkey/Remove', { id: passkey.id, grant }));
    if ('problem' in done) return form.setError(done.problem.field, { message: done.problem.message });
    notify('success', { id: 'account.modified' });
    onClose();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t('passkey.removeTitle', { name: passkey.name })}
        lead={t(isLast ? 'passkey.removeLast' : 'passkey.removeLead')}
        locks
        tone="danger"
        button={t('passkey.remove')}
        onSubmit={submit}
        onClose={onClose}
      >
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

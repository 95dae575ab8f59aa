import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { proveByPasskey } from '../../stores/admin/admin-passkeys.ts';
import { adminCall, adminSession, problemOf, readSelf } from '../../stores/admin/admin-service.ts';
import { now } from '../../stores/app/clock.ts';
import { passkeyObstacle } from '../../stores/app/passkeys.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Banner } from '../../ui/states.tsx';
import type { CallResult } from '../../wire/api-client.ts';

/** Props of `ActDialog`. */
export interface ActDialogProps {
  readonly title: string;
  readonly lead: ReactNode;
  readonly button: string;
  readonly danger?: boolean;
  /** False while a field of the act is missing. */
  readonly ready?: boolean;
  /** Fields of the act besides its reason. */
  readonly children?: ReactNode;
  /** What is about nobody else needs no reason. */
  readonly withoutReason?: boolean;
  /** A text is what went wrong, in words. */
  readonly onAct: (reason: string) => Promise<CallResult<unknown> | string | undefined>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** In place of the code, for who has a passkey: it opens changes, and the dialog asks for no proof any more. */
function PasskeyProof() {
  const t = useText();
  const passkeys = useStore(adminSession, ({ self }) => self?.passkeys ?? 0);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (passkeys === 0 || passkeyObstacle() !== undefined) return null;
  const prove = async (): Promise<void> => {
    setBusy(true);
    setProblem(await proveByPasskey());
    setBusy(false);
  };
  return (
    <div className="flex flex-col gap-2">
      <Button busy={busy} onClick={() => void prove()}>
        {t('admin.passkey.prove')}
      </Button>
      <div role="alert">{problem !== undefined && <Banner tone="danger">{problem}</Banner>}</div>
    </div>
  );
}

/** One change: its reason, and a code of the authenticator or a passkey where the last proof is older than five minutes. */
export function ActDialog(props: ActDialogProps) {
  const t = useText();
  const provedUntil = useStore(adminSession, ({ self }) => self?.provedUntil ?? 0);
  const isProved = provedUntil > now();
  const form = useForm({ defaultValues: { reason: '', totp: '' } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ reason, totp }) => {
    if (!isProved) {
      const proof = await adminCall('x/admin/StepUp', { totp: totp.replace(/\s/g, '') });
      if (!proof.ok) return form.setError('totp', { message: problemOf(proof) ?? '' });
    }
    const answer = await props.onAct(reason);
    await readSelf();
    const problem = typeof answer === 'object' ? problemOf(answer) : answer;
    if (problem !== undefined) return form.setError('root', { message: problem });
    props.onDone();
    props.onClose();
  });
  return (
    <Dialog
      open
      kind="alert"
      onClose={props.onClose}
      title={props.title}
      description={props.lead}
      closeLabel={t('common.close')}
    >
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {props.children}
        {props.withoutReason !== true && (
          <Field
            label={t('admin.reason')}
            hint={t('admin.reasonHint')}
            maxLength={500}
            error={errors.reason?.message}
            {...form.register('reason', {
              validate: (text) => text.trim().length >= 10 || t('admin.reasonHint'),
            })}
          />
        )}
        {!isProved && (
          <>
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
            <PasskeyProof />
          </>
        )}
        {errors.root !== undefined && (
          <div role="alert">
            <Banner tone="danger">{errors.root.message}</Banner>
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{t('common.cancel')}</Button>
          <Button
            type="submit"
            tone={props.danger === true ? 'danger' : 'primary'}
            busy={isSubmitting}
            disabled={props.ready === false}
          >
            {props.button}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

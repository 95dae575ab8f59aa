import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useStore } from 'zustand';
import { useText } from '../../i18n/i18n.ts';
import { adminCall, adminSession, problemOf, readSelf } from '../../stores/admin/admin-service.ts';
import { now } from '../../stores/app/clock.ts';
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
  readonly onAct: (reason: string) => Promise<CallResult<unknown>>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** One change: its reason, and a code of the authenticator where the last one is older than five minutes. */
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
    if (!answer.ok) return form.setError('root', { message: problemOf(answer) ?? '' });
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
        <Field
          label={t('admin.reason')}
          hint={t('admin.reasonHint')}
          maxLength={500}
          error={errors.reason?.message}
          {...form.register('reason', {
            validate: (text) => text.trim().length >= 10 || t('admin.reasonHint'),
          })}
        />
        {!isProved && (
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

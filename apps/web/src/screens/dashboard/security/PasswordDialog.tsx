import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call } from '../../../stores/member/own-service.ts';
import { NewPassword, type NewPasswordForm } from '../../fields/NewPassword.tsx';
import { PasswordField } from '../../fields/PasswordField.tsx';
import { ActDialog, type ActProps, ProofField, type ProofForm } from './ActDialog.tsx';
import { useAct } from './use-act.ts';

interface PasswordForm extends NewPasswordForm, ProofForm {
  readonly oldPassword: string;
}

/** The present password, a new one, and the authenticator where one is set: the present password proves both otherwise. */
export function PasswordDialog({ security, onClose }: ActProps) {
  const t = useText();
  const act = useAct(security);
  const form = useForm<PasswordForm>({
    defaultValues: { oldPassword: '', password: '', again: '', proof: '' },
  });
  const submit = form.handleSubmit(async ({ oldPassword, password, proof }) => {
    const done = await act(security.googleAuth ? proof : oldPassword, (grant) =>
      call('security/resetpwd', { oldPassword, password, grant }),
    );
    if ('problem' in done) {
      const { field, message } = done.problem;
      return form.setError(field === 'proof' && !security.googleAuth ? 'oldPassword' : field, { message });
    }
    notify('success', { id: 'account.modified' });
    onClose();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t('security.password.title')}
        lead={t('security.password.lead')}
        locks
        button={t('security.change')}
        onSubmit={submit}
        onClose={onClose}
      >
        <PasswordField
          label={t('security.password.old')}
          autoComplete="current-password"
          error={form.formState.errors.oldPassword?.message}
          {...form.register('oldPassword', { validate: (text) => text !== '' || t('sign.passwordEmpty') })}
        />
        <NewPassword label={t('account.newPassword')} />
        {security.googleAuth && <ProofField security={security} />}
      </ActDialog>
    </FormProvider>
  );
}

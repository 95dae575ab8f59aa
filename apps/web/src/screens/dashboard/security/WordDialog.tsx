import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call } from '../../../stores/member/own-service.ts';
import { Field } from '../../../ui/Field.tsx';
import { ActDialog, type ActProps, ProofField } from './ActDialog.tsx';
import { useAct } from './use-act.ts';

const WORD = /^[\p{L}\p{N}]{4,20}$/u;

/** The word that our mails begin with, so that forged ones are told apart. */
export function WordDialog({ security, onClose }: ActProps) {
  const t = useText();
  const act = useAct(security);
  const form = useForm({ defaultValues: { word: '', proof: '' } });
  const submit = form.handleSubmit(async ({ word, proof }) => {
    const done = await act(proof, (grant) =>
      call('security/modifyuserinfo', { antiPhishing: word.trim(), grant }),
    );
    if ('problem' in done) return form.setError(done.problem.field, { message: done.problem.message });
    notify('success', { id: 'account.set' });
    onClose();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t('security.word.title')}
        lead={t('security.word.lead')}
        button={t('security.set')}
        onSubmit={submit}
        onClose={onClose}
      >
        <Field
          label={t('security.word.label')}
          autoComplete="off"
          maxLength={20}
          error={form.formState.errors.word?.message}
          hint={t('security.word.hint')}
          {...form.register('word', {
            validate: (text) => WORD.test(text.trim()) || t('security.word.hint'),
          })}
        />
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

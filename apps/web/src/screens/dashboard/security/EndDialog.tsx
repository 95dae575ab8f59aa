import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call } from '../../../stores/member/own-service.ts';
import { ActDialog, type ActProps, ProofField } from './ActDialog.tsx';
import { useAct } from './use-act.ts';

/** Ends one other session, or all of them. */
export function EndDialog({ security, onClose, id }: ActProps & { readonly id: string | 'others' }) {
  const t = useText();
  const act = useAct(security);
  const form = useForm({ defaultValues: { proof: '' } });
  const isAll = id === 'others';
  const submit = form.handleSubmit(async ({ proof }) => {
    const done = await act(proof, (grant) =>
      isAll
        ? call('x/account/EndOthers', { grant }, { quiet: true })
        : call('x/account/EndSession', { id, grant }, { quiet: true }),
    );
    if ('problem' in done) return form.setError(done.problem.field, { message: done.problem.message });
    notify('success', { id: 'security.sessions.ended' });
    onClose();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t(isAll ? 'security.sessions.endAll' : 'security.sessions.endOne')}
        lead={t(isAll ? 'security.sessions.endAllLead' : 'security.sessions.endOneLead')}
        tone="danger"
        button={t('security.sessions.end')}
        onSubmit={submit}
        onClose={onClose}
      >
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig } from '../../../stores/app/boot.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call } from '../../../stores/member/own-service.ts';
import { arrivalStore, forgetArrival } from '../../../stores/member/provider.ts';
import { ActDialog, type ActProps, ProofField } from './ActDialog.tsx';
import { useAct } from './use-act.ts';

/** Links the log-in of who has just come from the service, or ends the link that is there. */
export function ProviderDialog({ security, onClose }: ActProps) {
  const t = useText();
  const act = useAct(security);
  const form = useForm({ defaultValues: { proof: '' } });
  const label = bootConfig().logInProvider;
  const isLinked = security.providerLinkedAt !== null;
  const ticket = arrivalStore.getState().arrival?.ticket ?? '';
  const close = () => {
    // Closed without a proof: it is not asked again and again.
    if (!isLinked) forgetArrival();
    onClose();
  };
  const submit = form.handleSubmit(async ({ proof }) => {
    const done = await act<object>(proof, (grant) =>
      isLinked ? call('x/oauth/Unlink', { grant }) : call('x/oauth/Link', { ticket, grant }),
    );
    if ('problem' in done) return form.setError(done.problem.field, { message: done.problem.message });
    notify('success', { id: isLinked ? 'account.modified' : 'account.set' });
    close();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t(isLinked ? 'security.provider.unlinkTitle' : 'security.provider.linkTitle', { label })}
        lead={t(isLinked ? 'security.provider.unlinkLead' : 'security.provider.linkLead', { label })}
        locks
        tone={isLinked ? 'danger' : 'primary'}
        button={t(isLinked ? 'security.provider.unlink' : 'security.provider.link')}
        onSubmit={submit}
        onClose={close}
      >
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

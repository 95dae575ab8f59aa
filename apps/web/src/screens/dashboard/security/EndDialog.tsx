import { FormProvider, useForm } from 'react-hook-form';
import { type MessageId, useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call } from '../../../stores/member/own-service.ts';
import { ActDialog, type ActProps, ProofField } from './ActDialog.tsx';
import { endOnce, useAct } from './use-act.ts';

/** What is ended: one other session, all of them, or the trust in a browser with what is logged in there. */
export interface Ending {
  readonly what: 'session' | 'others' | 'device';
  readonly id: string;
}

const TEXTS = {
  session: ['security.sessions.endOne', 'security.sessions.endOneLead', 'security.sessions.ended'],
  others: ['security.sessions.endAll', 'security.sessions.endAllLead', 'security.sessions.ended'],
  device: ['security.devices.forgetOne', 'security.devices.forgetLead', 'security.devices.forgotten'],
} as const satisfies Readonly<Record<Ending['what'], readonly MessageId[]>>;

async function end({ what, id }: Ending, grant: string) {
  if (what === 'others') return call('x/account/EndOthers', { grant });
  return endOnce(what === 'device' ? 'x/account/ForgetDevice' : 'x/account/EndSession', { id, grant });
}

/** Proves who it is and ends something of the member's log-ins. */
export function EndDialog({ security, onClose, ending }: ActProps & { readonly ending: Ending }) {
  const t = useText();
  const act = useAct(security);
  const form = useForm({ defaultValues: { proof: '' } });
  const [title, lead, done] = TEXTS[ending.what];
  const submit = form.handleSubmit(async ({ proof }) => {
    const acted = await act(proof, (grant) => end(ending, grant));
    if ('problem' in acted) return form.setError(acted.problem.field, { message: acted.problem.message });
    notify('success', { id: done });
    onClose();
  });
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t(title)}
        lead={t(lead)}
        tone="danger"
        button={t(ending.what === 'device' ? 'security.devices.forget' : 'security.sessions.end')}
        onSubmit={submit}
        onClose={onClose}
      >
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

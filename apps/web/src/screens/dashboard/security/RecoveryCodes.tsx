import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { call } from '../../../stores/member/own-service.ts';
import { Button } from '../../../ui/Button.tsx';
import { copyText } from '../../../ui/copy.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { downloadText } from '../../../ui/tables/download.ts';
import { ActDialog, type ActProps, ProofField } from './ActDialog.tsx';
import { useAct } from './use-act.ts';

/** Ten codes, shown once. */
export function ShownCodes(props: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const t = useText();
  const text = props.codes.join('\n');
  const copy = async () => {
    const done = await copyText(text);
    notify(done ? 'success' : 'error', { id: done ? 'common.copied' : 'common.copyFailed' });
  };
  return (
    <Dialog
      open
      kind="alert"
      onClose={props.onClose}
      title={t('security.codes.title')}
      description={t('security.codes.lead')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={() => void copy()}>{t('common.copy')}</Button>
          <Button onClick={() => downloadText('recovery-codes.txt', `${text}\n`)}>
            {t('security.codes.download')}
          </Button>
          <Button tone="primary" onClick={props.onClose}>
            {t('security.codes.saved')}
          </Button>
        </>
      }
    >
      <ol className="flex flex-col gap-1 rounded-md border border-line bg-raised p-3 font-mono text-[13px]">
        {props.codes.map((code) => (
          <li key={code} className="break-all">
            {code}
          </li>
        ))}
      </ol>
      <Banner>{t('security.codes.once')}</Banner>
    </Dialog>
  );
}

/** Ten new ones in place of those there are. */
export function RenewCodesDialog({ security, onClose }: ActProps) {
  const t = useText();
  const act = useAct(security);
  const [codes, setCodes] = useState<readonly string[]>();
  const form = useForm({ defaultValues: { proof: '' } });
  const submit = form.handleSubmit(async ({ proof }) => {
    const done = await act(proof, (grant) => call('x/account/RecoveryCodes', { grant }));
    if ('problem' in done) return form.setError(done.problem.field, { message: done.problem.message });
    setCodes(done.data.recoveryCodes);
  });
  if (codes !== undefined) return <ShownCodes codes={codes} onClose={onClose} />;
  return (
    <FormProvider {...form}>
      <ActDialog
        title={t('security.codes.renew')}
        lead={t('security.codes.renewLead')}
        locks
        button={t('security.codes.renew')}
        onSubmit={submit}
        onClose={onClose}
      >
        <ProofField security={security} />
      </ActDialog>
    </FormProvider>
  );
}

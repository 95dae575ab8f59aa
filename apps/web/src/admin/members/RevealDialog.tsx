import type { AdminResponse } from '@crossbook/contract';
import { useRef, useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { adminCall } from '../../stores/admin/admin-service.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select } from '../../ui/Select.tsx';
import { ActDialog } from '../parts/ActDialog.tsx';

interface RevealDialogProps {
  readonly shown: Pick<AdminResponse<'x/admin/MemberView'>, 'id' | 'email' | 'mobile'>;
  readonly onClose: () => void;
}

/** One contact of a member as it is, for a reason; it is kept nowhere and goes with the dialog. */
export function RevealDialog({ shown, onClose }: RevealDialogProps) {
  const t = useText();
  const { id } = shown;
  const fields = (['email', 'mobile'] as const).filter((name) => shown[name] !== null);
  const [field, setField] = useState(fields[0] ?? 'email');
  const read = useRef<string>(undefined);
  const [value, setValue] = useState<string>();
  if (value !== undefined)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('admin.reveal.shown', { id })}
        description={t('admin.reveal.once')}
        closeLabel={t('common.close')}
      >
        <p className="text-base break-all">{value}</p>
      </Dialog>
    );
  return (
    <ActDialog
      title={t('admin.act.reveal')}
      lead={t('admin.lead.reveal', { id })}
      button={t('admin.act.reveal')}
      onAct={async (reason) => {
        const answer = await adminCall('x/admin/MemberReveal', { member: id, field, reason });
        if (answer.ok) read.current = answer.data.value;
        return answer;
      }}
      onDone={() => setValue(read.current)}
      // Once it was read, this dialog gives way to the contact.
      onClose={() => read.current === undefined && onClose()}
    >
      <Select
        label={t('admin.reveal.field')}
        value={field}
        options={fields.map((name) => ({
          value: name,
          label: t(name === 'email' ? 'admin.email' : 'admin.member.mobile'),
        }))}
        onChange={setField}
      />
    </ActDialog>
  );
}

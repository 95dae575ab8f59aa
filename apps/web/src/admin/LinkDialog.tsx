import type { AdminResponse } from '@crossbook/contract';
import { useRef, useState } from 'react';
import { formatDateTime } from '../i18n/format.ts';
import { useLocale, useText } from '../i18n/i18n.ts';
import { adminCall, say } from '../stores/admin/admin-service.ts';
import { addressOf } from '../stores/admin/place.ts';
import { CopyText } from '../ui/CopyText.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Banner } from '../ui/states.tsx';
import { ActDialog } from './parts/ActDialog.tsx';
import { readAgain } from './parts/PagedTable.tsx';

/** An invitation that two have signed. */
export type Invitation = AdminResponse<'x/admin/Admins'>['invitations'][number];

/** Makes the one link of an invitation, and shows it this once. */
export function LinkDialog({
  invitation,
  onClose,
}: {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}) {
  const t = useText();
  const locale = useLocale();
  const made = useRef<AdminResponse<'x/admin/AdminLink'>>(undefined);
  const [shown, setShown] = useState<AdminResponse<'x/admin/AdminLink'>>();
  const { approval, name } = invitation;
  if (shown === undefined) {
    return (
      <ActDialog
        title={t('admin.staff.linkFor', { name })}
        lead={t('admin.staff.linkLead')}
        button={t('admin.staff.link')}
        onAct={async (reason) => {
          const answer = await adminCall('x/admin/AdminLink', { approval, reason });
          if (answer.ok) made.current = answer.data;
          return answer;
        }}
        onDone={() => setShown(made.current)}
        onClose={() => made.current === undefined && onClose()}
      />
    );
  }
  const link = `${location.origin}${addressOf('start')}#${shown.token}`;
  return (
    <Dialog
      open
      wide
      onClose={() => {
        readAgain();
        onClose();
      }}
      title={t('admin.staff.linkFor', { name })}
      closeLabel={t('common.close')}
    >
      <Banner>{t('admin.staff.linkOnce', { time: formatDateTime(shown.expiresAt, locale) })}</Banner>
      <code className="text-[13px] break-all">
        <CopyText
          value={link}
          label={t('admin.staff.copyLink')}
          onCopied={(copied) => copied && say('admin.staff.copied')}
        />
      </code>
    </Dialog>
  );
}

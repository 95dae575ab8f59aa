import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { notify } from '../../stores/app/notices.ts';
import { call } from '../../stores/member/own-service.ts';
import { endSession } from '../../stores/member/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** Asks before logging out (spec section 2). The token is cleared here even when the server does not answer. */
export function LogOutDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const logOut = async () => {
    setBusy(true);
    const answer = await call('user/layout', {});
    setBusy(false);
    onClose();
    await navigate({ to: '/' });
    endSession();
    notify(answer.ok ? 'info' : 'warning', { id: answer.ok ? 'logout.done' : 'logout.unconfirmed' });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      kind="alert"
      title={t('nav.logout')}
      description={t('logout.question')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone="primary" busy={busy} onClick={() => void logOut()}>
            {t('nav.logout')}
          </Button>
        </>
      }
    />
  );
}

import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** Asks a visitor to log in before markets can be marked. */
export function VisitorDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('favourite.loginTitle')}
      description={t('favourite.loginText')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Link to="/regist" className={buttonClass()}>
            {t('nav.register')}
          </Link>
          <Link to="/login" search={{ next: '/market' }} className={buttonClass('primary')}>
            {t('nav.login')}
          </Link>
        </>
      }
    />
  );
}

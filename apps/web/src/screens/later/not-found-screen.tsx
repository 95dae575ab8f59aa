import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Notice } from './Notice.tsx';

/** The 404 page. */
export function NotFoundScreen() {
  const t = useText();
  return (
    <Notice heading={t('missing.heading')}>
      <Link to="/" className={buttonClass()}>
        {t('missing.home')}
      </Link>
    </Notice>
  );
}

import { platformOfSlug } from '@crossbook/domain';
import { Link, useParams } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Notice } from './Notice.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';

/** Futures trading comes later; the address is already the one it will have. */
export function FuturesScreen() {
  const t = useText();
  const { exchange } = useParams({ strict: false });
  if (platformOfSlug(exchange ?? '') === undefined) return <NotFoundScreen />;
  return (
    <Notice heading={`${t('title.futures')}: ${t('later.heading')}`} text={t('later.futures')}>
      <Link
        to="/spot/$exchange/$symbol"
        params={{ exchange: 'binance', symbol: 'BTCUSDT' }}
        className={buttonClass('primary')}
      >
        {t('later.spot')}
      </Link>
    </Notice>
  );
}

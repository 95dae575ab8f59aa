import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/page-words.ts';
import { useKeepLive } from '../../stores/trading/use-keep-live.ts';
import { SIDE_LINK, SideNav } from '../../ui/SideNav.tsx';

/** /history: its sections beside it. */
export function HistoryLayout() {
  const t = useText();
  const open = useLocation({ select: ({ pathname }) => pathname });
  useKeepLive();
  return (
    <SideNav
      label={t('history.sections')}
      open={open}
      links={
        <>
          <Link to="/history/spot_trading_overview" className={SIDE_LINK}>
            {t('nav.history.spotOrders')}
          </Link>
          <Link to="/history/spot_trading_details" className={SIDE_LINK}>
            {t('nav.history.spotFills')}
          </Link>
          <Link to="/history/futures_trading_overview" className={SIDE_LINK}>
            {t('nav.history.futuresOrders')}
          </Link>
          <Link to="/history/futures_trading_details" className={SIDE_LINK}>
            {t('nav.history.futuresFills')}
          </Link>
          <Link to="/history/funding_history" className={SIDE_LINK}>
            {t('nav.history.funding')}
          </Link>
        </>
      }
    >
      <Outlet />
    </SideNav>
  );
}

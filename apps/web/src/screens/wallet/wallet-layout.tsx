import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useText } from '../../i18n/i18n.ts';
import '../../i18n/page-words.ts';
import { useKeepLive } from '../../stores/trading/use-keep-live.ts';
import { SIDE_LINK, SideNav } from '../../ui/SideNav.tsx';

/** /wallet: its sections beside it. */
export function WalletLayout() {
  const t = useText();
  const open = useLocation({ select: ({ pathname }) => pathname });
  useKeepLive();
  return (
    <SideNav
      label={t('wallet.sections')}
      open={open}
      links={
        <>
          <Link to="/wallet/WalletOverviewSub" className={SIDE_LINK}>
            {t('nav.wallet.overview')}
          </Link>
          <Link to="/wallet/TransferSub" className={SIDE_LINK}>
            {t('nav.wallet.transfer')}
          </Link>
        </>
      }
    >
      <Outlet />
    </SideNav>
  );
}

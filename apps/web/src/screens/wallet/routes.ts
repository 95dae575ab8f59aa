import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { requireToken, root } from '../root-route.ts';

const wallet = createRoute({
  getParentRoute: () => root,
  path: '/wallet',
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('../member-pages/MemberPages.tsx'), 'LiveMemberPages'),
});
const index = createRoute({
  getParentRoute: () => wallet,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/wallet/WalletOverviewSub' });
  },
});
const overview = createRoute({
  getParentRoute: () => wallet,
  path: 'WalletOverviewSub',
  staticData: { titleId: 'title.wallet' },
  component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
});
const transfer = createRoute({
  getParentRoute: () => wallet,
  path: 'TransferSub',
  staticData: { titleId: 'title.transfer' },
  component: lazyRouteComponent(() => import('./transfer-screen.tsx'), 'TransferScreen'),
});

/** The wallet and its screens, for members. */
export const walletRoutes = wallet.addChildren([index, overview, transfer]);

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { MessageId } from './i18n/i18n.ts';
import { FailedScreen } from './screens/shell/FailedScreen.tsx';
import { LATER_ROUTES, type LaterRoute } from './screens/shell/later-routes.ts';
import { Shell } from './screens/shell/Shell.tsx';
import { safeNext } from './stores/safe-next.ts';
import { isMember, sessionStore } from './stores/session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Text of the page title behind the product name. */
    titleId?: MessageId;
    /** The screen fills the window: no footer, no page scroll on a desktop. */
    terminal?: boolean;
  }
}

/** Protected routes check for a stored token and redirect to /login when it is absent (spec section 4). */
function requireToken({ location }: { location: { href: string } }): void {
  if (!isMember(sessionStore.getState())) throw redirect({ to: '/login', search: { next: location.href } });
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: lazyRouteComponent(
    () => import('./screens/later/not-found-screen.tsx'),
    'NotFoundScreen',
  ),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: { titleId: 'title.home' },
  component: lazyRouteComponent(() => import('./screens/home/home-screen.tsx'), 'HomeScreen'),
});

const market = createRoute({
  getParentRoute: () => root,
  path: '/market',
  staticData: { titleId: 'title.market' },
  component: lazyRouteComponent(() => import('./screens/markets/markets-screen.tsx'), 'MarketsScreen'),
});

const marketData = createRoute({
  getParentRoute: () => root,
  path: '/marketData',
  staticData: { titleId: 'title.marketData' },
  component: lazyRouteComponent(
    () => import('./screens/market-data/market-data-screen.tsx'),
    'MarketDataScreen',
  ),
});

const about = createRoute({
  getParentRoute: () => root,
  path: '/about',
  staticData: { titleId: 'footer.about' },
  component: lazyRouteComponent(() => import('./screens/about/about-screen.tsx'), 'AboutScreen'),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { titleId: 'title.login' },
  validateSearch: (search: Record<string, unknown>) => safeNext(search.next),
  component: lazyRouteComponent(() => import('./screens/sign-in/login-screen.tsx'), 'LoginScreen'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/regist',
  staticData: { titleId: 'title.register' },
  component: lazyRouteComponent(() => import('./screens/sign-in/register-screen.tsx'), 'RegisterScreen'),
});

const outbox = createRoute({
  getParentRoute: () => root,
  path: '/dev/outbox',
  staticData: { titleId: 'title.outbox' },
  component: lazyRouteComponent(() => import('./screens/outbox/outbox-screen.tsx'), 'OutboxScreen'),
});

const spot = createRoute({
  getParentRoute: () => root,
  path: '/spot/$exchange/$symbol',
  staticData: { titleId: 'title.spot', terminal: true },
  // `?fill=1`: the visitor comes from "Get test funds" and the ticket opens filled in.
  validateSearch: (search: Record<string, unknown>): { fill?: 1 } => (search.fill === 1 ? { fill: 1 } : {}),
  component: lazyRouteComponent(() => import('./screens/trade/spot-trade-screen.tsx'), 'SpotTradeScreen'),
});

const futures = createRoute({
  getParentRoute: () => root,
  path: '/futures/$exchange/$symbol',
  staticData: { titleId: 'title.futures', terminal: true },
  component: lazyRouteComponent(
    () => import('./screens/trade/futures-trade-screen.tsx'),
    'FuturesTradeScreen',
  ),
});

const wallet = createRoute({
  getParentRoute: () => root,
  path: '/wallet',
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('./screens/wallet/wallet-layout.tsx'), 'WalletLayout'),
});
const walletIndex = createRoute({
  getParentRoute: () => wallet,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/wallet/WalletOverviewSub' });
  },
});
const walletOverview = createRoute({
  getParentRoute: () => wallet,
  path: 'WalletOverviewSub',
  staticData: { titleId: 'title.wallet' },
  component: lazyRouteComponent(() => import('./screens/wallet/overview-screen.tsx'), 'OverviewScreen'),
});
const walletTransfer = createRoute({
  getParentRoute: () => wallet,
  path: 'TransferSub',
  staticData: { titleId: 'title.transfer' },
  component: lazyRouteComponent(() => import('./screens/wallet/transfer-screen.tsx'), 'TransferScreen'),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('./screens/history/history-layout.tsx'), 'HistoryLayout'),
});
const historyIndex = createRoute({
  getParentRoute: () => history,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/history/spot_trading_overview' });
  },
});
const historyOrders = createRoute({
  getParentRoute: () => history,
  path: 'spot_trading_overview',
  staticData: { titleId: 'title.orders' },
  component: lazyRouteComponent(() => import('./screens/history/orders-screen.tsx'), 'OrdersScreen'),
});
const historyFills = createRoute({
  getParentRoute: () => history,
  path: 'spot_trading_details',
  staticData: { titleId: 'title.fills' },
  component: lazyRouteComponent(() => import('./screens/history/fills-screen.tsx'), 'FillsScreen'),
});

// Screens of a later version are made from a table, so their addresses are no types.
const DASHBOARD_HOME: string = '/dashboard/profile';
const dashboardIndex = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: () => {
    throw redirect({ to: DASHBOARD_HOME });
  },
});

/** A route of the specification whose screen comes later: an honest page instead of a pretence. */
function laterRoute(later: LaterRoute) {
  return createRoute({
    getParentRoute: () => root,
    path: later.path,
    staticData: { titleId: later.titleId },
    ...(later.member ? { beforeLoad: requireToken } : {}),
    component: lazyRouteComponent(() => import('./screens/later/later-screen.tsx'), 'LaterScreen'),
  });
}

const routeTree = root.addChildren([
  home,
  market,
  marketData,
  about,
  login,
  register,
  outbox,
  spot,
  futures,
  wallet.addChildren([walletIndex, walletOverview, walletTransfer]),
  history.addChildren([historyIndex, historyOrders, historyFills]),
  dashboardIndex,
  ...LATER_ROUTES.map(laterRoute),
]);

/** Builds the router. Every route change scrolls to the top (spec section 2). */
export function createAppRouter() {
  const router = createRouter({
    routeTree,
    defaultPreload: 'intent',
    scrollRestoration: false,
    defaultErrorComponent: FailedScreen,
  });
  router.subscribe('onResolved', ({ pathChanged, toLocation }) => {
    // An address that names a place on its page leads to that place; the router goes there itself.
    if (pathChanged && toLocation.hash === '') window.scrollTo(0, 0);
  });
  return router;
}

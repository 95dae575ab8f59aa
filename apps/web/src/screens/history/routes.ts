import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { requireToken, root } from '../root-route.ts';

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('../member-pages/MemberPages.tsx'), 'LiveMemberPages'),
});
const index = createRoute({
  getParentRoute: () => history,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/history/spot_trading_overview' });
  },
});
const orders = createRoute({
  getParentRoute: () => history,
  path: 'spot_trading_overview',
  staticData: { titleId: 'title.orders' },
  component: lazyRouteComponent(() => import('./orders-screen.tsx'), 'OrdersScreen'),
});
const fills = createRoute({
  getParentRoute: () => history,
  path: 'spot_trading_details',
  staticData: { titleId: 'title.fills' },
  component: lazyRouteComponent(() => import('./fills-screen.tsx'), 'FillsScreen'),
});
const futuresOrders = createRoute({
  getParentRoute: () => history,
  path: 'futures_trading_overview',
  staticData: { titleId: 'nav.history.futuresOrders' },
  component: lazyRouteComponent(() => import('./orders-screen.tsx'), 'FuturesOrdersScreen'),
});
const futuresFills = createRoute({
  getParentRoute: () => history,
  path: 'futures_trading_details',
  staticData: { titleId: 'nav.history.futuresFills' },
  component: lazyRouteComponent(() => import('./fills-screen.tsx'), 'FuturesFillsScreen'),
});
const funding = createRoute({
  getParentRoute: () => history,
  path: 'funding_history',
  staticData: { titleId: 'nav.history.funding' },
  component: lazyRouteComponent(() => import('./funding-screen.tsx'), 'FundingScreen'),
});

/** The records of a member. */
export const historyRoutes = history.addChildren([
  index,
  orders,
  fills,
  futuresOrders,
  futuresFills,
  funding,
]);

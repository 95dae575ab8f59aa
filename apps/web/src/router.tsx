import { createRouter } from '@tanstack/react-router';
import { aboutRoute } from './screens/about/routes.ts';
import { contentRoutes } from './screens/content/routes.ts';
import { dashboardRoutes } from './screens/dashboard/routes.ts';
import { historyRoutes } from './screens/history/routes.ts';
import { homeRoute } from './screens/home/routes.ts';
import { laterRoutes, NotFound } from './screens/later/routes.ts';
import { marketDataRoute } from './screens/market-data/routes.ts';
import { marketsRoute } from './screens/markets/routes.ts';
import { outboxRoute } from './screens/outbox/routes.ts';
import { root } from './screens/root-route.ts';
import { FailedScreen } from './screens/shell/FailedScreen.tsx';
import { Shell } from './screens/shell/Shell.tsx';
import { signInRoutes } from './screens/sign-in/routes.ts';
import { tradeRoutes } from './screens/trade/routes.ts';
import { walletRoutes } from './screens/wallet/routes.ts';

root.update({ component: Shell, notFoundComponent: NotFound });

const routeTree = root.addChildren([
  homeRoute,
  marketsRoute,
  marketDataRoute,
  aboutRoute,
  ...signInRoutes,
  outboxRoute,
  ...tradeRoutes,
  walletRoutes,
  historyRoutes,
  ...contentRoutes,
  dashboardRoutes,
  ...laterRoutes,
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

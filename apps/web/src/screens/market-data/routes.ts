import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../root-route.ts';

/** Perpetuals of all platforms side by side. */
export const marketDataRoute = createRoute({
  getParentRoute: () => root,
  path: '/marketData',
  staticData: { titleId: 'title.marketData' },
  component: lazyRouteComponent(() => import('./market-data-screen.tsx'), 'MarketDataScreen'),
});

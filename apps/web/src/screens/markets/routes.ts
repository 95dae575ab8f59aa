import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../root-route.ts';

/** The markets list. */
export const marketsRoute = createRoute({
  getParentRoute: () => root,
  path: '/market',
  staticData: { titleId: 'title.market' },
  component: lazyRouteComponent(() => import('./markets-screen.tsx'), 'MarketsScreen'),
});

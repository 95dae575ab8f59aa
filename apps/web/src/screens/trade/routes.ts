import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../root-route.ts';

const spot = createRoute({
  getParentRoute: () => root,
  path: '/spot/$exchange/$symbol',
  staticData: { titleId: 'title.spot', terminal: true },
  // `?fill=1`: the visitor comes from "Get test funds" and the ticket opens filled in.
  validateSearch: (search: Record<string, unknown>): { fill?: 1 } => (search.fill === 1 ? { fill: 1 } : {}),
  component: lazyRouteComponent(() => import('./spot-trade-screen.tsx'), 'SpotTradeScreen'),
});

const futures = createRoute({
  getParentRoute: () => root,
  path: '/futures/$exchange/$symbol',
  staticData: { titleId: 'title.futures', terminal: true },
  component: lazyRouteComponent(() => import('./futures-trade-screen.tsx'), 'FuturesTradeScreen'),
});

/** The trade page of pairs and the one of perpetuals. */
export const tradeRoutes = [spot, futures] as const;

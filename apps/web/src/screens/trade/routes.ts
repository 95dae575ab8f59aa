import { PLATFORMS, platformOfSlug, type SymbolType } from '@crossbook/domain';
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { defaultMarket, tradeLink } from '../../stores/market/market.ts';
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

/** Leads an address that names no market to the one that its exchange opens with; the first exchange where none is known. */
function toDefault(symbolType: SymbolType, exchange?: string): never {
  const named = platformOfSlug(exchange ?? '') ?? PLATFORMS[0];
  throw redirect({ ...tradeLink(defaultMarket(named.platform, symbolType)), replace: true });
}

const anySpot = createRoute({
  getParentRoute: () => root,
  path: '/spot',
  beforeLoad: () => toDefault('SPOT'),
});
const spotOf = createRoute({
  getParentRoute: () => root,
  path: '/spot/$exchange',
  beforeLoad: ({ params }) => toDefault('SPOT', params.exchange),
});
const anyFutures = createRoute({
  getParentRoute: () => root,
  path: '/futures',
  beforeLoad: () => toDefault('SWAP'),
});
const futuresOf = createRoute({
  getParentRoute: () => root,
  path: '/futures/$exchange',
  beforeLoad: ({ params }) => toDefault('SWAP', params.exchange),
});

/** The trade page of pairs, the one of perpetuals, and the addresses that lead there. */
export const tradeRoutes = [spot, futures, anySpot, spotOf, anyFutures, futuresOf] as const;

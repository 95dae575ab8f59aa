import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { LATER_ROUTES, type LaterRoute } from '../later-routes.ts';
import { requireToken, root } from '../root-route.ts';

/** A route of the specification whose screen comes later: an honest page instead of a pretence. */
function laterRoute(later: LaterRoute) {
  return createRoute({
    getParentRoute: () => root,
    path: later.path,
    staticData: { titleId: later.titleId },
    ...(later.member ? { beforeLoad: requireToken } : {}),
    component: lazyRouteComponent(() => import('./later-screen.tsx'), 'LaterScreen'),
  });
}

/** All screens of a later version. */
export const laterRoutes = LATER_ROUTES.map(laterRoute);

/** What stands where there is no route. */
export const NotFound = lazyRouteComponent(() => import('./not-found-screen.tsx'), 'NotFoundScreen');

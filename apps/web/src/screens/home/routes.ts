import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../root-route.ts';

/** The home page. */
export const homeRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: { titleId: 'title.home' },
  component: lazyRouteComponent(() => import('./home-screen.tsx'), 'HomeScreen'),
});

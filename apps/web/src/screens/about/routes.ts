import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../root-route.ts';

/** What the product is. */
export const aboutRoute = createRoute({
  getParentRoute: () => root,
  path: '/about',
  staticData: { titleId: 'footer.about' },
  component: lazyRouteComponent(() => import('./about-screen.tsx'), 'AboutScreen'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../root-route.ts';

/** The mails of a hub that sends none. */
export const outboxRoute = createRoute({
  getParentRoute: () => root,
  path: '/dev/outbox',
  staticData: { titleId: 'title.outbox' },
  component: lazyRouteComponent(() => import('./outbox-screen.tsx'), 'OutboxScreen'),
});

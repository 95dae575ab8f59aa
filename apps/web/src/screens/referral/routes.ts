import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { requireToken, root } from '../root-route.ts';

/** Codes, invitees and rewards of a member. */
export const referralRoute = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/self_referral',
  staticData: { titleId: 'nav.dashboard.selfReferral' },
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('./referral-screen.tsx'), 'ReferralScreen'),
});

import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { requireToken, root } from '../root-route.ts';

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('../member-pages/MemberPages.tsx'), 'MemberPages'),
});
const index = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/profile' });
  },
});
const profile = createRoute({
  getParentRoute: () => dashboard,
  path: 'profile',
  staticData: { titleId: 'nav.dashboard.profile' },
  component: lazyRouteComponent(() => import('./profile-screen.tsx'), 'ProfileScreen'),
});
const security = createRoute({
  getParentRoute: () => dashboard,
  path: 'security',
  staticData: { titleId: 'nav.dashboard.security' },
  component: lazyRouteComponent(() => import('./security/security-screen.tsx'), 'SecurityScreen'),
});
const kyc = createRoute({
  getParentRoute: () => dashboard,
  path: 'kyc',
  staticData: { titleId: 'title.kyc' },
  component: lazyRouteComponent(() => import('./kyc/kyc-screen.tsx'), 'KycScreen'),
});
const referral = createRoute({
  getParentRoute: () => dashboard,
  path: 'self_referral',
  staticData: { titleId: 'nav.dashboard.selfReferral' },
  component: lazyRouteComponent(() => import('./referral/referral-screen.tsx'), 'ReferralScreen'),
});

/** The member's own pages. */
export const dashboardRoutes = dashboard.addChildren([index, profile, security, kyc, referral]);

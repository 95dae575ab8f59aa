import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { requireToken, root } from '../root-route.ts';

const index = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/profile' });
  },
});

const profile = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/profile',
  staticData: { titleId: 'nav.dashboard.profile' },
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('./profile-screen.tsx'), 'ProfileScreen'),
});

const security = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/security',
  staticData: { titleId: 'nav.dashboard.security' },
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('./security/security-screen.tsx'), 'SecurityScreen'),
});

const kyc = createRoute({
  getParentRoute: () => root,
  path: '/dashboard/kyc',
  staticData: { titleId: 'title.kyc' },
  beforeLoad: requireToken,
  component: lazyRouteComponent(() => import('./kyc/kyc-screen.tsx'), 'KycScreen'),
});

/** The member's own pages; the last of the menu, /dashboard/self_referral, is a screen of its own. */
export const dashboardRoutes = [index, profile, security, kyc] as const;

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { safeNext } from '../../stores/member/safe-next.ts';
import { root } from '../root-route.ts';

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { titleId: 'title.login' },
  validateSearch: (search: Record<string, unknown>) => safeNext(search.next),
  component: lazyRouteComponent(() => import('./login-screen.tsx'), 'LoginScreen'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/regist',
  staticData: { titleId: 'title.register' },
  component: lazyRouteComponent(() => import('./register-screen.tsx'), 'RegisterScreen'),
});

/** Login and registration. */
export const signInRoutes = [login, register] as const;

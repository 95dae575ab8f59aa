import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PROVIDER_LANDING } from '../../stores/member/provider-return.ts';
import { referralOf } from '../../stores/member/referral-link.ts';
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
  validateSearch: referralOf,
  component: lazyRouteComponent(() => import('./register-screen.tsx'), 'RegisterScreen'),
});

const otp = createRoute({
  getParentRoute: () => root,
  path: '/otp',
  staticData: { titleId: 'title.otp' },
  component: lazyRouteComponent(() => import('./steps/otp-screen.tsx'), 'OtpScreen'),
});

const otpauth = createRoute({
  getParentRoute: () => root,
  path: '/otpauth',
  staticData: { titleId: 'title.otpauth' },
  component: lazyRouteComponent(() => import('./steps/otpauth-screen.tsx'), 'OtpauthScreen'),
});

const provider = createRoute({
  getParentRoute: () => root,
  path: PROVIDER_LANDING,
  staticData: { titleId: 'title.login' },
  component: lazyRouteComponent(() => import('./provider-screen.tsx'), 'ProviderScreen'),
});

const bindPassword = createRoute({
  getParentRoute: () => root,
  path: '/bindPsd',
  staticData: { titleId: 'title.bindPassword' },
  component: lazyRouteComponent(() => import('./bind-password-screen.tsx'), 'BindPasswordScreen'),
});

const forgotScreens = () => import('./recovery/forgot-screens.tsx');

const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgotPassword_A',
  staticData: { titleId: 'title.forgotPassword' },
  validateSearch: (search: Record<string, unknown>): { readonly for?: 'recover' | 'unfreeze' } =>
    search.for === 'unfreeze' ? { for: 'unfreeze' } : {},
  component: lazyRouteComponent(forgotScreens, 'ForgotScreen'),
});

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgotPassword_B',
  staticData: { titleId: 'title.forgotPassword' },
  component: lazyRouteComponent(forgotScreens, 'NewPasswordScreen'),
});

const freeze = createRoute({
  getParentRoute: () => root,
  path: '/freeze',
  staticData: { titleId: 'title.freeze' },
  component: lazyRouteComponent(() => import('./recovery/freeze-screen.tsx'), 'FreezeScreen'),
});

const lostAccess = createRoute({
  getParentRoute: () => root,
  path: '/lostAccess',
  staticData: { titleId: 'title.lostAccess' },
  component: lazyRouteComponent(() => import('./recovery/lost-access-screen.tsx'), 'LostAccessScreen'),
});

/** Login with its steps, registration, and what helps who cannot log in. */
export const signInRoutes = [
  login,
  register,
  otp,
  otpauth,
  provider,
  bindPassword,
  forgot,
  newPassword,
  freeze,
  lostAccess,
] as const;

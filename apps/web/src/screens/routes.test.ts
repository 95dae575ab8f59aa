import { expect, test } from 'vitest';
import { PAGES } from '../../../../tests/e2e/listed-pages.ts';
import { createAppRouter } from '../router.tsx';
import { LATER_ROUTES } from './later-routes.ts';
import { requireToken } from './root-route.ts';

interface RouteChain {
  readonly options: { readonly beforeLoad?: unknown };
  readonly parentRoute?: RouteChain;
}

const ROUTES = new Map(
  Object.entries(createAppRouter().routesByPath as Readonly<Record<string, RouteChain>>),
);

/** These lead on to another and show nothing of their own. */
const LEADING_ON = ['/spot', '/spot/$exchange', '/futures', '/futures/$exchange'];
const SECTIONS = ['/wallet', '/history', '/dashboard'];

/** Routes of spec section 2, as they are registered. */
const OF_THE_SPECIFICATION = [
  ...['/', '/login', '/regist', '/forgotPassword_A', '/forgotPassword_B', '/otp', '/otpauth', '/bindPsd'],
  ...['/about', '/market', '/marketData', '/futures/$exchange/$symbol', '/spot/$exchange/$symbol'],
  ...['/event', '/eventDetail/$eventId', ...SECTIONS],
  ...['profile', 'security', 'self_referral'].map((part) => `/dashboard/${part}`),
  ...['WalletOverview', 'Deposit', 'Withdraw', 'Convert', 'Transfer', 'Exchange', 'Gift'].map(
    (part) => `/wallet/${part}Sub`,
  ),
  ...['spot_trading_overview', 'spot_trading_details'].map((part) => `/history/${part}`),
  ...['futures_trading_overview', 'futures_trading_details', 'funding_history'].map(
    (part) => `/history/${part}`,
  ),
];

function isProtected(route: RouteChain | undefined): boolean {
  return route !== undefined && (route.options.beforeLoad === requireToken || isProtected(route.parentRoute));
}

/** Whether an address is one of a route. */
function matches(path: string, address: string): boolean {
  return new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`).test(address);
}

test('every route of the specification is there, and asks for a login where it says so and nowhere else', () => {
  expect(OF_THE_SPECIFICATION.filter((path) => !ROUTES.has(path))).toEqual([]);
  const asking = [...ROUTES].filter(([, route]) => isProtected(route)).map(([path]) => path);
  const meant = [...ROUTES.keys()].filter((path) => SECTIONS.some((section) => path.startsWith(section)));
  expect(asking.toSorted()).toEqual(meant.toSorted());
});

/** Who is logged in is led on from these; session.test.ts shows it. */
const FOR_VISITORS = ['/login', '/regist'];

test('every page there is has its row among those that are looked at in three languages, by axe and on a phone: for visitors and for members where both see it', () => {
  const shown = [...ROUTES.keys()].filter((path) => ![...LEADING_ON, ...SECTIONS].includes(path));
  const whoSees = (path: string): readonly string[] => [
    ...(isProtected(ROUTES.get(path)) ? [] : ['visitor']),
    ...(FOR_VISITORS.includes(path) ? [] : ['member']),
  ];
  const looked = (path: string): readonly string[] => {
    const rows = PAGES.filter((page) => matches(path, page.path));
    return ['visitor', 'member'].filter((who) =>
      rows.some(({ member = false }) => member === (who === 'member')),
    );
  };
  expect(shown.map((path) => [path, ...looked(path)])).toEqual(shown.map((path) => [path, ...whoSees(path)]));
  const nowhere = PAGES.filter(({ path }) => ![...ROUTES.keys()].some((route) => matches(route, path)));
  expect(nowhere).toEqual([]);
});

test('what comes later is what moves money in and out of the hub, and nothing else', () => {
  expect(LATER_ROUTES.map(({ path }) => path).toSorted()).toEqual(
    ['Deposit', 'Withdraw', 'Convert', 'Exchange', 'Gift'].map((part) => `/wallet/${part}Sub`).toSorted(),
  );
});

import { createStore } from 'zustand/vanilla';

/** Pages of the back office by the last part of their address. */
export const PAGES = [
  'members',
  'kyc',
  'recoveries',
  'approvals',
  'texts',
  'referrals',
  'funds',
  'health',
  'incidents',
  'mails',
  'audit',
  'platforms',
  'offer',
  'admins',
  'passkeys',
] as const;
/** One of them. */
export type PageName = (typeof PAGES)[number];
/** Where the tab is: a page, or the end of a one-time link. */
export type Place = PageName | 'start';

const BASE = '/admin';

function placeOf(path: string): Place {
  const last = path.slice(BASE.length + 1);
  return [...PAGES, 'start' as const].find((name) => name === last) ?? 'members';
}

/** Where this tab is. */
export const placeStore = createStore<{ readonly place: Place }>(() => ({
  place: placeOf(location.pathname),
}));

/** The address of a page. */
export function addressOf(place: Place): string {
  return `${BASE}/${place}`;
}

/** Goes to a page. */
export function goTo(place: Place): void {
  history.pushState(null, '', addressOf(place));
  placeStore.setState({ place });
}

/** Follows the browser's own buttons. */
export function followHistory(): void {
  window.addEventListener('popstate', () => placeStore.setState({ place: placeOf(location.pathname) }));
}

/**
 * The token of a one-time link, taken out of the address at once: what stays in a history or is shared is worth nothing.
 */
export function takeLinkToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token === '') return undefined;
  history.replaceState(null, '', location.pathname);
  return token;
}

import type { CallResponse } from '@crossbook/contract';
import { createStore } from 'zustand/vanilla';
import { keepLogIn, takeAnswer } from './log-in.ts';
import { call, problemOf } from './own-service.ts';
import type { ProviderReturn } from './provider-return.ts';
import { safeNext } from './safe-next.ts';
import { isMember, sessionStore } from './session.ts';

/** Somebody whom the log-in service has confirmed and who has no account here, or has not linked it. */
export type Arrival = Extract<CallResponse<'user/oauthlogin'>, { readonly emailVerified: boolean }>;

/** Lives no longer than the page, like its ticket, which is good for a quarter of an hour. */
export const arrivalStore = createStore<{ readonly arrival: Arrival | undefined }>(() => ({
  arrival: undefined,
}));

/** What a tab keeps while it is away at the service: where it was going, and the referral code that was given. */
const KEPT = { goTo: 'goToAfterProvider', referralCode: 'referralAfterProvider' } as const;

/** This tab leaves the site and comes back to another page; where its storage is forbidden, it forgets. */
function keep(name: keyof typeof KEPT, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(KEPT[name]);
    else sessionStorage.setItem(KEPT[name], text);
  } catch {
    // Forbidden: see above.
  }
}

function kept(name: keyof typeof KEPT): string | undefined {
  try {
    return sessionStorage.getItem(KEPT[name]) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The referral code that was given before the tab went to the service. */
export function keptReferralCode(): string {
  return kept('referralCode') ?? '';
}

/** Sends the browser to the log-in service. @returns what is wrong, in words; nothing once it is on its way. */
export async function goToProvider({
  goTo,
  referralCode,
}: {
  readonly goTo?: string | undefined;
  readonly referralCode?: string;
}): Promise<string | undefined> {
  const answer = await call('x/oauth/Start', {});
  if (!answer.ok) return problemOf(answer) ?? '';
  keep('goTo', goTo);
  keep('referralCode', referralCode);
  location.assign(answer.data.url);
  return undefined;
}

/** Hands in what came back. @returns the path that comes next, or what is wrong; `undefined` where the service said no. */
export async function handIn({
  code,
  state,
  iss,
}: ProviderReturn): Promise<{ readonly to: string } | { readonly problem: string } | undefined> {
  if (code === undefined || state === undefined) return undefined;
  const given = { code, state, ...(iss === undefined ? {} : { iss }) };
  const answer = await call('user/oauthlogin', given);
  if (!answer.ok) return { problem: problemOf(answer) ?? '' };
  const { data } = answer;
  if ('emailVerified' in data) {
    arrivalStore.setState({ arrival: data });
    // Who is logged in came to link it with the account.
    return { to: isMember(sessionStore.getState()) ? '/dashboard/security' : '/bindPsd' };
  }
  keepLogIn('', safeNext(kept('goTo')).next);
  keep('goTo', undefined);
  return { to: takeAnswer(data) };
}

/** It is registered, linked, or not wanted. */
export function forgetArrival(): void {
  keep('referralCode', undefined);
  arrivalStore.setState({ arrival: undefined });
}

import { type CallResponse, CODE_TOKEN_INVALID } from '@crossbook/contract';
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from '../app/browser-storage.ts';

/** The member as `security/userinfo` answers. */
export type UserInfo = CallResponse<'security/userinfo'>;

/** Session values of spec section 3. Logged in = there is a token. */
export interface SessionState {
  readonly token: string | undefined;
  readonly tid: number | undefined;
  readonly user: UserInfo | undefined;
  /** The member's flag as last heard; kept, so that a reload speaks Korean before the profile has been read again. */
  readonly tkropen: boolean;
}

const TOKEN_KEY = 'token';
const TID_KEY = 'tid';
const TKROPEN_KEY = 'tkropen';

function stored(): SessionState {
  const tid = Number(readStored(TID_KEY));
  return {
    token: readStored(TOKEN_KEY),
    tid: Number.isSafeInteger(tid) && tid > 0 ? tid : undefined,
    user: undefined,
    tkropen: readStored(TKROPEN_KEY) === 'true',
  };
}

/** The session of this browser. */
export const sessionStore = createStore<SessionState>(stored);

/** A visitor becomes logged in (spec section 4). */
export function beginSession(session: { readonly token: string; readonly tid: number }): void {
  writeStored(TOKEN_KEY, session.token);
  writeStored(TID_KEY, String(session.tid));
  writeStored(TKROPEN_KEY, undefined);
  sessionStore.setState({ token: session.token, tid: session.tid, user: undefined, tkropen: false });
}

/** The same session goes on under another token: its member has just proved who he is, or changed that. */
export function renewSession(token: string): void {
  writeStored(TOKEN_KEY, token);
  sessionStore.setState({ token });
}

/** The token is cleared: log out, or code -2 (spec section 4). */
export function endSession(): void {
  writeStored(TOKEN_KEY, undefined);
  writeStored(TID_KEY, undefined);
  writeStored(TKROPEN_KEY, undefined);
  sessionStore.setState({ token: undefined, tid: undefined, user: undefined, tkropen: false });
}

/** Another tab logged in or out: take over what it stored. */
export function rereadSession(): void {
  const next = stored();
  if (next.token !== sessionStore.getState().token) sessionStore.setState(next);
}

let renewals = 0;

/** How long another tab may take to store the token that it was just given. */
const STORES_TOKEN_MILLIS_MAX = 2_000;

/** Whether another tab has a newer token for the session than this one; waits while it may be about to store it. */
function renewedElsewhere(token: string | undefined): Promise<boolean> {
  rereadSession();
  return new Promise((resolve) => {
    const settle = (): void => {
      const newer = sessionStore.getState().token;
      if (newer === token) return;
      answer(newer !== undefined);
    };
    const answer = (isRenewed: boolean): void => {
      clearTimeout(timer);
      stop();
      resolve(isRenewed);
    };
    const timer = setTimeout(() => answer(false), STORES_TOKEN_MILLIS_MAX);
    const stop = sessionStore.subscribe(settle);
    settle();
  });
}

/** Whether it is the answer of a call that did nothing, because its token was of no use. */
function isTokenRefused(answer: unknown): boolean {
  return (
    typeof answer === 'object' && answer !== null && 'code' in answer && answer.code === CODE_TOKEN_INVALID
  );
}

/**
 * Runs an act after which the session has another token. The server knows that token before this page does: what is refused
 * meanwhile ends nothing. An act that is refused because another tab had just renewed the session is run once more.
 */
export async function whileRenewing<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  renewals += 1;
  try {
    const { token } = sessionStore.getState();
    const answer = await act();
    return isTokenRefused(answer) && (await renewedElsewhere(token)) ? await act() : answer;
  } finally {
    renewals -= 1;
  }
}

/** The token was refused (code -2): the session is over, unless another tab has a newer token for it. */
export function refuseToken(): void {
  if (renewals > 0) return;
  const { token } = sessionStore.getState();
  rereadSession();
  if (sessionStore.getState().token === token) endSession();
}

/** Keeps the member's profile. */
export function setUser(user: UserInfo): void {
  writeStored(TKROPEN_KEY, user.tkropen ? 'true' : undefined);
  sessionStore.setState({ user, tkropen: user.tkropen });
}

/** Whether somebody is logged in. */
export function isMember(state: SessionState): boolean {
  return state.token !== undefined;
}

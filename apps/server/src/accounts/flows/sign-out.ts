import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import type { SessionStore } from '../ports.ts';
import { endFormerSession, type SessionEvents } from '../sessions/session-events.ts';

/** user/layout: ends the session, its cookie and its live connections. */
export async function signOut(
  deps: { readonly sessionStore: SessionStore; readonly events: SessionEvents },
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'user/layout'>>> {
  await endFormerSession(deps, caller);
  return { ok: true, value: {}, cookie: { clear: true } };
}

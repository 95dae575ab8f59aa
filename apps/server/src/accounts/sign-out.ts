import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import type { SessionStore } from './ports.ts';
import type { SessionEvents } from './session-events.ts';

/** user/layout: ends the session, its cookie and its live connections. */
export async function signOut(
  deps: { readonly sessionStore: SessionStore; readonly events: SessionEvents },
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'user/layout'>>> {
  await deps.sessionStore.end(caller.sessionHash, caller.now);
  deps.events.ended({ sessionHash: caller.sessionHash });
  return { ok: true, value: {}, cookie: { clear: true } };
}

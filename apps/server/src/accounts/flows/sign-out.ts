import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import { carryOut, type SecurityDeps } from '../acts/security-desk.ts';
import type { SessionStore } from '../ports.ts';
import { endFormerSession } from '../sessions/session-events.ts';

/** user/layout: ends the session, its cookie and its live connections. */
export async function signOut(
  deps: SecurityDeps & { readonly sessionStore: SessionStore },
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'user/layout'>>> {
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'user/layout', proofs: [] },
    effects: [{ kind: 'end-session', id: caller.sessionId }],
  });
  // A frozen account is changed by nothing, and nobody is kept in it.
  if (!done.ok) await endFormerSession(deps, caller);
  return { ok: true, value: {}, cookie: { clear: true } };
}

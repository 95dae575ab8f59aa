import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { refusal } from '../ports.ts';
import { carryOut, grantProof, type SecurityDeps } from './security-desk.ts';

/** x/account/Sessions: where the member is logged in now. */
export async function listSessions(
  deps: SecurityDeps,
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'x/account/Sessions'>>> {
  const rows = await deps.security.sessions(caller.user, caller.now);
  const value = rows.map(({ id, userAgent, address, createdAt, seenAt, expiresAt }) => ({
    ...{ id, userAgent, address, createdAt, seenAt, expiresAt, current: id === caller.sessionId },
  }));
  return { ok: true, value };
}

/** x/account/LoginHistory: the time of a log-in is where its next page starts. */
export async function logInHistory(
  deps: SecurityDeps,
  caller: MemberCaller,
  { limit, cursor }: CallRequest<'x/account/LoginHistory'>,
): Promise<CallAnswer<CallResponse<'x/account/LoginHistory'>>> {
  const before = cursor === undefined ? caller.now + 1 : Number(cursor);
  if (!Number.isSafeInteger(before)) {
    return refusal({ error: 'field-invalid', field: 'cursor', allowed: 'the "next" of the page before' });
  }
  const rows = await deps.security.logIns(caller.user, before as Millis, limit);
  const last = rows.at(-1);
  return {
    ok: true,
    value: {
      rows: rows.map(({ createdAt: at, address, userAgent, factors, ended, expiresAt }) => ({
        ...{ at, address, userAgent, factors, ended: ended || expiresAt <= caller.now },
      })),
      next: last === undefined || rows.length < limit ? null : String(last.createdAt),
    },
  };
}

/** x/account/EndSession: the own one freely, another with a grant; one of somebody else is as unknown as any. */
export async function endSession(
  deps: SecurityDeps,
  caller: MemberCaller,
  { id, grant }: CallRequest<'x/account/EndSession'>,
): Promise<CallAnswer<CallResponse<'x/account/EndSession'>>> {
  const own = id === caller.sessionId;
  if (!own && grant === undefined) return refusal({ error: 'grant-invalid' });
  const live = await deps.security.sessions(caller.user, caller.now);
  if (!live.some((session) => session.id === id)) {
    return refusal({ error: 'field-invalid', field: 'id', allowed: 'a session of x/account/Sessions' });
  }
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/account/EndSession' },
    proofs: own || grant === undefined ? [] : [grantProof(caller, grant)],
    effects: [{ kind: 'end-session', id }],
  });
  if (!done.ok) return done;
  return { ok: true, value: {}, ...(own ? { cookie: { clear: true as const } } : {}) };
}

/** x/account/EndOthers: everything but this session, and the trust in all other browsers. */
export async function endOthers(
  deps: SecurityDeps,
  caller: MemberCaller,
  { grant }: CallRequest<'x/account/EndOthers'>,
): Promise<CallAnswer<CallResponse<'x/account/EndOthers'>>> {
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/account/EndOthers', effects: [], ends: 'others' },
    ...{ renews: caller.sessionId, tells: 'sessions-ended' },
    proofs: [grantProof(caller, grant)],
  });
  if (!done.ok) return done;
  const value = { ended: done.acted.ended.length, token: done.token };
  return { ok: true, value, ...(done.cookie === undefined ? {} : { cookie: done.cookie }) };
}

import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { isEmail, normaliseEmail } from '@crossbook/domain';
import type { AccountBudgets } from './budgets.ts';
import type { Captcha } from './captcha.ts';
import type { Passwords } from './passwords.ts';
import { type MemberRecord, type MemberStore, refusal, type SessionStore } from './ports.ts';
import type { SessionEvents } from './session-events.ts';
import type { Sessions } from './sessions.ts';

/** What signing in needs. */
export interface SignInDeps {
  readonly members: MemberStore;
  readonly sessionStore: SessionStore;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly captcha: Captcha;
  readonly budgets: AccountBudgets;
  readonly events: SessionEvents;
}

/** user/accountexist: asked for by spec section 7; the captcha and a budget make listing addresses slow. */
export async function accountExists(
  deps: SignInDeps,
  caller: Caller,
  request: CallRequest<'user/accountexist'>,
): Promise<CallAnswer<CallResponse<'user/accountexist'>>> {
  const email = normaliseEmail(request.account);
  if (!isEmail(email)) return refusal({ error: 'email-invalid', field: 'account' });
  if (!(await deps.captcha.redeem(request.captcha, caller.now))) return refusal({ error: 'captcha-invalid' });
  const limited = await deps.budgets.take('lookUpsPerAddress', caller.address, caller.now);
  if (limited !== undefined) return limited;
  return { ok: true, value: { exists: (await deps.members.byEmail(email)) !== undefined } };
}

/** user/login: an unknown account and a wrong password answer alike and cost alike. */
export async function signIn(
  deps: SignInDeps,
  caller: Caller,
  request: CallRequest<'user/login'>,
): Promise<CallAnswer<CallResponse<'user/login'>>> {
  if (!(await deps.captcha.redeem(request.captcha, caller.now))) return refusal({ error: 'captcha-invalid' });
  const email = normaliseEmail(request.account);
  const limited =
    (await deps.budgets.take('loginsPerAddress', caller.address, caller.now)) ??
    (await deps.budgets.take('loginsPerAccount', email, caller.now));
  if (limited !== undefined) return limited;
  const member = isEmail(email) ? await deps.members.byEmail(email) : undefined;
  const verdict = await deps.passwords.verify(request.password, member?.passwordHash);
  if (!verdict.ok) return refusal({ error: 'sign-in-busy' });
  if (member === undefined || !verdict.value.matches) return refusal({ error: 'login-failed' });
  if (verdict.value.outdated) await refreshHash(deps, member, request.password);
  await deps.budgets.restart('loginsPerAccount', email);

  const session = deps.sessions.issue(caller);
  // The session this browser had before ends: a login never leaves two behind one cookie.
  await deps.sessionStore.open(member.user, session.record, caller.previousSession);
  if (caller.previousSession !== undefined) {
    deps.events.ended({ sessionHash: caller.previousSession });
  }
  return { ok: true, value: { token: session.stoken, tid: member.user }, cookie: session.cookie };
}

async function refreshHash(deps: SignInDeps, member: MemberRecord, password: string): Promise<void> {
  const hashed = await deps.passwords.hash(password);
  if (hashed.ok) await deps.members.replacePasswordHash(member.user, hashed.value);
}

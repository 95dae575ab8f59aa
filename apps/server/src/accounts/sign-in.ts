import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { isEmail, normaliseEmail } from '@crossbook/domain';
import type { AccountBudgets } from './budgets.ts';
import { type Captcha, WORK_CLASS_MAX } from './captcha.ts';
import type { Passwords } from './passwords.ts';
import { type MemberRecord, type MemberStore, type Refused, refusal, type SessionStore } from './ports.ts';
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
  const work = await deps.captcha.redeem(request.captcha, caller.now);
  if (work === undefined) return refusal({ error: 'captcha-invalid' });
  const limited = await deps.budgets.take('lookUpsPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  return { ok: true, value: { exists: (await deps.members.byEmail(email)) !== undefined } };
}

/** Wrong passwords of an account after which each further log-in there takes twice the work. */
const FAILURES_PER_WORK_CLASS = 5;

function workDue(failures: number): number {
  return Math.min(WORK_CLASS_MAX, Math.floor(failures / FAILURES_PER_WORK_CLASS));
}

/** pub/getcaptcha: for a log-in it names the account, whose wrong passwords say how much work is due. */
export async function issueCaptcha(
  deps: Pick<SignInDeps, 'captcha' | 'budgets'>,
  caller: Caller,
  { account }: CallRequest<'pub/getcaptcha'>,
): Promise<CallAnswer<CallResponse<'pub/getcaptcha'>>> {
  const target = account === undefined ? undefined : normaliseEmail(account);
  const failures =
    target === undefined ? 0 : await deps.budgets.used('loginFailuresPerAccount', target, caller.now);
  return { ok: true, value: await deps.captcha.issue(caller.now, workDue(failures)) };
}

/**
 * Who may try a password now: the sender within its budgets, with the work that the account's wrong passwords ask for.
 * The failure is counted before the password is compared, so that parallel guesses do not share one count. Nothing here
 * refuses an owner for what strangers did: they make his log-in dearer by some seconds of work.
 */
async function admitTry(
  deps: SignInDeps,
  caller: Caller,
  tried: { readonly email: string; readonly work: number },
): Promise<Refused | undefined> {
  const { email, work } = tried;
  const limited =
    (await deps.budgets.take('loginsPerAddress', caller, caller.now)) ??
    (await deps.budgets.take('loginsPerPair', { address: caller.address, about: email }, caller.now));
  if (limited !== undefined) return limited;
  const counted = await deps.budgets.count('loginFailuresPerAccount', email, caller.now);
  // One class of grace: the account may have got another wrong password while this work was done.
  if (work + 1 >= workDue(counted - 1)) return undefined;
  await deps.budgets.giveBack('loginFailuresPerAccount', email);
  return refusal({ error: 'captcha-invalid' });
}

/** user/login: an unknown account and a wrong password answer alike and cost alike. */
export async function signIn(
  deps: SignInDeps,
  caller: Caller,
  request: CallRequest<'user/login'>,
): Promise<CallAnswer<CallResponse<'user/login'>>> {
  const work = await deps.captcha.redeem(request.captcha, caller.now);
  if (work === undefined) return refusal({ error: 'captcha-invalid' });
  const email = normaliseEmail(request.account);
  const refused = await admitTry(deps, caller, { email, work });
  if (refused !== undefined) return refused;
  const member = isEmail(email) ? await deps.members.byEmail(email) : undefined;
  const verdict = await deps.passwords.verify(request.password, member?.passwordHash);
  const matches = member !== undefined && verdict.ok && verdict.value.matches;
  if (matches || !verdict.ok) await deps.budgets.giveBack('loginFailuresPerAccount', email);
  if (!verdict.ok) return refusal({ error: 'sign-in-busy' });
  if (member === undefined || !matches) return refusal({ error: 'login-failed' });
  if (verdict.value.outdated) await refreshHash(deps, member, request.password);
  await deps.budgets.restart('loginsPerPair', { address: caller.address, about: email });

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

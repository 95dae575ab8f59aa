import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { normaliseEmail } from '@crossbook/domain';
import { secondFactorsOf } from '../acts/second-factor.ts';
import type { SecurityDeps } from '../acts/security-desk.ts';
import { contactOf, contactRefusal, reachedAt } from '../contacts.ts';
import { WORK_CLASS_MAX } from '../factors/captcha.ts';
import { compareCode, sendTo } from '../factors/codes.ts';
import { about, type MemberRecord, type Refused, refusal } from '../ports.ts';
import type { LogInStep, Proof } from '../security-ports.ts';
import { beginSteps, mustProveMailbox, openMemberSession } from './log-in-steps.ts';

/** What signing in needs. */
export interface SignInDeps extends SecurityDeps {
  /** Whether a browser that the member never used is asked for a code by mail. */
  readonly newDeviceCode: boolean;
}

/** user/accountexist: asked for by spec section 7; the captcha and a budget make listing addresses slow. */
export async function accountExists(
  deps: SignInDeps,
  caller: Caller,
  request: CallRequest<'user/accountexist'>,
): Promise<CallAnswer<CallResponse<'user/accountexist'>>> {
  const contact = contactOf(request.account);
  if (contact === undefined) return contactRefusal(request.account, 'account');
  const work = await deps.captcha.redeem(request.captcha, caller.now);
  if (work === undefined) return refusal({ error: 'captcha-invalid' });
  const limited = await deps.budgets.take('lookUpsPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  return { ok: true, value: { exists: (await deps.members.byContact(contact.to)) !== undefined } };
}

/** Wrong passwords of an account after which each further log-in there takes twice the work. */
const FAILURES_PER_WORK_CLASS = 5;

function workDue(failures: number): number {
  return Math.min(WORK_CLASS_MAX, Math.floor(failures / FAILURES_PER_WORK_CLASS));
}

/** pub/getcaptcha: for a log-in it names the account, whose wrong passwords say how much work is due. */
export async function issueCaptcha(
  deps: Pick<SignInDeps, 'captcha' | 'budgets' | 'devices'>,
  caller: Caller,
  { account }: CallRequest<'pub/getcaptcha'>,
): Promise<CallAnswer<CallResponse<'pub/getcaptcha'>>> {
  const target = account === undefined ? undefined : (contactOf(account)?.to ?? normaliseEmail(account));
  const failures =
    target === undefined || (await deps.devices.trusted(target, caller)) !== undefined
      ? 0
      : await deps.budgets.used('loginFailuresPerAccount', target, caller.now);
  const device = deps.devices.first(caller);
  const value = await deps.captcha.issue(caller.now, workDue(failures));
  return { ok: true, value, ...(device === undefined ? {} : { device }) };
}

/**
 * Who may try a password now: the sender within its budgets, with the work that the account's wrong passwords ask for.
 * The failure is counted before the password is compared, so that parallel guesses do not share one count. Nothing here
 * refuses an owner for what strangers did: they make his log-in dearer by some seconds of work, and not even that in a
 * browser where he has logged in before.
 */
async function admitTry(
  deps: SignInDeps,
  caller: Caller,
  tried: { readonly account: string; readonly work: number; readonly device: string | undefined },
): Promise<Refused | undefined> {
  const { account, work, device } = tried;
  if (device !== undefined) {
    return deps.budgets.take('loginsPerDevice', { ...caller, device, about: account }, caller.now);
  }
  const limited =
    (await deps.budgets.take('loginsPerAddress', caller, caller.now)) ??
    (await deps.budgets.take('loginsPerPair', { address: caller.address, about: account }, caller.now));
  if (limited !== undefined) return limited;
  const counted = await deps.budgets.count('loginFailuresPerAccount', account, caller.now);
  // One class of grace: the account may have got another wrong password while this work was done.
  if (work + 1 >= workDue(counted - 1)) return undefined;
  await deps.budgets.giveBack('loginFailuresPerAccount', account);
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
  const contact = contactOf(request.account);
  const account = contact?.to ?? normaliseEmail(request.account);
  const device = await deps.devices.trusted(account, caller);
  const refused = await admitTry(deps, caller, { account, work, device });
  if (refused !== undefined) return refused;
  const member = contact === undefined ? undefined : await deps.members.byContact(contact.to);
  const mailbox = await proveMailbox(deps, caller, { account, member, device, code: request.code });
  if (!mailbox.ok) return about(member?.user, mailbox);
  const verdict = await deps.passwords.verify(request.password, member?.passwordHash);
  const matches = member !== undefined && verdict.ok && verdict.value.matches;
  if (device === undefined && (matches || !verdict.ok)) await giveFailureBack(deps, account);
  if (device !== undefined && verdict.ok) await noteInARow(deps, caller, { account, device, matches });
  if (!verdict.ok) return refusal({ error: 'sign-in-busy' });
  if (member === undefined || !matches) return about(member?.user, refusal({ error: 'login-failed' }));
  if (verdict.value.outdated) await refreshHash(deps, member, request.password);
  await deps.budgets.restart('loginsPerPair', { address: caller.address, about: account });
  if (device !== undefined)
    await deps.budgets.restart('loginsPerDevice', { ...caller, device, about: account });
  const { user } = member;
  const trusted = device !== undefined;
  const proved = mailbox.proofs.length > 0;
  const factors = proved ? 'pwd code' : 'pwd';
  const [first, ...rest] = await stepsOf(deps, caller, { user, known: trusted || proved });
  if (first !== undefined) return beginSteps(deps, caller, { user, factors, steps: [first, ...rest] });
  const arrived = { user, call: 'user/login' as const, factors, trusted };
  return openMemberSession(deps, caller, arrived, () => mailbox.proofs);
}

/** Who keeps guessing in a browser of the member's own is not the member: it is trusted no more, and asks for a code as any other. */
async function noteInARow(
  deps: SignInDeps,
  { now }: Caller,
  {
    account,
    device,
    matches,
  }: { readonly account: string; readonly device: string; readonly matches: boolean },
): Promise<void> {
  const target = `${device} ${account}`;
  if (matches) return deps.budgets.restartCount('wrongInARowPerDevice', target);
  const wrong = await deps.budgets.count('wrongInARowPerDevice', target, now);
  if (wrong <= deps.budgets.limitOf('wrongInARowPerDevice')) return;
  await deps.devices.endTrust(account, device, { wrong, now });
  await deps.budgets.restartCount('wrongInARowPerDevice', target);
}

/** What was counted before the compare was no failure. */
async function giveFailureBack(deps: SignInDeps, account: string): Promise<void> {
  await deps.budgets.giveBack('loginFailuresPerAccount', account);
  if (deps.newDeviceCode) await deps.budgets.giveBack('guardedLoginsPerAccount', account);
}

type Mailbox = { readonly ok: true; readonly proofs: readonly Proof[] } | Refused;

/**
 * Where an account's passwords were guessed at too often, a browser that is not its member's own proves the mailbox before
 * a password is compared at all: guesses from however many networks end there. Alike for an account that is not there.
 */
async function proveMailbox(
  deps: SignInDeps,
  caller: Caller,
  given: {
    readonly account: string;
    readonly member: MemberRecord | undefined;
    readonly device: string | undefined;
    readonly code: string | undefined;
  },
): Promise<Mailbox> {
  const { account, member, device, code } = given;
  if (device !== undefined || !deps.newDeviceCode) return { ok: true, proofs: [] };
  const counted = await deps.budgets.count('guardedLoginsPerAccount', account, caller.now);
  if (counted <= deps.budgets.limitOf('guardedLoginsPerAccount')) return { ok: true, proofs: [] };
  // By what was typed, so that a number tells nothing of whether it is a member's, or of one with a mailbox.
  if (account.startsWith('+') && deps.texts === undefined) {
    await giveFailureBack(deps, account);
    return refusal({ error: 'texts-unavailable' });
  }
  const target = member === undefined ? account : reachedAt(member).to;
  if (code !== undefined) {
    const checked = await compareCode(deps, caller, { target, purpose: 'login', code });
    if (checked.ok) return { ok: true, proofs: [{ kind: 'code', id: checked.id, target, purpose: 'login' }] };
    await giveFailureBack(deps, account);
    return checked;
  }
  await giveFailureBack(deps, account);
  const limited = await sendTo(deps, caller, { target, purpose: 'login' });
  return limited ?? refusal({ error: 'factor-required', allowed: 'code' });
}

/** What is asked for after the right password, or after what stands for it. */
export async function stepsOf(
  deps: SignInDeps,
  caller: Caller,
  { user, known }: { readonly user: MemberRecord['user']; readonly known: boolean },
): Promise<readonly LogInStep[]> {
  if ((await secondFactorsOf(deps, user)) === undefined) {
    return deps.newDeviceCode && !known ? ['device'] : [];
  }
  const guarded = !known && (await mustProveMailbox(deps, caller, user));
  return guarded ? ['device', 'totp'] : ['totp'];
}

async function refreshHash(deps: SignInDeps, member: MemberRecord, password: string): Promise<void> {
  const hashed = await deps.passwords.hash(password);
  if (hashed.ok) await deps.members.replacePasswordHash(member.user, hashed.value);
}

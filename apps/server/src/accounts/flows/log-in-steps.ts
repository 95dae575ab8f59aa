import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { type Millis, type UserId, uuidV7 } from '@crossbook/domain';
import { factorProof, logInPurpose, methodsOf, secondFactorsOf } from '../acts/second-factor.ts';
import { carryOut, type SecurityDeps } from '../acts/security-desk.ts';
import { contactOf, masked, reachedAt } from '../contacts.ts';
import { CODE_LIFE_MILLIS, compareCode, sendTo } from '../factors/codes.ts';
import { keyedHash, type SecretKey, sameText } from '../keyed-hash.ts';
import { about, type Refused, refusal } from '../ports.ts';
import type { LogInFlow, LogInStep, Proof } from '../security-ports.ts';
import { REPEATED_MILLIS } from './repeated-steps.ts';

/** A log-in must be finished within this time. */
export const LOG_IN_LIFE_MILLIS = 10 * 60_000;
/** Wrong codes that one log-in stands. */
const TRIES_MAX = 5;

type Answer = CallAnswer<CallResponse<'user/login'>>;
type Opened = CallAnswer<CallResponse<'x/passkey/Login'>>;

/** Who has proved what, when a log-in comes to its end. */
interface Arrived {
  readonly user: UserId;
  readonly call: 'user/login' | 'user/loginstep2' | 'user/oauthlogin' | 'x/passkey/Login';
  readonly factors: string;
  readonly trusted: boolean;
}

/** What is mailed of a log-in: that one of ten codes is gone, else that the browser was not known. */
function mailOf({ factors, trusted }: Pick<Arrived, 'factors' | 'trusted'>) {
  if (factors.split(' ').includes('recovery')) return { tells: 'recovery-code-used' as const };
  return trusted ? {} : { tells: 'new-device' as const };
}

/**
 * The end of a log-in: the session this browser had before ends, so that a log-in never leaves two behind one cookie.
 * @param proofOf what is used up, given the answer that is kept for the same step sent again.
 */
export async function openMemberSession(
  deps: SecurityDeps,
  caller: Caller,
  { user, call, factors, trusted }: Arrived,
  proofsOf: (answer: string) => readonly Proof[] = () => [],
): Promise<Opened> {
  const device = await deps.devices.renew(caller, { trust: true });
  const issued = deps.sessions.issue(caller, device.record);
  const value = { token: issued.stoken, tid: user };
  const answer = { ok: true as const, value, cookie: issued.cookie, device: device.cookie };
  const done = await carryOut(deps, caller, {
    ...{ user, call, proofs: proofsOf(JSON.stringify(answer)) },
    effects: [{ kind: 'session', session: issued.record, replaces: caller.previousSession, factors }],
    ...mailOf({ factors, trusted }),
  });
  return done.ok ? answer : done;
}

function ticketOf(key: SecretKey, id: string): string {
  return `${id}.${keyedHash(key, 'log-in', id)}`;
}

/** What a step needs before it can be taken; what is answered then. */
async function nextAnswer(
  deps: SecurityDeps,
  caller: Caller,
  { id, user, step }: { readonly id: string; readonly user: UserId; readonly step: LogInStep },
): Promise<Answer> {
  const ticket = ticketOf(deps.key, id);
  if (step === 'totp') {
    const factors = await secondFactorsOf(deps, user);
    const methods = factors === undefined ? [] : [...methodsOf(factors)];
    return { ok: true, value: { next: step, methods, ticket, maskedTo: null } };
  }
  const contact = reachedAt(await deps.security.profile(user));
  const limited = await sendTo(deps, caller, { target: contact.to, purpose: 'login' });
  const value = { next: step, methods: ['code' as const], ticket, maskedTo: masked(contact) };
  return limited ?? { ok: true, value };
}

/** The password was right, and more is asked for. */
export async function beginSteps(
  deps: SecurityDeps,
  caller: Caller,
  begun: {
    readonly user: UserId;
    readonly factors: string;
    readonly steps: readonly [LogInStep, ...LogInStep[]];
  },
): Promise<Answer> {
  const { user, factors, steps } = begun;
  const id = uuidV7(caller.now, deps.random(10));
  const expiresAt = (caller.now + LOG_IN_LIFE_MILLIS) as Millis;
  const device = await deps.devices.askerOf(caller);
  await deps.security.beginLogIn({
    ...{ id, user, device, steps, factors, tries: TRIES_MAX, expiresAt },
    ...{ cookie: caller.device, answer: undefined, answeredAt: undefined },
  });
  return nextAnswer(deps, caller, { id, user, step: steps[0] });
}

/** The log-in of a ticket that is ours; whether it is the caller's is for `device` to say. */
export async function flowOfTicket(
  deps: SecurityDeps,
  caller: Caller,
  ticket: string,
): Promise<LogInFlow | undefined> {
  const id = ticket.slice(0, 36);
  if (!/^[0-9a-f-]{36}$/.test(id) || !sameText(ticket, ticketOf(deps.key, id))) return undefined;
  return deps.security.logInFlow(id, caller.now);
}

/**
 * sms/sms, purpose login: the code of a log-in once more, to the member and to nowhere else. Costs no try of
 * the log-in; the budgets of codes hold.
 */
export async function sendLogInCode(
  deps: SecurityDeps,
  caller: Caller,
  { target, captcha, ticket = '' }: CallRequest<'sms/sms'>,
): Promise<CallAnswer<CallResponse<'sms/sms'>>> {
  const work = await deps.captcha.redeem(captcha, caller.now);
  if (work === undefined) return refusal({ error: 'captcha-invalid' });
  const flow = await flowOfTicket(deps, caller, ticket);
  const isWaiting = flow?.steps[0] === 'device' && flow.device === (await deps.devices.askerOf(caller));
  if (flow === undefined || !isWaiting) return refusal({ error: 'flow-invalid' });
  const profile = await deps.security.profile(flow.user);
  const named = contactOf(target)?.to;
  if (named === undefined || (named !== profile.email && named !== profile.mobile))
    return refusal({ error: 'flow-invalid' });
  const limited = await sendTo(deps, caller, { target: reachedAt(profile).to, purpose: 'login' });
  return limited ?? { ok: true, value: { validMinutes: CODE_LIFE_MILLIS / 60_000 } };
}

type Taken = { readonly ok: true; readonly proofs: readonly Proof[]; readonly factor: string } | Refused;

async function proveDevice(
  deps: SecurityDeps,
  caller: Caller,
  { flow, code }: { readonly flow: LogInFlow; readonly code: string },
): Promise<Taken> {
  const { to: target } = reachedAt(await deps.security.profile(flow.user));
  const checked = await compareCode(deps, caller, { target, purpose: 'login', code });
  if (!checked.ok) return checked;
  return {
    ok: true,
    proofs: [{ kind: 'code', id: checked.id, target, purpose: 'login' }],
    factor: 'code',
  };
}

/**
 * Compares a second factor. Wrong codes from browsers that are not the member's own are counted before they are compared; too
 * many, and the code in the mailbox is asked for first. A passkey's answer cannot be guessed, so that it is not counted.
 */
async function proveFactor(
  deps: SecurityDeps,
  caller: Caller,
  { flow, request }: { readonly flow: LogInFlow; readonly request: CallRequest<'user/loginstep2'> },
): Promise<Taken> {
  const factors = await secondFactorsOf(deps, flow.user);
  if (factors === undefined) return refusal({ error: 'flow-invalid' });
  const purpose = await logInPurpose(deps, caller, flow.id);
  const { totp, recovery, passkey } = request;
  if (passkey !== undefined) {
    const proof = await factorProof(deps, caller, { factors, given: { passkey }, purpose });
    return proof.ok ? { ...proof, factor: 'passkey' } : proof;
  }
  const { to } = reachedAt(await deps.security.profile(flow.user));
  const guarded = (await deps.devices.trusted(to, caller)) === undefined && !flow.factors.includes('code');
  const counter = String(flow.user);
  const wrong = guarded ? await deps.budgets.count('factorFailuresPerAccount', counter, caller.now) : 0;
  const wrongMax = deps.budgets.limitOf('factorFailuresPerAccount');
  if (wrong > wrongMax) {
    await deps.budgets.giveBack('factorFailuresPerAccount', counter);
    return refusal({ error: 'flow-invalid' });
  }
  const factor = await factorProof(deps, caller, { factors, given: { totp, recovery }, purpose });
  if (!factor.ok) {
    if (wrong === wrongMax) await tellOfThePassword(deps, caller, flow.user);
    return factor;
  }
  if (guarded) await deps.budgets.giveBack('factorFailuresPerAccount', counter);
  const isRecovery = recovery !== undefined;
  return { ok: true, proofs: factor.proofs, factor: isRecovery ? 'recovery' : 'otp' };
}

/** Whoever guesses at an authenticator has given the right password. */
async function tellOfThePassword(deps: SecurityDeps, caller: Caller, user: UserId): Promise<void> {
  await carryOut(deps, caller, {
    ...{ user, call: 'user/loginstep2', proofs: [], effects: [], tells: 'password-known' },
  });
}

/** Whether so many authenticator codes were wrong that strangers must prove the mailbox before they may try one. */
export async function mustProveMailbox(deps: SecurityDeps, caller: Caller, user: UserId): Promise<boolean> {
  const wrong = await deps.budgets.used('factorFailuresPerAccount', String(user), caller.now);
  return wrong >= deps.budgets.limitOf('factorFailuresPerAccount');
}

/** user/loginstep2: one step; a step that succeeded answers the same for a minute, and is never taken twice. */
export async function takeStep(
  deps: SecurityDeps,
  caller: Caller,
  request: CallRequest<'user/loginstep2'>,
): Promise<Answer> {
  const flow = await flowOfTicket(deps, caller, request.ticket);
  if (flow === undefined) return refusal({ error: 'flow-invalid' });
  return about(flow.user, await stepOf(deps, caller, { flow, request }));
}

async function stepOf(
  deps: SecurityDeps,
  caller: Caller,
  { flow, request }: { readonly flow: LogInFlow; readonly request: CallRequest<'user/loginstep2'> },
): Promise<Answer> {
  const asker = await deps.devices.askerOf(caller);
  const repeated = flow.answeredAt !== undefined && caller.now - flow.answeredAt < REPEATED_MILLIS;
  const [step, ...rest] = flow.steps;
  if (step === undefined) {
    // The answer that carried the browser's next cookie may be the one that was lost.
    const sameBrowser = asker === flow.device || (flow.cookie !== undefined && flow.cookie === caller.device);
    const same = repeated && flow.answer !== undefined && sameBrowser;
    return same ? (JSON.parse(flow.answer) as Answer) : refusal({ error: 'flow-invalid' });
  }
  if (asker !== flow.device || !(await deps.security.takeTry(flow.id)))
    return refusal({ error: 'flow-invalid' });
  const { code } = request;
  if (step === 'device' && code === undefined) return refusal({ error: 'factor-required', allowed: 'code' });
  const taken =
    step === 'device'
      ? await proveDevice(deps, caller, { flow, code: code ?? '' })
      : await proveFactor(deps, caller, { flow, request });
  if (!taken.ok) return taken;
  const factors = `${flow.factors} ${taken.factor}`;
  const proofsOf = (answer: string): readonly Proof[] => [
    { kind: 'step', flow: flow.id, step, answer, factors },
    ...taken.proofs,
  ];
  const { user } = flow;
  const [next] = rest;
  const call = 'user/loginstep2';
  if (next !== undefined) {
    const done = await carryOut(deps, caller, { user, call, proofs: proofsOf(''), effects: [] });
    return done.ok ? nextAnswer(deps, caller, { id: flow.id, user, step: next }) : done;
  }
  const { to } = reachedAt(await deps.security.profile(user));
  const trusted = (await deps.devices.trusted(to, caller)) !== undefined;
  return openMemberSession(deps, caller, { user, call, factors, trusted }, proofsOf);
}

import {
  type AdminCaller,
  type AdminHandlers,
  type AdminRequest,
  type AdminResponse,
  type AdminRole,
  APPROVERS,
  type ApprovalKind,
  ASKED_BY,
  type CallAnswer,
  type Caller,
  mayCall,
  type Refusal,
} from '@crossbook/contract';
import { type Millis, normaliseEmail } from '@crossbook/domain';
import type { AccountBudgets } from '../accounts/budgets.ts';
import { masked, ownWords } from '../accounts/contacts.ts';
import type { IsCommonPassword } from '../accounts/factors/known-passwords.ts';
import type { Passwords } from '../accounts/factors/passwords.ts';
import { base32, otpUri, SECRET_BYTES, stepOfCode } from '../accounts/factors/totp.ts';
import { sha256Hex } from '../accounts/keyed-hash.ts';
import { refusal } from '../accounts/ports.ts';
import { type AdminSessions, DEMO_SESSION_MILLIS, loggedIn, PROVED_MILLIS } from './admin-sessions.ts';
import { type AdminPasskeyDeps, logInPurpose, stepUpPurpose, usedPasskey } from './passkey-calls.ts';
import { type AdminStore, actingOf, type DemoName } from './ports.ts';
import type { StaffWatch } from './staff-ports.ts';

/** What the log-in of admins needs. */
export interface AdminSignInDeps extends AdminPasskeyDeps {
  readonly store: AdminStore;
  readonly sessions: AdminSessions;
  readonly passwords: Passwords;
  readonly isCommonPassword: IsCommonPassword;
  readonly budgets: AccountBudgets;
  /** Paper money with an outbox: strangers may look around. */
  readonly demo: boolean;
  readonly staffWatch: StaffWatch;
  /** With paper money one admin alone has orders ended. */
  readonly realMoney: boolean;
}

/** The calls of who an admin is. */
export type AdminSignInCall =
  | 'x/admin/StartBegin'
  | 'x/admin/Start'
  | 'x/admin/LogIn'
  | 'x/admin/PasskeyLogIn'
  | 'x/admin/LogOut'
  | 'x/admin/Demo'
  | 'x/admin/Me'
  | 'x/admin/StepUp';

type Session = CallAnswer<AdminResponse<'x/admin/LogIn'>>;

/** Between the two every call of the back office can be tried; only the pair of treasury checker stays with nobody. */
const DEMO_ROLES: Readonly<Record<DemoName, readonly AdminRole[]>> = {
  maker: ['support', 'treasury-maker', 'admin', 'auditor'],
  checker: ['kyc', 'admin', 'auditor'],
};

const KINDS = Object.keys(ASKED_BY) as ApprovalKind[];
/** Every role that decides anything. */
const DECIDING_ROLES = [...new Set(Object.values(APPROVERS).flat())];

/** A try that is refused, in the audit log. */
async function refusedTry(
  { store }: AdminSignInDeps,
  caller: Caller,
  { call, error, admin }: { readonly call: string; readonly error: Refusal; readonly admin?: number },
): Promise<Session> {
  await store.noteRefused({
    ...{ admin, address: caller.address, call, outcome: error.error, now: caller.now },
  });
  return refusal(error);
}

async function startBegin(
  { store, budgets, random, productName, staffWatch }: AdminSignInDeps,
  caller: Caller,
  { token }: AdminRequest<'x/admin/StartBegin'>,
): Promise<CallAnswer<AdminResponse<'x/admin/StartBegin'>>> {
  const limited = await budgets.take('adminTriesPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  // Before anybody comes in by a break-glass, the others are written to.
  await staffWatch.tell(caller.now);
  const invite = await store.openInvite(sha256Hex(token), random(SECRET_BYTES), caller.now);
  if (invite === undefined) return refusal({ error: 'flow-invalid' });
  const { email, roles, secret, expiresAt } = invite;
  const uri = otpUri(`${productName} admin`, email, secret);
  return { ok: true, value: { email, roles: [...roles], secret: base32(secret), uri, expiresAt } };
}

async function start(
  deps: AdminSignInDeps,
  caller: Caller,
  request: AdminRequest<'x/admin/Start'>,
): Promise<Session> {
  const { store, budgets, random, passwords, sessions } = deps;
  const call = 'x/admin/Start';
  const limited = await budgets.take('adminTriesPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  const hash = sha256Hex(request.token);
  const invite = await store.openInvite(hash, random(SECRET_BYTES), caller.now);
  if (invite === undefined) return refusedTry(deps, caller, { call, error: { error: 'flow-invalid' } });
  const step = stepOfCode(invite.secret, request.totp, caller.now);
  if (step === undefined) return refusedTry(deps, caller, { call, error: { error: 'factor-wrong' } });
  if (deps.isCommonPassword(request.password, [deps.productName, ...ownWords(invite.email)])) {
    return refusedTry(deps, caller, { call, error: { error: 'password-common', field: 'password' } });
  }
  const hashed = await passwords.hash(request.password);
  if (!hashed.ok) return refusal({ error: 'sign-in-busy' });
  const issued = sessions.issue(caller);
  const admin = await store.start({ hash, passwordHash: hashed.value, step }, issued.record);
  if (admin === undefined) return refusedTry(deps, caller, { call, error: { error: 'flow-invalid' } });
  return loggedIn(issued);
}

/** Which of the three was wrong is not told; an unknown address costs the same work. */
async function logIn(
  deps: AdminSignInDeps,
  caller: Caller,
  request: AdminRequest<'x/admin/LogIn'>,
): Promise<Session> {
  const { store, budgets, passwords, sessions } = deps;
  const limited = await budgets.take('adminTriesPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  const admin = await store.byEmail(normaliseEmail(request.email));
  const verdict = await passwords.verify(request.password, admin?.passwordHash);
  if (!verdict.ok) return refusal({ error: 'sign-in-busy' });
  const failed = { call: 'x/admin/LogIn', error: { error: 'login-failed' } } as const;
  if (admin === undefined) return refusedTry(deps, caller, failed);
  const failedOf = { ...failed, admin: admin.id };
  if (!verdict.value.matches) return refusedTry(deps, caller, failedOf);
  // Counted before the code is compared, so that tries at once are no more than tries in turn. A new password begins anew.
  const tries = await budgets.count('adminCodesPerPassword', admin.passwordHash, caller.now);
  if (tries > budgets.limitOf('adminCodesPerPassword')) return refusedTry(deps, caller, failedOf);
  const step = stepOfCode(admin.otpSecret, request.totp, caller.now);
  const issued = sessions.issue(caller);
  if (step === undefined || !(await store.logIn(admin.id, step, issued.record)))
    return refusedTry(deps, caller, failedOf);
  await budgets.giveBack('adminCodesPerPassword', admin.passwordHash);
  return loggedIn(issued);
}

/** A passkey proves what is had and who has it: nothing is asked for besides. Whose it would be is not told. */
async function logInByPasskey(
  deps: AdminSignInDeps,
  caller: Caller,
  { passkey: answer }: AdminRequest<'x/admin/PasskeyLogIn'>,
): Promise<Session> {
  const { budgets, sessions, passkeys } = deps;
  if (deps.passkeySite(caller.origin) === undefined) return refusal({ error: 'passkey-host' });
  const limited = await budgets.take('adminTriesPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  const passkey = await passkeys.byCredential(answer.id);
  const used = await usedPasskey(deps, caller, { answer, passkey, purpose: logInPurpose(caller) });
  const issued = sessions.issue(caller);
  // Who answers is learned from the passkey alone, so that it has to say so itself.
  const isNamed = answer.response.userHandle !== undefined;
  if (used === undefined || !isNamed || !(await passkeys.logIn(used, issued.record)))
    return refusedTry(deps, caller, {
      ...{ call: 'x/admin/PasskeyLogIn', error: { error: 'passkey-failed' } },
      ...(passkey === undefined ? {} : { admin: passkey.admin }),
    });
  return loggedIn(issued);
}

async function demo(
  deps: AdminSignInDeps,
  caller: Caller,
  { as }: AdminRequest<'x/admin/Demo'>,
): Promise<Session> {
  if (!deps.demo) return refusal({ error: 'unknown-call' });
  const limited = await deps.budgets.take('adminTriesPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  const issued = deps.sessions.issue(caller, DEMO_SESSION_MILLIS);
  const { expiresAt } = issued.record;
  await deps.store.openDemo(as, DEMO_ROLES[as], { ...issued.record, provedUntil: expiresAt });
  return loggedIn(issued);
}

/** Whether what was given proves the admin now; changes are open then. */
async function isProved(
  deps: AdminSignInDeps,
  caller: AdminCaller,
  { given: { totp, passkey: answer }, provedUntil }: ProofGiven,
): Promise<boolean> {
  const { store, passkeys } = deps;
  if (answer !== undefined) {
    const known = await passkeys.of(caller.admin);
    const passkey = known.find(({ credentialId }) => credentialId === answer.id);
    const used = await usedPasskey(deps, caller, { answer, passkey, purpose: stepUpPurpose(caller) });
    return used !== undefined && passkeys.stepUp(actingOf(caller), used, provedUntil);
  }
  const secret = await store.otpSecret(caller.admin);
  const step = secret && totp && stepOfCode(secret, totp, caller.now);
  return typeof step === 'number' && store.stepUp(actingOf(caller), step, provedUntil);
}

interface ProofGiven {
  readonly given: AdminRequest<'x/admin/StepUp'>;
  readonly provedUntil: Millis;
}

async function stepUp(
  deps: AdminSignInDeps,
  caller: AdminCaller,
  given: AdminRequest<'x/admin/StepUp'>,
): Promise<CallAnswer<AdminResponse<'x/admin/StepUp'>>> {
  const { store, budgets } = deps;
  if ((given.totp === undefined) === (given.passkey === undefined))
    return refusal({ error: 'field-invalid', field: 'totp', allowed: 'totp or passkey' });
  const sender = { address: caller.address, device: caller.sessionId };
  const limited = await budgets.take('factorTriesPerProof', sender, caller.now);
  if (limited !== undefined) return limited;
  const provedUntil = (caller.now + PROVED_MILLIS) as Millis;
  if (await isProved(deps, caller, { given, provedUntil })) {
    await budgets.restart('factorTriesPerProof', sender);
    return { ok: true, value: { provedUntil } };
  }
  const error = given.passkey === undefined ? 'factor-wrong' : 'passkey-failed';
  await store.noteRefused({
    ...{ admin: caller.admin, address: caller.address, call: 'x/admin/StepUp' },
    ...{ outcome: error, now: caller.now },
  });
  return refusal({ error });
}

/** What this admin may ask for and nobody else may decide: on the first days of a hub, nearly everything. */
async function undecidable(
  { staffWatch, realMoney }: AdminSignInDeps,
  { admin, roles, demo }: AdminCaller,
): Promise<ApprovalKind[]> {
  // Of the demo admins there is always the other.
  if (demo) return [];
  const others = await staffWatch.rolesOfOthers(admin, DECIDING_ROLES);
  return KINDS.filter(
    (kind) =>
      mayCall(ASKED_BY[kind], roles) &&
      !APPROVERS[kind].some((role) => others.includes(role)) &&
      (realMoney || kind !== 'resolve-order'),
  );
}

async function self(
  deps: AdminSignInDeps,
  caller: AdminCaller,
): Promise<CallAnswer<AdminResponse<'x/admin/Me'>>> {
  const { adminName: name, roles, demo, expiresAt, provedUntil = 0, now } = caller;
  const renewed = await deps.staffWatch.breakGlasses(now);
  return {
    ok: true,
    value: {
      ...{ name, roles: [...roles], demo, expiresAt, provedUntil: provedUntil > now ? provedUntil : null },
      passkeys: (await deps.passkeys.of(caller.admin)).length,
      breakGlasses: renewed.map(({ name: whose, at }) => ({
        ...{ name: demo ? masked({ kind: 'email', to: whose }) : whose, at },
      })),
      undecidable: await undecidable(deps, caller),
    },
  };
}

/** One-time links, log-in, step-up, log-out. */
export function adminSignIn(deps: AdminSignInDeps): Pick<AdminHandlers, AdminSignInCall> {
  return {
    'x/admin/StartBegin': (caller, request) => startBegin(deps, caller, request),
    'x/admin/Start': (caller, request) => start(deps, caller, request),
    'x/admin/LogIn': (caller, request) => logIn(deps, caller, request),
    'x/admin/PasskeyLogIn': (caller, request) => logInByPasskey(deps, caller, request),
    'x/admin/Demo': (caller, request) => demo(deps, caller, request),
    'x/admin/StepUp': (caller, request) => stepUp(deps, caller, request),
    'x/admin/LogOut': async (caller) => {
      await deps.store.end(caller.sessionId, caller.now);
      return { ok: true, value: {}, cookie: { clear: true } };
    },
    'x/admin/Me': (caller) => self(deps, caller),
  };
}

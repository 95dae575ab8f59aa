import type { CallAnswer, Caller, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import type { UserId } from '@crossbook/domain';
import type { PasswordRules } from '../acts/password-changes.ts';
import { carryOut, renewedAnswer, type SecurityDeps } from '../acts/security-desk.ts';
import { type DemoEndListeners, tellOver } from '../demo-ends.ts';
import { codeOfFlow } from '../factors/codes.ts';
import { type DemoStore, type Refused, refusal, type SessionStore } from '../ports.ts';
import { drawReferralCode, REFERRAL_DRAWS_MAX } from '../referral.ts';
import { endFormerSession } from '../sessions/session-events.ts';
import type { IssuedSession } from '../sessions/sessions.ts';
import { contactOfForm, formRefusal } from './sign-up.ts';

/** Demos alive at a time; above it the one idle longest ends for a newcomer. */
export const DEMOS_ALIVE_MAX = 1_000;
/** Nobody's demo ends for a newcomer who was there within this time. */
export const DEMO_IDLE_MILLIS_MIN = 3_600_000;

/** What demos need. */
export interface DemoDeps extends SecurityDeps, PasswordRules {
  readonly demos: DemoStore;
  readonly sessionStore: SessionStore;
  readonly restrictedCountries: readonly string[];
  readonly demoOver: DemoEndListeners['demoOver'];
}

/** x/demo/Start: a member without a contact or a password, for paper money only. The same browser gets its demo again. */
export async function startDemo(
  deps: DemoDeps,
  caller: Caller,
  { captcha }: CallRequest<'x/demo/Start'>,
): Promise<CallAnswer<CallResponse<'x/demo/Start'>>> {
  const work = await deps.captcha.redeem(captcha, caller.now);
  if (work === undefined) return refusal({ error: 'captcha-invalid' });
  const device = await deps.devices.of(caller);
  const renewed = await deps.devices.renew(caller, { trust: true });
  const session = deps.sessions.issue(caller, renewed.record);
  const known = device === undefined ? undefined : await deps.demos.ofDevice(device);
  const isBack = known !== undefined && (await deps.demos.resume(known, session.record));
  const user = isBack ? known : await beginDemo(deps, caller, { device, session });
  if (typeof user === 'object') return user;
  // Its cookie is overwritten, and its live connections are another member's.
  await endFormerSession(deps, caller);
  const value = { token: session.stoken, tid: user };
  return { ok: true, value, cookie: session.cookie, device: renewed.cookie };
}

async function beginDemo(
  deps: DemoDeps,
  caller: Caller,
  { device, session }: { readonly device: string | undefined; readonly session: IssuedSession },
): Promise<UserId | Refused> {
  // By network: a browser without its cookie is a new one as often as it likes.
  const limited =
    (await deps.budgets.take('demosPerAddress', { address: caller.address }, caller.now)) ??
    (await deps.budgets.takeOfStrangers('demos', caller.now));
  if (limited !== undefined) return limited;
  const bounds = { aliveMax: DEMOS_ALIVE_MAX, idleMillisMin: DEMO_IDLE_MILLIS_MIN };
  for (let draw = 0; draw < REFERRAL_DRAWS_MAX; draw += 1) {
    const referralCode = drawReferralCode(deps.random);
    const nickname = `Demo-${referralCode.slice(0, 4)}`;
    const { language } = caller;
    const demo = { device, nickname, referralCode, session: session.record, language };
    const made = await deps.demos.begin(demo, bounds);
    if (made.ok) {
      if (made.value.over !== undefined) tellOver(deps, made.value.over, caller.now);
      return made.value.user;
    }
    if (made.code === 'full') return refusal({ error: 'demo-limit' });
  }
  throw new Error('no free referral code was found');
}

/** x/demo/Keep: by the rules of a sign-up. Orders, balances and the member's number stay; the session goes on. */
export async function keepDemo(
  deps: DemoDeps,
  caller: MemberCaller,
  request: CallRequest<'x/demo/Keep'>,
): Promise<CallAnswer<CallResponse<'x/demo/Keep'>>> {
  if (caller.demo !== true) return refusal({ error: 'account-exists' });
  const contact = contactOfForm(request);
  if ('ok' in contact) return contact;
  const wrong = formRefusal(deps, contact, request);
  if (wrong !== undefined) return wrong;
  const limited = await deps.budgets.take('signUpsPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  const id = codeOfFlow(request.flow, contact.to, 'register', deps.key);
  if (id === undefined) return refusal({ error: 'flow-invalid' });
  const hashed = await deps.passwords.hash(request.password);
  if (!hashed.ok) return refusal({ error: 'sign-in-busy' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'x/demo/Keep', renews: caller.sessionId, ends: 'others' },
    proofs: [{ kind: 'code', id, target: contact.to, purpose: 'register' }],
    effects: [
      {
        ...{ kind: 'keep-demo' as const, passwordHash: hashed.value },
        email: contact.kind === 'email' ? contact.to : undefined,
        mobile: contact.kind === 'mobile' ? contact.to : undefined,
        ...{ country: request.country, language: caller.language },
      },
    ],
    ...{ locks: 'password', isFirst: true },
  });
  // Told only to who has just proved the contact.
  if (!done.ok && done.code.error === 'contact-taken') return refusal({ error: 'account-exists' });
  return renewedAnswer(done, {});
}

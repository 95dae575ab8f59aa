import type { CallAnswer, Caller, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import type { UserId } from '@crossbook/domain';
import type { PasswordRules } from '../acts/password-changes.ts';
import { carryOut, renewedAnswer, type SecurityDeps } from '../acts/security-desk.ts';
import { networkOf } from '../budgets.ts';
import { DEMO_IDLE_MILLIS_MIN, DEMOS_ALIVE_MAX, type DemoEndListeners, tellOver } from '../demo-ends.ts';
import { codeOfFlow } from '../factors/codes.ts';
import { keyedHash } from '../keyed-hash.ts';
import { type DemoStore, type Refused, refusal, type SessionStore } from '../ports.ts';
import { drawReferralCode, REFERRAL_DRAWS_MAX } from '../referral.ts';
import { endFormerSession } from '../sessions/session-events.ts';
import type { IssuedSession } from '../sessions/sessions.ts';
import { contactOfForm } from './sign-up.ts';

/** What demos need. */
export interface DemoDeps extends SecurityDeps, PasswordRules {
  readonly demos: DemoStore;
  readonly sessionStore: SessionStore;
  readonly restrictedCountries: readonly string[];
  readonly demoOver: DemoEndListeners['demoOver'];
  /** Demos alive of one network. */
  readonly demosPerNetworkMax: number;
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
  const known = device === undefined ? undefined : await deps.demos.ofDevice(device);
  if (known !== undefined) {
    const often = await deps.budgets.take('demoReturnsPerAddress', { address: caller.address }, caller.now);
    if (often !== undefined) return often;
  }
  const renewed = await deps.devices.renew(caller, { trust: true });
  const session = deps.sessions.issue(caller, renewed.record);
  const former = known === undefined ? undefined : await deps.demos.resume(known, session.record);
  for (const end of former ?? []) deps.events.ended(end);
  const user = former === undefined ? await beginDemo(deps, caller, { device, session }) : known;
  if (user === undefined || typeof user === 'object') return user ?? refusal({ error: 'demo-limit' });
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
  const bounds = {
    ...{ aliveMax: DEMOS_ALIVE_MAX, idleMillisMin: DEMO_IDLE_MILLIS_MIN },
    perNetworkMax: deps.demosPerNetworkMax,
  };
  const network = keyedHash(deps.key, 'demo network', networkOf(caller.address, 48));
  for (let draw = 0; draw < REFERRAL_DRAWS_MAX; draw += 1) {
    const referralCode = drawReferralCode(deps.random);
    const nickname = `Demo-${referralCode.slice(0, 4)}`;
    const { language } = caller;
    const demo = { device, network, nickname, referralCode, session: session.record, language };
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
  const contact = await contactOfForm(deps, caller, request);
  if ('ok' in contact) return contact;
  const id = await codeOfFlow(deps, caller, request.flow, { target: contact.to, purpose: 'register' });
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
    ...{ locks: 'password', isFirst: true, tells: contact.kind === 'email' ? 'email-bound' : 'mobile-bound' },
    // The first that can be told.
    alsoTo: [contact.to],
  });
  // Told only to who has just proved the contact.
  if (!done.ok && done.code.error === 'contact-taken') return refusal({ error: 'account-exists' });
  return renewedAnswer(done, {});
}

import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { newPasswordRefusal, type PasswordRules } from '../acts/password-changes.ts';
import type { AccountBudgets } from '../budgets.ts';
import { type Contact, contactOf, ownWords } from '../contacts.ts';
import { isCountry } from '../countries.ts';
import { codeOfFlow } from '../factors/codes.ts';
import type { Devices } from '../factors/devices.ts';
import type { Passwords } from '../factors/passwords.ts';
import type { SecretKey } from '../keyed-hash.ts';
import { type MemberStore, type RandomBytes, type Refused, refusal, type SessionStore } from '../ports.ts';
import { drawReferralCode, findReferrer, REFERRAL_DRAWS_MAX } from '../referral.ts';
import { endFormerSession, type SessionEvents } from '../sessions/session-events.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** What signing up needs. */
export interface SignUpDeps extends PasswordRules {
  readonly members: MemberStore;
  readonly sessions: Sessions;
  readonly sessionStore: SessionStore;
  readonly events: SessionEvents;
  readonly passwords: Passwords;
  readonly budgets: AccountBudgets;
  readonly devices: Devices;
  /** Secret of the codes and flow tokens. */
  readonly codeKey: SecretKey;
  readonly random: RandomBytes;
  readonly restrictedCountries: readonly string[];
}

type Request = CallRequest<'user/usernew'>;

/** The contact of a sign-up: an address or a number, exactly one. */
function contactTyped({ email, mobile }: Pick<Request, 'email' | 'mobile'>): Contact | Refused {
  const kind = mobile === undefined ? 'email' : 'mobile';
  const typed = mobile ?? email;
  if (typed === undefined || (mobile !== undefined && email !== undefined))
    return refusal({ error: 'field-invalid', field: kind, allowed: 'either email or mobile' });
  const contact = contactOf(typed);
  if (contact?.kind === kind) return contact;
  return refusal({ error: kind === 'email' ? 'email-invalid' : 'mobile-invalid', field: kind });
}

/** The rules of spec section 5, in the order of the catalogue. */
function formRefusal(
  rules: Pick<SignUpDeps, 'restrictedCountries'> & PasswordRules,
  { to }: Contact,
  request: Pick<Request, 'password' | 'agree' | 'country'>,
): Refused | undefined {
  const weak = newPasswordRefusal(rules, request.password, ownWords(to));
  if (weak !== undefined) return weak;
  if (request.agree !== 'true') return refusal({ error: 'terms-required', field: 'agree' });
  const { country } = request;
  if (country === undefined) {
    // Else leaving it out were the way past the rule.
    return rules.restrictedCountries.length === 0
      ? undefined
      : refusal({ error: 'field-invalid', field: 'country', allowed: 'required' });
  }
  if (!isCountry(country))
    return refusal({ error: 'field-invalid', field: 'country', allowed: 'a code of common/country' });
  return rules.restrictedCountries.includes(country)
    ? refusal({ error: 'region-restricted', field: 'country' })
    : undefined;
}

/**
 * The contact of a form that makes an account. Whatever way it came, contact, password, terms and country are judged in this order,
 * and what passes counts against the sign-ups of its address.
 */
export async function contactOfForm(
  deps: Pick<SignUpDeps, 'restrictedCountries' | 'budgets'> & PasswordRules,
  caller: Caller,
  form: Pick<Request, 'email' | 'mobile' | 'password' | 'agree' | 'country'>,
): Promise<Contact | Refused> {
  const contact = contactTyped(form);
  if ('ok' in contact) return contact;
  const wrong = formRefusal(deps, contact, form);
  return wrong ?? (await deps.budgets.take('signUpsPerAddress', caller, caller.now)) ?? contact;
}

/** Until the member chooses one: a name that tells nothing of the contact. */
function firstNickname(referralCode: string): string {
  return `Trader-${referralCode.slice(0, 4)}`;
}

/** user/usernew: registers a member whose address or number was verified, and logs in. */
export async function signUp(
  deps: SignUpDeps,
  caller: Caller,
  request: Request,
): Promise<CallAnswer<CallResponse<'user/usernew'>>> {
  const contact = await contactOfForm(deps, caller, request);
  if ('ok' in contact) return contact;
  const matter = { target: contact.to, purpose: 'register' } as const;
  const codeId = await codeOfFlow({ ...deps, key: deps.codeKey }, caller, request.flow, matter);
  if (codeId === undefined) return refusal({ error: 'flow-invalid' });
  return registerMember(deps, caller, { contact, request, codeId, call: 'user/usernew' });
}

/** Somebody whose form is in order and whose contact has its proof. */
interface Newcomer {
  readonly contact: Contact;
  readonly request: Pick<Request, 'password' | 'country' | 'referralCode'>;
  /** The code that proved the contact; absent where a log-in service confirms it. */
  readonly codeId: string | undefined;
  readonly call: 'user/usernew' | 'x/oauth/BindPassword';
  /** Who came from a log-in service, which is linked with the account. */
  readonly arrivalId?: string;
  readonly factors?: string;
}

/** Makes the member and logs in. */
export async function registerMember(
  deps: SignUpDeps,
  caller: Caller,
  { contact, request, codeId, call, arrivalId, factors }: Newcomer,
): Promise<CallAnswer<CallResponse<'user/usernew'>>> {
  const referrer = await findReferrer(deps.members, request.referralCode);
  if (referrer.kind === 'unknown') return refusal({ error: 'referral-unknown', field: 'referralCode' });
  const hashed = await deps.passwords.hash(request.password);
  if (!hashed.ok) return refusal({ error: 'sign-in-busy' });

  const device = await deps.devices.renew(caller, { trust: true });
  const session = deps.sessions.issue(caller, device.record);
  for (let draw = 0; draw < REFERRAL_DRAWS_MAX; draw += 1) {
    const referralCode = drawReferralCode(deps.random);
    const made = await deps.members.register({
      email: contact.kind === 'email' ? contact.to : undefined,
      mobile: contact.kind === 'mobile' ? contact.to : undefined,
      passwordHash: hashed.value,
      nickname: firstNickname(referralCode),
      country: request.country,
      referralCode,
      referredBy: referrer.kind === 'member' ? referrer.user : undefined,
      referredWith: referrer.kind === 'member' ? referrer.code : undefined,
      ...{ codeId, arrivalId, call },
      session: { ...session.record, ...(factors === undefined ? {} : { factors }) },
      language: caller.language,
    });
    if (made.ok) {
      // Its cookie is overwritten, and its live connections are another member's.
      await endFormerSession(deps, caller);
      const value = { token: session.stoken, tid: made.value };
      return { ok: true, value, cookie: session.cookie, device: device.cookie };
    }
    if (made.code === 'contact-taken') return refusal({ error: 'account-exists' });
    if (made.code === 'terms-unpublished') return refusal({ error: made.code });
    if (made.code === 'code-gone') return refusal({ error: 'flow-invalid' });
  }
  throw new Error('no free referral code was found');
}

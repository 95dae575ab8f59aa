import type { CallAnswer, Caller, CallRequest, CallResponse } from '@crossbook/contract';
import { isEmail, normaliseEmail, passwordGaps } from '@crossbook/domain';
import type { AccountBudgets } from './budgets.ts';
import { codeOfFlow } from './codes.ts';
import { isCountry } from './countries.ts';
import type { SecretKey } from './keyed-hash.ts';
import type { Passwords } from './passwords.ts';
import { type MemberStore, type RandomBytes, type Refused, refusal, type SessionStore } from './ports.ts';
import { drawReferralCode, findReferrer } from './referral.ts';
import type { SessionEvents } from './session-events.ts';
import type { Sessions } from './sessions.ts';

/** What signing up needs. */
export interface SignUpDeps {
  readonly members: MemberStore;
  readonly sessions: Sessions;
  readonly sessionStore: SessionStore;
  readonly events: SessionEvents;
  readonly passwords: Passwords;
  readonly budgets: AccountBudgets;
  /** Secret of the codes and flow tokens. */
  readonly codeKey: SecretKey;
  readonly random: RandomBytes;
}

/** How often a referral code that is already taken is drawn again. */
const REFERRAL_DRAWS_MAX = 5;

type Request = CallRequest<'user/usernew'>;

/** The rules of spec section 5, in the order of the catalogue. */
function formRefusal(email: string, request: Request): Refused | undefined {
  if (!isEmail(email)) return refusal({ error: 'email-invalid', field: 'email' });
  const gaps = passwordGaps(request.password);
  if (gaps.length > 0)
    return refusal({ error: 'password-weak', field: 'password', allowed: gaps.join(', ') });
  if (request.agree !== 'true') return refusal({ error: 'terms-required', field: 'agree' });
  if (request.country !== undefined && !isCountry(request.country)) {
    return refusal({ error: 'field-invalid', field: 'country', allowed: 'a code of common/country' });
  }
  return undefined;
}

/** Until the member chooses one: a name that tells nothing of the mail address. */
function firstNickname(referralCode: string): string {
  return `Trader-${referralCode.slice(0, 4)}`;
}

/** The session this browser had before ends: its cookie is overwritten, and its live connections are another member's. */
async function endFormerSession(deps: SignUpDeps, caller: Caller): Promise<void> {
  if (caller.previousSession === undefined) return;
  await deps.sessionStore.end(caller.previousSession, caller.now);
  deps.events.ended({ sessionHash: caller.previousSession });
}

/** user/usernew: registers a member whose address was verified, and logs in. */
export async function signUp(
  deps: SignUpDeps,
  caller: Caller,
  request: Request,
): Promise<CallAnswer<CallResponse<'user/usernew'>>> {
  const email = normaliseEmail(request.email);
  const wrong = formRefusal(email, request);
  if (wrong !== undefined) return wrong;
  const limited = await deps.budgets.take('signUpsPerAddress', caller, caller.now);
  if (limited !== undefined) return limited;
  const codeId = codeOfFlow(request.flow, email, 'register', deps.codeKey);
  if (codeId === undefined) return refusal({ error: 'flow-invalid' });
  const referrer = await findReferrer(deps.members, request.referralCode);
  if (referrer.kind === 'unknown') return refusal({ error: 'referral-unknown', field: 'referralCode' });
  const hashed = await deps.passwords.hash(request.password);
  if (!hashed.ok) return refusal({ error: 'sign-in-busy' });

  const session = deps.sessions.issue(caller);
  for (let draw = 0; draw < REFERRAL_DRAWS_MAX; draw += 1) {
    const referralCode = drawReferralCode(deps.random);
    const made = await deps.members.register({
      email,
      passwordHash: hashed.value,
      nickname: firstNickname(referralCode),
      country: request.country,
      referralCode,
      referredBy: referrer.kind === 'member' ? referrer.user : undefined,
      codeId,
      session: session.record,
    });
    if (made.ok) {
      await endFormerSession(deps, caller);
      return { ok: true, value: { token: session.stoken, tid: made.value }, cookie: session.cookie };
    }
    if (made.code === 'email-taken') return refusal({ error: 'account-exists' });
    if (made.code === 'code-gone') return refusal({ error: 'flow-invalid' });
  }
  throw new Error('no free referral code was found');
}

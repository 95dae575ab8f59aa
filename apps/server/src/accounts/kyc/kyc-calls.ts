import type { CallAnswer, CallRequest, CallResponse, MemberCaller, Refusal } from '@crossbook/contract';
import { type Millis, uuidV7 } from '@crossbook/domain';
import type { AccountBudgets } from '../budgets.ts';
import { isCountry } from '../countries.ts';
import { type RandomBytes, type Refused, refusal } from '../ports.ts';
import type { SecurityStore } from '../security-ports.ts';
import { kycMail } from './kyc-mails.ts';
import type { CleanPictureMaker, KycPicture, KycStore } from './kyc-ports.ts';
import { KYC_STEPS, tierOf } from './kyc-states.ts';
import { pictureKind } from './picture-kind.ts';

/** What the member's side needs. */
export interface KycDeps {
  readonly kyc: KycStore;
  readonly security: Pick<SecurityStore, 'profile' | 'isFrozen'>;
  readonly budgets: AccountBudgets;
  readonly cleanPicture: CleanPictureMaker;
  readonly restrictedCountries: readonly string[];
  readonly random: RandomBytes;
  readonly productName: string;
}

const PICTURES = { 'kyc-front': 'front', 'kyc-back': 'back', 'kyc-face': 'face' } as const;
const AGE_YEARS_MIN = 18;
/** A document that ends sooner is not taken. */
const VALID_DAYS_MIN = 30;
const DAY_MILLIS = 86_400_000;

/** Whose budget it is: the member's, in whatever browser. */
function memberOnly({ user, address }: MemberCaller): { readonly address: string; readonly device: string } {
  return { address, device: `member ${user}` };
}

/** What stands against handing anything in now. */
async function closedFor({ kyc, security }: KycDeps, caller: MemberCaller): Promise<Refused | undefined> {
  if (await security.isFrozen(caller.user)) return refusal({ error: 'account-frozen' });
  const { state } = await kyc.standing(caller.user);
  return KYC_STEPS[state].submit === undefined ? refusal({ error: 'kyc-state' }) : undefined;
}

/** usercommon/upload: keeps a picture that was made anew from its pixels; what was sent is never written anywhere. */
export async function uploadPicture(
  deps: KycDeps,
  caller: MemberCaller,
  { kind, file }: CallRequest<'usercommon/upload'>,
): Promise<CallAnswer<CallResponse<'usercommon/upload'>>> {
  const closed = await closedFor(deps, caller);
  if (closed !== undefined) return closed;
  const limited = await deps.budgets.take('uploadsPerMember', memberOnly(caller), caller.now);
  if (limited !== undefined) return limited;
  const found = pictureKind(file);
  if (found === undefined) return refusal({ error: 'file-unreadable', field: 'file' });
  if (!found.taken) return refusal({ error: 'file-type', field: 'file', given: found.name });
  const cleaned = await deps.cleanPicture(file);
  if (!cleaned.ok) {
    // Nobody looked at his picture, and it was not for what he sent.
    if (cleaned.code !== 'unreadable') await deps.budgets.undoTake('uploadsPerMember', memberOnly(caller));
    const errors = { busy: 'busy', away: 'unavailable', unreadable: 'file-unreadable' } as const;
    return refusal({ error: errors[cleaned.code] });
  }
  const { value: picture } = cleaned;
  const id = uuidV7(caller.now, deps.random(10));
  const { user, address, now } = caller;
  await deps.kyc.keepPicture({ id, user, kind: PICTURES[kind], picture, address, now });
  return { ok: true, value: { fileId: id, width: picture.width, height: picture.height } };
}

/** x/kyc/Status: how the member stands and what that opens, before it is met. */
export async function kycStatus(
  { kyc, security, restrictedCountries }: KycDeps,
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'x/kyc/Status'>>> {
  const [standing, profile] = await Promise.all([kyc.standing(caller.user), security.profile(caller.user)]);
  const { state, submittedAt = null, decidedAt = null, validUntil = null, reason = null, note } = standing;
  return {
    ok: true,
    value: {
      ...{ state, tier: tierOf(state), submittedAt, decidedAt, validUntil, reason, note },
      country: profile.country ?? null,
      restricted: [...restrictedCountries],
    },
  };
}

/** The day in UTC that a moment belongs to, `YYYY-MM-DD`. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && dayOf(at) === text;
}

/** The first field that cannot be so. @param now decides about age and validity, by the day in UTC. */
export function kycFieldFault(
  request: CallRequest<'x/kyc/Submit'>,
  restricted: readonly string[],
  now: Millis,
): Refusal | undefined {
  const { birthDate, country, documentKind, documentExpires, back } = request;
  const wrong = (field: string, allowed: string): Refusal => ({ error: 'field-invalid', field, allowed });
  const today = dayOf(now);
  const newest = `${String(Number(today.slice(0, 4)) - AGE_YEARS_MIN)}${today.slice(4)}`;
  if (!isDay(birthDate) || birthDate < '1900-01-01') return wrong('birthDate', 'a date such as 1990-12-31');
  if (birthDate > newest) return wrong('birthDate', `${AGE_YEARS_MIN} years ago or earlier`);
  if (!isCountry(country)) return wrong('country', 'a code of common/country');
  if (restricted.includes(country)) return { error: 'region-restricted', field: 'country' };
  if (documentExpires !== undefined) {
    const isLate = isDay(documentExpires) && documentExpires >= dayOf(now + VALID_DAYS_MIN * DAY_MILLIS);
    if (!isLate) return wrong('documentExpires', `at least ${VALID_DAYS_MIN} days from now`);
  }
  const needsBack = documentKind !== 'passport';
  if (needsBack && back === undefined) return wrong('back', 'needed for this document');
  return !needsBack && back !== undefined ? wrong('back', 'a passport has none') : undefined;
}

/** x/kyc/Submit: makes a case of the fields and the member's own uploads. */
export async function submitKyc(
  deps: KycDeps,
  caller: MemberCaller,
  request: CallRequest<'x/kyc/Submit'>,
): Promise<CallAnswer<CallResponse<'x/kyc/Submit'>>> {
  const closed = await closedFor(deps, caller);
  if (closed !== undefined) return closed;
  const fault = kycFieldFault(request, deps.restrictedCountries, caller.now);
  if (fault !== undefined) return refusal(fault);
  const limited = await deps.budgets.take('kycSubmitsPerMember', memberOnly(caller), caller.now);
  if (limited !== undefined) return limited;
  const { front, back, face, consent: _consent, ...fields } = request;
  const { email: to, language, antiPhishing } = await deps.security.profile(caller.user);
  const text = kycMail(deps.productName, 'pending', { language, antiPhishing });
  const mail = to === undefined ? undefined : { to, ...text };
  const pictures: Partial<Record<KycPicture, string>> = {
    front,
    face,
    ...(back === undefined ? {} : { back }),
  };
  const { user, address, now } = caller;
  const id = uuidV7(now, deps.random(10));
  const done = await deps.kyc.submit({ user, id, fields, pictures, address, now, mail });
  if (done.ok) return { ok: true, value: {} };
  const { code } = done;
  if (code === 'account-frozen' || code === 'kyc-state') return refusal({ error: code });
  return refusal({
    error: 'field-invalid',
    field: code,
    allowed: 'a picture that you uploaded within a day',
  });
}

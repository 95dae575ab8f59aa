import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { type Contact, contactOf, contactRefusal, masked } from '../contacts.ts';
import { CODE_LIFE_MILLIS, codeOfFlow, sendTo } from '../factors/codes.ts';
import { type Refused, refusal } from '../ports.ts';
import type { ProviderStore } from '../provider-ports.ts';
import type { Effect, Proof } from '../security-ports.ts';
import { carryOut, grantProof, renewedAnswer, type SecurityDeps } from './security-desk.ts';

/** What is asked for where there is none of its kind; a refusal says it in the caller's language. */
const CONTACT_WORDS = { email: 'an e-mail address', mobile: 'a mobile number' } as const;

/** security/userinfonew: everything of the member that a page about security shows; secrets never, contacts masked. */
export async function fullProfile(
  deps: SecurityDeps & { readonly providers: Pick<ProviderStore, 'linkedAt'> },
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'security/userinfonew'>>> {
  const member = await deps.members.byId(caller.user);
  if (member === undefined) return refusal({ error: 'token-invalid' });
  const { security } = deps;
  const [profile, otp, passkeys, recoveryCodesLeft, lockUntil, agreed, kyc, linkedAt] = await Promise.all([
    security.profile(caller.user),
    security.otpSecret(caller.user),
    deps.passkeys.of(caller.user),
    security.recoveryCodesLeft(caller.user),
    security.lockedUntil(caller.user),
    security.agreed(caller.user),
    deps.kyc.standing(caller.user),
    deps.providers.linkedAt(caller.user),
  ]);
  const word = profile.antiPhishing;
  return {
    ok: true,
    value: {
      ...{ tid: member.user, memberId: String(member.user), nickname: member.nickname },
      email: maskedOrNone('email', member.email),
      mobile: maskedOrNone('mobile', member.mobile),
      tkropen: member.tkropen,
      ...{ ip: member.lastLoginAddress, lastLogin: member.lastLoginAt ?? null },
      password: { set: true, changedAt: profile.passwordChangedAt ?? null },
      ...{
        googleAuth: otp !== undefined,
        passkeys: passkeys.length,
        recoveryCodesLeft,
        kycStatus: kyc.state,
      },
      ...{ referralCode: member.referralCode, kolReferralCode: member.kolReferralCode ?? null },
      ...{ country: profile.country ?? null, language: profile.language, lockUntil: lockUntil ?? null },
      antiPhishing: word === undefined ? null : `${word.slice(0, 1)}***`,
      ...{ agreed: [...agreed], providerLinkedAt: linkedAt ?? null },
    },
  };
}

function maskedOrNone(kind: Contact['kind'], to: string | undefined): string | null {
  return to === undefined ? null : masked({ kind, to });
}

/** security/modifyuserinfo: the word in mails needs a grant, because forged mails are told apart by it. */
export async function changeProfile(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/modifyuserinfo'>,
): Promise<CallAnswer<CallResponse<'security/modifyuserinfo'>>> {
  const { nickname, language, antiPhishing, grant } = request;
  if (antiPhishing !== undefined && grant === undefined) return refusal({ error: 'grant-invalid' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'security/modifyuserinfo' },
    proofs: antiPhishing === undefined || grant === undefined ? [] : [grantProof(caller, grant)],
    effects: [{ kind: 'profile', nickname: nickname?.normalize('NFKC'), language, antiPhishing }],
    ...(antiPhishing === undefined ? {} : { tells: 'profile-changed' as const }),
  });
  return done.ok ? { ok: true, value: {} } : done;
}

/** usersms/usersms: to what is stored, or to what shall replace it; never to a chosen one in the old one's name. */
export async function sendMemberCode(
  deps: SecurityDeps,
  caller: MemberCaller,
  { purpose, channel, target }: CallRequest<'usersms/usersms'>,
): Promise<CallAnswer<CallResponse<'usersms/usersms'>>> {
  const stored = (await deps.security.profile(caller.user))[channel];
  if (purpose === 'modify-old' && stored === undefined)
    return refusal({ error: 'contact-missing', allowed: CONTACT_WORDS[channel] });
  const typed = (purpose === 'modify-old' ? stored : target) ?? '';
  const contact = contactOf(typed);
  if (contact === undefined || contact.kind !== channel) {
    return channel === 'mobile'
      ? refusal({ error: 'mobile-invalid', field: 'target' })
      : contactRefusal(typed, 'target');
  }
  if (channel === 'mobile' && deps.texts === undefined) return refusal({ error: 'texts-unavailable' });
  const limited = await sendAsMember(deps, caller, { target: contact.to, purpose });
  const value = { validMinutes: CODE_LIFE_MILLIS / 60_000, maskedTo: masked(contact) };
  return limited ?? { ok: true, value };
}

/** Sends a code; one to a number that is not the member's own counts, where it was sent. */
async function sendAsMember(
  deps: SecurityDeps,
  caller: MemberCaller,
  matter: { readonly target: string; readonly purpose: CallRequest<'usersms/usersms'>['purpose'] },
): Promise<Refused | undefined> {
  if (!matter.target.startsWith('+') || matter.purpose === 'modify-old') return sendTo(deps, caller, matter);
  const sender = { address: caller.address, device: `member ${caller.user}` };
  const limited = await deps.budgets.take('strangeTextsPerMember', sender, caller.now);
  if (limited !== undefined) return limited;
  const refused = await sendTo(deps, caller, matter);
  if (refused !== undefined) await deps.budgets.undoTake('strangeTextsPerMember', sender);
  return refused;
}

/** A contact as typed, if it is one of this kind. */
function typedContact(kind: Contact['kind'], typed: string): Contact | Refused {
  const contact = contactOf(typed);
  if (contact?.kind === kind) return contact;
  return refusal({ error: kind === 'email' ? 'email-invalid' : 'mobile-invalid', field: kind });
}

function effectOf({ kind, to }: Contact): Effect {
  return kind === 'email' ? { kind, email: to } : { kind, mobile: to };
}

/**
 * That the number is his, from who has no mailbox: else a session and the password were enough to make a stranger's mailbox the
 * one that recovers the account.
 */
async function numberProof(
  deps: SecurityDeps,
  caller: MemberCaller,
  mobile: string,
  oldFlow: string | undefined,
): Promise<Proof | Refused> {
  if (oldFlow === undefined)
    return refusal({ error: 'field-invalid', field: 'oldFlow', allowed: 'of a code to the bound number' });
  const id = await codeOfFlow(deps, caller, oldFlow, { target: mobile, purpose: 'modify-old' });
  if (id === undefined) return refusal({ error: 'flow-invalid' });
  return { kind: 'code', id, target: mobile, purpose: 'modify-old' };
}

/** A first contact of its kind: grant, a code to it, and for a first mailbox one to the number. */
async function bind(
  deps: SecurityDeps,
  caller: MemberCaller,
  given: {
    readonly kind: Contact['kind'];
    readonly typed: string;
    readonly flow: string;
    readonly oldFlow?: string | undefined;
    readonly grant: string;
  },
): Promise<CallAnswer<CallResponse<'security/bindphone'>>> {
  const { kind, typed, flow, grant } = given;
  const contact = typedContact(kind, typed);
  if ('ok' in contact) return contact;
  const call = kind === 'email' ? 'security/bindemail' : 'security/bindphone';
  const { [kind]: bound, mobile } = await deps.security.profile(caller.user);
  if (bound !== undefined) {
    const change = kind === 'email' ? 'modifyemail' : 'modifyphone';
    return refusal({ error: 'field-invalid', field: kind, allowed: `security/${change}, as one is bound` });
  }
  const id = await codeOfFlow(deps, caller, flow, { target: contact.to, purpose: 'bind' });
  if (id === undefined) return refusal({ error: 'flow-invalid' });
  const present = kind === 'email' ? mobile : undefined;
  const old = present === undefined ? undefined : await numberProof(deps, caller, present, given.oldFlow);
  if (old !== undefined && 'ok' in old) return old;
  const code: Proof = { kind: 'code', id, target: contact.to, purpose: 'bind' };
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call, renews: caller.sessionId, ends: 'others' },
    proofs: [grantProof(caller, grant), code, ...(old === undefined ? [] : [old])],
    effects: [effectOf(contact)],
    ...{ locks: kind, isFirst: true, tells: kind === 'email' ? 'email-bound' : 'mobile-bound' },
    // Where there was no mailbox, the new one is the first that can be told.
    ...(kind === 'email' ? { alsoTo: [contact.to] } : {}),
  });
  return renewedAnswer(done, {});
}

/** Another contact in place of one: grant, a code to the new one and one to the old. */
async function replace(
  deps: SecurityDeps,
  caller: MemberCaller,
  given: {
    readonly kind: Contact['kind'];
    readonly typed: string;
    readonly flow: string;
    readonly oldFlow: string;
    readonly grant: string;
  },
): Promise<CallAnswer<CallResponse<'security/modifyphone'>>> {
  const { kind, typed, flow, oldFlow, grant } = given;
  const contact = typedContact(kind, typed);
  if ('ok' in contact) return contact;
  const { [kind]: former, email } = await deps.security.profile(caller.user);
  if (former === undefined) return refusal({ error: 'contact-missing', allowed: CONTACT_WORDS[kind] });
  const id = await codeOfFlow(deps, caller, flow, { target: contact.to, purpose: 'modify-new' });
  const oldId = await codeOfFlow(deps, caller, oldFlow, { target: former, purpose: 'modify-old' });
  if (id === undefined || oldId === undefined) return refusal({ error: 'flow-invalid' });
  const call = kind === 'email' ? 'security/modifyemail' : 'security/modifyphone';
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call, renews: caller.sessionId, ends: 'others' },
    proofs: [
      grantProof(caller, grant),
      { kind: 'code', id, target: contact.to, purpose: 'modify-new' },
      { kind: 'code', id: oldId, target: former, purpose: 'modify-old' },
    ],
    effects: [effectOf(contact)],
    ...{ locks: kind, tells: kind === 'email' ? 'email-changed' : 'mobile-changed' },
    // Of a new mailbox both are told, and of a new number where there is no mailbox.
    ...(kind === 'email' || email === undefined ? { alsoTo: [contact.to] } : {}),
  });
  return renewedAnswer(done, {});
}

/** security/bindemail: of who signed up with a number, which is told of it. */
export function bindEmail(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/bindemail'>,
) {
  return bind(deps, caller, { kind: 'email', typed: request.email, ...request });
}

/** security/bindphone */
export function bindMobile(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/bindphone'>,
) {
  return bind(deps, caller, { kind: 'mobile', typed: request.mobile, ...request });
}

/** security/modifyemail */
export function changeEmail(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/modifyemail'>,
) {
  return replace(deps, caller, { kind: 'email', typed: request.email, ...request });
}

/** security/modifyphone */
export function changeMobile(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/modifyphone'>,
) {
  return replace(deps, caller, { kind: 'mobile', typed: request.mobile, ...request });
}

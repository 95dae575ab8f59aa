import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import { isEmail, normaliseEmail } from '@crossbook/domain';
import { contactOf, contactRefusal, masked, maskedEmail } from '../contacts.ts';
import { CODE_LIFE_MILLIS, codeOfFlow, sendTo } from '../factors/codes.ts';
import { refusal } from '../ports.ts';
import { carryOut, grantProof, renewedAnswer, type SecurityDeps } from './security-desk.ts';

/** security/userinfonew: everything of the member that a page about security shows; secrets never, contacts masked. */
export async function fullProfile(
  deps: SecurityDeps,
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'security/userinfonew'>>> {
  const member = await deps.members.byId(caller.user);
  if (member === undefined) return refusal({ error: 'token-invalid' });
  const { security } = deps;
  const [profile, otp, recoveryCodesLeft, lockUntil, agreed, kyc] = await Promise.all([
    security.profile(caller.user),
    security.otpSecret(caller.user),
    security.recoveryCodesLeft(caller.user),
    security.lockedUntil(caller.user),
    security.agreed(caller.user),
    deps.kyc.standing(caller.user),
  ]);
  const word = profile.antiPhishing;
  return {
    ok: true,
    value: {
      ...{ tid: member.user, memberId: String(member.user), nickname: member.nickname },
      ...{ email: maskedEmail(member.email), tkropen: member.tkropen },
      mobile: member.mobile === undefined ? null : masked({ kind: 'mobile', to: member.mobile }),
      ...{ ip: member.lastLoginAddress, lastLogin: member.lastLoginAt ?? null },
      password: { set: true, changedAt: profile.passwordChangedAt ?? null },
      ...{ googleAuth: otp !== undefined, recoveryCodesLeft, kycStatus: kyc.state },
      ...{ referralCode: member.referralCode, kolReferralCode: member.kolReferralCode ?? null },
      ...{ country: profile.country ?? null, language: profile.language, lockUntil: lockUntil ?? null },
      antiPhishing: word === undefined ? null : `${word.slice(0, 1)}***`,
      agreed: [...agreed],
    },
  };
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
    return refusal({ error: 'contact-missing', field: channel });
  const typed = (purpose === 'modify-old' ? stored : target) ?? '';
  const contact = contactOf(typed);
  if (contact === undefined || contact.kind !== channel) {
    return channel === 'mobile'
      ? refusal({ error: 'mobile-invalid', field: 'target' })
      : contactRefusal(typed, 'target');
  }
  if (channel === 'mobile' && deps.texts === undefined)
    return refusal({ error: 'mobile-invalid', field: 'target' });
  const limited = await sendTo(deps, caller, { target: contact.to, purpose });
  const value = { validMinutes: CODE_LIFE_MILLIS / 60_000, maskedTo: masked(contact) };
  return limited ?? { ok: true, value };
}

/** security/modifyemail: grant, a code to the new address and one to the old; both addresses are told. */
export async function changeEmail(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/modifyemail'>,
): Promise<CallAnswer<CallResponse<'security/modifyemail'>>> {
  const target = normaliseEmail(request.email);
  if (!isEmail(target)) return refusal({ error: 'email-invalid', field: 'email' });
  const { email: former } = await deps.security.profile(caller.user);
  const id = codeOfFlow(request.flow, target, 'modify-new', deps.key);
  const oldId = codeOfFlow(request.oldFlow, former, 'modify-old', deps.key);
  if (id === undefined || oldId === undefined) return refusal({ error: 'flow-invalid' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'security/modifyemail', renews: caller.sessionId, ends: 'others' },
    proofs: [
      grantProof(caller, request.grant),
      { kind: 'code', id, target, purpose: 'modify-new' },
      { kind: 'code', id: oldId, target: former, purpose: 'modify-old' },
    ],
    effects: [{ kind: 'email', email: target }],
    ...{ locks: 'email', tells: 'email-changed', alsoTo: [target] },
  });
  return renewedAnswer(done, {});
}

/** security/bindphone: grant and a code to the number. */
export async function bindMobile(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/bindphone'>,
): Promise<CallAnswer<CallResponse<'security/bindphone'>>> {
  const contact = contactOf(request.mobile);
  if (contact?.kind !== 'mobile') return refusal({ error: 'mobile-invalid', field: 'mobile' });
  const { mobile: bound } = await deps.security.profile(caller.user);
  if (bound !== undefined) {
    return refusal({
      error: 'field-invalid',
      field: 'mobile',
      allowed: 'security/modifyphone, as one is bound',
    });
  }
  const id = codeOfFlow(request.flow, contact.to, 'bind', deps.key);
  if (id === undefined) return refusal({ error: 'flow-invalid' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'security/bindphone', renews: caller.sessionId, ends: 'others' },
    proofs: [grantProof(caller, request.grant), { kind: 'code', id, target: contact.to, purpose: 'bind' }],
    effects: [{ kind: 'mobile', mobile: contact.to }],
    ...{ locks: 'mobile', isFirst: true, tells: 'mobile-bound' },
  });
  return renewedAnswer(done, {});
}

/** security/modifyphone: grant, a code to the new number and one to the old. */
export async function changeMobile(
  deps: SecurityDeps,
  caller: MemberCaller,
  request: CallRequest<'security/modifyphone'>,
): Promise<CallAnswer<CallResponse<'security/modifyphone'>>> {
  const contact = contactOf(request.mobile);
  if (contact?.kind !== 'mobile') return refusal({ error: 'mobile-invalid', field: 'mobile' });
  const { mobile: former } = await deps.security.profile(caller.user);
  if (former === undefined) return refusal({ error: 'contact-missing', field: 'mobile' });
  const id = codeOfFlow(request.flow, contact.to, 'modify-new', deps.key);
  const oldId = codeOfFlow(request.oldFlow, former, 'modify-old', deps.key);
  if (id === undefined || oldId === undefined) return refusal({ error: 'flow-invalid' });
  const done = await carryOut(deps, caller, {
    ...{ user: caller.user, call: 'security/modifyphone', renews: caller.sessionId, ends: 'others' },
    proofs: [
      grantProof(caller, request.grant),
      { kind: 'code', id, target: contact.to, purpose: 'modify-new' },
      { kind: 'code', id: oldId, target: former, purpose: 'modify-old' },
    ],
    effects: [{ kind: 'mobile', mobile: contact.to }],
    ...{ locks: 'mobile', tells: 'mobile-changed' },
  });
  return renewedAnswer(done, {});
}

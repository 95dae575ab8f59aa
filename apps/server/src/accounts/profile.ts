import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import { type MemberStore, refusal } from './ports.ts';

/** security/userinfo: the basics of the caller, never anybody else's. */
export async function userInfo(
  members: MemberStore,
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'security/userinfo'>>> {
  const member = await members.byId(caller.user);
  if (member === undefined) return refusal({ error: 'token-invalid' });
  return {
    ok: true,
    value: {
      tid: member.user,
      memberId: String(member.user),
      nickname: member.nickname,
      email: member.email,
      mobile: null,
      tkropen: member.tkropen,
      ip: member.lastLoginAddress,
      lastLogin: member.lastLoginAt ?? null,
      googleAuth: false,
      kycStatus: 'none',
      referralCode: member.referralCode,
      kolReferralCode: member.kolReferralCode ?? null,
    },
  };
}

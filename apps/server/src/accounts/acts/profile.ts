import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import { type MemberStore, refusal } from '../ports.ts';

/** security/userinfo: the basics of the caller, never anybody else's. Every page asks for it: one statement. */
export async function userInfo(
  { members }: { readonly members: Pick<MemberStore, 'shown'> },
  caller: MemberCaller,
): Promise<CallAnswer<CallResponse<'security/userinfo'>>> {
  const member = await members.shown(caller.user);
  if (member === undefined) return refusal({ error: 'token-invalid' });
  return {
    ok: true,
    value: {
      tid: member.user,
      memberId: String(member.user),
      nickname: member.nickname,
      email: member.email ?? null,
      mobile: member.mobile ?? null,
      tkropen: member.tkropen,
      demo: caller.demo === true,
      ip: member.lastLoginAddress,
      lastLogin: member.lastLoginAt ?? null,
      googleAuth: member.googleAuth,
      kycStatus: member.kycState,
      referralCode: member.referralCode,
      kolReferralCode: member.kolReferralCode ?? null,
    },
  };
}

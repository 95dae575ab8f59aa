import type { CallAnswer, CallResponse, MemberCaller } from '@crossbook/contract';
import type { KycStore } from '../kyc/kyc-ports.ts';
import { type MemberStore, refusal } from '../ports.ts';
import type { SecurityStore } from '../security-ports.ts';

/** security/userinfo: the basics of the caller, never anybody else's. */
export async function userInfo(
  {
    members,
    security,
    kyc,
  }: {
    readonly members: MemberStore;
    readonly security: SecurityStore;
    readonly kyc: Pick<KycStore, 'standing'>;
  },
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
      email: member.email ?? null,
      mobile: member.mobile ?? null,
      tkropen: member.tkropen,
      demo: caller.demo === true,
      ip: member.lastLoginAddress,
      lastLogin: member.lastLoginAt ?? null,
      googleAuth: (await security.otpSecret(member.user)) !== undefined,
      kycStatus: (await kyc.standing(member.user)).state,
      referralCode: member.referralCode,
      kolReferralCode: member.kolReferralCode ?? null,
    },
  };
}

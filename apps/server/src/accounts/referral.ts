import type { UserId } from '@crossbook/domain';
import type { MemberStore, RandomBytes } from './ports.ts';

/** No letters that are read wrongly; 32 of them, so a random byte chooses one without bias. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 8;

/** How often a referral code that is already taken is drawn again. */
export const REFERRAL_DRAWS_MAX = 5;

/** A new self-referral code; every member gets one (decision 0030.9). */
export function drawReferralCode(random: RandomBytes): string {
  return Array.from(random(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** What a code given at sign-up means: nobody's, somebody's, or unknown. */
export type Referrer =
  | { readonly kind: 'none' }
  | { readonly kind: 'member'; readonly user: UserId; readonly code: string }
  | { readonly kind: 'unknown' };

/** Looks up the code given at sign-up; empty counts as none. */
export async function findReferrer(members: MemberStore, given: string | undefined): Promise<Referrer> {
  const code = (given ?? '').toUpperCase();
  if (code === '') return { kind: 'none' };
  const user = await members.byReferralCode(code);
  return user === undefined ? { kind: 'unknown' } : { kind: 'member', user, code };
}

import type { AdminHandlers, AdminReferralRow } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { Page, PageOf } from './ports.ts';

/** Who brings others. */
export interface ReferralDesk {
  /** Those with a KOL code and those who have brought somebody, the newest members first; or whom an id or a code names. */
  list(query: string | undefined, page: PageOf, now: Millis): Promise<Page<AdminReferralRow>>;
}

/** Codes, their owners, and what they have earned. */
export function referralCalls({
  referrals,
}: {
  readonly referrals: ReferralDesk;
}): Pick<AdminHandlers, 'x/admin/Referrals'> {
  return {
    'x/admin/Referrals': async ({ now }, { query, limit, cursor }) => {
      const { rows, next } = await referrals.list(query, { limit, cursor }, now);
      return { ok: true, value: { rows: [...rows], next } };
    },
  };
}

import { formatAmount, type Millis, type UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { InviteePlace, ReferralSummary, RewardStore, StoredInvitee } from '../../../wallets/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { appendAudit, type TakesStatements } from '../audit-log.ts';
import { money } from '../order-columns.ts';

/** Set-based statements of this store, registered with the ledger store so that they commit with the payment. */
export const REFERRAL_WRITES: Readonly<Record<string, string>> = {
  'referral.settle': `with given as (select * from jsonb_to_recordset($1) as g(id int, at bigint)),
    settled as (
      update referral_rewards r set state = 'settled', settled_at = g.at from given g
      where r.invitee = g.id and r.state = 'unsettled' returning 1)
    select ledger_expect((select count(*) from settled), jsonb_array_length($1))`,
};

/** Writes who brought a new member, in the transaction that makes the member; nothing where nobody did. */
export async function keepReferral(
  client: TakesStatements,
  invitee: UserId,
  { referredWith, at }: { readonly referredWith: string | undefined; readonly at: Millis },
): Promise<void> {
  if (referredWith === undefined) return;
  await client.query(
    `insert into referrals (invitee, referrer, code, kind, at)
     select $1, id, $2, case when kol_referral_code = $2 then 'kol' else 'self' end, $3
     from members where (referral_code = $2 or kol_referral_code = $2) and id <> $1`,
    [invitee, referredWith, at],
  );
}

/** A KOL code for a member, with the share of a reward that it earns. */
export interface KolGrant {
  readonly member: number;
  /** 4 to 20 capital letters and digits, but not 8, which is the length of self-referral codes. */
  readonly code: string;
  /** Hundredths of a percent, 1 to 5000. */
  readonly rateBps: number;
  readonly operator: string;
  readonly reason: string;
  readonly at: Millis;
}

/** Gives a member a code, in the transaction of who decides it. @returns false for no such member, or another's code. */
export async function setKolCode(
  client: Pick<PoolClient, 'query'>,
  { member, code, rateBps }: Pick<KolGrant, 'member' | 'code' | 'rateBps'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update members set kol_referral_code = $2, kol_rate_bps = $3
     where id = $1 and not demo and not exists (select from members o where o.kol_referral_code = $2 and o.id <> $1)`,
    [member, code, rateBps],
  );
  return rowCount === 1;
}

/** Grants a code or changes its rate, audited. @returns false when there is no such member, or the code is another's. */
export function grantKolCode(database: Database, grant: KolGrant): Promise<boolean> {
  const { member, code, rateBps, operator, reason, at } = grant;
  return database.withTransaction(async (client) => {
    const granted = await setKolCode(client, grant);
    const outcome = granted ? 'ok' : 'refused';
    await appendAudit(client, {
      ...{ at, actor: { kind: 'operator', id: operator }, call: 'kol/grant' },
      ...{ subject: `member ${member}`, outcome, reason, details: { code, rateBps } },
    });
    return granted;
  });
}

interface InviteeColumns {
  readonly invitee: number;
  readonly nickname: string;
  readonly kind: StoredInvitee['kind'];
  readonly at: string;
  readonly state: 'unsettled' | 'settled' | null;
  readonly amount: string | null;
}

/** Rewards of referrals in PostgreSQL. */
export function createRewardStore(database: Database): RewardStore {
  return {
    async accrue({ asset, base, selfRateBps, now, referrer }) {
      // What a reward is worth is decided once; a rate that changes later counts for those who trade later.
      await database.query(
        `insert into referral_rewards (invitee, referrer, asset, rate_bps, amount, state, accrued_at)
         select r.invitee, r.referrer, $1, rate.bps, trunc($2::numeric * rate.bps / 10000, 18), 'unsettled', $4
         from referrals r join members m on m.id = r.referrer
         cross join lateral (select case r.kind when 'kol' then coalesce(m.kol_rate_bps, $3) else $3 end as bps) rate
         where ($5::int is null or r.referrer = $5)
           and not exists (select from referral_rewards w where w.invitee = r.invitee)
           and exists (select from fills f where f.user_id = r.invitee)
         on conflict do nothing`,
        [asset, formatAmount(base), selfRateBps, now, referrer ?? null],
      );
    },
    async due(before, rowsMax) {
      const rows = await database.query<{ invitee: number; referrer: number; amount: string }>(
        `select invitee, referrer, amount::text as amount from referral_rewards
         where state = 'unsettled' and accrued_at < $1 order by accrued_at, invitee limit $2`,
        [before, rowsMax],
      );
      return rows.map(({ invitee, referrer, amount }) => ({
        invitee: invitee as UserId,
        referrer: referrer as UserId,
        amount: money(amount),
      }));
    },
    settled: (invitee, at) => ({ table: 'referral.settle', row: { id: String(invitee), at } }),
    async summary(user): Promise<ReferralSummary> {
      const [row] = await database.query<{
        code: string;
        kol: string | null;
        rate: number | null;
        settled: string;
        unsettled: string;
        invitees: number;
      }>(
        `select m.referral_code as code, m.kol_referral_code as kol, m.kol_rate_bps as rate,
           coalesce(sum(w.amount) filter (where w.state = 'settled'), 0)::text as settled,
           coalesce(sum(w.amount) filter (where w.state = 'unsettled'), 0)::text as unsettled,
           count(r.invitee)::int as invitees
         from members m left join referrals r on r.referrer = m.id left join referral_rewards w on w.invitee = r.invitee
         where m.id = $1 group by m.id`,
        [user],
      );
      if (row === undefined) throw new Error('a member who asks is there');
      const { code, kol, rate, settled, unsettled, invitees } = row;
      const granted = kol === null || rate === null ? {} : { kol: { code: kol, rateBps: rate } };
      return { code, ...granted, settled: money(settled), unsettled: money(unsettled), invitees };
    },
    async invitees(user, after: InviteePlace | undefined, rowsMax) {
      const rows = await database.query<InviteeColumns>(
        `select r.invitee, m.nickname, r.kind, r.at, w.state, w.amount::text as amount
         from referrals r join members m on m.id = r.invitee left join referral_rewards w on w.invitee = r.invitee
         where r.referrer = $1 and r.invitee < $2 order by r.invitee desc limit $3`,
        [user, after ?? 2_147_483_647, rowsMax],
      );
      return rows.map(({ invitee, nickname, kind, at, state, amount }) => ({
        ...{ invitee: invitee as UserId, nickname, kind, at: Number(at) as Millis },
        ...(state === null || amount === null ? {} : { reward: { state, amount: money(amount) } }),
      }));
    },
  };
}

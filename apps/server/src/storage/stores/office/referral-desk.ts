import type { AdminReferralRow } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { ReferralDesk } from '../../../back-office/referral-calls.ts';
import type { Database, SqlValue } from '../../postgres/database.ts';

interface ReferrerColumns {
  readonly member: number;
  readonly nickname: string;
  readonly code: string;
  readonly kolCode: string | null;
  readonly kolRateBps: number | null;
  readonly counted: number;
  readonly unsettled: string;
  readonly late: string;
}

const DAY_MILLIS = 86_400_000;
/** Whoever has brought more is said to have brought so many and more. */
const INVITEES_COUNTED_MAX = 10_000;
const LAST_MEMBER = 2_147_483_647;

/** From one who has brought somebody to the next: each is one step of the index, however many each has brought. */
const LISTED = `
  with recursive brought as (
    (select referrer as id from referrals where referrer < $1 order by referrer desc limit 1)
    union all
    select (select r.referrer from referrals r where r.referrer < b.id order by r.referrer desc limit 1)
    from brought b where b.id is not null),
  shown as materialized (
    select id from (
      (select id from brought where id is not null limit $2)
      union
      (select id from members where kol_referral_code is not null and id < $1 order by id desc limit $2)) listed
    order by id desc limit $2)`;

/** Whom an id or a code names. */
const FOUND = `
  with shown as materialized (
    select id from members where id < $1 and (id = $4 or referral_code = $5 or kol_referral_code = $5)
    order by id desc limit $2)`;

const ROWS = `
  select m.id as member, m.nickname, m.referral_code as code, m.kol_referral_code as "kolCode",
    m.kol_rate_bps as "kolRateBps",
    (select count(*)::int from (
      select from referrals r where r.referrer = m.id limit ${INVITEES_COUNTED_MAX + 1}) one) as counted,
    trim_scale(w.unsettled)::text as unsettled, trim_scale(w.late)::text as late
  from shown join members m using (id) cross join lateral (
    select coalesce(sum(amount), 0) as unsettled,
      coalesce(sum(amount) filter (where accrued_at < $3), 0) as late
    from referral_rewards w where w.referrer = m.id and w.state = 'unsettled') w
  order by m.id desc`;

/** Rewards are of one asset. */
function rowOf({ counted, ...row }: ReferrerColumns): AdminReferralRow {
  const manyInvitees = counted > INVITEES_COUNTED_MAX;
  return { ...row, invitees: Math.min(counted, INVITEES_COUNTED_MAX), manyInvitees, asset: 'USDT' };
}

/** Who brings others, on PostgreSQL. */
export function referralDesk(database: Database): ReferralDesk {
  return {
    async list(query = '', { limit, cursor }, now: Millis) {
      const from = /^[0-9]{1,9}$/.test(cursor ?? '') ? Number(cursor) : LAST_MEMBER;
      const today = Math.floor(now / DAY_MILLIS) * DAY_MILLIS;
      const values: SqlValue[] = [from, limit + 1, today];
      const named: SqlValue[] = [/^[0-9]{1,9}$/.test(query) ? Number(query) : null, query.toUpperCase()];
      const rows = await database.query<ReferrerColumns>(
        `${query === '' ? LISTED : FOUND}${ROWS}`,
        query === '' ? values : [...values, ...named],
      );
      const shown = rows.slice(0, limit).map(rowOf);
      return { rows: shown, next: rows.length > limit ? String(shown.at(-1)?.member) : null };
    },
  };
}

import type { AdminFundedAccount } from '@crossbook/contract';
import { formatAmount, type Millis } from '@crossbook/domain';
import type { FundedFloor } from '../../../back-office/ports.ts';
import type { Database } from '../../postgres/database.ts';

/** What an account paid in so many days is its pace. */
const PACE_DAYS = 30;
const DAY_MILLIS = 86_400_000;
const ROWS_MAX = 200;

/**
 * Accounts of the house that others are paid from. Floors come as JSON; an account that has one, and the promo account in the
 * asset of rewards, are there without any posting, too.
 */
const FUNDED = `
  with floors as (
    select account, asset, sum(floor::numeric) as floor
    from jsonb_to_recordset($1::jsonb) as f(account text, asset text, floor text) group by account, asset),
  house as (
    select case class when 'HOUSE_PROMO' then 'promo' else 'fees' end as account, asset, sum(posted) as balance
    from ledger_accounts where owner is null and class in ('HOUSE_PROMO', 'HOUSE_FEE') group by 1, 2),
  paid as (
    select 'promo' as account, asset, sum(amount) as paid from referral_rewards
    where state = 'settled' and settled_at >= $2 group by asset),
  waiting as (
    select 'promo' as account, asset, sum(amount) as waiting from referral_rewards
    where state = 'unsettled' group by asset),
  all_of as (
    select account, asset from floors union select account, asset from house union values ('promo', 'USDT'))
  select account, asset, trim_scale(coalesce(balance, 0))::text as balance, trim_scale(coalesce(floor, 0))::text as floor,
    trim_scale(coalesce(paid, 0))::text as paid, trim_scale(coalesce(waiting, 0))::text as waiting,
    case when paid > 0 then least(trunc(balance * ${PACE_DAYS} / paid), 100000)::int end as "runwayDays",
    coalesce(balance, 0) < coalesce(floor, 0) as below
  from all_of left join floors using (account, asset) left join house using (account, asset)
  left join paid using (account, asset) left join waiting using (account, asset)
  order by account desc, asset limit ${ROWS_MAX}`;

/** Reads the funded accounts. @param floors what the operator wants to have there at least. */
export function fundedAccounts(
  database: Database,
  floors: readonly FundedFloor[],
  now: Millis,
): Promise<readonly AdminFundedAccount[]> {
  const texts = floors.map(({ account, asset, floor }) => ({ account, asset, floor: formatAmount(floor) }));
  return database.query<AdminFundedAccount>(FUNDED, [
    JSON.stringify(texts),
    Math.max(0, now - PACE_DAYS * DAY_MILLIS),
  ]);
}

/** What is wrong with them, in sentences for the operator. @param starved rewards have met a promo account that could not pay. */
export function fundsFaults(accounts: readonly AdminFundedAccount[], starved: boolean): readonly string[] {
  const low = accounts
    .filter(({ below }) => below)
    .map(({ account, asset, balance, floor, runwayDays }) => {
      const pace = runwayDays === null ? '' : `; ${runwayDays} days at the pace of the last ${PACE_DAYS}`;
      return `${account} ${asset}: ${balance} is below its floor of ${floor}${pace}`;
    });
  const owed = accounts.filter(({ account, waiting }) => account === 'promo' && waiting !== '0');
  const wait = owed.map(
    ({ asset, balance, waiting }) =>
      `rewards of ${waiting} ${asset} wait for the promo account, which holds ${balance}: they are paid when it is filled`,
  );
  return [...low, ...(starved ? wait : [])];
}

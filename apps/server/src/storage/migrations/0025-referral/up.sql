-- Who brought whom, and what that earns. Why: notes.md.

-- A KOL code is granted with a rate of its own. It never has the eight characters of a self-referral code.
alter table members add column kol_rate_bps int check (kol_rate_bps between 1 and 5000);
update members set kol_rate_bps = 2000 where kol_referral_code is not null;
alter table members add constraint members_kol_shape check (
  (kol_referral_code is null) = (kol_rate_bps is null)
  and (kol_referral_code is null or kol_referral_code ~ '^[A-Z0-9]{4,20}$'));

-- Fixed for ever at sign-up.
create table referrals (
  invitee int primary key references members (id),
  referrer int not null references members (id),
  code text not null,
  kind text not null check (kind in ('self', 'kol')),
  at bigint not null,
  -- Nobody brings who was there before.
  check (referrer < invitee)
);
create index referrals_of on referrals (referrer, invitee desc);
create function referrals_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'who brought whom is fixed for ever: % on %', tg_op, tg_table_name using errcode = '55000';
end $$;
create trigger referrals_append_only before update or delete or truncate on referrals
  for each statement execute function referrals_refuse_change();
insert into referrals (invitee, referrer, code, kind, at)
  select m.id, m.referred_by, r.referral_code, 'self', m.created_at
  from members m join members r on r.id = m.referred_by where r.id < m.id;

-- One for each who was brought and traded. The movement of the ledger that settles it has an id made of the invitee's.
create table referral_rewards (
  invitee int primary key references referrals (invitee),
  referrer int not null references members (id),
  asset text not null,
  rate_bps int not null check (rate_bps between 1 and 5000),
  amount numeric(38, 18) not null check (amount > 0),
  state text not null check (state in ('unsettled', 'settled')),
  accrued_at bigint not null,
  settled_at bigint,
  check ((state = 'settled') = (settled_at is not null))
);
create index referral_rewards_of on referral_rewards (referrer, state);
create index referral_rewards_due on referral_rewards (accrued_at) where state = 'unsettled';

-- Two kinds of movement more: what fills the promo account, and what it pays.
create or replace function ledger_check_transfers() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_id uuid;
  v_well boolean;
begin
  select t.id, t.amount > 0 and t.kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill', 'trade-fee',
      'transfer-hold', 'correction', 'realised-pnl', 'funding', 'liquidation', 'insurance',
      'promo-funding', 'referral-reward')
    into v_id, v_well
  from new_transfers t
  left join public.ledger_accounts f on f.id = t.from_account and f.asset = t.asset
  left join public.ledger_accounts o on o.id = t.to_account and o.asset = t.asset
  left join public.ledger_holds h on h.id = t.hold and h.account = t.from_account
  where f.id is null or o.id is null or (t.hold is not null and h.id is null)
    or not (t.amount > 0 and t.kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill', 'trade-fee',
      'transfer-hold', 'correction', 'realised-pnl', 'funding', 'liquidation', 'insurance',
      'promo-funding', 'referral-reward'))
  limit 1;
  if found and not v_well then
    raise exception 'transfer % has a wrong amount or kind', v_id using errcode = '23514', table = 'ledger_transfers';
  elsif found then
    raise exception 'transfer % joins accounts of different assets, or none, or another hold', v_id
      using errcode = '23503';
  end if;
  return null;
end $$;

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke update, delete on referrals from crossbook_app;
  end if;
end $$;

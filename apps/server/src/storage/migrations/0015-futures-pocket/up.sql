-- The second wallet of Binance, and the movements of contracts. Why: notes.md.

alter table ledger_accounts
  drop constraint ledger_accounts_class_check,
  add constraint ledger_accounts_class_check check (class in ('FUNDING', 'TRADING', 'FUTURES', 'IN_TRANSIT', 'HOUSE_FEE',
    'HOUSE_PROMO', 'HOUSE_FX', 'ROUNDING', 'SUSPENSE', 'EXTERNAL')),
  drop constraint ledger_accounts_counterparty_check,
  add constraint ledger_accounts_counterparty_check
    check (counterparty ~ '^((venue|debt|pnl|funding|insurance):[123]|chain)$'),
  drop constraint ledger_accounts_shape,
  add constraint ledger_accounts_shape check (
    (class in ('FUNDING', 'TRADING', 'FUTURES')) = (owner is not null)
    and (class in ('TRADING', 'FUTURES', 'IN_TRANSIT')) = (platform is not null)
    and (class = 'EXTERNAL') = (counterparty is not null)
    and key = concat_ws('/', class, owner, platform, counterparty, asset));

alter table ledger_transfers
  drop constraint ledger_transfers_kind_check,
  add constraint ledger_transfers_kind_check check (kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill',
    'trade-fee', 'transfer-hold', 'correction', 'realised-pnl', 'funding', 'liquidation', 'insurance'));

-- Makes the accounts that are missing and returns the ids in the order of the keys. Ids never change, so callers may
-- remember them.
create or replace function ledger_account_ids(p_keys text[]) returns bigint[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  insert into public.ledger_accounts (key, class, owner, platform, counterparty, asset)
  select k.key, p.part[1],
    case when p.part[1] in ('FUNDING', 'TRADING', 'FUTURES') then p.part[2]::bigint end,
    case when p.part[1] in ('TRADING', 'FUTURES') then p.part[3]::smallint when p.part[1] = 'IN_TRANSIT' then p.part[2]::smallint end,
    case when p.part[1] = 'EXTERNAL' then p.part[2] end,
    p.part[cardinality(p.part)]
  from (select distinct u.key from unnest(p_keys) u(key)
        where not exists (select from public.ledger_accounts a where a.key = u.key)) k,
    lateral (select string_to_array(k.key, '/') as part) p
  order by k.key
  on conflict (key) do nothing;

  return (select array_agg(a.id order by k.ord)
    from unnest(p_keys) with ordinality k(key, ord)
    join public.ledger_accounts a on a.key = k.key and a.key = any (p_keys));
end $$;

alter table universal_transfers
  drop constraint universal_transfers_direction_check,
  add constraint universal_transfers_direction_check check (direction between 1 and 4),
  add column pocket text not null default 'spot' check (pocket in ('spot', 'futures'));

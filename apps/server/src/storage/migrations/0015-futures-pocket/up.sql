-- The second wallet of Binance, and the movements of contracts. Why: notes.md.

create or replace function ledger_check_account() returns trigger language plpgsql as $$
begin
  if not (new.class in ('FUNDING', 'TRADING', 'FUTURES', 'IN_TRANSIT', 'HOUSE_FEE', 'HOUSE_PROMO', 'HOUSE_FX', 'ROUNDING',
      'SUSPENSE', 'EXTERNAL')
    and new.owner > 0 and new.platform in (1, 2, 3) and new.asset <> ''
    and new.counterparty ~ '^((venue|debt|pnl|funding|insurance):[123]|chain)$'
    and (new.class in ('FUNDING', 'TRADING', 'FUTURES')) = (new.owner is not null)
    and (new.class in ('TRADING', 'FUTURES', 'IN_TRANSIT')) = (new.platform is not null)
    and (new.class = 'EXTERNAL') = (new.counterparty is not null)
    and new.key = concat_ws('/', new.class, new.owner, new.platform, new.counterparty, new.asset)) then
    raise exception 'ledger account % is of no known shape', new.key using errcode = '23514', table = 'ledger_accounts';
  end if;
  return new;
end $$;

create or replace function ledger_check_transfers() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_id uuid;
  v_well boolean;
begin
  select t.id, t.amount > 0 and t.kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill', 'trade-fee',
      'transfer-hold', 'correction', 'realised-pnl', 'funding', 'liquidation', 'insurance')
    into v_id, v_well
  from new_transfers t
  left join public.ledger_accounts f on f.id = t.from_account and f.asset = t.asset
  left join public.ledger_accounts o on o.id = t.to_account and o.asset = t.asset
  left join public.ledger_holds h on h.id = t.hold and h.account = t.from_account
  where f.id is null or o.id is null or (t.hold is not null and h.id is null)
    or not (t.amount > 0 and t.kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill', 'trade-fee',
      'transfer-hold', 'correction', 'realised-pnl', 'funding', 'liquidation', 'insurance'))
  limit 1;
  if found and not v_well then
    raise exception 'transfer % has a wrong amount or kind', v_id using errcode = '23514', table = 'ledger_transfers';
  elsif found then
    raise exception 'transfer % joins accounts of different assets, or none, or another hold', v_id
      using errcode = '23503';
  end if;
  return null;
end $$;

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

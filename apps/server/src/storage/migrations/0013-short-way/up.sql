-- The short way of a small batch through the ledger. Why: notes.md.

-- Applies commands one after the other, each for the first time. False, and then nothing may be kept of it, when one of
-- them is refused or was applied before; what breaks a constraint raises. Either way the caller lets the set-based way
-- judge. Operations: as in ledger_post_set.
create function ledger_post_fresh(p_unit int[], p_op text[], p_id uuid[], p_hold uuid[], p_from bigint[], p_to bigint[],
  p_amount numeric[], p_kind text[], p_batch bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  i int;
  v_from bigint;
  v_asset text;
  v_amount numeric;
  v_rows int;
begin
  -- The lock of ledger_post_set: one batch at a time, and every statement after it reads what the batch before committed.
  perform pg_advisory_xact_lock(7305418001);
  for i in 1 .. cardinality(p_op) loop
    v_amount := p_amount[i];
    if p_op[i] = 'H' then
      update public.ledger_accounts x set held = x.held + v_amount
      where x.id = p_from[i] and (x.class = 'EXTERNAL' or x.posted - x.held >= v_amount)
      returning x.asset into v_asset;
      if not found then return false; end if;
      insert into public.ledger_holds (id, account, asset, amount, kind)
      values (p_hold[i], p_from[i], v_asset, v_amount, p_kind[i]);
    elsif p_op[i] = 'R' then
      update public.ledger_holds h set released = true, released_at = now()
      where h.id = p_hold[i] and not h.released
      returning h.account, h.amount - h.paid into v_from, v_amount;
      if not found then return false; end if;
      update public.ledger_accounts x set held = x.held - v_amount where x.id = v_from;
    else
      v_from := p_from[i];
      if p_op[i] = 'C' then
        update public.ledger_holds h set paid = h.paid + v_amount
        where h.id = p_hold[i] and not h.released and h.paid + v_amount <= h.amount
        returning h.account into v_from;
        if not found then return false; end if;
      end if;
      -- Both sides by one statement, for they may be one account.
      with moved as (
        update public.ledger_accounts x
        set posted = x.posted + case when x.id = p_to[i] then v_amount else 0 end
            - case when x.id = v_from then v_amount else 0 end,
          held = x.held - case when p_op[i] = 'C' and x.id = v_from then v_amount else 0 end
        where x.id in (v_from, p_to[i])
          and (x.id <> v_from or p_op[i] = 'C' or x.class = 'EXTERNAL' or x.posted - x.held >= v_amount)
        returning x.asset
      ) select count(*), min(m.asset) into v_rows, v_asset from moved m;
      if v_rows <> 2 - (v_from = p_to[i])::int then return false; end if;
      -- That both hold this asset is for the trigger to say.
      insert into public.ledger_transfers (id, unit, from_account, to_account, asset, amount, kind, hold)
      values (p_id[i], p_batch * 4096 + p_unit[i], v_from, p_to[i], v_asset, v_amount, p_kind[i], p_hold[i]);
    end if;
  end loop;
  return true;
end $$;

-- Units of which every command takes effect and every row is written: their answers. Null, with nothing done, otherwise:
-- then `ledger_commit` finds out what is in the way, for whom, and in which order. Stages are names of prepared statements;
-- the settings choose one look-up by key per row, whatever a table's size was when a statement was planned.
create function ledger_commit_fresh(p_first int[], p_unit int[], p_op text[], p_id uuid[], p_hold uuid[],
  p_from bigint[], p_to bigint[], p_amount numeric[], p_kind text[],
  p_stages text[], p_write_stage int[], p_write_row text[]) returns text[]
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_stage int;
  v_rows text;
begin
  if cardinality(p_op) > 0
    and not ledger_post_fresh(p_unit, p_op, p_id, p_hold, p_from, p_to, p_amount, p_kind, nextval('ledger_batch'))
  then
    raise exception using errcode = 'LG003';
  end if;
  for v_stage in 1 .. cardinality(p_stages) loop
    if cardinality(p_write_row) = cardinality(p_stages) then
      v_rows := p_write_row[array_position(p_write_stage, v_stage)];
    else
      select string_agg(w.record, ',' order by w.n) into v_rows
      from unnest(p_write_stage, p_write_row) with ordinality w(stage, record, n) where w.stage = v_stage;
    end if;
    execute format('execute %I(%L)', p_stages[v_stage], '[' || v_rows || ']');
  end loop;
  return array_fill('applied'::text, array[cardinality(p_first) - 1]);
exception
  when sqlstate 'LG002' or sqlstate 'LG003' or integrity_constraint_violation or data_exception
    or syntax_error_or_access_rule_violation or raise_exception or object_not_in_prerequisite_state then
    return null;
end $$;

-- As before, but that stages are names of prepared statements, so that none is planned anew for every batch.
create or replace function ledger_write_companions(p_stages text[], p_unit int[], p_stage int[], p_row jsonb[],
  p_live int[])
returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_stage int;
  v_rows jsonb;
begin
  for v_stage in 1 .. cardinality(p_stages) loop
    select jsonb_agg(w.record order by w.n) into v_rows
    from unnest(p_unit, p_stage, p_row) with ordinality w(unit, stage, record, n)
    where w.stage = v_stage and w.unit = any (p_live);
    if v_rows is not null then
      execute format('execute %I(%L)', p_stages[v_stage], v_rows);
    end if;
  end loop;
end $$;

revoke all on function ledger_post_fresh from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function ledger_post_fresh to crossbook_app;
  end if;
end $$;

-- PostgreSQL reads a CHECK constraint from its stored text in every statement that writes the table, which cost more than
-- the writing. What is fixed when a row is made, and what an order may be, is therefore checked by triggers, whose
-- expressions are kept ready; what moves with every booking (I2, I4) stays a constraint. They pass what is null, as
-- constraints do.
alter table ledger_accounts
  drop constraint ledger_accounts_class_check, drop constraint ledger_accounts_owner_check,
  drop constraint ledger_accounts_platform_check, drop constraint ledger_accounts_counterparty_check,
  drop constraint ledger_accounts_asset_check, drop constraint ledger_accounts_shape;
alter table ledger_holds drop constraint ledger_holds_amount_check, drop constraint ledger_holds_kind_check;
alter table ledger_transfers drop constraint ledger_transfers_amount_check, drop constraint ledger_transfers_kind_check;
alter table orders
  drop constraint orders_platform_check, drop constraint orders_symbol_type_check, drop constraint orders_side_check,
  drop constraint orders_order_type_check, drop constraint orders_time_in_force_check, drop constraint orders_price_check,
  drop constraint orders_quantity_check, drop constraint orders_quote_quantity_check,
  drop constraint orders_send_type_check, drop constraint orders_send_time_in_force_check,
  drop constraint orders_send_price_check, drop constraint orders_hold_amount_check, drop constraint orders_status_check,
  drop constraint orders_cum_quantity_check, drop constraint orders_cum_quote_check, drop constraint orders_check;
alter table fills
  drop constraint fills_price_check, drop constraint fills_quantity_check, drop constraint fills_quote_quantity_check,
  drop constraint fills_fee_check;

-- I8, and the key that entries refer to; `ledger_accounts_identity` keeps it as it was made.
create function ledger_check_account() returns trigger language plpgsql as $$
begin
  if not (new.class in ('FUNDING', 'TRADING', 'IN_TRANSIT', 'HOUSE_FEE', 'HOUSE_PROMO', 'HOUSE_FX', 'ROUNDING',
      'SUSPENSE', 'EXTERNAL')
    and new.owner > 0 and new.platform in (1, 2, 3) and new.asset <> ''
    and new.counterparty ~ '^((venue|debt):[123]|chain)$'
    and (new.class in ('FUNDING', 'TRADING')) = (new.owner is not null)
    and (new.class in ('TRADING', 'IN_TRANSIT')) = (new.platform is not null)
    and (new.class = 'EXTERNAL') = (new.counterparty is not null)
    and new.key = concat_ws('/', new.class, new.owner, new.platform, new.counterparty, new.asset)) then
    raise exception 'ledger account % is of no known shape', new.key using errcode = '23514', table = 'ledger_accounts';
  end if;
  return new;
end $$;
create trigger ledger_accounts_shape before insert on ledger_accounts
  for each row execute function ledger_check_account();

-- I4, I5; `ledger_holds_identity` keeps amount and kind as they were made.
create function ledger_check_hold() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.released or new.paid < old.paid) then
    raise exception 'row % of % may not change so', old.id, tg_table_name using errcode = '55000';
  end if;
  if tg_op = 'INSERT' and not (new.amount > 0 and new.kind in ('order-hold', 'transfer-hold')) then
    raise exception 'hold % has a wrong amount or kind', new.id using errcode = '23514', table = 'ledger_holds';
  end if;
  return new;
end $$;
drop trigger ledger_holds_guard on ledger_holds;
create trigger ledger_holds_guard before insert or update on ledger_holds
  for each row execute function ledger_check_hold();

-- I7 as before, and what a movement may be: the journal is never updated.
create or replace function ledger_check_transfers() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_id uuid;
  v_well boolean;
begin
  select t.id, t.amount > 0 and t.kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill', 'trade-fee',
      'transfer-hold', 'correction')
    into v_id, v_well
  from new_transfers t
  left join public.ledger_accounts f on f.id = t.from_account and f.asset = t.asset
  left join public.ledger_accounts o on o.id = t.to_account and o.asset = t.asset
  left join public.ledger_holds h on h.id = t.hold and h.account = t.from_account
  where f.id is null or o.id is null or (t.hold is not null and h.id is null)
    or not (t.amount > 0 and t.kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill', 'trade-fee',
      'transfer-hold', 'correction'))
  limit 1;
  if found and not v_well then
    raise exception 'transfer % has a wrong amount or kind', v_id using errcode = '23514', table = 'ledger_transfers';
  elsif found then
    raise exception 'transfer % joins accounts of different assets, or none, or another hold', v_id
      using errcode = '23503';
  end if;
  return null;
end $$;

-- The state table of orders (I17) as before, and what an order may be.
create or replace function orders_guard() returns trigger language plpgsql as $$
declare
  allowed smallint[];
begin
  if not (new.platform between 1 and 3 and new.symbol_type in ('SPOT', 'SWAP') and new.side in (1, 2)
    and new.order_type in (1, 2) and new.time_in_force between 1 and 4 and new.price > 0 and new.quantity > 0
    and new.quote_quantity > 0 and (new.quantity is null) <> (new.quote_quantity is null) and new.send_type in (1, 2)
    and new.send_time_in_force between 1 and 4 and new.send_price > 0 and new.hold_amount > 0
    and new.status between 0 and 7 and new.cum_quantity >= 0 and new.cum_quote >= 0) then
    raise exception 'order % is of no known shape', new.id using errcode = '23514', table = 'orders';
  end if;
  if tg_op = 'INSERT' then return new; end if;
  allowed := case old.status
    when 0 then array[0, 2, 3, 4, 5, 6, 7]
    when 1 then array[0, 1, 2, 3, 4, 5, 6, 7]
    when 2 then array[0, 2, 3, 4, 5]
    when 5 then array[0, 3, 4, 5]
    when 3 then array[0, 3, 4]
    when 4 then array[0, 4]
    when 6 then array[0, 6]
    when 7 then array[0, 7]
  end;
  if not new.status = any (allowed) then
    raise exception 'order % may not go from status % to %', old.id, old.status, new.status using errcode = '23514';
  end if;
  if new.cum_quantity < old.cum_quantity or new.cum_quote < old.cum_quote then
    raise exception 'order %: executed quantity never shrinks', old.id using errcode = '23514';
  end if;
  if old.settled and not new.settled and new.status <> 0 then
    raise exception 'order % is settled', old.id using errcode = '23514';
  end if;
  return new;
end $$;
drop trigger orders_guard on orders;
create trigger orders_guard before insert or update on orders for each row execute function orders_guard();

create function fills_guard() returns trigger language plpgsql as $$
begin
  if not (new.price > 0 and new.quantity > 0 and new.quote_quantity >= 0 and new.fee >= 0) then
    raise exception 'fill % of order % is of no known shape', new.trade_id, new.order_id
      using errcode = '23514', table = 'fills';
  end if;
  return new;
end $$;
create trigger fills_guard before insert or update on fills for each row execute function fills_guard();

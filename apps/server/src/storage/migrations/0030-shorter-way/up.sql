-- Less work for each unit on the short way and for each change of an order. Why: notes.md.

-- Applies commands one after the other, each for the first time, and returns how many took effect: fewer than there are
-- when the next one is refused or was applied before. What breaks a constraint raises. Operations: as in ledger_post_set.
drop function ledger_post_fresh;
create function ledger_post_fresh(p_unit int[], p_op text[], p_id uuid[], p_hold uuid[], p_from bigint[], p_to bigint[],
  p_amount numeric[], p_kind text[], p_batch bigint) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
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
      with held as (
        update public.ledger_accounts x set held = x.held + v_amount
        where x.id = p_from[i] and (x.class = 'EXTERNAL' or x.posted - x.held >= v_amount)
        returning x.id, x.asset
      )
      insert into public.ledger_holds (id, account, asset, amount, kind)
      select p_hold[i], h.id, h.asset, v_amount, p_kind[i] from held h;
      if not found then return i - 1; end if;
    elsif p_op[i] = 'R' then
      with ended as (
        update public.ledger_holds h set released = true, released_at = now()
        where h.id = p_hold[i] and not h.released
        returning h.account, h.amount - h.paid as rest
      )
      update public.ledger_accounts x set held = x.held - e.rest from ended e where x.id = e.account;
      if not found then return i - 1; end if;
    else
      v_from := p_from[i];
      if p_op[i] = 'C' then
        update public.ledger_holds h set paid = h.paid + v_amount
        where h.id = p_hold[i] and not h.released and h.paid + v_amount <= h.amount
        returning h.account into v_from;
        if not found then return i - 1; end if;
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
      if v_rows <> 2 - (v_from = p_to[i])::int then
        raise exception 'half a movement' using errcode = 'LG003';
      end if;
      -- That both hold this asset is for the trigger to say.
      insert into public.ledger_transfers (id, unit, from_account, to_account, asset, amount, kind, hold)
      values (p_id[i], p_batch * 4096 + p_unit[i], v_from, p_to[i], v_asset, v_amount, p_kind[i], p_hold[i]);
    end if;
  end loop;
  return cardinality(p_op);
end $$;

-- Units of which every command takes effect and every row is written: their answers. Null, with nothing done, where the
-- first command does not; anything else that is in the way raises, and the transaction is as before. In both cases the
-- caller has `ledger_commit` find out what, for whom, and in which order. Stages are names of prepared statements; the
-- settings choose one look-up by key per row, whatever a table's size was when a statement was planned.
create or replace function ledger_commit_fresh(p_first int[], p_unit int[], p_op text[], p_id uuid[], p_hold uuid[],
  p_from bigint[], p_to bigint[], p_amount numeric[], p_kind text[],
  p_stages text[], p_write_stage int[], p_write_row text[]) returns text[]
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_applied int;
  v_stage int;
  v_rows text;
begin
  if cardinality(p_op) > 0 then
    v_applied :=
      ledger_post_fresh(p_unit, p_op, p_id, p_hold, p_from, p_to, p_amount, p_kind, nextval('ledger_batch'));
    if v_applied = 0 then return null; end if;
    if v_applied < cardinality(p_op) then
      raise exception 'not all of it took effect' using errcode = 'LG003';
    end if;
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
end $$;

revoke all on function ledger_post_fresh from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function ledger_post_fresh to crossbook_app;
  end if;
end $$;

-- What an order is besides its progress is looked at when it is made, and when a statement names one of its columns.
alter table orders
  drop constraint orders_effect_check, drop constraint orders_margin_mode_check, drop constraint orders_leverage_check,
  drop constraint orders_cause_check, drop constraint orders_contract_shape;
create function orders_shape() returns trigger language plpgsql as $$
begin
  if not (new.platform between 1 and 3 and new.symbol_type in ('SPOT', 'SWAP') and new.side in (1, 2)
    and new.order_type in (1, 2) and new.time_in_force between 1 and 4 and new.price > 0 and new.quantity > 0
    and new.quote_quantity > 0 and (new.quantity is null) <> (new.quote_quantity is null) and new.send_type in (1, 2)
    and new.send_time_in_force between 1 and 4 and new.send_price > 0
    and (new.hold_amount > 0 or (new.symbol_type = 'SWAP' and new.hold_amount = 0))
    and new.status between 0 and 7 and new.cum_quantity >= 0 and new.cum_quote >= 0
    and new.effect between 0 and 2 and new.margin_mode in ('cross', 'isolated') and new.leverage > 0
    and new.cause in ('order', 'liquidation', 'deleveraging', 'venue')
    and (new.symbol_type = 'SWAP') = (new.margin_mode is not null)) then
    raise exception 'order % is of no known shape', new.id using errcode = '23514', table = 'orders';
  end if;
  return new;
end $$;

-- The state table of orders (I17) as before, looked at by one expression where nothing is wrong. A status that it does
-- not name has no successor.
create or replace function orders_guard() returns trigger language plpgsql as $$
begin
  if (new.status = old.status or old.status = 1 or new.status = 0
      or (old.status = 0 and new.status between 2 and 7)
      or (old.status = 2 and new.status between 3 and 5)
      or (old.status = 5 and new.status in (3, 4))
      or (old.status = 3 and new.status = 4))
    and new.status between 0 and 7
    and new.cum_quantity >= old.cum_quantity and new.cum_quote >= old.cum_quote
    and (new.settled or not old.settled or new.status = 0) then
    return new;
  end if;
  if new.cum_quantity < old.cum_quantity or new.cum_quote < old.cum_quote then
    raise exception 'order %: executed quantity never shrinks', old.id using errcode = '23514', table = 'orders';
  end if;
  if old.settled and not new.settled and new.status <> 0 then
    raise exception 'order % is settled', old.id using errcode = '23514', table = 'orders';
  end if;
  raise exception 'order % may not go from status % to %', old.id, old.status, new.status
    using errcode = '23514', table = 'orders';
end $$;
drop trigger orders_guard on orders;
create trigger orders_guard before update on orders for each row execute function orders_guard();
create trigger orders_shape before insert or update of platform, symbol_type, side, order_type, time_in_force, price,
  quantity, quote_quantity, send_type, send_time_in_force, send_price, hold_amount, effect, margin_mode, leverage, cause
  on orders for each row execute function orders_shape();

-- Less work of the database for each order: its journal, the rows that come with its money. Why: notes.md.

-- What new rows ask for; the arguments are their kind and the columns that are no part of it, of which the first is their id.
create or replace function money_decided() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.money_decisions (at, member, kind, subject, facts)
  select d.created_at, d.user_id, tg_argv[0], (d.asked ->> tg_argv[1])::uuid, jsonb_strip_nulls(d.asked - tg_argv[1:])
  -- Each row becomes JSON once: `offset 0` keeps the planner from writing it in where it is used.
  from (select n.created_at, n.user_id, to_jsonb(n) as asked from decided n offset 0) d;
  return null;
end $$;

drop trigger orders_decided on orders;
create trigger orders_decided after insert on orders referencing new table as decided for each statement
  execute function money_decided('order', 'id', 'user_id', 'created_at', 'updated_at', 'status', 'cancel_pending', 'settled',
    'cum_quantity', 'cum_quote', 'realised_pnl', 'venue_order_id', 'reason', 'fence_closes_at', 'looks', 'first_look_at');
drop trigger algo_orders_decided on algo_orders;
create trigger algo_orders_decided after insert on algo_orders referencing new table as decided for each statement
  execute function money_decided('algo-order', 'id', 'user_id', 'created_at', 'updated_at', 'state', 'unknown',
    'cancel_pending', 'venue_algo_id', 'reason', 'deadline_at', 'lookups', 'first_lookup_at');
drop trigger order_targets_decided on order_targets;
create trigger order_targets_decided after insert on order_targets referencing new table as decided for each statement
  execute function money_decided('targets', 'order_id', 'user_id', 'created_at', 'placed', 'parts', 'ended');
drop trigger universal_transfers_decided on universal_transfers;
create trigger universal_transfers_decided after insert on universal_transfers referencing new table as decided
  for each statement execute function money_decided('transfer', 'id', 'user_id', 'created_at', 'updated_at', 'state', 'reason',
    'fence_closes_at', 'looks');
drop trigger test_funds_decided on test_funds;
create trigger test_funds_decided after insert on test_funds referencing new table as decided for each statement
  execute function money_decided('test-funds', 'id', 'user_id', 'created_at', 'updated_at', 'state');
drop trigger setting_changes_decided on setting_changes;
create trigger setting_changes_decided after insert on setting_changes referencing new table as decided for each statement
  execute function money_decided('setting', 'id', 'user_id', 'created_at', 'updated_at', 'state', 'reason', 'deadline_at',
    'lookups');

-- Only a statement that names these columns can change them; every other one need not read the condition.
drop trigger orders_changed on orders;
create trigger orders_changed after update of amend_price, amend_quantity on orders for each row
  when (new.amend_quantity is not null and (new.amend_price, new.amend_quantity) is distinct from
    (old.amend_price, old.amend_quantity))
  execute function money_decided_anew('order-change', 'amend_price', 'amend_quantity', 'hold_id', 'hold_amount');

-- A kind is an argument of the triggers here, and nobody else may write.
alter table money_decisions drop constraint money_decisions_kind_check;

-- A start reads all of them by orders_open, which has the same rows; ledger_transfers_seq has the numbers too.
drop index orders_unsettled, ledger_transfers_numbers;

-- As before, and what were CHECK constraints: how much is shown, and how much legs hold at the exchange.
alter table orders drop constraint orders_check, drop constraint orders_check1;
create or replace function orders_shape() returns trigger language plpgsql as $$
begin
  if not (new.platform between 1 and 3 and new.symbol_type in ('SPOT', 'SWAP') and new.side in (1, 2)
    and new.order_type in (1, 2) and new.time_in_force between 1 and 4 and new.price > 0 and new.quantity > 0
    and new.quote_quantity > 0 and (new.quantity is null) <> (new.quote_quantity is null) and new.send_type in (1, 2)
    and new.send_time_in_force between 1 and 4 and new.send_price > 0
    and (new.hold_amount > 0 or (new.symbol_type = 'SWAP' and new.hold_amount = 0))
    and (new.algo_id is not null or not new.shares_hold)
    and (new.visible_quantity is null or (new.visible_quantity > 0 and new.visible_quantity <= new.quantity
      and new.order_type = 1 and new.symbol_type = 'SPOT'))
    and (new.listed_quantity is null or (new.listed_quantity > 0 and new.listed_quantity <= new.quantity
      and new.order_type = 1 and new.symbol_type = 'SPOT'))
    and new.status between 0 and 7 and new.cum_quantity >= 0 and new.cum_quote >= 0
    and new.effect between 0 and 2 and new.margin_mode in ('cross', 'isolated') and new.leverage > 0
    and new.cause in ('order', 'liquidation', 'deleveraging', 'venue')
    and (new.symbol_type = 'SWAP') = (new.margin_mode is not null)) then
    raise exception 'order % is of no known shape', new.id using errcode = '23514', table = 'orders';
  end if;
  return new;
end $$;
drop trigger orders_shape on orders;
create trigger orders_shape before insert or update of platform, symbol_type, side, order_type, time_in_force, price, quantity,
  quote_quantity, visible_quantity, listed_quantity, send_type, send_time_in_force, send_price, hold_amount, effect, margin_mode,
  leverage, cause on orders for each row execute function orders_shape();

-- As before, with the rows of a stage as one JSON array.
drop function ledger_commit_fresh;
create function ledger_commit_fresh(p_first int[], p_unit int[], p_op text[], p_id uuid[], p_hold uuid[],
  p_from bigint[], p_to bigint[], p_amount numeric[], p_kind text[], p_stages text[], p_rows text[]) returns text[]
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_applied int;
  v_stage int;
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
    execute format('execute %I(%L)', p_stages[v_stage], p_rows[v_stage]);
  end loop;
  return array_fill('applied'::text, array[cardinality(p_first) - 1]);
end $$;

-- As before, but that rows stay text until their statement reads them: each was read, written and read again.
drop function ledger_write_companions;
create function ledger_write_companions(p_stages text[], p_unit int[], p_stage int[], p_row text[], p_live int[])
returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_stage int;
  v_rows text;
begin
  for v_stage in 1 .. cardinality(p_stages) loop
    select string_agg(w.record, ',' order by w.n) into v_rows
    from unnest(p_unit, p_stage, p_row) with ordinality w(unit, stage, record, n)
    where w.stage = v_stage and w.unit = any (p_live);
    if v_rows is not null then
      execute format('execute %I(%L)', p_stages[v_stage], '[' || v_rows || ']');
    end if;
  end loop;
end $$;
do $$
declare
  v_commit text := pg_get_functiondef('ledger_commit'::regproc);
begin
  drop function ledger_commit;
  execute replace(v_commit, 'p_write_row jsonb[]', 'p_write_row text[]');
end $$;

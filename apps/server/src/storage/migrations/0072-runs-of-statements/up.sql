-- A run is the sum of its booked fills, whoever books them at the same time and in whatever order. Why: notes.md.

-- When positions last were those of the exchange.
alter table contract_accounts add column agreed_at bigint;

drop trigger contract_fill_booked on fills;
drop function contract_fill_booked();
drop function contract_run_rebuilt(fills, contract_runs);

-- In one instant a leg is opened before it is closed: it has nothing below zero.
create function contract_fill_turn(p_effect smallint, p_side smallint) returns int language sql immutable as $$
  select case when p_effect = 0 or (p_side = 1) = (p_effect = 1) then 0 else 1 end
$$;

-- Makes a run anew of all its fills since the last time it was surely flat before a moment. What was booked to these
-- positions without a fill stays booked: to the one that stands, or else to the last of them.
create function contract_run_rebuilt(p_run contract_runs, p_before bigint) returns contract_runs
language plpgsql as $$
declare
  v_run contract_runs := p_run;
  v_flat bigint;
  v_funding numeric := p_run.funding;
  v_fees numeric := p_run.other_fees;
  v_one fills;
begin
  select coalesce(max(c.closed_at), -1) into v_flat from closed_positions c
  where (c.user_id, c.platform, c.symbol, c.effect, c.margin_mode)
      = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect, p_run.margin_mode)
    and c.closed_at < p_before and c.closed_at <> p_run.opened_at
    -- A fill that turned a position left it flat at no time.
    and not exists (select from closed_positions o
      where (o.user_id, o.platform, o.symbol, o.effect, o.margin_mode)
          = (c.user_id, c.platform, c.symbol, c.effect, c.margin_mode) and o.opened_at = c.closed_at);
  -- A run that is flat was counted in the row that it left.
  if p_run.quantity = 0 then v_funding := 0; v_fees := 0; end if;
  with gone as (
    delete from closed_positions c
    where (c.user_id, c.platform, c.symbol, c.effect, c.margin_mode)
        = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect, p_run.margin_mode) and c.closed_at > v_flat
    returning c.funding, c.other_fees)
  select v_funding + coalesce(sum(funding), 0), v_fees + coalesce(sum(other_fees), 0) into v_funding, v_fees from gone;
  v_run.quantity := 0;
  for v_one in select f.* from fills f
    where (f.user_id, f.platform, f.symbol, f.effect, f.margin_mode)
        = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect, p_run.margin_mode)
      and f.symbol_type = 'SWAP' and f.filled_at > v_flat
    order by f.filled_at, contract_fill_turn(f.effect, f.side), f.sequence
  loop
    v_run := contract_run_after(v_one, v_run);
  end loop;
  if v_run.quantity <> 0 then
    v_run.funding := v_run.funding + v_funding;
    v_run.fees := v_run.fees + v_fees;
    v_run.other_fees := v_run.other_fees + v_fees;
  else
    update closed_positions c set funding = c.funding + v_funding, fees = c.fees + v_fees,
      other_fees = c.other_fees + v_fees
    where c.sequence = (select max(o.sequence) from closed_positions o
      where (o.user_id, o.platform, o.symbol, o.effect, o.margin_mode)
          = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect, p_run.margin_mode));
  end if;
  return v_run;
end $$;

create function contract_run_written(p_run contract_runs) returns void language sql as $$
  update contract_runs r set position_id = p_run.position_id, quantity = p_run.quantity,
    max_quantity = p_run.max_quantity, entry_quantity = p_run.entry_quantity, entry_value = p_run.entry_value,
    exit_quantity = p_run.exit_quantity, exit_value = p_run.exit_value, realised_pnl = p_run.realised_pnl,
    fees = p_run.fees, funding = p_run.funding, leverage = p_run.leverage, opened_at = p_run.opened_at,
    other_fees = p_run.other_fees
  where r.user_id = p_run.user_id and r.platform = p_run.platform and r.symbol = p_run.symbol
    and r.effect = p_run.effect and r.margin_mode = p_run.margin_mode
$$;

-- Fills of contracts that one statement booked change their runs, each once. A run's row is locked before its fills are
-- looked at: whoever booked others of it has committed by then, and they are seen.
create function contract_fills_booked() returns trigger language plpgsql as $$
declare
  v_key record;
  v_run contract_runs;
  v_one fills;
begin
  for v_key in select user_id, platform, symbol, effect, margin_mode,
      min(array[filled_at, contract_fill_turn(effect, side)]) as first
    from booked where symbol_type = 'SWAP' group by user_id, platform, symbol, effect, margin_mode
    order by user_id, platform, symbol, effect, margin_mode
  loop
    insert into contract_runs
    values (v_key.user_id, v_key.platform, v_key.symbol, v_key.effect, v_key.margin_mode,
      '00000000-0000-0000-0000-000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, v_key.first[1], 0)
    on conflict do nothing;
    select * into v_run from contract_runs r where r.user_id = v_key.user_id and r.platform = v_key.platform
      and r.symbol = v_key.symbol and r.effect = v_key.effect and r.margin_mode = v_key.margin_mode for update;
    if exists (select from fills f where f.user_id = v_key.user_id and f.platform = v_key.platform
        and f.symbol_type = 'SWAP' and f.symbol = v_key.symbol and f.effect = v_key.effect
        and f.margin_mode = v_key.margin_mode and f.filled_at >= v_key.first[1]
        and (f.filled_at > v_key.first[1] or contract_fill_turn(f.effect, f.side) > v_key.first[2])
        and not exists (select from booked b where b.sequence = f.sequence)) then
      v_run := contract_run_rebuilt(v_run, v_key.first[1]);
    else
      for v_one in select b.* from booked b where b.symbol_type = 'SWAP'
          and (b.user_id, b.platform, b.symbol, b.effect, b.margin_mode)
            = (v_key.user_id, v_key.platform, v_key.symbol, v_key.effect, v_key.margin_mode)
        order by b.filled_at, contract_fill_turn(b.effect, b.side), b.sequence
      loop
        v_run := contract_run_after(v_one, v_run);
      end loop;
    end if;
    perform contract_run_written(v_run);
  end loop;
  return null;
end $$;
create trigger contract_fills_booked after insert on fills referencing new table as booked for each statement
  execute function contract_fills_booked();

-- Makes those runs of a contract anew that are not the sum of their fills. True where one was not.
create function contract_runs_made_anew(p_user bigint, p_platform smallint, p_symbol text) returns boolean
language plpgsql as $$
declare
  v_run contract_runs;
  v_anew contract_runs;
  v_changed boolean := false;
begin
  for v_run in select * from contract_runs r
    where r.user_id = p_user and r.platform = p_platform and r.symbol = p_symbol
    order by r.effect, r.margin_mode for update
  loop
    continue when v_run.quantity = (
      select coalesce(sum(case when (f.side = 1) = (f.effect <> 2) then f.quantity else - f.quantity end), 0) from fills f
      where f.symbol_type = 'SWAP' and (f.user_id, f.platform, f.symbol, f.effect, f.margin_mode)
        = (v_run.user_id, v_run.platform, v_run.symbol, v_run.effect, v_run.margin_mode));
    v_anew := contract_run_rebuilt(v_run, v_run.opened_at);
    v_changed := v_changed or v_anew.quantity <> v_run.quantity;
    perform contract_run_written(v_anew);
  end loop;
  return v_changed;
end $$;

-- As before, and the runs of the contract are locked before it is asked which of them stands.
create or replace function contract_income_booked() returns trigger language plpgsql as $$
declare
  v_funding numeric := case when new.kind = 'funding' then new.amount else 0 end;
  v_fees numeric := case when new.kind = 'liquidation-fee' then - new.amount else 0 end;
begin
  perform from contract_runs r where r.user_id = new.user_id and r.platform = new.platform and r.symbol = new.symbol
    order by r.effect, r.margin_mode for update;
  update contract_runs r set funding = r.funding + v_funding, fees = r.fees + v_fees, other_fees = r.other_fees + v_fees
  where (r.user_id, r.platform, r.symbol, r.effect, r.margin_mode) = (
    select o.user_id, o.platform, o.symbol, o.effect, o.margin_mode from contract_runs o
    where o.user_id = new.user_id and o.platform = new.platform and o.symbol = new.symbol and o.quantity <> 0
      and o.effect = coalesce(new.effect, o.effect) and o.margin_mode = coalesce(new.margin_mode, o.margin_mode)
    order by o.opened_at, o.effect limit 1);
  if found then return null; end if;
  update closed_positions c set funding = c.funding + v_funding, fees = c.fees + v_fees, other_fees = c.other_fees + v_fees
  where c.sequence = (select sequence from closed_positions o
    where o.user_id = new.user_id and o.platform = new.platform and o.symbol = new.symbol order by sequence desc limit 1);
  return null;
end $$;

-- At Bybit the margin mode is the account's: a position that changes it stays one position. Why: notes.md.

-- The margin modes whose fills make one run: both where the mode is the account's, else the one.
create function contract_run_modes(p_platform smallint, p_mode text) returns text[] language sql immutable as $$
  select case when p_platform = 3 then array['cross', 'isolated'] else array[p_mode] end
$$;

-- As before, and the mode is that of the fill which ended it.
create or replace function contract_run_closed(p_fill fills, p_run contract_runs, p_closing numeric) returns contract_runs
language plpgsql as $$
declare
  v_run contract_runs := p_run;
  v_short boolean := p_run.effect = 2 or p_run.quantity < 0;
begin
  v_run.quantity := v_run.quantity - sign(v_run.quantity) * p_closing;
  v_run.exit_quantity := v_run.exit_quantity + p_closing;
  v_run.exit_value := v_run.exit_value + p_closing * p_fill.price;
  v_run.realised_pnl := v_run.realised_pnl + p_fill.realised_pnl;
  v_run.fees := v_run.fees + round(p_fill.fee * p_closing / p_fill.quantity, 18);
  if v_run.quantity = 0 then
    insert into closed_positions (position_id, user_id, platform, symbol, effect, direction, margin_mode, leverage,
      max_quantity, entry_price, exit_price, realised_pnl, fees, other_fees, funding, ended, opened_at, closed_at)
    values (v_run.position_id, v_run.user_id, v_run.platform, v_run.symbol, v_run.effect,
      case when v_short then 'short' else 'long' end, p_fill.margin_mode, v_run.leverage, v_run.max_quantity,
      v_run.entry_value / v_run.entry_quantity, v_run.exit_value / v_run.exit_quantity, v_run.realised_pnl, v_run.fees,
      v_run.other_fees, v_run.funding,
      case p_fill.cause when 'liquidation' then 'liquidated' when 'deleveraging' then 'deleveraged' else 'closed' end,
      v_run.opened_at, p_fill.filled_at);
  end if;
  return v_run;
end $$;

-- As before, and the mode is that of the fill which opened it.
create or replace function contract_run_opened(p_fill fills, p_run contract_runs, p_opening numeric, p_direction int)
returns contract_runs language plpgsql as $$
declare
  v_run contract_runs := p_run;
begin
  if v_run.quantity = 0 then
    v_run.position_id := md5(concat_ws('/', p_fill.platform, p_fill.symbol, p_fill.trade_id, p_fill.order_id, p_fill.effect))::uuid;
    v_run.margin_mode := p_fill.margin_mode;
    v_run.max_quantity := 0;
    v_run.entry_quantity := 0;
    v_run.entry_value := 0;
    v_run.exit_quantity := 0;
    v_run.exit_value := 0;
    v_run.realised_pnl := 0;
    v_run.fees := 0;
    v_run.other_fees := 0;
    v_run.funding := 0;
    v_run.leverage := coalesce((select leverage from orders where id = p_fill.order_id), 1);
    v_run.opened_at := p_fill.filled_at;
  end if;
  v_run.quantity := v_run.quantity + p_direction * p_opening;
  v_run.max_quantity := greatest(v_run.max_quantity, abs(v_run.quantity));
  v_run.entry_quantity := v_run.entry_quantity + p_opening;
  v_run.entry_value := v_run.entry_value + p_opening * p_fill.price;
  -- What the closing part has not paid: the two make the whole fee, to the last digit.
  v_run.fees := v_run.fees + p_fill.fee - round(p_fill.fee * (p_fill.quantity - p_opening) / p_fill.quantity, 18);
  return v_run;
end $$;

-- As before, of all fills that make the run. One that stands is in the mode that it had, or else in that of its last fill.
create or replace function contract_run_rebuilt(p_run contract_runs, p_before bigint) returns contract_runs
language plpgsql as $$
declare
  v_run contract_runs := p_run;
  v_modes text[] := contract_run_modes(p_run.platform, p_run.margin_mode);
  v_flat bigint;
  v_funding numeric := p_run.funding;
  v_fees numeric := p_run.other_fees;
  v_mode text := p_run.margin_mode;
  v_one fills;
begin
  select coalesce(max(c.closed_at), -1) into v_flat from closed_positions c
  where (c.user_id, c.platform, c.symbol, c.effect) = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect)
    and c.margin_mode = any (v_modes) and c.closed_at < p_before and c.closed_at <> p_run.opened_at
    -- A fill that turned a position left it flat at no time.
    and not exists (select from closed_positions o
      where (o.user_id, o.platform, o.symbol, o.effect) = (c.user_id, c.platform, c.symbol, c.effect)
        and o.margin_mode = any (v_modes) and o.opened_at = c.closed_at);
  -- A run that is flat was counted in the row that it left.
  if p_run.quantity = 0 then v_funding := 0; v_fees := 0; end if;
  with gone as (
    delete from closed_positions c
    where (c.user_id, c.platform, c.symbol, c.effect) = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect)
      and c.margin_mode = any (v_modes) and c.closed_at > v_flat
    returning c.funding, c.other_fees)
  select v_funding + coalesce(sum(funding), 0), v_fees + coalesce(sum(other_fees), 0) into v_funding, v_fees from gone;
  v_run.quantity := 0;
  for v_one in select f.* from fills f
    where (f.user_id, f.platform, f.symbol, f.effect) = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect)
      and f.margin_mode = any (v_modes) and f.symbol_type = 'SWAP' and f.filled_at > v_flat
    order by f.filled_at, contract_fill_turn(f.effect, f.side), f.sequence
  loop
    v_run := contract_run_after(v_one, v_run);
    if p_run.quantity = 0 then v_mode := v_one.margin_mode; end if;
  end loop;
  if v_run.quantity <> 0 then
    v_run.funding := v_run.funding + v_funding;
    v_run.fees := v_run.fees + v_fees;
    v_run.other_fees := v_run.other_fees + v_fees;
    v_run.margin_mode := v_mode;
  else
    update closed_positions c set funding = c.funding + v_funding, fees = c.fees + v_fees,
      other_fees = c.other_fees + v_fees
    where c.sequence = (select max(o.sequence) from closed_positions o
      where (o.user_id, o.platform, o.symbol, o.effect) = (p_run.user_id, p_run.platform, p_run.symbol, p_run.effect)
        and o.margin_mode = any (v_modes));
  end if;
  return v_run;
end $$;

create or replace function contract_run_written(p_run contract_runs) returns void language sql as $$
  update contract_runs r set margin_mode = p_run.margin_mode, position_id = p_run.position_id, quantity = p_run.quantity,
    max_quantity = p_run.max_quantity, entry_quantity = p_run.entry_quantity, entry_value = p_run.entry_value,
    exit_quantity = p_run.exit_quantity, exit_value = p_run.exit_value, realised_pnl = p_run.realised_pnl,
    fees = p_run.fees, funding = p_run.funding, leverage = p_run.leverage, opened_at = p_run.opened_at,
    other_fees = p_run.other_fees
  where r.user_id = p_run.user_id and r.platform = p_run.platform and r.symbol = p_run.symbol
    and r.effect = p_run.effect and r.margin_mode = any (contract_run_modes(p_run.platform, p_run.margin_mode))
$$;

-- As before, once for each run that the fills make, whatever mode each of them was in.
create or replace function contract_fills_booked() returns trigger language plpgsql as $$
declare
  v_key record;
  v_run contract_runs;
  v_one fills;
begin
  for v_key in select user_id, platform, symbol, effect, contract_run_modes(platform, margin_mode) as modes,
      (array_agg(margin_mode order by filled_at))[1] as margin_mode,
      min(array[filled_at, contract_fill_turn(effect, side)]) as first
    from booked where symbol_type = 'SWAP' group by user_id, platform, symbol, effect, modes
    order by user_id, platform, symbol, effect, modes
  loop
    insert into contract_runs
    values (v_key.user_id, v_key.platform, v_key.symbol, v_key.effect, v_key.margin_mode,
      '00000000-0000-0000-0000-000000000000', 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, v_key.first[1], 0)
    on conflict do nothing;
    select * into v_run from contract_runs r where r.user_id = v_key.user_id and r.platform = v_key.platform
      and r.symbol = v_key.symbol and r.effect = v_key.effect and r.margin_mode = any (v_key.modes) for update;
    if exists (select from fills f where f.user_id = v_key.user_id and f.platform = v_key.platform
        and f.symbol_type = 'SWAP' and f.symbol = v_key.symbol and f.effect = v_key.effect
        and f.margin_mode = any (v_key.modes) and f.filled_at >= v_key.first[1]
        and (f.filled_at > v_key.first[1] or contract_fill_turn(f.effect, f.side) > v_key.first[2])
        and not exists (select from booked b where b.sequence = f.sequence)) then
      v_run := contract_run_rebuilt(v_run, v_key.first[1]);
    else
      for v_one in select b.* from booked b where b.symbol_type = 'SWAP'
          and (b.user_id, b.platform, b.symbol, b.effect) = (v_key.user_id, v_key.platform, v_key.symbol, v_key.effect)
          and b.margin_mode = any (v_key.modes)
        order by b.filled_at, contract_fill_turn(b.effect, b.side), b.sequence
      loop
        v_run := contract_run_after(v_one, v_run);
      end loop;
    end if;
    perform contract_run_written(v_run);
  end loop;
  return null;
end $$;

-- As before, of all fills that make each run.
create or replace function contract_runs_made_anew(p_user bigint, p_platform smallint, p_symbol text) returns boolean
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
      where f.symbol_type = 'SWAP' and (f.user_id, f.platform, f.symbol, f.effect)
          = (v_run.user_id, v_run.platform, v_run.symbol, v_run.effect)
        and f.margin_mode = any (contract_run_modes(v_run.platform, v_run.margin_mode)));
    v_anew := contract_run_rebuilt(v_run, v_run.opened_at);
    v_changed := v_changed or v_anew.quantity <> v_run.quantity;
    perform contract_run_written(v_anew);
  end loop;
  return v_changed;
end $$;

-- As before, in whichever mode the position stands where the mode is the account's.
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
      and o.effect = coalesce(new.effect, o.effect)
      and (new.margin_mode is null or o.margin_mode = any (contract_run_modes(new.platform, new.margin_mode)))
    order by o.opened_at, o.effect limit 1);
  if found then return null; end if;
  update closed_positions c set funding = c.funding + v_funding, fees = c.fees + v_fees, other_fees = c.other_fees + v_fees
  where c.sequence = (select sequence from closed_positions o
    where o.user_id = new.user_id and o.platform = new.platform and o.symbol = new.symbol order by sequence desc limit 1);
  return null;
end $$;

-- Of what an account had in each mode after another, the run that stands stays, or the last one.
do $$
declare
  v_key record;
  v_run contract_runs;
begin
  for v_key in select user_id, symbol, effect, count(*) filter (where quantity <> 0) as standing,
      (array_agg(margin_mode order by quantity <> 0 desc, opened_at desc))[1] as kept
    from contract_runs where platform = 3 group by user_id, symbol, effect having count(*) > 1
  loop
    delete from contract_runs r where r.platform = 3 and r.margin_mode <> v_key.kept
      and (r.user_id, r.symbol, r.effect) = (v_key.user_id, v_key.symbol, v_key.effect);
    continue when v_key.standing < 2;
    select * into v_run from contract_runs r where r.platform = 3
      and (r.user_id, r.symbol, r.effect) = (v_key.user_id, v_key.symbol, v_key.effect);
    perform contract_run_written(contract_run_rebuilt(v_run, v_run.opened_at));
  end loop;
end $$;
create unique index contract_runs_of_account on contract_runs (user_id, platform, symbol, effect) where platform = 3;

delete from contract_positions p using contract_positions o
where p.platform = 3 and (o.user_id, o.platform, o.symbol, o.effect) = (p.user_id, p.platform, p.symbol, p.effect)
  and o.margin_mode <> p.margin_mode and (o.version, o.margin_mode) > (p.version, p.margin_mode);

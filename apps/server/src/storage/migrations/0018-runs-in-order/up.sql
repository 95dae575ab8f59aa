-- Runs are as the exchange's time has the fills, in whatever order these are booked. Why: notes.md.

-- Of `fees` what was booked without a fill.
alter table contract_runs add column other_fees numeric(38, 18) not null default 0;
alter table closed_positions add column other_fees numeric(38, 18) not null default 0;

-- The part of a fill that closes a run, or ends it.
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
      case when v_short then 'short' else 'long' end, v_run.margin_mode, v_run.leverage, v_run.max_quantity,
      v_run.entry_value / v_run.entry_quantity, v_run.exit_value / v_run.exit_quantity, v_run.realised_pnl, v_run.fees,
      v_run.other_fees, v_run.funding,
      case p_fill.cause when 'liquidation' then 'liquidated' when 'deleveraging' then 'deleveraged' else 'closed' end,
      v_run.opened_at, p_fill.filled_at);
  end if;
  return v_run;
end $$;

-- The part of a fill that opens a run or adds to it. `p_direction` is the sign of the quantity it adds.
create or replace function contract_run_opened(p_fill fills, p_run contract_runs, p_opening numeric, p_direction int)
returns contract_runs language plpgsql as $$
declare
  v_run contract_runs := p_run;
begin
  if v_run.quantity = 0 then
    v_run.position_id := md5(concat_ws('/', p_fill.platform, p_fill.symbol, p_fill.trade_id, p_fill.order_id, p_fill.effect))::uuid;
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

-- A run after one more fill: it closes what stands on the other side first, the rest opens.
create function contract_run_after(p_fill fills, p_run contract_runs) returns contract_runs language plpgsql as $$
declare
  v_run contract_runs := p_run;
  -- In the count of the run: a short leg grows by what is sold.
  v_direction int := case when (p_fill.side = 1) = (p_fill.effect <> 2) then 1 else -1 end;
  v_closing numeric := 0;
begin
  if v_run.quantity <> 0 and sign(v_run.quantity) <> v_direction then
    v_closing := least(p_fill.quantity, abs(v_run.quantity));
    v_run := contract_run_closed(p_fill, v_run, v_closing);
  end if;
  -- A leg has nothing below zero: a fill booked before the one that opened the leg waits for that one.
  if p_fill.quantity > v_closing and (p_fill.effect = 0 or v_direction = 1) then
    v_run := contract_run_opened(p_fill, v_run, p_fill.quantity - v_closing, v_direction);
  end if;
  return v_run;
end $$;

-- Makes a run anew from the last time it was surely flat before a fill that came late. What was booked to these positions
-- without a fill stays booked: to the one that stands, or else to the last of them.
create function contract_run_rebuilt(p_fill fills, p_run contract_runs) returns contract_runs language plpgsql as $$
declare
  v_run contract_runs := p_run;
  v_flat bigint;
  v_funding numeric := p_run.funding;
  v_fees numeric := p_run.other_fees;
  v_one fills;
begin
  select coalesce(max(c.closed_at), -1) into v_flat from closed_positions c
  where (c.user_id, c.platform, c.symbol, c.effect, c.margin_mode)
      = (p_fill.user_id, p_fill.platform, p_fill.symbol, p_fill.effect, p_fill.margin_mode)
    and c.closed_at < p_fill.filled_at and c.closed_at <> p_run.opened_at
    -- A fill that turned a position left it flat at no time.
    and not exists (select from closed_positions o
      where (o.user_id, o.platform, o.symbol, o.effect, o.margin_mode)
          = (c.user_id, c.platform, c.symbol, c.effect, c.margin_mode) and o.opened_at = c.closed_at);
  -- A run that is flat was counted in the row that it left.
  if p_run.quantity = 0 then v_funding := 0; v_fees := 0; end if;
  with gone as (
    delete from closed_positions c
    where (c.user_id, c.platform, c.symbol, c.effect, c.margin_mode)
        = (p_fill.user_id, p_fill.platform, p_fill.symbol, p_fill.effect, p_fill.margin_mode) and c.closed_at > v_flat
    returning c.funding, c.other_fees)
  select v_funding + coalesce(sum(funding), 0), v_fees + coalesce(sum(other_fees), 0) into v_funding, v_fees from gone;
  v_run.quantity := 0;
  for v_one in select * from fills f
    where (f.user_id, f.platform, f.symbol, f.effect, f.margin_mode)
        = (p_fill.user_id, p_fill.platform, p_fill.symbol, p_fill.effect, p_fill.margin_mode)
      and f.symbol_type = 'SWAP' and f.filled_at > v_flat and f.sequence <= p_fill.sequence
    order by f.filled_at, f.sequence
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
          = (p_fill.user_id, p_fill.platform, p_fill.symbol, p_fill.effect, p_fill.margin_mode));
  end if;
  return v_run;
end $$;

-- A booked fill of a contract changes its run; one that is older than another that is booked makes the run anew.
create or replace function contract_fill_booked() returns trigger language plpgsql as $$
declare
  v_run contract_runs;
begin
  select * into v_run from contract_runs where user_id = new.user_id and platform = new.platform
    and symbol = new.symbol and effect = new.effect and margin_mode = new.margin_mode for update;
  if not found then
    v_run := row(new.user_id, new.platform, new.symbol, new.effect, new.margin_mode,
      '00000000-0000-0000-0000-000000000000'::uuid, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, new.filled_at, 0);
  end if;
  if exists (select from fills f where f.user_id = new.user_id and f.platform = new.platform and f.symbol_type = 'SWAP'
      and f.symbol = new.symbol and f.effect = new.effect and f.margin_mode = new.margin_mode
      and f.sequence < new.sequence and f.filled_at > new.filled_at) then
    v_run := contract_run_rebuilt(new, v_run);
  else
    v_run := contract_run_after(new, v_run);
  end if;
  insert into contract_runs select v_run.*
  on conflict (user_id, platform, symbol, effect, margin_mode) do update set position_id = excluded.position_id,
    quantity = excluded.quantity, max_quantity = excluded.max_quantity, entry_quantity = excluded.entry_quantity,
    entry_value = excluded.entry_value, exit_quantity = excluded.exit_quantity, exit_value = excluded.exit_value,
    realised_pnl = excluded.realised_pnl, fees = excluded.fees, funding = excluded.funding,
    leverage = excluded.leverage, opened_at = excluded.opened_at, other_fees = excluded.other_fees;
  return null;
end $$;

-- Whether a fill is older than one that is booked is asked at every fill.
create index fills_by_contract on fills (user_id, platform, symbol, effect, margin_mode, filled_at) where symbol_type = 'SWAP';

-- Funding and liquidation fees belong to the position that stood, or to the one that ended last.
create or replace function contract_income_booked() returns trigger language plpgsql as $$
declare
  v_funding numeric := case when new.kind = 'funding' then new.amount else 0 end;
  v_fees numeric := case when new.kind = 'liquidation-fee' then - new.amount else 0 end;
begin
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

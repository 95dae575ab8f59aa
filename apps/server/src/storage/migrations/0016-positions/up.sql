-- Positions made of booked fills, what the exchange stated last, and income without a fill. Why: notes.md.

create table contract_accounts (
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  income_until bigint not null,
  primary key (user_id, platform)
);

create table contract_runs (
  user_id bigint not null,
  platform smallint not null,
  symbol text not null,
  effect smallint not null,
  margin_mode text not null,
  position_id uuid not null,
  -- Signed with effect 0, at least 0 otherwise; 0 between two runs.
  quantity numeric(38, 18) not null check (effect = 0 or quantity >= 0),
  max_quantity numeric(38, 18) not null,
  entry_quantity numeric(38, 18) not null,
  entry_value numeric not null,
  exit_quantity numeric(38, 18) not null,
  exit_value numeric not null,
  realised_pnl numeric(38, 18) not null,
  fees numeric(38, 18) not null,
  funding numeric(38, 18) not null,
  leverage integer not null,
  opened_at bigint not null,
  primary key (user_id, platform, symbol, effect, margin_mode)
);

create table closed_positions (
  sequence bigint generated always as identity primary key,
  position_id uuid not null,
  user_id bigint not null,
  platform smallint not null,
  symbol text not null,
  effect smallint not null,
  direction text not null check (direction in ('long', 'short')),
  margin_mode text not null,
  leverage integer not null,
  max_quantity numeric(38, 18) not null,
  entry_price numeric(38, 18) not null,
  exit_price numeric(38, 18) not null,
  realised_pnl numeric(38, 18) not null,
  fees numeric(38, 18) not null,
  funding numeric(38, 18) not null,
  ended text not null check (ended in ('closed', 'liquidated', 'deleveraged')),
  opened_at bigint not null,
  closed_at bigint not null
);
create index closed_positions_by_member on closed_positions (user_id, sequence desc);

create table contract_income (
  sequence bigint generated always as identity,
  platform smallint not null,
  user_id bigint not null,
  kind text not null,
  income_id text not null,
  symbol text,
  effect smallint,
  margin_mode text,
  asset text not null,
  amount numeric(38, 18) not null,
  rate numeric(38, 18),
  quantity numeric(38, 18),
  mark_price numeric(38, 18),
  at bigint not null,
  primary key (platform, user_id, kind, income_id)
);
create index contract_income_by_member on contract_income (user_id, sequence desc) where kind = 'funding';

create table contract_positions (
  user_id bigint not null,
  platform smallint not null,
  symbol text not null,
  effect smallint not null,
  margin_mode text not null,
  stated jsonb not null,
  version double precision not null,
  primary key (user_id, platform, symbol, effect, margin_mode)
);

create table contract_debts (
  user_id bigint not null,
  platform smallint not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount >= 0),
  since bigint not null,
  primary key (user_id, platform, asset)
);

-- The part of a fill that closes a run, or ends it.
create function contract_run_closed(p_fill fills, p_run contract_runs, p_closing numeric) returns contract_runs
language plpgsql as $$
declare
  v_run contract_runs := p_run;
  v_short boolean := p_run.effect = 2 or p_run.quantity < 0;
begin
  v_run.quantity := v_run.quantity - sign(v_run.quantity) * p_closing;
  v_run.exit_quantity := v_run.exit_quantity + p_closing;
  v_run.exit_value := v_run.exit_value + p_closing * p_fill.price;
  v_run.realised_pnl := v_run.realised_pnl + p_fill.realised_pnl;
  v_run.fees := v_run.fees + p_fill.fee * p_closing / p_fill.quantity;
  if v_run.quantity = 0 then
    insert into closed_positions (position_id, user_id, platform, symbol, effect, direction, margin_mode, leverage,
      max_quantity, entry_price, exit_price, realised_pnl, fees, funding, ended, opened_at, closed_at)
    values (v_run.position_id, v_run.user_id, v_run.platform, v_run.symbol, v_run.effect,
      case when v_short then 'short' else 'long' end, v_run.margin_mode, v_run.leverage, v_run.max_quantity,
      v_run.entry_value / v_run.entry_quantity, v_run.exit_value / v_run.exit_quantity, v_run.realised_pnl, v_run.fees,
      v_run.funding,
      case p_fill.cause when 'liquidation' then 'liquidated' when 'deleveraging' then 'deleveraged' else 'closed' end,
      v_run.opened_at, p_fill.filled_at);
  end if;
  return v_run;
end $$;

-- The part of a fill that opens a run or adds to it. `p_direction` is the sign of the quantity it adds.
create function contract_run_opened(p_fill fills, p_run contract_runs, p_opening numeric, p_direction int)
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
    v_run.funding := 0;
    v_run.leverage := coalesce((select leverage from orders where id = p_fill.order_id), 1);
    v_run.opened_at := p_fill.filled_at;
  end if;
  v_run.quantity := v_run.quantity + p_direction * p_opening;
  v_run.max_quantity := greatest(v_run.max_quantity, abs(v_run.quantity));
  v_run.entry_quantity := v_run.entry_quantity + p_opening;
  v_run.entry_value := v_run.entry_value + p_opening * p_fill.price;
  v_run.fees := v_run.fees + p_fill.fee * p_opening / p_fill.quantity;
  return v_run;
end $$;

-- A booked fill of a contract changes its run: it closes what stands on the other side first, the rest opens.
create function contract_fill_booked() returns trigger language plpgsql as $$
declare
  v_run contract_runs;
  -- In the count of the run: a short leg grows by what is sold.
  v_direction int := case when (new.side = 1) = (new.effect <> 2) then 1 else -1 end;
  v_closing numeric := 0;
begin
  select * into v_run from contract_runs where user_id = new.user_id and platform = new.platform
    and symbol = new.symbol and effect = new.effect and margin_mode = new.margin_mode for update;
  if not found then
    v_run := row(new.user_id, new.platform, new.symbol, new.effect, new.margin_mode,
      '00000000-0000-0000-0000-000000000000'::uuid, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, new.filled_at);
  end if;
  if v_run.quantity <> 0 and sign(v_run.quantity) <> v_direction then
    v_closing := least(new.quantity, abs(v_run.quantity));
    v_run := contract_run_closed(new, v_run, v_closing);
  end if;
  -- A leg has nothing below zero: a fill told before the one that opened it waits for that one.
  if new.quantity > v_closing and (new.effect = 0 or v_direction = 1) then
    v_run := contract_run_opened(new, v_run, new.quantity - v_closing, v_direction);
  end if;
  insert into contract_runs select v_run.*
  on conflict (user_id, platform, symbol, effect, margin_mode) do update set position_id = excluded.position_id,
    quantity = excluded.quantity, max_quantity = excluded.max_quantity, entry_quantity = excluded.entry_quantity,
    entry_value = excluded.entry_value, exit_quantity = excluded.exit_quantity, exit_value = excluded.exit_value,
    realised_pnl = excluded.realised_pnl, fees = excluded.fees, funding = excluded.funding,
    leverage = excluded.leverage, opened_at = excluded.opened_at;
  return null;
end $$;
create trigger contract_fill_booked after insert on fills for each row when (new.symbol_type = 'SWAP')
  execute function contract_fill_booked();

-- Funding and liquidation fees belong to the position that stood, or to the one that ended last.
create function contract_income_booked() returns trigger language plpgsql as $$
begin
  update contract_runs r set
    funding = r.funding + case when new.kind = 'funding' then new.amount else 0 end,
    fees = r.fees - case when new.kind = 'liquidation-fee' then new.amount else 0 end
  where (r.user_id, r.platform, r.symbol, r.effect, r.margin_mode) = (
    select o.user_id, o.platform, o.symbol, o.effect, o.margin_mode from contract_runs o
    where o.user_id = new.user_id and o.platform = new.platform and o.symbol = new.symbol and o.quantity <> 0
      and o.effect = coalesce(new.effect, o.effect) and o.margin_mode = coalesce(new.margin_mode, o.margin_mode)
    order by o.opened_at, o.effect limit 1);
  if found then return null; end if;
  update closed_positions c set
    funding = c.funding + case when new.kind = 'funding' then new.amount else 0 end,
    fees = c.fees - case when new.kind = 'liquidation-fee' then new.amount else 0 end
  where c.sequence = (select sequence from closed_positions o
    where o.user_id = new.user_id and o.platform = new.platform and o.symbol = new.symbol order by sequence desc limit 1);
  return null;
end $$;
create trigger contract_income_booked after insert on contract_income for each row
  when (new.symbol is not null and new.kind in ('funding', 'liquidation-fee')) execute function contract_income_booked();

-- Orders, their fills, and the members' accounts at the venues.

create table orders (
  id uuid primary key,
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  symbol_type text not null check (symbol_type in ('SPOT', 'SWAP')),
  symbol text not null,
  base text not null,
  quote text not null,
  side smallint not null check (side in (1, 2)),
  order_type smallint not null check (order_type in (1, 2)),
  time_in_force smallint not null check (time_in_force between 1 and 4),
  price numeric(38, 18) check (price > 0),
  quantity numeric(38, 18) check (quantity > 0),
  quote_quantity numeric(38, 18) check (quote_quantity > 0),
  send_type smallint not null check (send_type in (1, 2)),
  send_time_in_force smallint not null check (send_time_in_force between 1 and 4),
  send_price numeric(38, 18) check (send_price > 0),
  payload_hash text not null,
  hold_id uuid not null unique,
  hold_asset text not null,
  hold_amount numeric(38, 18) not null check (hold_amount > 0),
  status smallint not null check (status between 0 and 7),
  cancel_pending boolean not null default false,
  settled boolean not null default false,
  cum_quantity numeric(38, 18) not null default 0 check (cum_quantity >= 0),
  cum_quote numeric(38, 18) not null default 0 check (cum_quote >= 0),
  venue_order_id text,
  reason text,
  fence_closes_at bigint,
  looks integer not null default 0,
  first_look_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  check ((quantity is null) <> (quote_quantity is null))
);

create index orders_by_member on orders (user_id, platform, created_at desc, id desc);
create index orders_unsettled on orders (created_at) where not settled;
create index orders_open on orders (user_id, platform, symbol) where not settled;

-- The state table of orders (invariant I17): which status may follow which. A finished order comes back only as
-- UNKNOWN (0), which is an incident. 1 NEW, 2 OPEN, 3 CANCELLED, 4 FILLED, 5 PARTIALLY_FILLED, 6 REJECT, 7 FAIL.
create function orders_guard() returns trigger language plpgsql as $$
declare
  allowed smallint[] := case old.status
    when 0 then array[0, 2, 3, 4, 5, 6, 7]
    when 1 then array[0, 1, 2, 3, 4, 5, 6, 7]
    when 2 then array[0, 2, 3, 4, 5]
    when 5 then array[0, 3, 4, 5]
    when 3 then array[0, 3, 4]
    when 4 then array[0, 4]
    when 6 then array[0, 6]
    when 7 then array[0, 7]
  end;
begin
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

create trigger orders_guard before update on orders for each row execute function orders_guard();

create table fills (
  platform smallint not null,
  symbol_type text not null,
  symbol text not null,
  trade_id text not null,
  order_id uuid not null references orders (id),
  user_id bigint not null,
  side smallint not null,
  price numeric(38, 18) not null check (price > 0),
  quantity numeric(38, 18) not null check (quantity > 0),
  quote_quantity numeric(38, 18) not null check (quote_quantity >= 0),
  fee numeric(38, 18) not null check (fee >= 0),
  fee_asset text not null,
  maker boolean not null,
  filled_at bigint not null,
  sequence bigint generated always as identity,
  -- Both sides of one trade may be ours, so the trade id alone is not enough (invariant I12).
  primary key (platform, symbol_type, symbol, trade_id, order_id)
);

create index fills_by_member on fills (user_id, platform, sequence desc);
create index fills_by_order on fills (order_id);

create table venue_accounts (
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  state text not null check (state in ('creating', 'ready', 'failed')),
  account_id text,
  api_key text,
  sealed_secret text,
  changed_at timestamptz not null default now(),
  primary key (user_id, platform),
  check (state <> 'ready' or (account_id is not null and api_key is not null and sealed_secret is not null))
);

-- Orders that wait at the venue for a price, and the link from a child to one of them. Why: notes.md.

create table algo_orders (
  id uuid primary key,
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  symbol_type text not null check (symbol_type in ('SPOT', 'SWAP')),
  symbol text not null,
  base text not null,
  quote text not null,
  side smallint not null check (side in (1, 2)),
  plan jsonb not null,
  quantity numeric(38, 18) check (quantity > 0),
  time_in_force smallint not null check (time_in_force between 1 and 4),
  effect smallint not null default 0 check (effect between 0 and 2),
  reduce_only boolean not null default false,
  margin_mode text check (margin_mode in ('cross', 'isolated')),
  leverage integer check (leverage > 0),
  parent_id uuid references orders (id),
  payload_hash text not null,
  attempt integer not null default 0 check (attempt >= 0),
  hold_id uuid not null,
  hold_asset text not null,
  hold_amount numeric(38, 18) not null check (hold_amount > 0 or (symbol_type = 'SWAP' and hold_amount = 0)),
  state text not null check (state in ('placing', 'waiting', 'firing', 'fired', 'refused', 'cancelled', 'expired')),
  unknown boolean not null default false,
  cancel_pending boolean not null default false,
  venue_algo_id text,
  child_id uuid references orders (id),
  child_leg text check (child_leg in ('take-profit', 'stop-loss')),
  reason text,
  deadline_at bigint,
  lookups integer not null default 0,
  first_lookup_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  check ((symbol_type = 'SWAP') = (margin_mode is not null)),
  check (symbol_type = 'SWAP' or quantity is not null),
  check ((state = 'fired') = (child_id is not null))
);

create index algo_orders_open on algo_orders (user_id, platform) where state in ('placing', 'waiting', 'firing');
create index algo_orders_by_member on algo_orders (user_id, created_at desc, id desc);
create index algo_orders_by_parent on algo_orders (parent_id) where parent_id is not null;

-- Which state may follow which. One that waits is placed anew by a change (attempt grows); what has ended stays ended.
create function algo_orders_guard() returns trigger language plpgsql as $$
declare
  allowed text[] := case old.state
    when 'placing' then array['placing', 'waiting', 'firing', 'fired', 'refused', 'cancelled', 'expired']
    when 'waiting' then array['waiting', 'firing', 'fired', 'refused', 'cancelled', 'expired']
    when 'firing' then array['firing', 'fired', 'refused', 'cancelled', 'expired']
    else array[]::text[]
  end;
begin
  if new.attempt > old.attempt and old.state in ('placing', 'waiting') and new.state = 'placing' then return new; end if;
  if not new.state = any (allowed) then
    raise exception 'algo order % may not go from % to %', old.id, old.state, new.state using errcode = '23514';
  end if;
  return new;
end $$;

create trigger algo_orders_guard before update on algo_orders for each row execute function algo_orders_guard();

-- A child is an order that the venue made: it carries the venue's client id, and names what it came from.
alter table orders add column algo_id uuid, add column venue_client_id text;

alter table incidents
  drop constraint incidents_subject_check,
  add constraint incidents_subject_check check (subject in ('order', 'transfer', 'test funds', 'setting', 'algo order'));

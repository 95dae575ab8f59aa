-- Movements between a member's funding wallet and the trading wallet of a platform, and deposits of test funds.

create table universal_transfers (
  id uuid primary key,
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  direction smallint not null check (direction in (1, 2)),
  asset text not null,
  amount numeric(38, 18) not null check (amount > 0),
  payload_hash text not null,
  state text not null check (state in ('pending', 'done', 'refused', 'unknown')),
  reason text,
  fence_closes_at bigint,
  looks integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null
);

create index universal_transfers_by_member on universal_transfers (user_id, created_at desc, id desc);
create index universal_transfers_moving on universal_transfers (created_at) where state in ('pending', 'unknown');

create table test_funds (
  id uuid primary key,
  user_id bigint not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount > 0),
  payload_hash text not null,
  state text not null check (state in ('pending', 'done')),
  created_at bigint not null,
  updated_at bigint not null
);

create index test_funds_by_member on test_funds (user_id, created_at desc);
create index test_funds_moving on test_funds (created_at) where state = 'pending';

-- A movement that ended stays ended.
create function movement_guard() returns trigger language plpgsql as $$
begin
  if old.state in ('done', 'refused') and new.state <> old.state then
    raise exception 'movement % has ended as %', old.id, old.state using errcode = '23514';
  end if;
  return new;
end $$;

create trigger universal_transfers_guard before update on universal_transfers
  for each row execute function movement_guard();
create trigger test_funds_guard before update on test_funds for each row execute function movement_guard();

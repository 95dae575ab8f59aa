-- What members decide about money, as a journal, and the seals over it and over the ledger's. Why: notes.md.

create table money_decisions (
  id bigint generated always as identity primary key,
  -- Milliseconds since 1970, by the clock of who wrote the row that it tells of.
  at bigint not null,
  member bigint not null,
  kind text not null check (kind in ('order', 'order-change', 'order-cancel', 'algo-order', 'algo-order-change',
    'algo-order-cancel', 'targets', 'transfer', 'test-funds', 'setting')),
  -- Id of the order, the movement or the change.
  subject uuid not null,
  -- What was asked for, by the names of the table that keeps it.
  facts jsonb not null
);

-- One row is everything of one journal with a number above `after`, up to `until`.
create table journal_seals (
  journal text not null check (journal in ('decisions', 'transfers')),
  after bigint not null,
  until bigint not null check (until > after),
  -- For each row its number (8 bytes) and the beginning of its hash (16 bytes), by number.
  marks bytea not null,
  primary key (journal, after)
);

create trigger money_decisions_append_only before update or delete or truncate on money_decisions
  for each statement execute function ledger_refuse_change();
create trigger journal_seals_append_only before update or delete or truncate on journal_seals
  for each statement execute function audit_refuse_change();

create index ledger_transfers_numbers on ledger_transfers (seq);

-- What a new row asks for; the arguments are its kind and the columns that are no part of it.
create function money_decided() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row jsonb := to_jsonb(new);
begin
  insert into public.money_decisions (at, member, kind, subject, facts)
  values (new.created_at, new.user_id, tg_argv[0], coalesce(v_row ->> 'id', v_row ->> 'order_id')::uuid,
    jsonb_strip_nulls(v_row - tg_argv[1:]));
  return null;
end $$;

-- A change or a cancel of what stands; the arguments are its kind and the columns that tell of it.
create function money_decided_anew() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row jsonb := to_jsonb(new);
begin
  insert into public.money_decisions (at, member, kind, subject, facts)
  select new.updated_at, new.user_id, tg_argv[0], new.id,
    coalesce(jsonb_object_agg(c, v_row -> c), '{}') from unnest(tg_argv[1:]) c;
  return null;
end $$;

create trigger orders_decided after insert on orders for each row execute function money_decided('order',
  'id', 'user_id', 'created_at', 'updated_at', 'status', 'cancel_pending', 'settled', 'cum_quantity', 'cum_quote',
  'realised_pnl', 'venue_order_id', 'reason', 'fence_closes_at', 'looks', 'first_look_at');
create trigger orders_changed after update on orders for each row
  when (new.amend_quantity is not null and (new.amend_price, new.amend_quantity) is distinct from
    (old.amend_price, old.amend_quantity))
  execute function money_decided_anew('order-change', 'amend_price', 'amend_quantity', 'hold_id', 'hold_amount');
create trigger orders_cancelled after update on orders for each row
  when (new.cancel_pending and not old.cancel_pending) execute function money_decided_anew('order-cancel');

create trigger algo_orders_decided after insert on algo_orders for each row execute function money_decided('algo-order',
  'id', 'user_id', 'created_at', 'updated_at', 'state', 'unknown', 'cancel_pending', 'venue_algo_id', 'reason',
  'deadline_at', 'lookups', 'first_lookup_at');
create trigger algo_orders_changed after update on algo_orders for each row
  when (new.attempt > old.attempt or (new.plan, new.quantity) is distinct from (old.plan, old.quantity))
  execute function money_decided_anew('algo-order-change', 'plan', 'quantity', 'attempt', 'hold_id', 'hold_amount');
create trigger algo_orders_cancelled after update on algo_orders for each row
  when (new.cancel_pending and not old.cancel_pending) execute function money_decided_anew('algo-order-cancel');

create trigger order_targets_decided after insert on order_targets for each row execute function money_decided('targets',
  'order_id', 'user_id', 'created_at', 'placed', 'parts', 'ended');
create trigger universal_transfers_decided after insert on universal_transfers for each row
  execute function money_decided('transfer', 'id', 'user_id', 'created_at', 'updated_at', 'state', 'reason',
    'fence_closes_at', 'looks');
create trigger test_funds_decided after insert on test_funds for each row
  execute function money_decided('test-funds', 'id', 'user_id', 'created_at', 'updated_at', 'state');
create trigger setting_changes_decided after insert on setting_changes for each row
  execute function money_decided('setting', 'id', 'user_id', 'created_at', 'updated_at', 'state', 'reason',
    'deadline_at', 'lookups');

-- What was decided before there was this journal, as it stands now.
insert into money_decisions (at, member, kind, subject, facts)
select created_at, user_id, kind, id, jsonb_strip_nulls(facts - array['id', 'order_id', 'user_id', 'created_at', 'updated_at',
  'status', 'state', 'cancel_pending', 'settled', 'cum_quantity', 'cum_quote', 'realised_pnl', 'venue_order_id',
  'venue_algo_id', 'reason', 'fence_closes_at', 'looks', 'first_look_at', 'unknown', 'deadline_at', 'lookups',
  'first_lookup_at', 'placed', 'parts', 'ended'])
from (
  select created_at, user_id, 'order' as kind, id, to_jsonb(t) as facts from orders t
  union all select created_at, user_id, 'algo-order', id, to_jsonb(t) from algo_orders t
  union all select created_at, user_id, 'targets', order_id, to_jsonb(t) from order_targets t
  union all select created_at, user_id, 'transfer', id, to_jsonb(t) from universal_transfers t
  union all select created_at, user_id, 'test-funds', id, to_jsonb(t) from test_funds t
  union all select created_at, user_id, 'setting', id, to_jsonb(t) from setting_changes t
) earlier
order by created_at, id;

revoke all on function money_decided, money_decided_anew from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke insert, update, delete, truncate on money_decisions from crossbook_app;
    revoke update, delete, truncate on journal_seals from crossbook_app;
  end if;
end $$;

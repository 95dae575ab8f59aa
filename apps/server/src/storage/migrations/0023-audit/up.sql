-- Decisions about money and security, in a chain that nobody can change unseen. Why: notes.md.

create table audit_log (
  id bigint generated always as identity primary key,
  -- Milliseconds since 1970, by the clock of who decided.
  at bigint not null,
  actor_kind text not null check (actor_kind in ('member', 'operator', 'system', 'anonymous')),
  -- Who did it: a member's id, or the operator as his machine knows him.
  actor text not null check (length(actor) <= 200),
  address text not null check (length(address) <= 100),
  -- What was done: a call's name, or a command's.
  call text not null check (call <> '' and length(call) <= 100),
  -- What it was done to: `order 0193...`, `member 100001`; empty where it is about nothing else than its actor.
  subject text not null check (length(subject) <= 200),
  -- `ok`, or the refusal by its name in the catalogue.
  outcome text not null check (outcome <> '' and length(outcome) <= 100),
  reason text not null check (length(reason) <= 1000),
  -- Ids, amounts and names of choices; never a secret, a code, a document or a whole contact.
  details jsonb not null
);

-- The chain: place `seq` is row `entry`; the hash is keyed and covers the hash before and all columns of the row.
create table audit_heads (
  seq bigint primary key check (seq > 0),
  entry bigint not null unique references audit_log (id),
  hash text not null check (hash ~ '^[0-9a-f]{64}$')
);

-- Rows that wait for their place.
create table audit_unsealed (
  entry bigint primary key references audit_log (id)
);

create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only: % on %', tg_op, tg_table_name using errcode = '55000';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_refuse_change();
create trigger audit_heads_append_only before update or delete or truncate on audit_heads
  for each statement execute function audit_refuse_change();

create function audit_await_seal() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.audit_unsealed (entry) values (new.id);
  return null;
end $$;
create trigger audit_log_waits after insert on audit_log for each row execute function audit_await_seal();

-- The gate's history, as the log tells it.
create function audit_gate_event(e public.money_gate_events) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into public.audit_log (at, actor_kind, actor, address, call, subject, outcome, reason, details)
  values (floor(extract(epoch from e.at) * 1000)::bigint,
    case when e.actor = 'the ledger check' then 'system' else 'operator' end, e.actor, '', 'money-gate/' || e.event,
    case when e.request is null then '' else 'request ' || e.request end,
    case when e.event = 'open-refused' then 'refused' else 'ok' end, e.reason,
    jsonb_build_object('event', e.id, 'evidence', e.evidence));
$$;
create function audit_gate_copy() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.audit_gate_event(new);
  return null;
end $$;
create trigger money_gate_events_audited after insert on money_gate_events
  for each row execute function audit_gate_copy();

-- What operators decided about orders, as the log tells it.
create function audit_operator_act(a public.operator_audit) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into public.audit_log (at, actor_kind, actor, address, call, subject, outcome, reason, details)
  values (a.at, 'operator', a.operator, '', 'resolve/' || a.resolution, 'order ' || a.order_id,
    case a.outcome when 'done' then 'ok' else a.outcome end, a.reason,
    jsonb_build_object('request', a.request_id, 'answer', a.answer, 'evidence', a.evidence));
$$;
create function audit_operator_copy() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.audit_operator_act(new);
  return null;
end $$;
create trigger operator_audit_audited after insert on operator_audit
  for each row execute function audit_operator_copy();

select audit_gate_event(e) from (select * from money_gate_events order by id) e;
select audit_operator_act(a) from (select * from operator_audit order by sequence) a;

revoke all on function audit_await_seal, audit_gate_event, audit_gate_copy, audit_operator_act, audit_operator_copy
  from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke update, delete on audit_log, audit_heads from crossbook_app;
    revoke insert, update on audit_unsealed from crossbook_app;
  end if;
end $$;

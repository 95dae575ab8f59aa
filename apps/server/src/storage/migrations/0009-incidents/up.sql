-- What needs a person, what a person asked for, and what became of it.

-- A fill is tied to its order by the venue's order id.
create index orders_by_venue_id on orders (user_id, platform, venue_order_id);

create table incidents (
  sequence bigint generated always as identity primary key,
  subject text not null check (subject in ('order', 'transfer', 'test funds')),
  subject_id uuid not null,
  what text not null,
  evidence jsonb not null,
  opened_at bigint not null,
  closed_at bigint
);

-- One kind of incident is open once per subject.
create unique index incidents_open on incidents (subject_id, what) where closed_at is null;

create table operator_requests (
  id uuid primary key,
  order_id uuid not null,
  resolution text not null check (resolution in ('absent', 'filled')),
  quantity numeric(38, 18) check (quantity > 0),
  quote_quantity numeric(38, 18) check (quote_quantity > 0),
  operator text not null check (length(operator) between 1 and 100),
  reason text not null check (length(reason) between 10 and 1000),
  requested_at bigint not null,
  answer text,
  answered_at bigint,
  check ((resolution = 'filled') = (quantity is not null and quote_quantity is not null))
);

create index operator_requests_waiting on operator_requests (requested_at) where answered_at is null;

create table operator_audit (
  sequence bigint generated always as identity primary key,
  request_id uuid not null unique references operator_requests (id),
  order_id uuid not null,
  operator text not null,
  resolution text not null,
  reason text not null,
  outcome text not null check (outcome in ('done', 'refused')),
  answer text not null,
  evidence jsonb not null,
  at bigint not null
);

create function operator_audit_guard() returns trigger language plpgsql as $$
begin
  raise exception 'the audit of operators is append-only: % on %', tg_op, tg_table_name using errcode = '55000';
end $$;

create trigger operator_audit_append_only before update or delete or truncate on operator_audit
  for each statement execute function operator_audit_guard();

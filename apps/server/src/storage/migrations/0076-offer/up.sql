-- What two admins have set of fees, currencies and networks, field by field. Why: notes.md.

create table offer_changes (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('fee', 'currency', 'network')),
  -- 'rewards', a currency's ticker, or ticker/network.
  subject text not null check (subject ~ '^[A-Za-z0-9/-]{1,60}$'),
  field text not null,
  value text not null check (length(value) between 1 and 60),
  -- What held before; said by the program where nothing was ever set.
  was text not null check (length(was) between 1 and 60),
  at timestamptz not null,
  effective_at timestamptz not null,
  actor text not null check (actor <> ''),
  reason text not null check (length(reason) between 10 and 500),
  -- The decision of two; each sets a field once.
  approval bigint not null references approvals (id),
  unique (approval, field),
  check (case kind
    when 'fee' then field in ('first-trade', 'self-rate')
    when 'currency' then field in ('shown', 'deposits', 'withdrawals', 'position', 'name')
    else field in ('deposits', 'withdrawals', 'confirmations', 'minimum', 'fee', 'memo') end),
  check (case
    when field in ('shown', 'deposits', 'withdrawals') then value in ('yes', 'no') and was in ('yes', 'no')
    when field = 'memo' then value in ('none', 'optional', 'required') and was in ('none', 'optional', 'required')
    when field = 'name' then true
    when field in ('position', 'confirmations') then value ~ '^[0-9]{1,6}$' and was ~ '^[0-9]{1,6}$'
    else value ~ '^[0-9]{1,12}([.][0-9]{1,18})?$' and was ~ '^[0-9]{1,12}([.][0-9]{1,18})?$' end)
);
create index offer_changes_newest on offer_changes (kind, subject, field, id desc);
create index offer_changes_subject on offer_changes (kind, subject, id desc);

-- The newest that has begun; one that still waited when another came never begins.
create function offer_in_force(p_kind text, p_subject text, p_field text) returns bigint
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.id from public.offer_changes c
  where c.kind = p_kind and c.subject = p_subject and c.field = p_field and c.effective_at <= clock_timestamp()
    and not exists (
      select from public.offer_changes l
      where l.kind = c.kind and l.subject = c.subject and l.field = c.field and l.id > c.id and l.at < c.effective_at)
  order by c.id desc limit 1
$$;

-- Every field of a kind that was ever set: from one to the next is one step of the index, however often each was set.
create function offer_ever_set(p_kind text) returns table (subject text, field text)
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with recursive fields as (
    (select c.subject, c.field from public.offer_changes c
     where c.kind = p_kind order by c.subject, c.field limit 1)
    union all
    select n.subject, n.field from fields f cross join lateral (
      select c.subject, c.field from public.offer_changes c
      where c.kind = p_kind and (c.subject, c.field) > (f.subject, f.field)
      order by c.subject, c.field limit 1) n)
  select f.subject, f.field from fields f
$$;

-- Whether a value lets more through, or costs more, than the one before. Closing and asking for more never wait.
create function offer_loosens(p_field text, p_was text, p_value text) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case
    when p_field in ('deposits', 'withdrawals') then p_value = 'yes' and p_was = 'no'
    when p_field in ('confirmations', 'minimum') then p_value::numeric < p_was::numeric
    when p_field in ('fee', 'first-trade', 'self-rate') then p_value::numeric > p_was::numeric
    when p_field = 'memo' then array_position(array['none', 'optional', 'required'], p_value)
      < array_position(array['none', 'optional', 'required'], p_was)
    else false end
$$;

alter table approvals
  drop constraint approvals_kind_check,
  add constraint approvals_kind_check check (kind in ('unfreeze', 'kol', 'gate-open', 'terms', 'resolve-order',
    'admin-invite', 'admin-roles', 'admin-disable', 'platform-open', 'kyc-revoke', 'limit-set', 'fee-set', 'currency-set',
    'network-set'));

create function offer_change_signed() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from public.approvals a where a.id = new.approval and a.kind = new.kind || '-set' and a.state = 'approved'
      and a.payload::jsonb @> jsonb_build_object(
        'subject', new.subject, 'set', jsonb_build_object(new.field, new.value))) then
    raise exception 'decision % does not set this', new.approval using errcode = '55000';
  end if;
  new.was := coalesce(
    (select c.value from public.offer_changes c
     where c.id = public.offer_in_force(new.kind, new.subject, new.field)), new.was);
  new.at := clock_timestamp();
  new.effective_at := new.at + case
    when public.offer_loosens(new.field, new.was, new.value) then interval '24 hours' else interval '0' end;
  return new;
end $$;
create trigger offer_changes_signed before insert on offer_changes
  for each row execute function offer_change_signed();

-- A history: what was set stays.
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke update, delete, truncate on offer_changes from crossbook_app;
  end if;
end $$;

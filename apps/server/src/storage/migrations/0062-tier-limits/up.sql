-- What a tier may have, as two admins have set it. Why: notes.md.

create table limit_changes (
  id bigint generated always as identity primary key,
  what text not null check (what in ('test-funds')),
  tier smallint not null check (tier in (0, 1)),
  most numeric(38, 18) not null check (most > 0),
  -- What held before; said by the program where nothing was ever set.
  was numeric(38, 18) not null check (was > 0),
  at timestamptz not null,
  effective_at timestamptz not null,
  actor text not null check (actor <> ''),
  reason text not null check (length(reason) between 10 and 500),
  -- The decision of two; each serves once.
  approval bigint not null unique references approvals (id)
);
create index limit_changes_newest on limit_changes (what, tier, id desc);

-- The newest that has begun; one that still waited when another came never begins.
create function limit_in_force(p_what text, p_tier smallint) returns bigint
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select c.id from public.limit_changes c
  where c.what = p_what and c.tier = p_tier and c.effective_at <= clock_timestamp() and not exists (
    select from public.limit_changes l
    where l.what = p_what and l.tier = p_tier and l.id > c.id and l.at < c.effective_at)
  order by c.id desc limit 1
$$;

alter table approvals
  drop constraint approvals_kind_check,
  add constraint approvals_kind_check check (kind in ('unfreeze', 'kol', 'gate-open', 'terms', 'resolve-order',
    'admin-invite', 'admin-roles', 'admin-disable', 'platform-open', 'kyc-revoke', 'limit-set'));

create function limit_change_signed() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from public.approvals a where a.id = new.approval and a.kind = 'limit-set' and a.state = 'approved'
      and a.payload::jsonb @> jsonb_build_object('what', new.what, 'tier', new.tier)
      and (a.payload::jsonb ->> 'most')::numeric = new.most) then
    raise exception 'decision % does not set this limit', new.approval using errcode = '55000';
  end if;
  new.was := coalesce(
    (select c.most from public.limit_changes c where c.id = public.limit_in_force(new.what, new.tier)), new.was);
  new.at := clock_timestamp();
  new.effective_at := new.at + case when new.most > new.was then interval '24 hours' else interval '0' end;
  return new;
end $$;
create trigger limit_changes_signed before insert on limit_changes
  for each row execute function limit_change_signed();

-- A history: what was set stays.
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke update, delete, truncate on limit_changes from crossbook_app;
  end if;
end $$;

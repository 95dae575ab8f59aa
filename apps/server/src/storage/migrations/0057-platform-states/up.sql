-- What admins have said about a platform: open, coming soon or paused. Why: notes.md.

create table platform_states (
  id bigint generated always as identity primary key,
  platform smallint not null check (platform in (1, 2, 3)),
  state text not null check (state in ('live', 'coming-soon', 'paused')),
  at bigint not null,
  -- `admin 7`, or the two who have signed.
  actor text not null check (actor <> ''),
  reason text not null check (length(reason) between 10 and 500),
  -- The decision of two that an opening rests on; each serves once.
  approval bigint unique references approvals (id),
  check ((state = 'live') = (approval is not null))
);
create index platform_states_newest on platform_states (platform, id desc);

alter table approvals
  drop constraint approvals_kind_check,
  add constraint approvals_kind_check check (kind in ('unfreeze', 'kol', 'gate-open', 'terms', 'resolve-order',
    'admin-invite', 'admin-roles', 'admin-disable', 'platform-open'));

-- New risk is opened where two have signed it, whatever the program believes.
create function platform_opening_signed() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from public.approvals a where a.id = new.approval and a.kind = 'platform-open' and a.state = 'approved'
      and a.payload::jsonb @> jsonb_build_object('platform', new.platform)) then
    raise exception 'decision % does not open platform %', new.approval, new.platform using errcode = '55000';
  end if;
  return new;
end $$;
create trigger platform_states_signed before insert on platform_states
  for each row when (new.state = 'live') execute function platform_opening_signed();

-- A history: what was said stays.
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke update, delete, truncate on platform_states from crossbook_app;
  end if;
end $$;

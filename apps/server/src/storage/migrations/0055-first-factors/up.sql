-- Since when a member has a second factor at all. Why: notes.md.
create table first_factors (
  member int primary key references members (id),
  at timestamptz not null default db_clock()
);

-- Whether all second factors of a member are younger than a day. Who has had them since before this table has no row: they count as old.
create function factors_are_young(p_member int) returns boolean language sql stable as $$
  select exists (select from first_factors where member = p_member and at > db_clock() - interval '24 hours')
$$;

-- Which networks demos come from, as a keyed hash: one of them must not take all places.
alter table members add column demo_network text;
create index members_demo_network on members (demo_network) where demo and demo_ended_at is null;

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function factors_are_young to crossbook_app;
  end if;
end $$;

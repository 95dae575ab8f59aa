-- Admins who were let in anew from the host. Why: notes.md.
create table admin_break_glasses (
  id bigint generated always as identity primary key,
  admin int not null references admins (id),
  at bigint not null,
  -- Who did it, as his machine knows him, and why.
  operator text not null,
  reason text not null check (length(reason) between 10 and 500),
  -- When all admins were written to.
  mailed_at bigint
);
create index admin_break_glasses_at on admin_break_glasses (at);
create index admin_break_glasses_unmailed on admin_break_glasses (id) where mailed_at is null;

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke insert, update, delete, truncate on admin_break_glasses from crossbook_app;
    grant update (mailed_at) on admin_break_glasses to crossbook_app;
  end if;
end $$;

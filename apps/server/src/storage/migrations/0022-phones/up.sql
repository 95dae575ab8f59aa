-- Mobile numbers, and the reset of an authenticator that is lost.

alter table members add column mobile text constraint members_mobile unique check (mobile ~ '^\+[1-9][0-9]{5,14}$');

-- A lost authenticator counts no more a day after its member has proved password, mailbox and phone. By the database's
-- clock; until then a freeze or a right code of the authenticator ends the reset.
create table otp_resets (
  member int primary key references members (id),
  at timestamptz not null default db_clock()
);

create function otp_is_reset(p_member int) returns boolean language sql stable as $$
  select exists (select from otp_resets where member = p_member and at <= db_clock() - interval '24 hours')
$$;

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function otp_is_reset to crossbook_app;
  end if;
end $$;

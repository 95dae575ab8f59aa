-- A passed identity check counts until a moment. Why: notes.md.
alter table kyc_cases
  drop constraint kyc_cases_state_check,
  add constraint kyc_cases_state_check check (state in ('pending', 'refused', 'done', 'expired')),
  -- Where the check passed: from then on it counts no more. Null until the program has read when the document ends.
  add column valid_until timestamptz,
  -- When its member was written to that it ends.
  add column warned_at bigint;
create index kyc_cases_ending on kyc_cases (valid_until) where state = 'done';

-- How a case stands by the clock of the database, also before anybody has written it down.
create function kyc_stands(p_state text, p_valid_until timestamptz) returns text language sql as $$
  select case when p_state = 'done' and p_valid_until <= db_clock() then 'expired' else p_state end
$$;

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function kyc_stands to crossbook_app;
  end if;
end $$;

-- A member who has lost contact and authenticator comes back by a new contact: two of the staff, and three days. Why: notes.md.
create table access_recoveries (
  id bigint generated always as identity primary key,
  member int not null references members (id),
  -- The new one, which its holder has proved by a code.
  contact text not null,
  -- What was stated, sealed; gone with the request.
  statement text,
  state text not null default 'asked' check (state in ('asked', 'waiting', 'done', 'refused', 'stopped', 'lapsed')),
  asked_at bigint not null,
  address text not null,
  approval bigint references approvals (id),
  approved_at timestamptz,
  ended_at bigint,
  constraint access_recoveries_ended check ((state in ('asked', 'waiting')) = (ended_at is null)),
  constraint access_recoveries_statement check (ended_at is null or statement is null)
);
create unique index access_recoveries_asked on access_recoveries (member, contact) where state = 'asked';
create unique index access_recoveries_waiting on access_recoveries (member) where state = 'waiting';
create unique index access_recoveries_contact on access_recoveries (contact) where state = 'waiting';
create index access_recoveries_open on access_recoveries (id) where state in ('asked', 'waiting');
-- Each log-in looks whether there is one to stop.
create index access_recoveries_member on access_recoveries (member) where state in ('asked', 'waiting');

-- Who has compared the papers: nobody approves what he has not looked at.
create table access_recovery_looks (
  recovery bigint references access_recoveries (id),
  admin int references admins (id),
  primary key (recovery, admin)
);

-- The waiting time is the table's own, so that no part of the hub and nobody of the staff shortens it.
create function access_recovery_step() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'asked' or new.approved_at is not null or new.approval is not null then
      raise exception 'a recovery begins as asked for' using errcode = '55000';
    end if;
    return new;
  end if;
  if new.member <> old.member or new.contact <> old.contact then
    raise exception 'a recovery stays that of its member and contact' using errcode = '55000';
  end if;
  if old.ended_at is not null then
    raise exception 'recovery % is over', old.id using errcode = '55000';
  end if;
  if old.state = 'asked' and new.state = 'waiting' then
    if not exists (select from public.approvals a where a.id = new.approval and a.kind = 'recovery' and a.state = 'approved'
        and a.maker <> a.checker and a.payload::jsonb ->> 'recovery' = old.id::text) then
      raise exception 'no two admins approved recovery %', old.id using errcode = '55000';
    end if;
    new.approved_at := public.db_clock();
    return new;
  end if;
  if new.approved_at is distinct from old.approved_at or new.approval is distinct from old.approval then
    raise exception 'what was approved stays' using errcode = '55000';
  end if;
  if new.state = 'done' and (old.state <> 'waiting' or old.approved_at + interval '72 hours' > public.db_clock()) then
    raise exception 'recovery % has not waited', old.id using errcode = '55000';
  end if;
  return new;
end $$;
create trigger access_recoveries_step before insert or update on access_recoveries
  for each row execute function access_recovery_step();

create trigger access_recoveries_sealed before insert or update of statement on access_recoveries
  for each row when (new.statement is not null) execute function seal_under_valid_key('statement');

alter table verification_codes drop constraint verification_codes_purpose;
alter table verification_codes add constraint verification_codes_purpose check (purpose in
  ('register', 'recover', 'login', 'step-up', 'bind', 'modify-new', 'modify-old', 'otp-reset', 'unfreeze', 'regain'));

alter table approvals
  drop constraint approvals_kind_check,
  add constraint approvals_kind_check check (kind in ('unfreeze', 'kol', 'gate-open', 'terms', 'resolve-order',
    'admin-invite', 'admin-roles', 'admin-disable', 'platform-open', 'kyc-revoke', 'limit-set', 'fee-set', 'currency-set',
    'network-set', 'recovery'));

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke delete, truncate on access_recoveries from crossbook_app;
    revoke update, delete, truncate on access_recovery_looks from crossbook_app;
  end if;
end $$;

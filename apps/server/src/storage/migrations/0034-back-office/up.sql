-- Admins, their sessions and links, and what two of them decide. Why: notes.md.

create table admins (
  id int generated always as identity primary key,
  email text not null constraint admins_email unique check (email = lower(email) and length(email) <= 254),
  -- Nobody decides alone about money, nor about a person and that person's money.
  roles text[] not null check (
    cardinality(roles) > 0
    and roles <@ array['support', 'kyc', 'treasury-maker', 'treasury-checker', 'admin', 'auditor']
    and not roles @> array['treasury-maker', 'treasury-checker']
    and not (roles @> array['kyc'] and roles && array['treasury-maker', 'treasury-checker'])),
  -- Argon2id in PHC form.
  password_hash text,
  -- Sealed for the address.
  otp_secret text,
  -- The newest 30-second step whose code was taken: the same code is never taken twice.
  otp_last_step bigint not null default 0,
  -- Only with paper money and an outbox: it has neither password nor authenticator, and ends by itself.
  demo boolean not null default false,
  created_at bigint not null,
  disabled_at bigint,
  check (demo = (password_hash is null) and demo = (otp_secret is null))
);

create table admin_sessions (
  id uuid primary key,
  -- SHA-256 of the cookie, hex.
  hash text not null constraint admin_sessions_hash unique check (hash ~ '^[0-9a-f]{64}$'),
  admin int not null references admins (id),
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at),
  -- A session that is left alone ends.
  used_at bigint not null,
  -- Until when changes need no further code.
  proved_until bigint,
  ended_at bigint,
  address text not null,
  user_agent text not null
);
create index admin_sessions_admin on admin_sessions (admin, created_at desc);

-- One-time links. A link is used up together with setting password and authenticator.
create table admin_invites (
  -- SHA-256 of 256 random bits, hex.
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  email text not null check (email = lower(email)),
  roles text[] not null,
  -- Sealed for the address; made when the link is first opened.
  otp_secret text,
  invited_by text not null,
  reason text not null check (length(reason) between 10 and 500),
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);

-- What one asks for and another decides. What is approved is exactly what was asked for: its hash is sent back.
create table approvals (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('unfreeze', 'kol', 'gate-open')),
  subject text not null check (length(subject) <= 200),
  payload text not null,
  payload_hash text not null check (payload_hash ~ '^[0-9a-f]{64}$'),
  maker int not null references admins (id),
  maker_session uuid not null references admin_sessions (id),
  reason text not null check (length(reason) between 10 and 500),
  made_at bigint not null,
  expires_at bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn')),
  checker int references admins (id),
  checker_session uuid references admin_sessions (id),
  decision_reason text check (length(decision_reason) between 10 and 500),
  decided_at bigint,
  check ((state = 'waiting') = (decided_at is null) and (state = 'waiting') = (checker is null)),
  -- Four eyes, whatever the program believes.
  check (state not in ('approved', 'refused') or (checker <> maker and checker_session <> maker_session)),
  check (state <> 'withdrawn' or checker = maker)
);
create index approvals_maker on approvals (maker, id desc);

-- The member cannot open again what the hub's staff has frozen.
alter table members add column frozen_by_staff boolean not null default false
  check (not frozen_by_staff or frozen_at is not null);

-- How the back office finds members: the newest, frozen ones, and by the beginning of a nickname.
create index members_frozen on members (id desc) where frozen_at is not null;
create index members_nickname on members (lower(nickname) collate "C", id);

-- How the audit log is searched.
create index audit_log_subject on audit_log (subject, id desc) where subject <> '';
create index audit_log_actor on audit_log (actor, id desc);
create index audit_log_call on audit_log (call, id desc);
create index incidents_newest on incidents (sequence desc) where closed_at is null;

-- Asks for the gate to be opened, where two admins have decided so: without such a decision the server cannot ask.
create function money_gate_request_approved(p_approval bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_id bigint;
begin
  insert into public.money_gate_events (event, reason, actor)
  select 'open-requested', a.reason, 'admins ' || a.maker || ' and ' || a.checker
  from public.approvals a where a.id = p_approval and a.kind = 'gate-open' and a.state = 'approved'
  returning id into v_id;
  if v_id is null then
    raise exception 'decision % does not open the money gate', p_approval using errcode = '55000';
  end if;
  return v_id;
end $$;

revoke all on function money_gate_request_approved from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke delete on admins, admin_sessions, admin_invites, approvals from crossbook_app;
    grant execute on function money_gate_request_approved to crossbook_app;
  end if;
end $$;

-- What proves who a member is besides the password, and what follows when it changes.

alter table members add column language text not null default 'en' check (language in ('en', 'ja', 'ko'));
-- Sealed. The first line of each mail to the member, so that a forged one is told apart.
alter table members add column anti_phishing text;
alter table members add column frozen_at bigint;
alter table members add column password_changed_at bigint;

create table otp_secrets (
  member int not null references members (id),
  -- A pending one never replaces the active one before a code of it was right.
  state text not null check (state in ('pending', 'active')),
  setup_id uuid not null unique,
  -- The session that began it, and alone is shown it.
  session text not null,
  -- Sealed for this member and set-up.
  secret text not null,
  -- The newest 30-second step whose code was taken: the same code is never taken twice.
  last_step bigint not null default 0,
  created_at bigint not null,
  expires_at bigint check ((state = 'pending') = (expires_at is not null)),
  primary key (member, state)
);

create table recovery_codes (
  member int not null references members (id),
  -- SHA-256 of 120 random bits.
  hash text not null,
  used_at bigint,
  primary key (member, hash)
);

-- A log-in between password and session. `steps` are still to be taken, in their order.
create table auth_flows (
  id uuid primary key,
  member int not null references members (id),
  -- Who began it, and the hash of the cookie it had then: the log-in's end replaces it.
  device text not null,
  cookie text,
  steps text[] not null check (steps <@ array['device', 'totp']),
  factors text not null,
  tries_left smallint not null check (tries_left >= 0),
  -- Sealed: what the last step answered, for the same step sent again.
  answer text,
  answered_at bigint,
  expires_at bigint not null
);
create index auth_flows_expiry on auth_flows (expires_at);

-- Proof, minutes old, that it is the member who acts in a session; used once.
create table grants (
  hash text primary key,
  session text not null,
  purpose text not null check (purpose in ('credentials', 'money')),
  used_at bigint,
  expires_at bigint not null
);
create index grants_expiry on grants (expires_at);

-- The time that day-long waits are measured by; tests replace the function.
create function db_clock() returns timestamptz language sql as 'select clock_timestamp()';

create table credential_changes (
  id bigint generated always as identity primary key,
  member int not null references members (id),
  kind text not null check (kind in ('password', 'email', 'mobile', 'otp', 'recovery-codes', 'unfreeze')),
  -- False: nothing could be guarded yet, so that a newcomer does not wait a day for nothing.
  locks boolean not null,
  at timestamptz not null default db_clock()
);
create index credential_changes_member on credential_changes (member, at desc);

-- Until when money may not leave; null: it may. Asked inside the transaction that would move it.
create function money_locked_until(p_member int) returns timestamptz language sql stable as $$
  select max(at) + interval '24 hours' from credential_changes
  where member = p_member and locks and at > db_clock() - interval '24 hours'
$$;

-- "This was not me": freezes and can do nothing else.
create table freeze_tokens (
  hash text primary key,
  member int not null references members (id),
  expires_at bigint not null,
  used_at bigint
);
create index freeze_tokens_expiry on freeze_tokens (expires_at);

-- Mails written in the transaction of what they tell, sent after it. Their text is sealed: it carries codes and links.
create table mail_queue (
  id bigint generated always as identity primary key,
  mail text not null,
  tries smallint not null default 0,
  next_at bigint not null
);
create index mail_queue_next on mail_queue (next_at);

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function db_clock, money_locked_until to crossbook_app;
  end if;
end $$;

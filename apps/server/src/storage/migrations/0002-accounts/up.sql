-- Members, sessions, codes, captchas, budgets and the paper-mode outbox (money-and-security.md 3.2, 3.3).
-- Every time is milliseconds since 1970 by the server's clock, so that tests own time.

create table members (
  -- Six digits from the start: this is the "member ID" people read to each other.
  id int generated always as identity (start with 100001) primary key,
  email text not null constraint members_email unique check (email = lower(email)),
  password_hash text not null,
  nickname text not null,
  country text check (country ~ '^[A-Z]{2}$'),
  referral_code text not null constraint members_referral_code unique,
  kol_referral_code text unique,
  -- Fixed for ever (decisions.md 9).
  referred_by int references members (id),
  -- Set by the back office only (decisions.md 19).
  tkropen boolean not null default false,
  created_at bigint not null,
  last_login_at bigint,
  last_login_address text,
  check (referred_by <> id)
);

create table sessions (
  -- SHA-256 of the cookie, hex: a copy of this table opens nothing.
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  member int not null references members (id),
  epoch int not null default 1,
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at),
  ended_at bigint,
  address text not null,
  user_agent text not null
);
create index sessions_member on sessions (member, created_at desc);

-- One row per address and purpose: a new code replaces the one before, so only the newest can work.
create table verification_codes (
  target text not null,
  purpose text not null check (purpose in ('register')),
  id uuid not null unique,
  -- Keyed hash over id, address, purpose and code.
  hash text not null,
  tries_left smallint not null check (tries_left >= 0),
  created_at bigint not null,
  expires_at bigint not null,
  verified_at bigint,
  consumed_at bigint,
  primary key (target, purpose)
);

-- Challenges that were used; kept until they would have expired anyway.
create table used_captchas (
  salt text primary key,
  expires_at bigint not null
);
create index used_captchas_expiry on used_captchas (expires_at);

-- Counters of the limiter: fixed windows that survive a restart.
create table budgets (
  key text primary key,
  used int not null,
  window_ends_at bigint not null
) with (fillfactor = 70);
create index budgets_window on budgets (window_ends_at);

-- Mails of paper mode, shown at /dev/outbox.
create table outbox_mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  sent_at bigint not null
);
create index outbox_mails_recipient on outbox_mails (recipient, id desc);

-- Browsers that members use, and sessions that keep their name while their cookie changes.

-- A browser gets a cookie with its first captcha; it has a row from its first log-in or sign-up on.
create table devices (
  -- SHA-256 of the first cookie it had: what it asked for before it logged in stays its own afterwards.
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  -- SHA-256 of the cookie it has now; each log-in makes a new one, and one that was planted is worth nothing then.
  hash text not null constraint devices_hash unique check (hash ~ '^[0-9a-f]{64}$'),
  first_seen_at bigint not null,
  last_seen_at bigint not null
) with (fillfactor = 80);
create index devices_idle on devices (last_seen_at);

create table device_trusts (
  member int not null references members (id),
  device text not null references devices (id) on delete cascade,
  trusted_until bigint not null,
  last_address text not null,
  primary key (member, device)
);
create index device_trusts_device on device_trusts (device);

-- What names a session to its member, to streams and in other tables. Sessions of before keep their hash for it, so that
-- their stoken stays what it was.
alter table sessions add column id text;
update sessions set id = hash;
alter table sessions alter column id set not null;
alter table sessions add constraint sessions_id unique (id);
alter table sessions add column device text;
-- How its member proved who he is: pwd, otp, recovery, code.
alter table sessions add column factors text not null default 'pwd';
-- The cookie before this one, for requests that were under way while it changed.
alter table sessions add column prev_hash text;
alter table sessions add column prev_until bigint;
create unique index sessions_prev_hash on sessions (prev_hash) where prev_hash is not null;

-- A code is asked for by a browser where it has a cookie, else by a network.
alter table verification_codes drop constraint verification_codes_purpose_check;
alter table verification_codes add constraint verification_codes_purpose check (purpose in
  ('register', 'recover', 'login', 'step-up', 'bind', 'modify-new', 'modify-old', 'otp-reset', 'unfreeze'));

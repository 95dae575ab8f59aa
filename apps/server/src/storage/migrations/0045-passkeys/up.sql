-- Passkeys of members, and the challenges that were answered. Why: notes.md.

create table passkeys (
  -- What its member and we name it by; the authenticator's own id is told to authenticators alone.
  id uuid primary key,
  member int not null references members (id),
  -- Base64url, as it travels.
  credential_id text not null constraint passkeys_credential unique check (length(credential_id) between 16 and 1400),
  -- COSE.
  public_key bytea not null,
  -- What the authenticator counted to; those that are synced between devices stay at 0.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  aaguid uuid not null,
  -- The host that it was made for: it answers below that alone.
  rp_id text not null,
  backed_up boolean not null,
  name text not null check (length(name) between 1 and 40),
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_member on passkeys (member, created_at);

-- Challenges are signed, not stored; one that was answered rightly is kept until it would have expired.
create table used_challenges (
  hash text primary key,
  expires_at bigint not null
);
create index used_challenges_expiry on used_challenges (expires_at);

alter table credential_changes drop constraint credential_changes_kind_check;
alter table credential_changes add constraint credential_changes_kind_check
  check (kind in ('password', 'email', 'mobile', 'otp', 'recovery-codes', 'unfreeze', 'passkey'));

-- Passkeys of admins: tables of their own, as for all that lets somebody into the back office. Why: notes.md.
create table admin_passkeys (
  id uuid primary key,
  admin int not null references admins (id),
  -- Base64url, as it travels.
  credential_id text not null constraint admin_passkeys_credential unique
    check (length(credential_id) between 16 and 1400),
  -- How its authenticator knows the admin: a keyed hash of when it was made.
  user_handle text not null check (user_handle ~ '^[A-Za-z0-9_-]{43}$'),
  -- COSE.
  public_key bytea not null,
  -- What the authenticator counted to; those that are synced between devices stay at 0.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  aaguid uuid not null,
  -- The host that it was made for.
  rp_id text not null,
  backed_up boolean not null,
  name text not null check (length(name) between 1 and 40),
  created_at bigint not null,
  last_used_at bigint
);
create index admin_passkeys_admin on admin_passkeys (admin, created_at);

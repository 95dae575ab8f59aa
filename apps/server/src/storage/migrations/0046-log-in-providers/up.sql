-- Logging in with the service of another house. Why: notes.md.

-- A browser that was sent there. Nonce and PKCE verifier are made of the state, which is kept only as SHA-256.
create table provider_requests (
  state_hash text primary key check (state_hash ~ '^[0-9a-f]{64}$'),
  -- Who asked, and alone may bring the answer.
  browser text not null check (browser <> ''),
  created_at bigint not null,
  expires_at bigint not null check (expires_at > created_at)
);
create index provider_requests_browser on provider_requests (browser, created_at desc);
create index provider_requests_expiry on provider_requests (expires_at);

-- Somebody whom the service has confirmed and who has no account here yet, or has not linked it.
create table provider_arrivals (
  id uuid primary key,
  browser text not null check (browser <> ''),
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  email text check (email = lower(email) and length(email) <= 254),
  email_verified boolean not null check (not email_verified or email is not null),
  used_at bigint,
  expires_at bigint not null
);
create index provider_arrivals_expiry on provider_arrivals (expires_at);

-- Which account a log-in there opens. Only issuer and subject name it: addresses change hands.
create table provider_links (
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  member int not null references members (id),
  linked_at bigint not null,
  primary key (issuer, subject),
  constraint provider_links_member unique (member, issuer)
);

alter table credential_changes drop constraint credential_changes_kind_check;
alter table credential_changes add constraint credential_changes_kind_check
  check (kind in ('password', 'email', 'mobile', 'otp', 'recovery-codes', 'unfreeze', 'passkey', 'provider'));

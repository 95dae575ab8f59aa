-- Who a member is in law: what he states, pictures of a document and of his face, and what was decided. Why: notes.md.

create table kyc_cases (
  id uuid primary key,
  member int not null references members (id),
  -- 1 for a member's first case.
  attempt int not null check (attempt > 0),
  state text not null check (state in ('pending', 'refused', 'done')),
  -- Sealed JSON; null when its time of keeping is over.
  fields text,
  country text not null check (country ~ '^[A-Z]{2}$'),
  document_kind text not null check (document_kind in ('passport', 'id-card', 'driving-licence', 'residence-card')),
  -- Keyed hash of country, kind and number: finds the same document of another member without telling it.
  document_hash text not null,
  -- Goes up with each decision, which names the version that it saw.
  version int not null default 1,
  submitted_at bigint not null,
  decided_at bigint,
  decided_by text,
  reason text check (reason in ('blurred', 'mismatch', 'expired', 'underage', 'country', 'duplicate', 'suspected', 'other')),
  note text not null default '' check (length(note) <= 300),
  unique (member, attempt),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'refused') = (reason is not null))
);
-- A member has one case that counts.
create unique index kyc_cases_one on kyc_cases (member) where state in ('pending', 'done');
create index kyc_cases_waiting on kyc_cases (submitted_at, id) where state = 'pending';
create index kyc_cases_decided on kyc_cases (state, decided_at desc, id desc) where state <> 'pending';
create index kyc_cases_document on kyc_cases (document_hash);

-- Pictures as JPEG, each under a key of its own, which is sealed.
create table kyc_pictures (
  id uuid primary key,
  member int not null references members (id),
  kind text not null check (kind in ('front', 'back', 'face')),
  -- Null until it is submitted.
  case_id uuid references kyc_cases (id),
  key text not null,
  body bytea not null,
  width int not null,
  height int not null,
  created_at bigint not null
);
-- They are compressed already.
alter table kyc_pictures alter column body set storage external;
-- What one member can leave here is bounded: three pictures that wait, and those of his cases.
create unique index kyc_pictures_waiting on kyc_pictures (member, kind) where case_id is null;
create unique index kyc_pictures_of on kyc_pictures (case_id, kind) where case_id is not null;
create index kyc_pictures_draft_age on kyc_pictures (created_at) where case_id is null;

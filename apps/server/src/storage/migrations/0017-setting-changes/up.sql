-- Changes of leverage, modes and isolated margin that a venue was asked for. Why: notes.md.

create table setting_changes (
  id uuid primary key,
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  symbol text not null,
  change jsonb not null,
  payload_hash text not null,
  state text not null check (state in ('asked', 'unknown', 'done', 'refused', 'unproved')),
  reason text,
  deadline_at bigint,
  lookups integer not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index setting_changes_open on setting_changes (user_id, platform) where state in ('asked', 'unknown');

alter table incidents
  drop constraint incidents_subject_check,
  add constraint incidents_subject_check check (subject in ('order', 'transfer', 'test funds', 'setting'));

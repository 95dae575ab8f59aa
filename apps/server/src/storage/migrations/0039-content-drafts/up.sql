-- Texts that are being written, in the back office. Why: notes.md.

create table content_drafts (
  kind text not null check (kind in ('event', 'announcement', 'faq', 'page', 'terms', 'privacy')),
  slug text not null check (slug ~ '^[a-z0-9-]{1,60}$'),
  -- Another with each save, and never one of before: what is published is what was looked at.
  revision int not null generated always as identity,
  -- Title, summary and body by language; may still lack some.
  texts jsonb not null check (octet_length(texts::text) <= 262144),
  -- Null: when it is published.
  publish_at bigint,
  ends_at bigint,
  position int not null check (position between 0 and 9999),
  withdrawn boolean not null,
  author text not null check (author <> '' and length(author) <= 200),
  saved_at bigint not null,
  primary key (kind, slug)
);

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
  check (kind in ('unfreeze', 'kol', 'gate-open', 'terms'));

-- Versions of Terms and Privacy that members agree to before they open anything new, and from when they hold. Why: notes.md.
alter table content
  add column material boolean not null default false,
  -- Null: from when it is published.
  add column effective_at bigint,
  add constraint content_legal check (kind in ('terms', 'privacy') or (not material and effective_at is null));
alter table content_drafts
  add column material boolean not null default false,
  add column effective_at bigint,
  add constraint content_drafts_legal check (kind in ('terms', 'privacy') or (not material and effective_at is null));
create index content_material on content (kind, version) where material;

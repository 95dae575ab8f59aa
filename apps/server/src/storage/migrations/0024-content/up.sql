-- Texts of the hub in three languages, and who agreed to which. Why: notes.md.

create table content (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('event', 'announcement', 'faq', 'page', 'terms', 'privacy')),
  slug text not null check (slug ~ '^[a-z0-9-]{1,60}$'),
  version int not null check (version > 0),
  -- Milliseconds since 1970; may lie ahead.
  publish_at bigint not null,
  -- Of an event: when it is over.
  ends_at bigint check (ends_at > publish_at),
  -- Smaller ones come first in lists.
  position int not null check (position between 0 and 9999),
  withdrawn boolean not null,
  -- Who published it; `shipped` for texts that come with the program.
  author text not null check (author <> '' and length(author) <= 200),
  unique (kind, slug, version)
);
create table content_texts (
  content bigint not null references content (id),
  lang text not null check (lang in ('en', 'ja', 'ko')),
  title text not null check (title <> '' and length(title) <= 120),
  summary text not null check (length(summary) <= 300),
  body text not null check (body <> '' and octet_length(body) <= 65536),
  primary key (content, lang)
);

create table agreements (
  member int not null references members (id),
  kind text not null check (kind in ('terms', 'privacy')),
  -- Of our own text; 0 where the operator's own page was linked.
  version int not null,
  at bigint not null,
  address text not null,
  lang text not null,
  -- SHA-256 of title, line feed and body, hex.
  text_sha256 text check (text_sha256 ~ '^[0-9a-f]{64}$'),
  link text,
  primary key (member, kind, version),
  check ((version = 0) = (link is not null) and (version = 0) = (text_sha256 is null))
);

create function content_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what was published or agreed to stays: % on %', tg_op, tg_table_name using errcode = '55000';
end $$;
create trigger content_append_only before update or delete or truncate on content
  for each statement execute function content_refuse_change();
create trigger content_texts_append_only before update or delete or truncate on content_texts
  for each statement execute function content_refuse_change();
create trigger agreements_append_only before update or delete or truncate on agreements
  for each statement execute function content_refuse_change();

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke update, delete on content, content_texts, agreements from crossbook_app;
  end if;
end $$;

-- What a member's pages keep with the account. Why: notes.md.
create table chart_settings (
  member int primary key references members (id),
  -- A JSON object as it came: nothing here reads it.
  settings text not null check (length(settings) <= 16000),
  version int not null check (version > 0)
);

-- When a session was used last, to some minutes. Why: notes.md.
alter table sessions add column seen_at bigint;

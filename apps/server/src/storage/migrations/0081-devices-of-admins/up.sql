-- The browser that a session of an admin was begun in, as the SHA-256 of its cookie. Why: notes.md.
alter table admin_sessions add column device text check (device ~ '^[0-9a-f]{64}$');

-- A token that freezes nobody: what is written when a code is asked for of an address that has no account. Why: notes.md.
alter table freeze_tokens alter column member drop not null, drop constraint freeze_tokens_member_fkey;

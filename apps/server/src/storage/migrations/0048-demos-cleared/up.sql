-- When nothing that a demo left open was open any more, so that the sweep of what demos leave reads no others. Why: notes.md.
alter table members add column demo_cleared_at bigint,
  add constraint members_demo_cleared check (demo_cleared_at is null or demo_ended_at is not null);
create index members_demo_left on members (id) where demo and demo_ended_at is not null and demo_cleared_at is null;

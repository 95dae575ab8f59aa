-- Members with a mobile number alone, and demo members, who have no contact and no password yet. Why: notes.md.

alter table members alter column email drop not null;
alter table members alter column password_hash drop not null;
alter table members add column demo boolean not null default false;
-- When a demo member last looked in, and when the demo was over.
alter table members add column demo_seen_at bigint;
alter table members add column demo_ended_at bigint;
alter table members add constraint members_reachable check (demo = (email is null and mobile is null));
alter table members add constraint members_demo check (
  demo = (password_hash is null) and demo = (demo_seen_at is not null) and (demo or demo_ended_at is null));
-- The demos that live are few, whatever number of members there ever was.
create index members_demo_alive on members (demo_seen_at) where demo and demo_ended_at is null;

-- A frozen member of whom nothing is open any more that could make his risk larger is marked. Why: notes.md.
alter table members add column freeze_cleared_at bigint;

create index members_frozen_left on members (id)
  where frozen_at is not null and (freeze_cleared_at is null or freeze_cleared_at < frozen_at);

-- Where a member wants his resting orders cancelled by the exchange once the hub is not heard of. Why: notes.md.
create table countdowns (
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  -- After so long without the hub.
  seconds smallint not null check (seconds between 10 and 300),
  set_at bigint not null,
  primary key (user_id, platform)
);

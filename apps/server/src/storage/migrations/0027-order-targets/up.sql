-- Take-profit and stop-loss that an order brings along, for which the hub places legs as it fills. Why: notes.md.

create table order_targets (
  order_id uuid primary key references orders (id),
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  take_profit jsonb,
  stop_loss jsonb,
  placed numeric(38, 18) not null default 0 check (placed >= 0),
  parts integer not null default 0 check (parts >= 0),
  ended boolean not null default false,
  created_at bigint not null,
  check (take_profit is not null or stop_loss is not null)
);

create index order_targets_open on order_targets (created_at) where not ended;
create index order_targets_by_member on order_targets (user_id, platform);

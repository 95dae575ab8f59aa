-- Orders of a member that stand so: without it all of a history is read to find the few that were refused.
create index orders_by_status on orders (user_id, status, created_at desc, id desc);

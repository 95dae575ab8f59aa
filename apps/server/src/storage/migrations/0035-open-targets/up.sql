-- A short way to what of a member's orders with targets is open. Why: notes.md.

create index order_targets_open_by_member on order_targets (user_id, platform, created_at) where not ended;
drop index order_targets_by_member;

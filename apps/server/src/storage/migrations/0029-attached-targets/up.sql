-- Who places the legs of an order, and a short way to what has become of a position. Why: notes.md.

alter table order_targets add column attached boolean not null default false;

create index closed_positions_by_contract on closed_positions (user_id, platform, symbol, closed_at desc);

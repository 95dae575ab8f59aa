-- History of one market: without these a member's whole history is read to find the rows of a market traded seldom.
create index orders_by_member_symbol on orders (user_id, platform, symbol, created_at desc, id desc);
create index fills_by_member_symbol on fills (user_id, platform, symbol, sequence desc);

-- Who has a position, or an order on a contract that is not settled. Why: notes.md.

create index contract_runs_open on contract_runs (user_id, platform) where quantity <> 0;
create index orders_open_contracts on orders (user_id, platform) where not settled and symbol_type = 'SWAP';

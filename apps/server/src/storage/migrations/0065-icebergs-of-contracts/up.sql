-- How much the orders of an iceberg have executed. Why: notes.md.
alter table algo_orders add column executed numeric(38, 18) check (executed is null or executed >= 0);

-- What the orders of an iceberg come to is asked whenever the exchange says anything of it.
create index orders_by_algo on orders (algo_id) where algo_id is not null;

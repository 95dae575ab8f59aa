-- Orders and fills of perpetuals beside those of spot. What was written before is spot and stays as it is.

alter table orders
  add column effect smallint not null default 0 check (effect between 0 and 2),
  add column reduce_only boolean not null default false,
  add column margin_mode text check (margin_mode in ('cross', 'isolated')),
  add column leverage integer check (leverage > 0),
  add column cause text not null default 'order' check (cause in ('order', 'liquidation', 'deleveraging', 'venue')),
  add column realised_pnl numeric(38, 18),
  add constraint orders_contract_shape check ((symbol_type = 'SWAP') = (margin_mode is not null)),
  -- What closes a position, and what the venue did by itself, holds nothing.
  drop constraint orders_hold_amount_check,
  add constraint orders_hold_amount_check check (hold_amount > 0 or (symbol_type = 'SWAP' and hold_amount = 0));

alter table fills
  add column effect smallint not null default 0 check (effect between 0 and 2),
  add column margin_mode text check (margin_mode in ('cross', 'isolated')),
  add column realised_pnl numeric(38, 18),
  add column cause text not null default 'trade' check (cause in ('trade', 'liquidation', 'deleveraging')),
  add constraint fills_contract_shape check ((symbol_type = 'SWAP') = (realised_pnl is not null and margin_mode is not null));

create index orders_by_filter on orders (user_id, created_at desc, id desc);
-- Pages of one type of market.
create index orders_by_type on orders (user_id, platform, symbol_type, created_at desc, id desc);
create index fills_by_type on fills (user_id, platform, symbol_type, sequence desc);

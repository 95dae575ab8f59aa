-- Orders and fills of perpetuals beside those of spot. What was written before is spot and stays as it is.

alter table orders
  add column effect smallint not null default 0 check (effect between 0 and 2),
  add column reduce_only boolean not null default false,
  add column margin_mode text check (margin_mode in ('cross', 'isolated')),
  add column leverage integer check (leverage > 0),
  add column cause text not null default 'order' check (cause in ('order', 'liquidation', 'deleveraging', 'venue')),
  add column realised_pnl numeric(38, 18),
  add constraint orders_contract_shape check ((symbol_type = 'SWAP') = (margin_mode is not null));

-- What closes a position, and what the venue did by itself, holds nothing; else as before.
create or replace function orders_guard() returns trigger language plpgsql as $$
declare
  allowed smallint[];
begin
  if not (new.platform between 1 and 3 and new.symbol_type in ('SPOT', 'SWAP') and new.side in (1, 2)
    and new.order_type in (1, 2) and new.time_in_force between 1 and 4 and new.price > 0 and new.quantity > 0
    and new.quote_quantity > 0 and (new.quantity is null) <> (new.quote_quantity is null) and new.send_type in (1, 2)
    and new.send_time_in_force between 1 and 4 and new.send_price > 0 and (new.hold_amount > 0 or (new.symbol_type = 'SWAP' and new.hold_amount = 0))
    and new.status between 0 and 7 and new.cum_quantity >= 0 and new.cum_quote >= 0) then
    raise exception 'order % is of no known shape', new.id using errcode = '23514', table = 'orders';
  end if;
  if tg_op = 'INSERT' then return new; end if;
  allowed := case old.status
    when 0 then array[0, 2, 3, 4, 5, 6, 7]
    when 1 then array[0, 1, 2, 3, 4, 5, 6, 7]
    when 2 then array[0, 2, 3, 4, 5]
    when 5 then array[0, 3, 4, 5]
    when 3 then array[0, 3, 4]
    when 4 then array[0, 4]
    when 6 then array[0, 6]
    when 7 then array[0, 7]
  end;
  if not new.status = any (allowed) then
    raise exception 'order % may not go from status % to %', old.id, old.status, new.status using errcode = '23514';
  end if;
  if new.cum_quantity < old.cum_quantity or new.cum_quote < old.cum_quote then
    raise exception 'order %: executed quantity never shrinks', old.id using errcode = '23514';
  end if;
  if old.settled and not new.settled and new.status <> 0 then
    raise exception 'order % is settled', old.id using errcode = '23514';
  end if;
  return new;
end $$;

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

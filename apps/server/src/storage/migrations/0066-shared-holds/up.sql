-- The orders of an iceberg are paid out of its one hold. Why: notes.md.
alter table orders add column shares_hold boolean not null default false;
alter table orders drop constraint orders_hold_id_key;
create unique index orders_own_hold on orders (hold_id) where not shares_hold;

-- As before, and what shares a hold is made of an algo order.
create or replace function orders_shape() returns trigger language plpgsql as $$
begin
  if not (new.platform between 1 and 3 and new.symbol_type in ('SPOT', 'SWAP') and new.side in (1, 2)
    and new.order_type in (1, 2) and new.time_in_force between 1 and 4 and new.price > 0 and new.quantity > 0
    and new.quote_quantity > 0 and (new.quantity is null) <> (new.quote_quantity is null) and new.send_type in (1, 2)
    and new.send_time_in_force between 1 and 4 and new.send_price > 0
    and (new.hold_amount > 0 or (new.symbol_type = 'SWAP' and new.hold_amount = 0))
    and (new.algo_id is not null or not new.shares_hold)
    and new.status between 0 and 7 and new.cum_quantity >= 0 and new.cum_quote >= 0
    and new.effect between 0 and 2 and new.margin_mode in ('cross', 'isolated') and new.leverage > 0
    and new.cause in ('order', 'liquidation', 'deleveraging', 'venue')
    and (new.symbol_type = 'SWAP') = (new.margin_mode is not null)) then
    raise exception 'order % is of no known shape', new.id using errcode = '23514', table = 'orders';
  end if;
  return new;
end $$;

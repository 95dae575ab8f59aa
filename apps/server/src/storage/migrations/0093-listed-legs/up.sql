-- How much the legs sell that wait at the exchange as the rest of an order's list. Why: notes.md.
alter table orders
  add column listed_quantity numeric(38, 18)
    check (listed_quantity is null
      or listed_quantity > 0 and listed_quantity <= quantity and order_type = 1 and symbol_type = 'SPOT');

-- What an iceberg shows of its quantity at a time. Why: notes.md.
alter table orders
  add column visible_quantity numeric(38, 18)
    check (visible_quantity is null
      or visible_quantity > 0 and visible_quantity <= quantity and order_type = 1 and symbol_type = 'SPOT');

-- Changes of orders that rest, under their own id. Why: notes.md.

alter table orders
  add column amend_price numeric(38, 18),
  add column amend_quantity numeric(38, 18),
  -- Milliseconds since 1970: from then on the exchange cannot carry the change out any more.
  add column amend_deadline_at bigint,
  add column amend_lookups smallint;

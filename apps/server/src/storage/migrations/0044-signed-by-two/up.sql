-- What ends an order on a person's word is asked for in the back office too; with real money by two. Why: notes.md.

alter table approvals
  drop constraint approvals_kind_check,
  add constraint approvals_kind_check check (kind in ('unfreeze', 'kol', 'gate-open', 'terms', 'resolve-order'));

-- The decision of two that a request rests on; null where one person asked.
alter table operator_requests add column approval bigint unique references approvals (id);

-- What was asked about an order last.
create index operator_requests_order on operator_requests (order_id, requested_at desc);
-- One question about an order at a time.
create unique index operator_requests_open on operator_requests (order_id) where answered_at is null and operator ~ '^admins? [0-9]';

-- What is asked for in the name of two is what both have signed, whatever the program believes.
create function operator_request_signed() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from public.approvals a where a.id = new.approval and a.kind = 'resolve-order' and a.state = 'approved'
      and a.payload::jsonb @> jsonb_build_object('order', new.order_id, 'resolution', new.resolution)
      and (a.payload::jsonb ->> 'quantity')::numeric is not distinct from new.quantity
      and (a.payload::jsonb ->> 'quoteQuantity')::numeric is not distinct from new.quote_quantity) then
    raise exception 'decision % does not end order % so', new.approval, new.order_id using errcode = '55000';
  end if;
  return new;
end $$;
create trigger operator_requests_signed
  before insert or update of approval, order_id, resolution, quantity, quote_quantity on operator_requests
  for each row when (new.approval is not null) execute function operator_request_signed();

-- What was booked of the order when its end was asked for; null where the command asked. Why: notes.md.
alter table operator_requests
  add column seen_quantity numeric,
  add column seen_quote numeric,
  add constraint operator_requests_seen_whole check ((seen_quantity is null) = (seen_quote is null));

create or replace function operator_request_signed() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from public.approvals a where a.id = new.approval and a.kind = 'resolve-order' and a.state = 'approved'
      and a.payload::jsonb @> jsonb_build_object('order', new.order_id, 'resolution', new.resolution)
      and (a.payload::jsonb ->> 'quantity')::numeric is not distinct from new.quantity
      and (a.payload::jsonb ->> 'quoteQuantity')::numeric is not distinct from new.quote_quantity
      and (a.payload::jsonb ->> 'cumQuantity')::numeric is not distinct from new.seen_quantity
      and (a.payload::jsonb ->> 'cumQuote')::numeric is not distinct from new.seen_quote) then
    raise exception 'decision % does not end order % so', new.approval, new.order_id using errcode = '55000';
  end if;
  return new;
end $$;
drop trigger operator_requests_signed on operator_requests;
create trigger operator_requests_signed
  before insert or update of approval, order_id, resolution, quantity, quote_quantity, seen_quantity, seen_quote
  on operator_requests
  for each row when (new.approval is not null) execute function operator_request_signed();

-- Prices that members want to hear of. Why: notes.md.

create table price_alerts (
  id uuid primary key,
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  symbol_type text not null check (symbol_type in ('SPOT', 'SWAP')),
  symbol text not null,
  price numeric(38, 18) not null check (price > 0),
  -- From which side the last price comes.
  direction text not null check (direction in ('rises', 'falls')),
  created_at bigint not null,
  fired_at bigint,
  fired_price numeric(38, 18),
  check ((fired_at is null) = (fired_price is null))
);

create index price_alerts_by_member on price_alerts (user_id);
create index price_alerts_waiting on price_alerts (id) where fired_at is null;

-- Sets or moves one. 'full': the member has `bound` others; 'taken': the id is of another market or member, or it has fired.
create function price_alert_set(
  alert uuid, member bigint, at_platform smallint, of_type text, named text, at_price numeric, to_direction text,
  at_time bigint, bound integer
) returns text language plpgsql as $$
declare
  known public.price_alerts;
begin
  perform pg_advisory_xact_lock(hashtext('price_alerts'), (member % 2147483647)::integer);
  select * into known from public.price_alerts where id = alert for update;
  if found then
    if known.user_id <> member or known.platform <> at_platform or known.symbol_type <> of_type
      or known.symbol <> named or known.fired_at is not null then
      return 'taken';
    end if;
    update public.price_alerts set price = at_price, direction = to_direction where id = alert;
    return 'set';
  end if;
  if (select count(*) from public.price_alerts where user_id = member) >= bound then
    return 'full';
  end if;
  insert into public.price_alerts (id, user_id, platform, symbol_type, symbol, price, direction, created_at)
  values (alert, member, at_platform, of_type, named, at_price, to_direction, at_time)
  on conflict (id) do nothing;
  return case when found then 'set' else 'taken' end;
end $$;

-- Instruments that a member has marked. `id` gives the order: newest first is what a member sees.

create table favourites (
  id bigint generated always as identity unique,
  user_id bigint not null,
  platform smallint not null check (platform between 1 and 3),
  symbol_type text not null check (symbol_type in ('SPOT', 'SWAP')),
  symbol text not null,
  created_at bigint not null,
  primary key (user_id, platform, symbol_type, symbol)
);

create index favourites_by_member on favourites (user_id, id desc);

-- Adds one; false when the member has `bound` others already. The lock makes the bound exact under parallel calls.
create function favourite_add(
  member bigint, at_platform smallint, of_type text, named text, at_time bigint, bound integer
) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('favourites'), (member % 2147483647)::integer);
  if exists (
    select from favourites
    where user_id = member and platform = at_platform and symbol_type = of_type and symbol = named
  ) then
    return true;
  end if;
  if (select count(*) from favourites where user_id = member) >= bound then
    return false;
  end if;
  insert into favourites (user_id, platform, symbol_type, symbol, created_at)
  values (member, at_platform, of_type, named, at_time);
  return true;
end $$;

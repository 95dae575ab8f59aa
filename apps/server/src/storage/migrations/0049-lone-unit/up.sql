-- A hold and a release as parts of the one statement that writes their order's row. Why: notes.md.

-- Holds money for the first time: false, with nothing done, where the balance does not cover it; what is held already raises.
create function ledger_hold_fresh(p_account bigint, p_hold uuid, p_amount numeric, p_kind text) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- The lock of ledger_post_set: one batch at a time.
  perform pg_advisory_xact_lock(7305418001);
  with held as (
    update public.ledger_accounts x set held = x.held + p_amount
    where x.id = p_account and (x.class = 'EXTERNAL' or x.posted - x.held >= p_amount)
    returning x.id, x.asset
  )
  insert into public.ledger_holds (id, account, asset, amount, kind)
  select p_hold, h.id, h.asset, p_amount, p_kind from held h;
  return found;
end $$;

-- Frees what is left of a hold: true. Raises where there is none or it was released, so that nothing of its statement stays.
create function ledger_release_fresh(p_hold uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7305418001);
  with ended as (
    update public.ledger_holds h set released = true, released_at = now()
    where h.id = p_hold and not h.released
    returning h.account, h.amount - h.paid as rest
  )
  update public.ledger_accounts x set held = x.held - e.rest from ended e where x.id = e.account;
  if not found then
    raise exception 'hold % is not open', p_hold using errcode = 'LG003';
  end if;
  return true;
end $$;

revoke all on function ledger_hold_fresh, ledger_release_fresh from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function ledger_hold_fresh, ledger_release_fresh to crossbook_app;
  end if;
end $$;

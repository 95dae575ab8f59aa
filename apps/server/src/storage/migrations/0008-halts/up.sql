-- The money gate's history, and the running fold of the journal that the checker goes on from. Why: notes.md.

-- Append-only. The newest row of `closed` and `opened` says how the gate stands; without one it is open.
create table money_gate_events (
  id bigint generated always as identity primary key,
  event text not null check (event in ('closed', 'open-requested', 'open-refused', 'opened')),
  -- For an answer: the request it answers.
  request bigint unique references money_gate_events (id),
  reason text not null check (reason <> '' and length(reason) <= 500),
  -- Who did it: the checker, or the operator as his machine knows him.
  actor text not null check (actor <> '' and length(actor) <= 200),
  evidence jsonb not null default '[]',
  at timestamptz not null default now(),
  check ((event in ('opened', 'open-refused')) = (request is not null))
);
create trigger money_gate_events_immutable before update or delete or truncate on money_gate_events
  for each statement execute function ledger_refuse_change();

-- Closes the gate; nothing when it is closed already. The server may do this.
create function money_gate_close(p_reason text, p_actor text, p_evidence jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7305418003);
  if (select event from public.money_gate_events where event in ('closed', 'opened') order by id desc limit 1)
    is distinct from 'closed' then
    insert into public.money_gate_events (event, reason, actor, evidence)
    values ('closed', left(p_reason, 500), p_actor, p_evidence);
  end if;
end $$;

-- Answers an operator's request after a full check: only what was requested can be opened, and each request once.
create function money_gate_answer(p_request bigint, p_clean boolean, p_reason text, p_actor text, p_evidence jsonb)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7305418003);
  if not exists (select from public.money_gate_events where id = p_request and event = 'open-requested') then
    raise exception 'there is no request % to open the money gate', p_request using errcode = '55000';
  end if;
  insert into public.money_gate_events (event, request, reason, actor, evidence)
  values (case when p_clean then 'opened' else 'open-refused' end, p_request, left(p_reason, 500), p_actor, p_evidence)
  on conflict (request) do nothing;
end $$;

-- The checker reads the journal in the order in which it was written.
create unique index ledger_transfers_seq on ledger_transfers (seq);

-- What the journal up to `folded_seq` adds up to, by account; and the same again from the first row on, for the rotation
-- that verifies old rows: when it has come as far, both must agree.
create table ledger_check_sums (
  account bigint primary key,
  folded numeric(38,18) not null default 0,
  again numeric(38,18) not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create table ledger_check_state (
  singleton boolean primary key default true check (singleton),
  folded_seq bigint not null default 0,
  again_seq bigint not null default 0,
  again_hold uuid not null default '00000000-0000-0000-0000-000000000000',
  -- How often all old rows, and all holds, were verified since the last restart of the check.
  row_rounds bigint not null default 0,
  hold_rounds bigint not null default 0
);
insert into ledger_check_state default values;

-- The settings of the functions below: each step is planned for its own rows, for the end of a journal is not its middle.

-- Breaches of the movements with seq in (p_from, p_to]: I7 of each, I4 of the holds they pay from.
create function ledger_check_rows(p_from bigint, p_to bigint)
returns table (invariant text, subject text, found text, expected text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
set plan_cache_mode = force_custom_plan as $$
begin
  return query
    select 'I7', t.id::text, t.asset || ' ' || coalesce(f.asset, 'none') || ' ' || coalesce(o.asset, 'none'), 'one asset'
    from public.ledger_transfers t
    left join public.ledger_accounts f on f.id = t.from_account
    left join public.ledger_accounts o on o.id = t.to_account
    where t.seq > p_from and t.seq <= p_to and (t.asset is distinct from f.asset or t.asset is distinct from o.asset)
    limit 100;
  return query
    select 'I4', h.id::text, h.paid::text, coalesce(p.paid, 0)::text
    from (select distinct t.hold from public.ledger_transfers t
      where t.seq > p_from and t.seq <= p_to and t.hold is not null) touched
    join public.ledger_holds h on h.id = touched.hold
    cross join lateral (select sum(t.amount) as paid from public.ledger_transfers t where t.hold = h.id) p
    where h.paid <> coalesce(p.paid, 0)
    limit 100;
end $$;

-- The last seq of the next p_rows movements after p_from and not after p_upto; null when there is none.
create function ledger_check_end(p_from bigint, p_upto bigint, p_rows int) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
set plan_cache_mode = force_custom_plan as $$
begin
  return (select max(n.seq) from (select t.seq from public.ledger_transfers t where t.seq > p_from and t.seq <= p_upto
    order by t.seq limit p_rows) n);
end $$;

-- What the movements with seq in (p_from, p_to] add up to, by account.
create function ledger_check_moved(p_from bigint, p_to bigint) returns table (account bigint, moved numeric)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
set plan_cache_mode = force_custom_plan as $$
begin
  return query
    select l.account, sum(l.moved) from (
      select t.from_account as account, -t.amount as moved from public.ledger_transfers t
        where t.seq > p_from and t.seq <= p_to
      union all select t.to_account, t.amount from public.ledger_transfers t
        where t.seq > p_from and t.seq <= p_to) l
    group by l.account;
end $$;

-- Takes the next p_rows movements into the fold; when no more than as many are left, compares every balance with it.
-- Answers breaches, and one row more while it is behind, when nothing could be compared: the caller goes on at once.
create function ledger_check_new(p_rows int)
returns table (behind boolean, invariant text, subject text, found text, expected text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set plan_cache_mode = force_custom_plan as $$
declare
  v_from bigint;
  v_to bigint;
begin
  -- Several hubs take turns.
  select s.folded_seq into v_from from public.ledger_check_state s for update;
  v_to := public.ledger_check_end(v_from, 9223372036854775807, p_rows);
  if v_to is not null then
    return query select false, r.* from public.ledger_check_rows(v_from, v_to) r;
    insert into public.ledger_check_sums as c (account, folded)
    select m.account, m.moved from public.ledger_check_moved(v_from, v_to) m
    on conflict on constraint ledger_check_sums_pkey do update set folded = c.folded + excluded.folded;
    update public.ledger_check_state set folded_seq = v_to;
    v_from := v_to;
  end if;
  if (select count(*) from (select t.seq from public.ledger_transfers t where t.seq > v_from
    order by t.seq limit p_rows) n) = p_rows then
    return query select true, null::text, null::text, null::text, null::text;
    return;
  end if;
  -- One statement, so one moment of the balances and of the movements that came after the fold.
  return query
    with rest as materialized (
      select l.account, sum(l.moved) as moved from (
        select t.from_account as account, -t.amount as moved from public.ledger_transfers t where t.seq > v_from
        union all select t.to_account, t.amount from public.ledger_transfers t where t.seq > v_from) l
      group by l.account)
    select false, 'I5', a.key, a.posted::text, (coalesce(c.folded, 0) + coalesce(r.moved, 0))::text
    from public.ledger_accounts a
    left join public.ledger_check_sums c on c.account = a.id
    left join rest r on r.account = a.id
    where a.posted <> coalesce(c.folded, 0) + coalesce(r.moved, 0)
    limit 100;
end $$;

-- One step of the rotation over what was verified before: p_rows movements once more, and p_holds holds. When the second
-- fold has come as far as the first, both must agree, and it begins anew. Answers breaches, and one row with the rounds
-- that are complete.
create function ledger_check_old(p_rows int, p_holds int)
returns table (row_rounds bigint, hold_rounds bigint, invariant text, subject text, found text, expected text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set plan_cache_mode = force_custom_plan as $$
declare
  v_state public.ledger_check_state;
  v_to bigint;
  v_hold uuid;
begin
  select * into v_state from public.ledger_check_state for update;
  v_to := public.ledger_check_end(v_state.again_seq, v_state.folded_seq, p_rows);
  if v_to is not null then
    return query select null::bigint, null::bigint, r.* from public.ledger_check_rows(v_state.again_seq, v_to) r;
    insert into public.ledger_check_sums as c (account, again)
    select m.account, m.moved from public.ledger_check_moved(v_state.again_seq, v_to) m
    on conflict on constraint ledger_check_sums_pkey do update set again = c.again + excluded.again;
    v_state.again_seq := v_to;
  end if;
  if public.ledger_check_end(v_state.again_seq, v_state.folded_seq, 1) is null then
    return query select null::bigint, null::bigint, 'I5', coalesce(a.key, c.account::text), c.folded::text, c.again::text
      from public.ledger_check_sums c left join public.ledger_accounts a on a.id = c.account
      where c.folded <> c.again limit 100;
    update public.ledger_check_sums set again = 0 where again <> 0;
    v_state.again_seq := 0;
    v_state.row_rounds := v_state.row_rounds + 1;
  end if;
  return query
    select null::bigint, null::bigint, 'I4', h.id::text, h.paid::text, coalesce(p.paid, 0)::text
    from (select x.id, x.paid, x.amount from public.ledger_holds x where x.id > v_state.again_hold
      order by x.id limit p_holds) h
    cross join lateral (select sum(t.amount) as paid from public.ledger_transfers t where t.hold = h.id) p
    where h.paid <> coalesce(p.paid, 0) or h.paid > h.amount
    limit 100;
  select x.id into v_hold from public.ledger_holds x where x.id > v_state.again_hold
    order by x.id offset p_holds - 1 limit 1;
  if v_hold is null then v_state.hold_rounds := v_state.hold_rounds + 1; end if;
  v_state.again_hold := coalesce(v_hold, '00000000-0000-0000-0000-000000000000');
  update public.ledger_check_state s set again_seq = v_state.again_seq, again_hold = v_state.again_hold,
    row_rounds = v_state.row_rounds, hold_rounds = v_state.hold_rounds;
  return query select v_state.row_rounds, v_state.hold_rounds, null::text, null::text, null::text, null::text;
end $$;

-- Forgets what was folded: the next steps begin with the first row of the journal.
create function ledger_check_restart() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from public.ledger_check_state for update;
  delete from public.ledger_check_sums;
  update public.ledger_check_state set folded_seq = 0, again_seq = 0,
    again_hold = '00000000-0000-0000-0000-000000000000', row_rounds = 0, hold_rounds = 0;
end $$;

revoke all on function money_gate_close, money_gate_answer, ledger_check_rows, ledger_check_end, ledger_check_moved,
  ledger_check_new, ledger_check_old, ledger_check_restart from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    -- The server closes the gate and answers requests; it can neither request nor rewrite, nor touch the fold.
    revoke insert, update, delete on money_gate_events, ledger_check_sums, ledger_check_state from crossbook_app;
    grant execute on function money_gate_close, money_gate_answer, ledger_check_new, ledger_check_old,
      ledger_check_restart to crossbook_app;
  end if;
end $$;

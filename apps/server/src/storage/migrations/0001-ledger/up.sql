-- The double-entry ledger (money-and-security.md 1.3, 1.4). Why it is shaped so: notes.md beside this file.

-- The server's own role: reads everything, changes money only through the functions below.
do $$
begin
  if not exists (select from pg_roles where rolname = 'crossbook_app') then
    create role crossbook_app login;
  end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise notice 'role crossbook_app is missing and may not be created: the server will run as the owner';
end $$;

-- I8: the classes are a closed set and only EXTERNAL may be negative. I7: (id, asset) is what entries refer to.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  key text not null unique,
  class text not null check (class in ('FUNDING', 'TRADING', 'IN_TRANSIT', 'HOUSE_FEE', 'HOUSE_PROMO', 'HOUSE_FX',
    'ROUNDING', 'SUSPENSE', 'EXTERNAL')),
  owner bigint check (owner > 0),
  platform smallint check (platform in (1, 2, 3)),
  counterparty text check (counterparty ~ '^((venue|debt):[123]|chain)$'),
  asset text not null check (asset <> ''),
  posted numeric(38,18) not null default 0,
  held numeric(38,18) not null default 0 check (held >= 0),
  unique (id, asset),
  constraint ledger_accounts_shape check (
    (class in ('FUNDING', 'TRADING')) = (owner is not null)
    and (class in ('TRADING', 'IN_TRANSIT')) = (platform is not null)
    and (class = 'EXTERNAL') = (counterparty is not null)
    and key = concat_ws('/', class, owner, platform, counterparty, asset)),
  -- I2
  constraint ledger_accounts_not_negative check (class = 'EXTERNAL' or posted >= held)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index ledger_accounts_owner on ledger_accounts (owner, class, platform) where owner is not null;

create table ledger_holds (
  id uuid primary key,
  account bigint not null,
  asset text not null,
  amount numeric(38,18) not null check (amount > 0),
  kind text not null check (kind in ('order-hold', 'transfer-hold')),
  -- I4: what was paid out of it, never more than was held.
  paid numeric(38,18) not null default 0 check (paid >= 0 and paid <= amount),
  released boolean not null default false,
  created_at timestamptz not null default now(),
  released_at timestamptz,
  foreign key (account, asset) references ledger_accounts (id, asset)
) with (fillfactor = 70);
create index ledger_holds_open on ledger_holds (account) where not released;

create sequence ledger_batch;

-- Append-only. One row is one movement with two legs of one asset, so every batch sums to zero by its shape (I1).
create table ledger_transfers (
  id uuid primary key,
  seq bigint generated always as identity,
  unit bigint not null,
  from_account bigint not null,
  to_account bigint not null,
  asset text not null,
  amount numeric(38,18) not null check (amount > 0),
  kind text not null check (kind in ('test-funds', 'universal-transfer', 'order-hold', 'fill', 'trade-fee',
    'transfer-hold', 'correction')),
  hold uuid,
  at timestamptz not null default now()
);
create index ledger_transfers_from on ledger_transfers (from_account, seq);
create index ledger_transfers_to on ledger_transfers (to_account, seq);
create index ledger_transfers_hold on ledger_transfers (hold) where hold is not null;

-- I5: the journal does not change, whoever asks.
create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger journal is append-only: % on %', tg_op, tg_table_name using errcode = '55000';
end $$;
create trigger ledger_transfers_immutable before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
create trigger ledger_accounts_permanent before delete or truncate on ledger_accounts
  for each statement execute function ledger_refuse_change();
create trigger ledger_holds_permanent before delete or truncate on ledger_holds
  for each statement execute function ledger_refuse_change();

-- I7: both accounts of a movement exist and hold its asset, and its hold stands on the account it pays from. The same as
-- foreign keys, for accounts and holds are never deleted and never change their identity, but once for all rows of a
-- statement: a foreign key looks up and locks row by row and cost a quarter of the whole batch.
-- The settings choose one look-up by key per row, whatever the caller had set.
create function ledger_check_transfers() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set enable_nestloop = on set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_id uuid;
begin
  select t.id into v_id from new_transfers t
  left join public.ledger_accounts f on f.id = t.from_account and f.asset = t.asset
  left join public.ledger_accounts o on o.id = t.to_account and o.asset = t.asset
  left join public.ledger_holds h on h.id = t.hold and h.account = t.from_account
  where f.id is null or o.id is null or (t.hold is not null and h.id is null)
  limit 1;
  if found then
    raise exception 'transfer % joins accounts of different assets, or none, or another hold', v_id
      using errcode = '23503';
  end if;
  return null;
end $$;
create trigger ledger_transfers_joined after insert on ledger_transfers
  referencing new table as new_transfers for each statement execute function ledger_check_transfers();

-- I4, I5, I7: of a hold only what was paid may grow, and it is released once and for all; an account's identity never
-- changes. The conditions are plain expressions, so a rightful update never calls the function.
create function ledger_refuse_row() returns trigger language plpgsql as $$
begin
  raise exception 'row % of % may not change so', old.id, tg_table_name using errcode = '55000';
end $$;
create trigger ledger_holds_guard before update on ledger_holds for each row
  when (old.released or new.paid < old.paid) execute function ledger_refuse_row();
create trigger ledger_holds_identity before update of id, account, asset, amount, kind, created_at on ledger_holds
  for each row execute function ledger_refuse_row();
create trigger ledger_accounts_identity
  before update of id, key, class, owner, platform, counterparty, asset on ledger_accounts
  for each row execute function ledger_refuse_row();

-- Raises what a companion statement uses to refuse its unit: unless exactly the expected rows were written.
create function ledger_expect(written bigint, expected bigint) returns void language plpgsql as $$
begin
  if written is distinct from expected then
    raise exception 'write-refused' using errcode = 'LG002';
  end if;
end $$;

-- Makes the accounts that are missing and returns the ids in the order of the keys. Ids never change, so callers may
-- remember them.
create function ledger_account_ids(p_keys text[]) returns bigint[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  insert into public.ledger_accounts (key, class, owner, platform, counterparty, asset)
  select k.key, p.part[1],
    case when p.part[1] in ('FUNDING', 'TRADING') then p.part[2]::bigint end,
    case p.part[1] when 'TRADING' then p.part[3]::smallint when 'IN_TRANSIT' then p.part[2]::smallint end,
    case when p.part[1] = 'EXTERNAL' then p.part[2] end,
    p.part[cardinality(p.part)]
  from (select distinct u.key from unnest(p_keys) u(key)
        where not exists (select from public.ledger_accounts a where a.key = u.key)) k,
    lateral (select string_to_array(k.key, '/') as part) p
  order by k.key
  on conflict (key) do nothing;

  return (select array_agg(a.id order by k.ord)
    from unnest(p_keys) with ordinality k(key, ord)
    join public.ledger_accounts a on a.key = k.key and a.key = any (p_keys));
end $$;

-- Applies commands as one set, with running balances. Returns the units that had effect; or does nothing and returns
-- one negative number, minus the first unit that is in the way (refused, or of an order of commands that only
-- one-by-one application can judge).
-- ops: P post (from, to), H hold (from), C post-held (hold, to), R release (hold).
create function ledger_post_set(p_unit int[], p_op text[], p_id uuid[], p_hold uuid[], p_from bigint[], p_to bigint[],
  p_amount numeric[], p_kind text[], p_batch bigint) returns int[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_nestloop = off set plan_cache_mode = force_generic_plan as $$
declare
  v_first int;
  v_units int[];
begin
  -- One batch at a time, from whichever node: cheaper than a lock on every row, and no two can deadlock. The number is
  -- only this function's; the next statement reads what the batch before committed.
  perform pg_advisory_xact_lock(7305418001);
  with cmd as materialized (
    select c.* from unnest(p_unit, p_op, p_id, p_hold, p_from, p_to, p_amount, p_kind)
      with ordinality c(unit, op, id, hold, a, b, amount, kind, n)
  ), old_transfer as materialized (
    select * from public.ledger_transfers where id = any (p_id)
  ), old_hold as materialized (
    select * from public.ledger_holds where id = any (p_hold)
  ), new_hold as materialized (
    select c.n, c.hold, c.a, c.amount, c.kind from cmd c left join old_hold o on o.id = c.hold
    where c.op = 'H' and o.id is null
  ), judged as materialized (
    select c.n, c.unit, c.op, c.id, c.hold, c.b, c.amount, c.kind,
      case when c.op in ('P', 'H') then c.a else coalesce(oh.account, nh.a) end as a,
      case c.op when 'H' then oh.id is not null when 'R' then coalesce(oh.released, false) else ot.id is not null end
        as done,
      case
        when c.op in ('P', 'C') and ot.id is not null then
          (ot.to_account, ot.amount, ot.kind) is distinct from (c.b, c.amount, c.kind)
          or ot.hold is distinct from c.hold or (c.op = 'P' and ot.from_account is distinct from c.a)
        when c.op = 'H' and oh.id is not null then
          (oh.account, oh.amount, oh.kind) is distinct from (c.a, c.amount, c.kind)
        when c.op = 'C' then (oh.id is null and coalesce(nh.n, c.n) >= c.n) or oh.released
        when c.op = 'R' then oh.id is null and coalesce(nh.n, c.n) >= c.n
        else false
      end as blocked
    from cmd c
    left join old_transfer ot on ot.id = c.id
    left join old_hold oh on oh.id = c.hold
    left join new_hold nh on nh.hold = c.hold
  ), live as materialized (
    select * from judged where not done
  ), hold_run as materialized (
    select l.n, l.unit, l.op, coalesce(o.amount - o.paid, 0)
        + sum(case l.op when 'H' then l.amount when 'C' then -l.amount else 0 end) over w as rest,
      count(*) filter (where l.op = 'R') over w as releases
    from live l left join old_hold o on o.id = l.hold
    where l.hold is not null
    window w as (partition by l.hold order by l.n rows unbounded preceding)
  ), leg as materialized (
    select n, unit, 0 as side, a as account,
      case when op in ('P', 'C') then -amount else 0 end as posted,
      case op when 'H' then amount when 'C' then -amount else 0 end as held
    from live where op <> 'R'
    union all
    select n, unit, 1, b, amount, 0 from live where op in ('P', 'C')
    union all
    select l.n, l.unit, 0, l.a, 0, -r.rest from live l join hold_run r on r.n = l.n where l.op = 'R'
  ), account as materialized (
    select id, class, asset, posted, held from public.ledger_accounts
    where id = any (p_from || p_to || array(select account from old_hold))
  ), run as materialized (
    select l.unit, x.class, x.id,
      x.posted - x.held + sum(l.posted - l.held) over (partition by l.account order by l.n, l.side
        rows unbounded preceding) as available
    from leg l left join account x on x.id = l.account
  ), trouble as materialized (
    select min(unit) as unit from (
      select unit from judged where blocked
      union all select unit from run where id is null or (class <> 'EXTERNAL' and available < 0)
      union all select unit from hold_run where rest < 0 or releases > (case when op = 'R' then 1 else 0 end)
      union all select max(unit) from cmd where op in ('P', 'C') group by id having count(*) > 1
      union all select max(unit) from cmd where op = 'H' group by hold having count(*) > 1
      union all select l.unit from live l left join account f on f.id = l.a left join account t on t.id = l.b
        where l.op in ('P', 'C') and f.asset is distinct from t.asset) reasons
  ), hold_end as materialized (
    select l.hold, sum(l.amount) filter (where l.op = 'C') as paid, bool_or(l.op = 'R') as released
    from live l where l.op in ('C', 'R') group by l.hold
  ), made_hold as (
    insert into public.ledger_holds (id, account, asset, amount, kind, paid, released, released_at)
    select h.hold, h.a, x.asset, h.amount, h.kind, coalesce(e.paid, 0), coalesce(e.released, false),
      case when e.released then now() end
    from new_hold h join account x on x.id = h.a left join hold_end e on e.hold = h.hold
    where (select unit from trouble) is null
    returning 1
  ), ended_hold as (
    update public.ledger_holds h set paid = h.paid + coalesce(e.paid, 0), released = e.released,
      released_at = case when e.released then now() end
    from hold_end e join old_hold o on o.id = e.hold
    where h.id = e.hold and h.id = any (p_hold) and (select unit from trouble) is null
    returning 1
  ), made_transfer as (
    insert into public.ledger_transfers (id, unit, from_account, to_account, asset, amount, kind, hold)
    select l.id, p_batch * 4096 + l.unit, l.a, l.b, x.asset, l.amount, l.kind, l.hold
    from live l join account x on x.id = l.a
    where l.op in ('P', 'C') and (select unit from trouble) is null
    order by l.n
    returning 1
  ), delta as materialized (
    select account, sum(posted) as posted, sum(held) as held from leg group by account
  ), moved as (
    update public.ledger_accounts x set posted = x.posted + d.posted, held = x.held + d.held
    from delta d
    where x.id = d.account and x.id = any (p_from || p_to || array(select account from old_hold))
      and (select unit from trouble) is null
    returning 1
  )
  select (select unit from trouble), (select coalesce(array_agg(distinct unit), '{}') from live)
  into v_first, v_units;
  return case when v_first is null then v_units else array[-v_first] end;
end $$;

-- Says why one command cannot take effect. Order of the tests = order in the model (packages/ledger).
create function ledger_refusal(p_op text, p_id uuid, p_hold uuid, p_from bigint, p_to bigint, p_amount numeric,
  p_kind text) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_hold public.ledger_holds;
  v_from public.ledger_accounts;
begin
  if p_op in ('P', 'C') and exists (select from public.ledger_transfers where id = p_id) then return 'id-reused'; end if;
  if p_op <> 'P' then
    select * into v_hold from public.ledger_holds where id = p_hold;
    if p_op = 'H' and found then return 'id-reused'; end if;
    if p_op <> 'H' and not found then return 'unknown-hold'; end if;
  end if;
  select * into v_from from public.ledger_accounts where id = coalesce(p_from, v_hold.account);
  if p_op in ('P', 'C')
    and v_from.asset is distinct from (select asset from public.ledger_accounts where id = p_to) then
    return 'asset-mismatch';
  end if;
  if p_op = 'C' and v_hold.released then return 'hold-resolved'; end if;
  if p_op = 'C' and v_hold.paid + p_amount > v_hold.amount then return 'hold-exceeded'; end if;
  if p_op in ('P', 'H') and v_from.class <> 'EXTERNAL' and v_from.posted - v_from.held < p_amount then
    return 'insufficient-funds';
  end if;
  return 'balance-out-of-range';
end $$;

-- Applies one unit's commands one by one; true when any had effect. Raises LG001 with the refusal's name.
create function ledger_post_unit(p_op text[], p_id uuid[], p_hold uuid[], p_from bigint[], p_to bigint[],
  p_amount numeric[], p_kind text[], p_batch bigint, p_unit int) returns boolean
language plpgsql as $$
declare
  i int;
  v_units int[];
  v_effect boolean := false;
begin
  for i in 1 .. cardinality(p_op) loop
    v_units := ledger_post_set(array[p_unit], p_op[i:i], p_id[i:i], p_hold[i:i], p_from[i:i], p_to[i:i],
      p_amount[i:i], p_kind[i:i], p_batch);
    if v_units[1] < 0 then
      raise exception '%', ledger_refusal(p_op[i], p_id[i], p_hold[i], p_from[i], p_to[i], p_amount[i], p_kind[i])
        using errcode = 'LG001';
    end if;
    v_effect := v_effect or cardinality(v_units) > 0;
  end loop;
  return v_effect;
end $$;

-- Runs the companion statements of the units lo..hi that took effect, stage by stage, as the caller (not the owner).
create function ledger_write_companions(p_stages text[], p_unit int[], p_stage int[], p_row jsonb[], p_live int[])
returns void language plpgsql as $$
declare
  v_stage int;
  v_rows jsonb;
begin
  for v_stage in 1 .. cardinality(p_stages) loop
    select jsonb_agg(w.record order by w.n) into v_rows
    from unnest(p_unit, p_stage, p_row) with ordinality w(unit, stage, record, n)
    where w.stage = v_stage and w.unit = any (p_live);
    if v_rows is not null then
      execute p_stages[v_stage] using v_rows;
    end if;
  end loop;
end $$;

-- The whole batch: units 1..n, each all or nothing, in order. p_first has the first command of each unit and one more
-- entry, one past the last command. Answers per unit: 'applied', 'replayed', a refusal, or 'error: ...'.
-- Ranges of units are tried as a set. A unit in the way is taken out and tried alone, so it refuses nobody else; when
-- there are many, or a companion refuses (which does not say for whom), the range is halved instead.
create function ledger_commit(p_first int[], p_unit int[], p_op text[], p_id uuid[], p_hold uuid[],
  p_from bigint[], p_to bigint[], p_amount numeric[], p_kind text[],
  p_stages text[], p_write_unit int[], p_write_stage int[], p_write_row jsonb[]) returns text[]
language plpgsql as $$
declare
  v_count int := cardinality(p_first) - 1;
  v_batch bigint := nextval('ledger_batch');
  v_answers text[] := array_fill('applied'::text, array[v_count]);
  v_low int[] := array[1];
  v_high int[] := array[v_count];
  v_lo int; v_hi int; v_mid int; v_c1 int; v_c2 int; v_top int; u int;
  v_live int[];
  v_trouble text;
  v_alone boolean;
  v_table text;
  v_retries int := 0;
  v_splits int := 0;
begin
  while cardinality(v_low) > 0 loop
    v_top := cardinality(v_low);
    v_lo := v_low[v_top]; v_hi := v_high[v_top];
    v_low := v_low[1:v_top - 1]; v_high := v_high[1:v_top - 1];
    v_c1 := p_first[v_lo]; v_c2 := p_first[v_hi + 1] - 1;
    v_alone := v_lo = v_hi;
    v_trouble := null;
    v_live := '{}';
    begin
      if v_c2 >= v_c1 then
        v_live := ledger_post_set(p_unit[v_c1:v_c2], p_op[v_c1:v_c2], p_id[v_c1:v_c2], p_hold[v_c1:v_c2],
          p_from[v_c1:v_c2], p_to[v_c1:v_c2], p_amount[v_c1:v_c2], p_kind[v_c1:v_c2], v_batch);
        if v_live[1] < 0 and v_alone then
          v_live := case when ledger_post_unit(p_op[v_c1:v_c2], p_id[v_c1:v_c2], p_hold[v_c1:v_c2],
            p_from[v_c1:v_c2], p_to[v_c1:v_c2], p_amount[v_c1:v_c2], p_kind[v_c1:v_c2], v_batch, v_lo)
            then array[v_lo] else '{}'::int[] end;
        end if;
      end if;
      if v_live[1] < 0 then
        v_trouble := 'split';
        v_splits := v_splits + 1;
      else
        -- A unit without commands has only rows to write and always does.
        for u in v_lo .. v_hi loop
          exit when cardinality(v_live) = v_hi - v_lo + 1;
          if p_first[u] = p_first[u + 1] then
            v_live := v_live || u;
          elsif not (u = any (v_live)) then
            v_answers[u] := 'replayed';
          end if;
        end loop;
        if cardinality(p_stages) > 0 then
          perform ledger_write_companions(p_stages, p_write_unit, p_write_stage, p_write_row, v_live);
        end if;
      end if;
    exception
      when sqlstate 'LG001' then v_trouble := sqlerrm;
      when sqlstate 'LG002' then v_trouble := 'write-refused';
      when unique_violation then
        get stacked diagnostics v_table = table_name;
        -- Another writer committed the same id between our look and our write: look again.
        v_trouble := case when v_table in ('ledger_transfers', 'ledger_holds') and v_retries < 8
          then 'retry' else 'write-refused' end;
      when check_violation then
        get stacked diagnostics v_table = table_name;
        -- A guard of a feature's table (status transition) refuses; one of ours would be a defect.
        v_trouble := case when v_table like 'ledger\_%' then 'error: ' || sqlerrm else 'write-refused' end;
      when numeric_value_out_of_range then v_trouble := 'balance-out-of-range';
      when integrity_constraint_violation or data_exception or syntax_error_or_access_rule_violation
        or raise_exception or object_not_in_prerequisite_state then
        v_trouble := case when sqlerrm = 'write-refused' then sqlerrm else 'error: ' || sqlerrm end;
    end;
    if v_trouble is not null then
      if v_trouble = 'retry' then
        v_retries := v_retries + 1;
        v_low := v_low || v_lo;
        v_high := v_high || v_hi;
      elsif v_alone then
        v_answers[v_lo] := v_trouble;
      else
        v_answers[v_lo:v_hi] := array_fill('applied'::text, array[v_hi - v_lo + 1]);
        if v_trouble = 'split' and v_splits <= 12 then
          -- Before the unit in the way, it alone, after it; the last of them goes onto the stack first.
          v_mid := -v_live[1];
          if v_mid < v_hi then v_low := v_low || (v_mid + 1); v_high := v_high || v_hi; end if;
          v_low := v_low || v_mid; v_high := v_high || v_mid;
          if v_mid > v_lo then v_low := v_low || v_lo; v_high := v_high || (v_mid - 1); end if;
        else
          v_mid := (v_lo + v_hi) / 2;
          v_low := v_low || (v_mid + 1) || v_lo;
          v_high := v_high || v_hi || v_mid;
        end if;
      end if;
    end if;
  end loop;
  return v_answers;
end $$;

revoke all on function ledger_account_ids, ledger_post_set, ledger_refusal from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant usage on schema public to crossbook_app;
    -- Other features' tables are the server's to write; the ledger's are not.
    alter default privileges in schema public grant select, insert, update, delete on tables to crossbook_app;
    alter default privileges in schema public grant usage, select on sequences to crossbook_app;
    grant select on ledger_accounts, ledger_holds, ledger_transfers, meta, schema_migrations to crossbook_app;
    grant usage on sequence ledger_batch to crossbook_app;
    grant execute on function ledger_account_ids, ledger_post_set, ledger_refusal to crossbook_app;
  end if;
end $$;

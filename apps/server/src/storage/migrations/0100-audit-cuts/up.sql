-- Rows of the audit log that are older than seven years go, up to a place that is signed. Why: notes.md.
create table audit_cuts (
  -- The newest place that is gone, and the hash there: what the next place goes on from.
  seq bigint primary key check (seq > 0),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- The newest place of the chain when it was signed.
  newest bigint not null check (newest > seq),
  -- How far seals of the journals are gone with it, and a digest over all of them.
  decisions_until bigint not null,
  decisions_digest text not null,
  transfers_until bigint not null,
  transfers_digest text not null,
  -- Keyed, over all of the above.
  signature text not null check (signature ~ '^[0-9a-f]{64}$'),
  at timestamptz not null default db_clock()
);
create trigger audit_cuts_append_only before update or delete or truncate on audit_cuts
  for each statement execute function audit_refuse_change();

-- Rows of this moment and later stay, in milliseconds since 1970.
create function audit_kept_since() returns bigint
language sql set search_path = pg_catalog, public, pg_temp as $$
  select floor(extract(epoch from public.db_clock() - interval '7 years') * 1000)::bigint
$$;

drop trigger audit_log_append_only on audit_log;
drop trigger audit_heads_append_only on audit_heads;
create trigger audit_log_append_only before update or truncate on audit_log
  for each statement execute function audit_refuse_change();
create trigger audit_heads_append_only before update or truncate on audit_heads
  for each statement execute function audit_refuse_change();

create function audit_refuse_young() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.at >= public.audit_kept_since() then
    raise exception 'the audit log keeps every row for seven years: row %', old.id using errcode = '55000';
  end if;
  return old;
end $$;
create trigger audit_log_kept before delete on audit_log for each row execute function audit_refuse_young();

create function audit_refuse_uncut() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from public.audit_cuts c where c.seq >= old.seq) then
    raise exception 'places of the audit log go by a cut: place %', old.seq using errcode = '55000';
  end if;
  return old;
end $$;
create trigger audit_heads_kept before delete on audit_heads for each row execute function audit_refuse_uncut();

-- The only way by which rows go: all places up to one, of which none is younger than seven years.
create function audit_cut(p_seq bigint, p_hash text, p_newest bigint, p_decisions_until bigint, p_decisions_digest text,
  p_transfers_until bigint, p_transfers_digest text, p_signature text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_entries bigint[];
begin
  perform from public.audit_heads where seq = p_seq and hash = p_hash;
  if not found then
    raise exception 'place % is not there, or has another hash', p_seq using errcode = '55000';
  end if;
  insert into public.audit_cuts (seq, hash, newest, decisions_until, decisions_digest, transfers_until,
    transfers_digest, signature)
  values (p_seq, p_hash, p_newest, p_decisions_until, p_decisions_digest, p_transfers_until, p_transfers_digest,
    p_signature);
  select array_agg(entry) into v_entries from public.audit_heads where seq <= p_seq;
  delete from public.audit_heads where seq <= p_seq;
  delete from public.audit_log where id = any (v_entries);
end $$;

revoke all on function audit_refuse_young, audit_refuse_uncut, audit_cut from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke insert, update, delete, truncate on audit_cuts from crossbook_app;
    grant execute on function audit_cut, audit_kept_since to crossbook_app;
  end if;
end $$;

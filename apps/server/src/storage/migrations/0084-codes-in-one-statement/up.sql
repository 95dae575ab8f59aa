-- Takes a try of a code, compares it and counts what was wrong, in one statement and one commit. Why: notes.md.
create function budget_consume(p_key text, p_ends bigint, p_now bigint, p_max int) returns int language sql as $$
  insert into budgets as b (key, used, window_ends_at) values (p_key, 1, p_ends)
  on conflict (key) do update set
    used = case when b.window_ends_at <= p_now then 1 else least(b.used + 1, p_max + 1000000) end,
    window_ends_at = case when b.window_ends_at <= p_now then p_ends else b.window_ends_at end
  returning used
$$;

create function budget_give_back(p_key text) returns void language sql as $$
  update budgets set used = used - 1 where key = p_key and used > 0
$$;

-- What came of it: 'none' to compare with, 'longer' ones only, 'wrong' or 'right'. Of a long code p_target_key is null: nothing is counted.
create function check_code(
  p_id uuid, p_hash text, p_now bigint,
  p_target_key text, p_target_max int, p_target_ends bigint,
  p_all_key text, p_all_max int, p_all_ends bigint
) returns text language plpgsql as $$
declare
  stored text;
begin
  update verification_codes set tries_left = tries_left - case when asker = '' then 0 else 1 end
    where id = p_id and tries_left > 0 and consumed_at is null and expires_at > p_now
    returning hash into stored;
  if stored is null then return 'none'; end if;
  if p_target_key is not null then
    -- Before anything is compared: whoever guesses at this target waits here for its row.
    if budget_consume(p_target_key, p_target_ends, p_now, p_target_max) > p_target_max
      or exists (select from budgets where key = p_all_key and window_ends_at > p_now and used >= p_all_max)
    then
      perform budget_give_back(p_target_key);
      return 'longer';
    end if;
  end if;
  if stored <> p_hash then
    if p_target_key is null then return 'wrong'; end if;
    if budget_consume(p_all_key, p_all_ends, p_now, p_all_max) <= p_all_max then return 'wrong'; end if;
    perform budget_give_back(p_all_key), budget_give_back(p_target_key);
    return 'longer';
  end if;
  if p_target_key is not null then perform budget_give_back(p_target_key); end if;
  update verification_codes set verified_at = p_now where id = p_id;
  return 'right';
end $$;

do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    grant execute on function budget_consume, budget_give_back, check_code to crossbook_app;
  end if;
end $$;

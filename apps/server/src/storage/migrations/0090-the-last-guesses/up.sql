-- check_code of 0084, with the last guesses of everybody's budget taken before they are compared. Why: notes.md.
create or replace function check_code(
  p_id uuid, p_hash text, p_now bigint,
  p_target_key text, p_target_max int, p_target_ends bigint,
  p_all_key text, p_all_max int, p_all_ends bigint
) returns text language plpgsql as $$
declare
  stored text;
  -- More than there are connections: so many guesses may be under way in one moment.
  under_way constant int := 100;
  taken boolean := false;
begin
  update verification_codes set tries_left = tries_left - case when asker = '' then 0 else 1 end
    where id = p_id and tries_left > 0 and consumed_at is null and expires_at > p_now
    returning hash into stored;
  if stored is null then return 'none'; end if;
  if p_target_key is not null then
    -- Before anything is compared: whoever guesses at this target waits here for its row.
    if budget_consume(p_target_key, p_target_ends, p_now, p_target_max) > p_target_max then
      perform budget_give_back(p_target_key);
      return 'longer';
    end if;
    taken := exists (
      select from budgets where key = p_all_key and window_ends_at > p_now and used >= p_all_max - under_way);
    if taken and budget_consume(p_all_key, p_all_ends, p_now, p_all_max) > p_all_max then
      perform budget_give_back(p_all_key), budget_give_back(p_target_key);
      return 'longer';
    end if;
  end if;
  if stored <> p_hash then
    if p_target_key is not null and not taken then
      perform budget_consume(p_all_key, p_all_ends, p_now, p_all_max);
    end if;
    return 'wrong';
  end if;
  if p_target_key is not null then
    perform budget_give_back(p_target_key);
    if taken then perform budget_give_back(p_all_key); end if;
  end if;
  update verification_codes set verified_at = p_now where id = p_id;
  return 'right';
end $$;

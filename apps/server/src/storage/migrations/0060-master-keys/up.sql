-- Which master key secrets are sealed under, and the fence against any other. Why: notes.md.
create table master_keys (
  -- 16 hex digits that tell nothing of the key; every seal begins with them.
  name text primary key check (name ~ '^[0-9a-f]{16}$'),
  generation int not null unique check (generation > 0),
  state text not null check (state in ('next', 'current', 'retired')),
  begun_at bigint not null,
  retired_at bigint,
  -- What must outlive a retired key, sealed under the current one.
  kept text,
  check ((state = 'retired') = (retired_at is not null) and (state = 'retired') = (kept is not null))
);
create unique index master_keys_current on master_keys (state) where state <> 'retired';

alter table passkeys add column user_handle text check (user_handle ~ '^[A-Za-z0-9_-]{43}$');

-- Arguments: the sealed columns of the table.
create function seal_under_valid_key() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_name text;
  v_generation int;
  v_column text;
  v_seal text;
begin
  select name, generation into v_name, v_generation
  from public.master_keys where state <> 'retired' order by state = 'next' desc limit 1;
  if v_name is null then
    return new;
  end if;
  foreach v_column in array tg_argv loop
    execute format('select ($1).%I', v_column) into v_seal using new;
    -- Seals of before this file name no key; they may be copied until the first change.
    if not starts_with(v_seal, 'v2.' || v_name || '.') and not (v_generation = 1 and starts_with(v_seal, 'v1.')) then
      raise exception '% of % is sealed under another key than %', v_column, tg_table_name, v_name using errcode = '55000';
    end if;
  end loop;
  return new;
end $$;

create trigger members_sealed before insert or update of anti_phishing on members
  for each row when (new.anti_phishing is not null) execute function seal_under_valid_key('anti_phishing');
create trigger mail_queue_sealed before insert or update of mail on mail_queue
  for each row execute function seal_under_valid_key('mail');
create trigger otp_secrets_sealed before insert or update of secret on otp_secrets
  for each row execute function seal_under_valid_key('secret');
create trigger auth_flows_sealed before insert or update of answer on auth_flows
  for each row when (new.answer is not null) execute function seal_under_valid_key('answer');
create trigger kyc_cases_sealed before insert or update of fields on kyc_cases
  for each row when (new.fields is not null) execute function seal_under_valid_key('fields');
create trigger kyc_pictures_sealed before insert or update of key on kyc_pictures
  for each row execute function seal_under_valid_key('key');
create trigger venue_accounts_sealed before insert or update of sealed_secret on venue_accounts
  for each row when (new.sealed_secret is not null) execute function seal_under_valid_key('sealed_secret');
create trigger venue_accounts_passphrase_sealed before insert or update of sealed_passphrase on venue_accounts
  for each row when (new.sealed_passphrase is not null) execute function seal_under_valid_key('sealed_passphrase');
create trigger admins_sealed before insert or update of otp_secret on admins
  for each row when (new.otp_secret is not null) execute function seal_under_valid_key('otp_secret');
create trigger admin_invites_sealed before insert or update of otp_secret on admin_invites
  for each row when (new.otp_secret is not null) execute function seal_under_valid_key('otp_secret');
create trigger master_keys_sealed before insert or update of kept on master_keys
  for each row when (new.kept is not null) execute function seal_under_valid_key('kept');

revoke all on function seal_under_valid_key from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'crossbook_app') then
    revoke insert, update, delete on master_keys from crossbook_app;
  end if;
end $$;

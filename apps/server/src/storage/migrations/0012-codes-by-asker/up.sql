-- A code belongs to who asked for it: what strangers guess is compared with nothing. Empty = a long code, which works for
-- whoever has the mail. Codes of before have no asker and four digits: they are asked for anew, within their 30 minutes.
alter table verification_codes add column asker text not null default '';
alter table verification_codes drop constraint verification_codes_pkey;
alter table verification_codes add primary key (target, purpose, asker);
alter table verification_codes alter column asker drop default;
delete from verification_codes where asker = '';

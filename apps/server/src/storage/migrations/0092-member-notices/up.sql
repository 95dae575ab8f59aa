-- Which members were written to about a reward or a new version of Terms and Privacy. Why: notes.md.
alter table referral_rewards add column mailed_at bigint check (mailed_at is null or state = 'settled');
update referral_rewards set mailed_at = settled_at where state = 'settled';
create index referral_rewards_unmailed on referral_rewards (referrer) where state = 'settled' and mailed_at is null;

create table text_notices (
  content bigint primary key references content (id),
  -- Every member with a number up to this one was written to, or had agreed to the version.
  until int not null
);
insert into text_notices (content, until) select id, 2147483647 from content where kind in ('terms', 'privacy');

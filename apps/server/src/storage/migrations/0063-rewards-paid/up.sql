-- What was paid lately out of the promo account, without reading every reward there ever was. Why: notes.md.
create index referral_rewards_paid on referral_rewards (settled_at) where state = 'settled';

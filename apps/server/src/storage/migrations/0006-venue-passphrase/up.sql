-- The third part of a key where a venue's keys have one (OKX), sealed like the secret.

alter table venue_accounts add column sealed_passphrase text;

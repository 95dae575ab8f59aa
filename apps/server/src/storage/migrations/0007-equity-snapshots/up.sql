-- What each member's wallets were worth at the beginning of a UTC day. Why it is shaped so: notes.md beside this file.

create table equity_snapshots (
  user_id bigint not null check (user_id > 0),
  day date not null,
  -- USDT at last prices over funding and all trading wallets, what is held included; rounded down.
  equity numeric(38, 18) not null check (equity >= 0),
  -- Assets held that had no price: not in the sum. Not empty = the sum is incomplete.
  unpriced text[] not null,
  -- The newest movement of the member's accounts that the sum contains.
  ledger_seq bigint not null,
  taken_at bigint not null,
  primary key (user_id, day)
);

-- What came from outside or left, by account since a movement. Such movements are few, so trading pays nothing for it.
create index ledger_transfers_outside_to on ledger_transfers (to_account, seq)
  where kind in ('test-funds', 'correction');
create index ledger_transfers_outside_from on ledger_transfers (from_account, seq)
  where kind in ('test-funds', 'correction');

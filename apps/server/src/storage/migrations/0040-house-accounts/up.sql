-- What the hub holds by asset, read without any member's account. Why: notes.md.

create index ledger_accounts_house on ledger_accounts (asset) where owner is null;

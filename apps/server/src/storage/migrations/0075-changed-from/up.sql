-- What waited before a change that cancels first, kept until the next placement of it stands. Why: notes.md.
alter table algo_orders add column changed_from jsonb;

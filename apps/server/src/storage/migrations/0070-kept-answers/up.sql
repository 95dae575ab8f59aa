-- Answers of steps besides those of a log-in, for the same step sent again. Why: notes.md.
alter table auth_flows alter column member drop not null;
alter table auth_flows add constraint auth_flows_of_whom check (member is not null or (steps = '{}' and answer is not null));

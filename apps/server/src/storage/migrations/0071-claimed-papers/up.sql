-- Which reviewer has a case before him, so that two do not work at the same one. Why: notes.md.
alter table kyc_cases
  add column claimed_by int references admins (id),
  add column claimed_until bigint,
  add constraint kyc_cases_claim check (
    (claimed_by is null) = (claimed_until is null) and (claimed_by is null or state = 'pending'));
-- A reviewer has one case at a time: the others of his are found when he opens the next.
create index kyc_cases_claimed on kyc_cases (claimed_by) where claimed_by is not null;

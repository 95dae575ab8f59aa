-- Mails that nobody accepted are kept for staff to send again, and members with a KOL code are found without the others. Why: notes.md.
alter table mail_queue add column failed_at bigint;
create index mail_queue_failed on mail_queue (id) where failed_at is not null;
create index members_with_kol on members (id) where kol_referral_code is not null;

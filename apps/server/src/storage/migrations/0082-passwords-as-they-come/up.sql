-- Hashes of before are of a password's composed form, and say so. Why: notes.md.
update members set password_hash = regexp_replace(password_hash, '^(\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+)\$', '\1,f=nfc$')
  where password_hash is not null;
update admins set password_hash = regexp_replace(password_hash, '^(\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+)\$', '\1,f=nfc$')
  where password_hash is not null;

-- Admins are invited, changed and disabled in the back office too, by two. Why: notes.md.

alter table approvals
  drop constraint approvals_kind_check,
  add constraint approvals_kind_check check (kind in ('unfreeze', 'kol', 'gate-open', 'terms', 'resolve-order',
    'admin-invite', 'admin-roles', 'admin-disable'));
create index approvals_invitations on approvals (maker, decided_at desc) where kind = 'admin-invite' and state = 'approved';

-- The decision of two that a link rests on; null where the operator's command made it.
alter table admin_invites add column approval bigint references approvals (id);
create index admin_invites_approval on admin_invites (approval) where approval is not null;
create index admin_invites_email on admin_invites (email);

-- A link in the name of two makes whom both have signed, whatever the program believes.
create function admin_invite_signed() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from public.approvals a where a.id = new.approval and a.kind = 'admin-invite' and a.state = 'approved'
      and a.payload::jsonb = jsonb_build_object('email', new.email, 'roles', to_jsonb(new.roles))) then
    raise exception 'decision % does not invite that admin', new.approval using errcode = '55000';
  end if;
  return new;
end $$;
create trigger admin_invites_signed
  before insert or update of approval, email, roles on admin_invites
  for each row when (new.approval is not null) execute function admin_invite_signed();

import type { AdminRole } from '@crossbook/contract';
import type { PoolClient } from 'pg';
import type { Act, ActOutcome } from '../../../back-office/ports.ts';
import type { Invitation, StaffChange, StaffDesk, StaffMember } from '../../../back-office/staff-ports.ts';
import type { Database } from '../../postgres/database.ts';
import { auditAct } from './member-desk.ts';

/** A decision to invite somebody serves for so long. */
const INVITATION_MILLIS = 24 * 3_600_000;
const INVITATIONS_SHOWN_MAX = 20;
/** Of one admin in a day; used ones among them are not shown. */
const INVITATIONS_READ_MAX = 100;

interface StaffColumns {
  readonly id: number;
  readonly email: string;
  readonly roles: AdminRole[];
  readonly demo: boolean;
  readonly disabled: boolean;
  readonly created_at: string;
  readonly seen_at: string | null;
  readonly authenticator: boolean;
  readonly passkeys: number;
}

interface InvitationColumns {
  readonly id: string;
  readonly payload: string;
  readonly decided_at: string;
  readonly link_until: string | null;
}

/** What two have signed about somebody who is to become an admin. */
interface Invited {
  readonly email: string;
  readonly roles: readonly AdminRole[];
}

const LAST_ADMIN = `not exists (
  select from admins where id <> $1 and not demo and disabled_at is null and 'admin' = any (roles))`;

/** His sessions end, and what he has asked for counts no longer. */
async function endStaff(client: PoolClient, admin: number, { now, reason }: Act): Promise<void> {
  await client.query('update admin_sessions set ended_at = $2 where admin = $1 and ended_at is null', [
    admin,
    now,
  ]);
  await client.query(
    `update approvals set state = 'withdrawn', checker = maker, checker_session = maker_session,
       decision_reason = $3, decided_at = $2 where maker = $1 and state = 'waiting'`,
    [admin, now, reason],
  );
}

/** Changes an admin as two have decided, and ends his sessions; `act` is of who approves. */
export async function changeStaff(client: PoolClient, act: Act, change: StaffChange): Promise<ActOutcome> {
  const { admin, roles: before, to } = change;
  // Nobody decides about his own roles.
  if (admin === act.admin) return 'four-eyes';
  // All of them, always in this order: of two changes at once the second sees what the first has done.
  const { rows } = await client.query<StaffColumns>(
    `select id, roles, demo, disabled_at is not null as disabled from admins where not demo order by id for update`,
  );
  const at = (id: number) => rows.find((row) => row.id === id && !row.disabled);
  if (at(act.admin)?.roles.includes('admin') !== true) return 'role-missing';
  const found = at(admin);
  if (found === undefined || found.roles.join() !== before.join()) return 'already-decided';
  const others = rows.filter(({ id, disabled }) => id !== admin && !disabled);
  const keeps = to?.includes('admin') === true || others.some(({ roles }) => roles.includes('admin'));
  if (!keeps) return 'last-admin';
  await (to === undefined
    ? client.query('update admins set disabled_at = $2 where id = $1', [admin, act.now])
    : client.query('update admins set roles = $2 where id = $1', [admin, [...to]]));
  await endStaff(client, admin, act);
  return 'ok';
}

function invitationOf({ id, payload, decided_at, link_until }: InvitationColumns): Invitation {
  const { email: name, roles } = JSON.parse(payload) as Invited;
  const until = Number(decided_at) + INVITATION_MILLIS;
  return { approval: id, name, roles, until, linkUntil: link_until === null ? null : Number(link_until) };
}

/** The link of an approved invitation, inside its transaction. */
async function writeLink(
  client: PoolClient,
  act: Act,
  { approval, hash, expiresAt }: Parameters<StaffDesk['writeLink']>[1],
): Promise<ActOutcome> {
  const { rows } = await client.query<{ maker: number; payload: string; spent: boolean }>(
    `select p.maker, p.payload, p.decided_at <= $2 or exists (
       select from admin_invites i where i.approval = p.id and i.used_at is not null) as spent
     from approvals p where p.id = $1 and p.kind = 'admin-invite' and p.state = 'approved' for update`,
    [approval, act.now - INVITATION_MILLIS],
  );
  const [found] = rows;
  if (found === undefined) return 'subject-unknown';
  // Who reads the link could become that admin: it is for who stands for the invitation.
  if (found.maker !== act.admin) return 'role-missing';
  const { email, roles } = JSON.parse(found.payload) as Invited;
  const there = await client.query('select from admins where email = $1 and disabled_at is null', [email]);
  if (found.spent || there.rowCount !== 0) return 'already-decided';
  // The newest link is the only one.
  await client.query(
    'update admin_invites set expires_at = $2 where email = $1 and used_at is null and expires_at > $2',
    [email, act.now],
  );
  await client.query(
    `insert into admin_invites (hash, email, roles, invited_by, reason, created_at, expires_at, approval)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [hash, email, [...roles], `admin ${act.admin}`, act.reason, act.now, expiresAt, approval],
  );
  await auditAct(client, act, { subject: 'admin', details: { approval, roles, expiresAt } });
  return 'ok';
}

/** Admins on PostgreSQL, as the back office lists and changes them. */
export function staffDesk(database: Database): StaffDesk {
  return {
    async list({ limit, cursor }) {
      const from = /^[0-9]{1,9}$/.test(cursor ?? '') ? Number(cursor) : 2_147_483_647;
      const rows = await database.query<StaffColumns>(
        `select a.id, a.email, a.roles, a.demo, a.disabled_at is not null as disabled, a.created_at, s.used_at as seen_at,
           a.otp_secret is not null as authenticator,
           (select count(*)::int from admin_passkeys p where p.admin = a.id) as passkeys
         from admins a left join lateral (
           select used_at from admin_sessions where admin = a.id order by created_at desc limit 1) s on true
         where a.id < $1 order by a.id desc limit $2`,
        [from, limit + 1],
      );
      const shown = rows.slice(0, limit).map(({ id, email: name, roles, demo, disabled, ...rest }) => ({
        ...{ id, name, roles, demo, disabled, createdAt: Number(rest.created_at) },
        ...{ authenticator: rest.authenticator, passkeys: rest.passkeys },
        lastSeenAt: rest.seen_at === null ? null : Number(rest.seen_at),
      }));
      return { rows: shown, next: rows.length > limit ? String(shown.at(-1)?.id) : null };
    },
    async invitations(admin, now) {
      const rows = await database.query<InvitationColumns>(
        `select p.id, p.payload, p.decided_at,
           (select max(i.expires_at) from admin_invites i where i.approval = p.id and i.expires_at > $2) as link_until
         from (select * from approvals where kind = 'admin-invite' and state = 'approved' and maker = $1 and decided_at > $3
           order by decided_at desc limit ${INVITATIONS_READ_MAX}) p
         where not exists (select from admin_invites i where i.approval = p.id and i.used_at is not null)
         order by p.decided_at desc limit ${INVITATIONS_SHOWN_MAX}`,
        [admin, now, now - INVITATION_MILLIS],
      );
      return rows.map(invitationOf);
    },
    async one(admin): Promise<StaffMember | undefined> {
      const [row] = await database.query<StaffColumns>(
        'select id, roles, demo, disabled_at is not null as disabled from admins where id = $1',
        [admin],
      );
      return row;
    },
    async isThere(email) {
      const rows = await database.query('select 1 from admins where email = $1 and disabled_at is null', [
        email,
      ]);
      return rows.length > 0;
    },
    async isLast(admin) {
      const [row] = await database.query<{ last: boolean }>(`select ${LAST_ADMIN} as last`, [admin]);
      return row?.last === true;
    },
    writeLink: (act, link) => database.withTransaction((client) => writeLink(client, act, link)),
  };
}

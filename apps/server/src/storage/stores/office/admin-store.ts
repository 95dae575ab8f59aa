import type { AdminRole } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type {
  ActingAdmin,
  AdminRecord,
  AdminSession,
  AdminStore,
  DemoName,
  NewAdminSession,
} from '../../../back-office/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { appendAudit, type TakesStatements } from '../audit-log.ts';
import type { Seal } from '../seal.ts';

/** An admin as the audit log names him. */
export function adminActor(admin: number | undefined): {
  readonly kind: 'operator' | 'anonymous';
  readonly id: string;
} {
  return admin === undefined ? { kind: 'anonymous', id: '' } : { kind: 'operator', id: `admin ${admin}` };
}

/** What the secret of an admin's authenticator is sealed for. */
export function adminOtpContext(email: string): string {
  return `admin-otp:${email}`;
}

/** Addresses of demo admins; no mail goes there. */
const DEMO_HOST = '@demo.invalid';

async function openSession(
  client: TakesStatements,
  admin: number,
  { id, hash, createdAt, expiresAt, provedUntil, address, userAgent, device }: NewAdminSession,
): Promise<void> {
  await client.query(
    `insert into admin_sessions (id, hash, admin, created_at, expires_at, used_at, proved_until, address, user_agent, device)
     values ($1, $2, $3, $4, $5, $4, $6, $7, $8, $9)`,
    [id, hash, admin, createdAt, expiresAt, provedUntil ?? null, address, userAgent, device],
  );
}

/** Opens a session, audited. */
export async function beginSession(
  client: PoolClient,
  {
    admin,
    call,
    session,
  }: { readonly admin: number; readonly call: string; readonly session: NewAdminSession },
): Promise<void> {
  await openSession(client, admin, session);
  await appendAudit(client, {
    ...{ at: session.createdAt, actor: adminActor(admin), address: session.address, call, outcome: 'ok' },
    details: { session: session.id },
  });
}

/** Opens changes of a session for some minutes, audited. */
export async function openChanges(
  client: TakesStatements,
  { admin, session, address, now }: ActingAdmin,
  provedUntil: Millis,
): Promise<void> {
  await client.query('update admin_sessions set proved_until = $2 where id = $1', [session, provedUntil]);
  await appendAudit(client, {
    ...{ at: now, actor: adminActor(admin), address, call: 'x/admin/StepUp', outcome: 'ok' },
    details: { session },
  });
}

/** One admin from one link: a new one, or the same with new secrets, whose sessions of before end. */
async function adminOfInvite(
  client: PoolClient,
  { hash, passwordHash, step }: { hash: string; passwordHash: string; step: number },
  now: Millis,
): Promise<number | undefined> {
  const used = await client.query<{ email: string; roles: AdminRole[]; otp_secret: string }>(
    `update admin_invites set used_at = $2
     where hash = $1 and used_at is null and expires_at > $2 and otp_secret is not null
     returning email, roles, otp_secret`,
    [hash, now],
  );
  const [invite] = used.rows;
  if (invite === undefined) return undefined;
  const { email, roles, otp_secret: secret } = invite;
  const made = await client.query<{ id: number }>(
    `insert into admins (email, roles, password_hash, otp_secret, otp_last_step, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (email) do update set roles = excluded.roles, password_hash = excluded.password_hash,
       otp_secret = excluded.otp_secret, otp_last_step = excluded.otp_last_step, disabled_at = null
     returning id`,
    [email, roles, passwordHash, secret, step, now],
  );
  const id = made.rows[0]?.id;
  if (id === undefined) throw new Error('an admin was not written');
  // A link sets all secrets anew: whoever had the former ones may have added them.
  await client.query('delete from admin_passkeys where admin = $1', [id]);
  await client.query('update admin_sessions set ended_at = $2 where admin = $1 and ended_at is null', [
    id,
    now,
  ]);
  return id;
}

interface AdminRow {
  readonly id: number;
  readonly email: string;
  readonly roles: readonly AdminRole[];
  readonly password_hash: string;
  readonly otp_secret: string;
}

interface LiveRow {
  readonly id: string;
  readonly admin: number;
  readonly email: string;
  readonly roles: readonly AdminRole[];
  readonly demo: boolean;
  readonly used_at: string;
  readonly expires_at: string;
  readonly proved_until: string | null;
}

function sessionOf(row: LiveRow): AdminSession {
  const { id, admin, email, roles, demo, used_at: usedAt, expires_at: expiresAt, proved_until: proved } = row;
  return {
    ...{ id, admin, email, roles, demo },
    usedAt: Number(usedAt) as Millis,
    expiresAt: Number(expiresAt) as Millis,
    provedUntil: proved === null ? undefined : (Number(proved) as Millis),
  };
}

/** The calls of one-time links. */
function invites(database: Database, seal: Seal): Pick<AdminStore, 'openInvite' | 'start'> {
  return {
    async openInvite(hash, secret, now) {
      const [found] = await database.query<{ email: string }>(
        'select email from admin_invites where hash = $1 and used_at is null and expires_at > $2',
        [hash, now],
      );
      if (found === undefined) return undefined;
      const sealed = seal.seal(Buffer.from(secret).toString('hex'), adminOtpContext(found.email));
      const [row] = await database.query<{ roles: AdminRole[]; otp_secret: string; expires_at: string }>(
        `update admin_invites set otp_secret = coalesce(otp_secret, $2)
         where hash = $1 and used_at is null returning roles, otp_secret, expires_at`,
        [hash, sealed],
      );
      if (row === undefined) return undefined;
      return {
        ...{ email: found.email, roles: row.roles },
        secret: Buffer.from(seal.open(row.otp_secret, adminOtpContext(found.email)), 'hex'),
        expiresAt: Number(row.expires_at) as Millis,
      };
    },
    start: (invite, session) =>
      database.withTransaction(async (client) => {
        const admin = await adminOfInvite(client, invite, session.createdAt);
        if (admin !== undefined) await beginSession(client, { admin, call: 'x/admin/Start', session });
        return admin;
      }),
  };
}

/** Sessions that are there. */
function liveSessions(database: Database): Pick<AdminStore, 'live' | 'used' | 'end'> {
  return {
    async live(hash, usedAfter, now) {
      const [row] = await database.query<LiveRow>(
        {
          name: 'admin-session-live',
          text: `select s.id, s.admin, a.email, a.roles, a.demo, s.used_at, s.expires_at, s.proved_until
                 from admin_sessions s join admins a on a.id = s.admin
                 where s.hash = $1 and s.ended_at is null and s.expires_at > $3 and s.used_at > $2
                   and a.disabled_at is null`,
        },
        [hash, usedAfter, now],
      );
      return row && sessionOf(row);
    },
    async used(session, now) {
      await database.query('update admin_sessions set used_at = $2 where id = $1', [session, now]);
    },
    async end(session, now) {
      await database.query('update admin_sessions set ended_at = $2 where id = $1 and ended_at is null', [
        session,
        now,
      ]);
    },
  };
}

/** Whether a step of the authenticator was still unused; it is used now. */
async function takeStep(client: PoolClient, admin: number, step: number): Promise<boolean> {
  const taken = await client.query(
    'update admins set otp_last_step = $2 where id = $1 and otp_last_step < $2 and disabled_at is null',
    [admin, step],
  );
  return taken.rowCount === 1;
}

async function demoAdmin(
  client: PoolClient,
  {
    name,
    roles,
    now,
  }: { readonly name: DemoName; readonly roles: readonly AdminRole[]; readonly now: Millis },
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into admins (email, roles, demo, created_at) values ($1, $2, true, $3)
     on conflict (email) do update set roles = excluded.roles returning id`,
    [`${name}${DEMO_HOST}`, roles, now],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('a demo admin was not written');
  return id;
}

/** Admins and their sessions on PostgreSQL. */
export function adminStore(database: Database, seal: Seal): AdminStore {
  const opened = (email: string, sealed: string): Uint8Array =>
    Buffer.from(seal.open(sealed, adminOtpContext(email)), 'hex');
  return {
    ...invites(database, seal),
    ...liveSessions(database),
    async byEmail(email): Promise<AdminRecord | undefined> {
      const [row] = await database.query<AdminRow>(
        `select id, email, roles, password_hash, otp_secret from admins
         where email = $1 and not demo and disabled_at is null`,
        [email],
      );
      if (row === undefined) return undefined;
      const { id, roles, password_hash: passwordHash, otp_secret: secret } = row;
      return { id, email, roles, passwordHash, otpSecret: opened(email, secret) };
    },
    logIn: (admin, step, session) =>
      database.withTransaction(async (client) => {
        if (!(await takeStep(client, admin, step))) return false;
        await beginSession(client, { admin, call: 'x/admin/LogIn', session });
        return true;
      }),
    stepUp: (acting, step, provedUntil) =>
      database.withTransaction(async (client) => {
        if (!(await takeStep(client, acting.admin, step))) return false;
        await openChanges(client, acting, provedUntil);
        return true;
      }),
    async otpSecret(admin) {
      const [row] = await database.query<AdminRow>(
        'select email, otp_secret from admins where id = $1 and not demo and disabled_at is null',
        [admin],
      );
      return row && opened(row.email, row.otp_secret);
    },
    openDemo: (name, roles, session) =>
      database.withTransaction(async (client) => {
        const admin = await demoAdmin(client, { name, roles, now: session.createdAt });
        await beginSession(client, { admin, call: 'x/admin/Demo', session });
      }),
    async noteRefused({ admin, address, call, outcome, now, subject = '', reason = '', details = {} }) {
      await appendAudit(database, {
        ...{ at: now, actor: adminActor(admin), address, call, subject, outcome, reason, details },
      });
    },
  };
}

/** A link as the command writes it. */
export interface NewInvite {
  readonly email: string;
  readonly roles: readonly AdminRole[];
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  readonly invitedBy: string;
  readonly reason: string;
  readonly now: Millis;
  readonly expiresAt: Millis;
}

/**
 * Writes a one-time link, audited. Of an admin who is there already it is a break-glass: his secrets stop counting, his
 * sessions end and what he has asked for is withdrawn at once. Older links of the address stop counting.
 * @returns false where `renew` does not fit what is there.
 */
export function inviteAdmin(database: Database, invite: NewInvite, renew: boolean): Promise<boolean> {
  const { email, roles, hash, invitedBy, reason, now, expiresAt } = invite;
  return database.withTransaction(async (client) => {
    const there = await client.query<{ id: number; roles: AdminRole[] }>(
      'select id, roles from admins where email = $1 and disabled_at is null for update',
      [email],
    );
    const [admin] = there.rows;
    if ((admin !== undefined) !== renew) return false;
    // The newest link is the only one.
    await client.query('update admin_invites set used_at = $2 where email = $1 and used_at is null', [
      email,
      now,
    ]);
    if (admin !== undefined) {
      await client.query('update admins set disabled_at = $2 where id = $1', [admin.id, now]);
      await client.query('update admin_sessions set ended_at = $2 where admin = $1 and ended_at is null', [
        admin.id,
        now,
      ]);
      // Whoever had his secrets may have asked for them.
      await client.query(
        `update approvals set state = 'withdrawn', checker = maker, checker_session = maker_session,
           decision_reason = $3, decided_at = $2 where maker = $1 and state = 'waiting'`,
        [admin.id, now, reason],
      );
    }
    if (admin !== undefined) {
      await client.query(
        'insert into admin_break_glasses (admin, at, operator, reason) values ($1, $2, $3, $4)',
        [admin.id, now, invitedBy, reason],
      );
    }
    await client.query(
      `insert into admin_invites (hash, email, roles, invited_by, reason, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [hash, email, admin?.roles ?? [...roles], invitedBy, reason, now, expiresAt],
    );
    await appendAudit(client, {
      ...{ at: now, actor: { kind: 'operator', id: invitedBy }, outcome: 'ok', reason },
      ...{ call: renew ? 'admin/break-glass' : 'admin/invite', subject: admin ? `admin ${admin.id}` : '' },
      details: { roles: admin?.roles ?? roles },
    });
    return true;
  });
}

/** Admins as the command lists them. */
export async function listAdmins(
  database: Database,
): Promise<readonly { id: number; email: string; roles: readonly string[]; disabled: boolean }[]> {
  return database.query(
    'select id, email, roles, disabled_at is not null as disabled from admins where not demo order by id limit 200',
  );
}

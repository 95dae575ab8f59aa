import type { Millis, UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type {
  DeviceStore,
  NewDevice,
  NewSession,
  SessionEnd,
  SessionRecord,
  SessionStore,
} from '../../../accounts/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { appendAudit } from '../audit-log.ts';
import { stopRecoveries } from './recovery-store.ts';

interface SessionRow {
  readonly id: string;
  readonly hash: string;
  readonly epoch: number;
  readonly member: number;
  readonly tkropen: boolean;
  readonly demo: boolean;
  readonly expires_at: string;
  readonly seen_at: string;
}

/** What ends sessions says which, in this shape. */
export interface EndedRow {
  readonly id: string;
  readonly hash: string;
  readonly prev_hash: string | null;
}

/** What ended, for whoever must hear of it. */
export function sessionEnd({ id, hash, prev_hash }: EndedRow): SessionEnd {
  return { sessionId: id, hashes: prev_hash === null ? [hash] : [hash, prev_hash] };
}

async function keepDevice(client: PoolClient, user: UserId, session: NewSession): Promise<void> {
  const { device, createdAt, address } = session;
  if (device === undefined) return;
  await client.query(
    `insert into devices (id, hash, first_seen_at, last_seen_at) values ($1, $2, $3, $3)
     on conflict (id) do update set hash = excluded.hash, last_seen_at = excluded.last_seen_at`,
    [device.id, device.hash, createdAt],
  );
  if (device.trustedUntil === undefined) return;
  await client.query(
    `insert into device_trusts (member, device, trusted_until, last_address) values ($1, $2, $3, $4)
     on conflict (member, device) do update
       set trusted_until = excluded.trusted_until, last_address = excluded.last_address`,
    [user, device.id, device.trustedUntil, address],
  );
}

/** Opens a session, names its browser and notes the log-in. */
export async function openSession(client: PoolClient, user: UserId, session: NewSession): Promise<void> {
  const { id, hash, epoch, createdAt, expiresAt, address, userAgent, device, factors = 'pwd' } = session;
  await keepDevice(client, user, session);
  await client.query(
    `insert into sessions (id, hash, member, epoch, created_at, expires_at, address, user_agent, device, factors)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, hash, user, epoch, createdAt, expiresAt, address, userAgent, device?.id ?? null, factors],
  );
  await client.query('update members set last_login_at = $2, last_login_address = $3 where id = $1', [
    user,
    createdAt,
    address,
  ]);
  // Who logs in has not lost what proves him; or somebody else asked.
  await stopRecoveries(client, user, createdAt);
}

/** Ends a member's oldest sessions beyond so many. */
export async function endCrowded(
  client: PoolClient,
  user: number,
  { now, sessionsMax }: { readonly now: Millis; readonly sessionsMax: number },
): Promise<readonly SessionEnd[]> {
  const crowded = await client.query<EndedRow>(
    `update sessions set ended_at = $2 where id in (
       select id from sessions where member = $1 and ended_at is null and expires_at > $2
       order by created_at desc, id desc offset $3)
     returning id, hash, prev_hash`,
    [user, now, sessionsMax],
  );
  return crowded.rows.map(sessionEnd);
}

/** Ends the session that a cookie leads to, also the cookie before its last change. */
export async function endByHash(
  client: Pick<PoolClient, 'query'>,
  hash: string,
  now: Millis,
): Promise<SessionEnd | undefined> {
  const ended = await client.query<EndedRow>(
    `update sessions set ended_at = $2 where (hash = $1 or prev_hash = $1) and ended_at is null
     returning id, hash, prev_hash`,
    [hash, now],
  );
  const [row] = ended.rows;
  return row === undefined ? undefined : sessionEnd(row);
}

function recordOf(row: SessionRow | undefined): SessionRecord | undefined {
  if (row === undefined) return undefined;
  return {
    id: row.id,
    hash: row.hash,
    epoch: row.epoch,
    user: row.member as UserId,
    tkropen: row.tkropen,
    demo: row.demo,
    expiresAt: Number(row.expires_at) as Millis,
    seenAt: Number(row.seen_at) as Millis,
  };
}

const LIVE = `select s.id, s.hash, s.epoch, s.member, m.tkropen, m.demo,
    case when s.hash = $1 or s.id = $1 then s.expires_at else least(s.prev_until, s.expires_at) end as expires_at,
    coalesce(s.seen_at, s.created_at) as seen_at
  from sessions s join members m on m.id = s.member`;

/** Sessions on PostgreSQL. */
export function sessionStore(database: Database): SessionStore {
  return {
    open: (user, session, replaces) =>
      database.withTransaction(async (client) => {
        const former =
          replaces === undefined ? undefined : await endByHash(client, replaces, session.createdAt);
        await openSession(client, user, session);
        return former;
      }),
    async live(hash, now) {
      const rows = await database.query<SessionRow>(
        {
          name: 'session-live',
          text: `${LIVE} where (s.hash = $1 or (s.prev_hash = $1 and s.prev_until > $2))
                   and s.ended_at is null and s.expires_at > $2`,
        },
        [hash, now],
      );
      return recordOf(rows[0]);
    },
    async byId(id, now) {
      const rows = await database.query<SessionRow>(
        {
          name: 'session-by-id',
          text: `${LIVE} where s.id = $1 and s.ended_at is null and s.expires_at > $2`,
        },
        [id, now],
      );
      return recordOf(rows[0]);
    },
    async seen(id, { now, since }) {
      await database.query(
        'update sessions set seen_at = $2 where id = $1 and coalesce(seen_at, created_at) <= $3',
        [id, now, since],
      );
    },
    end: (hash, now) => endByHash(database.pool, hash, now),
  };
}

/** Browsers on PostgreSQL. */
export function deviceStore(database: Database): DeviceStore {
  return {
    async idOf(hash) {
      const rows = await database.query<NewDevice>(
        { name: 'device-of', text: 'select id, hash from devices where hash = $1 or id = $1' },
        [hash],
      );
      const known = rows.find((row) => row.hash === hash);
      return rows.length === 0 ? hash : known?.id;
    },
    async isAnyones(device, now) {
      const rows = await database.query(
        {
          name: 'device-anyones',
          text: 'select from device_trusts where device = $1 and trusted_until > $2 limit 1',
        },
        [device, now],
      );
      return rows.length > 0;
    },
    async isTrusted(account, device, now) {
      const rows = await database.query(
        {
          name: 'device-trusted',
          text: `select from device_trusts t join members m on m.id = t.member
                 where (m.email = $1 or m.mobile = $1) and t.device = $2 and t.trusted_until > $3`,
        },
        [account, device, now],
      );
      return rows.length > 0;
    },
    endTrust: (account, device, { wrong, now }) =>
      database.withTransaction(async (client) => {
        const { rows } = await client.query<{ member: number }>(
          `delete from device_trusts t using members m
           where m.id = t.member and (m.email = $1 or m.mobile = $1) and t.device = $2 returning t.member`,
          [account, device],
        );
        for (const { member } of rows) {
          await appendAudit(client, {
            ...{ at: now, actor: { kind: 'system', id: 'trusted browsers' }, call: 'device/trust-ended' },
            ...{ subject: `member ${member}`, outcome: 'ok', details: { wrongPasswords: wrong } },
          });
        }
      }),
  };
}

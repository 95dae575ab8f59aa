import type { Millis, UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { SessionEnd } from '../../../accounts/ports.ts';
import type { ShownDevice } from '../../../accounts/security-ports.ts';
import type { Database } from '../../postgres/database.ts';
import { type EndedRow, sessionEnd } from './session-store.ts';

interface DeviceRow {
  readonly device: string;
  readonly trusted_until: string;
  readonly last_address: string;
  readonly user_agent: string;
  readonly current: boolean;
}

/** Browsers in which a member is trusted; 100 at most, the newest log-in first. */
export async function trustedDevices(
  database: Database,
  user: UserId,
  { session, now }: { readonly session: string; readonly now: Millis },
): Promise<readonly ShownDevice[]> {
  const rows = await database.query<DeviceRow>(
    `select t.device, t.trusted_until, t.last_address,
       coalesce((select s.user_agent from sessions s where s.member = $1 and s.device = t.device
                 order by s.created_at desc limit 1), '') as user_agent,
       exists (select from sessions s where s.id = $2 and s.member = $1 and s.device = t.device) as current
     from device_trusts t where t.member = $1 and t.trusted_until > $3
     order by t.trusted_until desc, t.device limit 100`,
    [user, session, now],
  );
  return rows.map(({ device, current, ...row }) => ({
    ...{ device, current, userAgent: row.user_agent, address: row.last_address },
    trustedUntil: Number(row.trusted_until) as Millis,
  }));
}

/** Trusts a member's browser no more, and ends what is logged in there. */
export async function forgetDevice(
  client: PoolClient,
  { user, device, now }: { readonly user: UserId; readonly device: string; readonly now: Millis },
): Promise<readonly SessionEnd[]> {
  await client.query('delete from device_trusts where member = $1 and device = $2', [user, device]);
  const ended = await client.query<EndedRow>(
    `update sessions set ended_at = $3 where member = $1 and device = $2 and ended_at is null and expires_at > $3
     returning id, hash, prev_hash`,
    [user, device, now],
  );
  return ended.rows.map(sessionEnd);
}

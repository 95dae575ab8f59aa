import { join } from 'node:path';
import { ownerAddressOf } from '../../apps/server/src/storage/open-storage.ts';
import { openDatabase } from '../../apps/server/src/storage/postgres/database.ts';
import type { Installation } from './installation.ts';

/** Does in an installation's database, as its owner, what no page brings about: a half-hour that passes, what only time or the hub writes. */
export async function inDatabase(
  { data }: Installation,
  statement: string,
  values: readonly (string | number)[] = [],
): Promise<void> {
  const address = ownerAddressOf({ directory: join(data, 'postgres') });
  if (address === undefined) throw new Error('no database');
  const database = openDatabase({ address, connectionsMax: 1 });
  await database.query(statement, values);
  await database.close();
}

/** What is good for a time, and the statement after which that time is over for all of it. */
const OVER = {
  codes: 'update verification_codes set expires_at = 1',
  tickets: 'update auth_flows set expires_at = 1',
  grants: 'update grants set expires_at = 1',
  budgets: 'update budgets set window_ends_at = 1',
  factorCodes: "update otp_secrets set last_step = 0 where state = 'active'",
  setUps: "update otp_secrets set expires_at = 1 where state = 'pending'",
  freezeLinks: 'update freeze_tokens set expires_at = 1',
  pictures: 'update kyc_pictures set created_at = 1 where case_id is null',
  visits: 'update provider_requests set created_at = 0, expires_at = 1',
  arrivals: 'update provider_arrivals set expires_at = 1',
  invitations: 'update admin_invites set created_at = 0, expires_at = 1 where used_at is null',
  officeProofs: 'update admin_sessions set proved_until = 1',
  officeCodes: 'update admins set otp_last_step = 0',
  officeSessions: 'update admin_sessions set created_at = 0, expires_at = 1 where ended_at is null',
  claims: 'update kyc_cases set claimed_until = 1 where claimed_until is not null',
  recoveries:
    "update access_recoveries set state = 'lapsed', statement = null, ended_at = 1 where state in ('asked', 'waiting')",
  requests: "update approvals set made_at = 0, expires_at = 1 where state = 'waiting'",
} as const;

/** Whatever lives of it is over, as if its time had passed. */
export function over(installation: Installation, what: keyof typeof OVER): Promise<void> {
  return inDatabase(installation, OVER[what]);
}

/** The database's clock, by which day-long waits are counted, runs ahead by so much while something is done. */
export async function ahead(installation: Installation, by: string, act: () => Promise<void>): Promise<void> {
  const runs = (interval: string) =>
    inDatabase(
      installation,
      `create or replace function db_clock() returns timestamptz language sql as 'select clock_timestamp() + interval ''${interval}'''`,
    );
  await runs(by);
  try {
    await act();
  } finally {
    await runs('0 hours');
  }
}

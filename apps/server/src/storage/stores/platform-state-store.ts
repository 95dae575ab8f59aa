import type { Platform } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';

/** What is said of a platform: open, not yet, or not for now. */
export type SaidState = 'live' | 'coming-soon' | 'paused';

/** One saying of the back office about a platform. */
export interface PlatformSaying {
  readonly id: string;
  readonly platform: Platform;
  readonly state: SaidState;
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

interface SayingColumns {
  readonly id: string;
  readonly platform: Platform;
  readonly state: SaidState;
  readonly at: string;
  readonly actor: string;
  readonly reason: string;
}

const NEWEST = {
  name: 'platform-states-newest',
  text: `select s.* from unnest(array[1, 2, 3]::smallint[]) p (platform) cross join lateral (
    select id, platform, state, at, actor, reason from platform_states
    where platform = p.platform order by id desc limit 1) s`,
};

function sayingOf({ id, platform, state, at, actor: by, reason }: SayingColumns): PlatformSaying {
  return { id, platform, state, at: Number(at), by, reason };
}

/** The newest saying of each platform that has one. */
export async function newestSayings(database: Database): Promise<readonly PlatformSaying[]> {
  return (await database.query<SayingColumns>(NEWEST)).map(sayingOf);
}

/** What was said, the newest first. */
export async function platformHistory(database: Database, limit: number): Promise<readonly PlatformSaying[]> {
  const rows = await database.query<SayingColumns>(
    'select id, platform, state, at, actor, reason from platform_states order by id desc limit $1',
    [limit],
  );
  return rows.map(sayingOf);
}

/** What stands as a debt on a platform: losses beyond what their members have, until somebody pays them. */
export interface PlatformDebt {
  readonly platform: Platform;
  readonly asset: string;
  /** Decimal string, above zero. */
  readonly amount: string;
}

/** All that stands as a debt, by platform and asset. */
export function platformDebts(database: Database): Promise<readonly PlatformDebt[]> {
  return database.query<PlatformDebt>(
    `select right(counterparty, 1)::int as platform, asset, trim_scale(-sum(posted))::text as amount
     from ledger_accounts where owner is null and class = 'EXTERNAL' and counterparty like 'debt:%'
     group by 1, 2 having sum(posted) <> 0 order by 1, 2 limit 200`,
  );
}

/** A saying as it is written. */
export interface NewSaying {
  readonly platform: Platform;
  readonly state: SaidState;
  readonly at: number;
  readonly by: string;
  readonly reason: string;
  readonly approval?: string;
}

/**
 * Writes a saying, in the transaction of its audit entry.
 * @param standing the saying that it goes on from, '0' for none; undefined: whichever it is.
 * @returns false where another has come between, or nothing would change.
 */
export async function sayPlatform(
  client: PoolClient,
  { platform, state, at, by, reason, approval }: NewSaying,
  standing?: string,
): Promise<boolean> {
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.platforms]);
  const done = await client.query(
    `insert into platform_states (platform, state, at, actor, reason, approval)
     select $1::smallint, $2::text, $3::bigint, $4, $5, $6::bigint where not exists (
       select from (select id, state from platform_states where platform = $1 order by id desc limit 1) n
       where n.state = $2 or n.id <> coalesce($7::bigint, n.id))
     and ($7::bigint is null or $7 = 0 or exists (select from platform_states where platform = $1))`,
    [platform, state, at, by, reason, approval ?? null, standing ?? null],
  );
  return done.rowCount === 1;
}

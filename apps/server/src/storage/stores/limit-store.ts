import { type Amount, assert, formatAmount, parseAmount, type Tier } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Database } from '../postgres/database.ts';

/** What is limited by tier and may be set. */
export type LimitName = 'test-funds';

/** A limit as two admins have set it. */
export interface StoredLimit {
  readonly id: string;
  readonly tier: Tier;
  readonly most: Amount;
  readonly at: number;
  readonly effectiveAt: number;
  readonly by: string;
  readonly reason: string;
  /** Set, and not begun yet. */
  readonly waits: boolean;
}

interface LimitColumns {
  readonly id: string;
  readonly tier: Tier;
  readonly most: string;
  readonly at: string;
  readonly effective_at: string;
  readonly actor: string;
  readonly reason: string;
  readonly waits: boolean;
}

const COLUMNS = `c.id, c.tier, c.most::text, floor(extract(epoch from c.at) * 1000)::bigint as at,
  floor(extract(epoch from c.effective_at) * 1000)::bigint as effective_at, c.actor, c.reason,
  c.effective_at > clock_timestamp()
    and c.id = (select max(n.id) from limit_changes n where n.what = c.what and n.tier = c.tier) as waits`;
const IN_FORCE = {
  name: 'limits-in-force',
  text: `select ${COLUMNS} from unnest(array[0, 1]::smallint[]) t (tier)
    join limit_changes c on c.id = limit_in_force($1, t.tier)`,
};

const TO_COME = {
  name: 'limits-to-come',
  text: `select ${COLUMNS} from unnest(array[0, 1]::smallint[]) t (tier)
    join limit_changes c on c.id = (
      select max(n.id) from limit_changes n where n.what = $1 and n.tier = t.tier)
    where c.effective_at > clock_timestamp()`,
};

function limitOf({ most, at, effective_at, actor: by, ...row }: LimitColumns): StoredLimit {
  const amount = parseAmount(most);
  assert(amount !== undefined, `a stored limit is readable: ${most}`);
  const { id, tier, reason, waits } = row;
  return { id, tier, most: amount, at: Number(at), effectiveAt: Number(effective_at), by, reason, waits };
}

/** What holds now, by tier; a tier whose limit was never set is not there. */
export async function limitsInForce(
  database: Database,
  what: LimitName,
): Promise<ReadonlyMap<Tier, StoredLimit>> {
  const rows = await database.query<LimitColumns>(IN_FORCE, [what]);
  return new Map(rows.map((row) => [row.tier, limitOf(row)]));
}

/** What is set and holds later, by tier. */
export async function limitsToCome(
  database: Database,
  what: LimitName,
): Promise<ReadonlyMap<Tier, StoredLimit>> {
  const rows = await database.query<LimitColumns>(TO_COME, [what]);
  return new Map(rows.map((row) => [row.tier, limitOf(row)]));
}

/** What was set, the newest first. */
export async function limitHistory(database: Database, limit: number): Promise<readonly StoredLimit[]> {
  const text = `select ${COLUMNS} from limit_changes c order by c.id desc limit $1`;
  return (await database.query<LimitColumns>(text, [limit])).map(limitOf);
}

/** A limit as it is set. */
export interface NewLimit {
  readonly what: LimitName;
  readonly tier: Tier;
  readonly most: Amount;
  /** What held where nothing was ever set. */
  readonly was: Amount;
  readonly by: string;
  readonly reason: string;
  readonly approval: string;
}

/**
 * Sets a limit, in the transaction of the decision.
 * @param standing the newest change that both have seen, '0' for none.
 * @returns false where another has come between.
 */
export async function setLimit(
  client: PoolClient,
  { what, tier, most, was, by, reason, approval }: NewLimit,
  standing: string,
): Promise<boolean> {
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.limits]);
  const done = await client.query(
    `insert into limit_changes (what, tier, most, was, actor, reason, approval)
     select $1::text, $2::smallint, $3, $4, $5, $6, $7
     where $8::bigint = (select coalesce(max(id), 0) from limit_changes where what = $1 and tier = $2)`,
    [what, tier, formatAmount(most), formatAmount(was), by, reason, approval, standing],
  );
  return done.rowCount === 1;
}

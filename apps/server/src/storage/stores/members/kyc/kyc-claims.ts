import type { Millis } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { Reviewer } from '../../../../accounts/kyc/kyc-ports.ts';

/** Without a further look a case is free again after so long: as long as a session of an admin lasts without use. */
const CLAIM_MILLIS = 15 * 60_000;

interface Claiming {
  readonly by: Reviewer;
  readonly now: Millis;
}

/** Whether somebody else has the case; inside the transaction of what follows, so that nobody takes it meanwhile. */
export async function isClaimed(
  client: Pick<PoolClient, 'query'>,
  caseId: string,
  { by, now }: Claiming,
): Promise<boolean> {
  const { rows } = await client.query<{ claimed: boolean }>(
    `select claimed_by is not null and claimed_by is distinct from $2 and claimed_until > $3 as claimed
     from kyc_cases where id = $1 for update`,
    [caseId, by.claims ?? null, now],
  );
  return rows[0]?.claimed === true;
}

/** Why a case is not decided as its reviewer saw it: it has moved on, or he who claims cases has not opened this one last. */
export async function unfitness(
  client: Pick<PoolClient, 'query'>,
  seen: { readonly caseId: string; readonly version: number; readonly state: string },
  { claims }: Reviewer,
): Promise<'decided' | 'unseen' | undefined> {
  const { rows } = await client.query<{ claimed_by: number | null }>(
    'select claimed_by from kyc_cases where id = $1 and version = $2 and state = $3',
    [seen.caseId, seen.version, seen.state],
  );
  const [row] = rows;
  if (row === undefined) return 'decided';
  // A stranger who plays an admin claims none; what is taken back was seen when it passed.
  return claims === undefined || row.claimed_by === claims ? undefined : 'unseen';
}

/**
 * Takes a case that waits, or renews what one has; one reviewer has one case. Who claims nothing is only held off.
 * @returns false where somebody else has it.
 */
export async function takeClaim(
  client: Pick<PoolClient, 'query'>,
  caseId: string,
  claiming: Claiming,
): Promise<boolean> {
  if (await isClaimed(client, caseId, claiming)) return false;
  const { by, now } = claiming;
  if (by.claims === undefined) return true;
  await client.query(
    `update kyc_cases set claimed_by = $2, claimed_until = $3 where id = $1 and state = 'pending'`,
    [caseId, by.claims, now + CLAIM_MILLIS],
  );
  // What is over is left to whoever opens it next: two who change places never wait for each other.
  await client.query(
    `update kyc_cases set claimed_by = null, claimed_until = null
     where claimed_by = $2 and id <> $1 and claimed_until > $3`,
    [caseId, by.claims, now],
  );
  return true;
}

/** Gives back what one has. @returns false where one has it not. */
export async function giveBack(
  client: Pick<PoolClient, 'query'>,
  caseId: string,
  { claims }: Reviewer,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'update kyc_cases set claimed_by = null, claimed_until = null where id = $1 and claimed_by = $2',
    [caseId, claims ?? null],
  );
  return rowCount === 1;
}

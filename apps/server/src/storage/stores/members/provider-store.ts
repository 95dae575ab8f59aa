import type { Millis, UserId } from '@crossbook/domain';
import type { PoolClient } from 'pg';
import type { Arrival, ProviderIdentity, ProviderStore } from '../../../accounts/provider-ports.ts';
import type { Effect } from '../../../accounts/security-ports.ts';
import type { Database } from '../../postgres/database.ts';

interface ArrivalRow {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly email_verified: boolean;
}

/** Links a log-in with a member, inside a transaction. @returns false where either has another link of that service. */
export async function linkProvider(
  client: Pick<PoolClient, 'query'>,
  link: Pick<ProviderIdentity, 'issuer' | 'subject'> & { readonly user: UserId; readonly now: Millis },
): Promise<boolean> {
  const { issuer, subject, user, now } = link;
  const made = await client.query(
    `insert into provider_links (issuer, subject, member, linked_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [issuer, subject, user, now],
  );
  return made.rowCount === 1;
}

/** Makes a link or ends it; answers why not. */
export async function performOnProviders(
  client: PoolClient,
  { user, now }: { readonly user: UserId; readonly now: Millis },
  effect: Extract<Effect, { kind: 'provider-link' | 'provider-unlink' }>,
): Promise<'provider-taken' | undefined> {
  if (effect.kind === 'provider-link') {
    return (await linkProvider(client, { ...effect, user, now })) ? undefined : 'provider-taken';
  }
  await client.query('delete from provider_links where member = $1', [user]);
  return undefined;
}

function arrivals(database: Database): Pick<ProviderStore, 'keepArrival' | 'arrival'> {
  return {
    async keepArrival({ id, browser, issuer, subject, email, emailVerified, expiresAt }) {
      await database.query(
        `insert into provider_arrivals (id, browser, issuer, subject, email, email_verified, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, browser, issuer, subject, email ?? null, emailVerified, expiresAt],
      );
    },
    async arrival(id, browser, now): Promise<Arrival | undefined> {
      const rows = await database.query<ArrivalRow>(
        `select id, issuer, subject, email, email_verified from provider_arrivals
         where id = $1 and browser = $2 and used_at is null and expires_at > $3`,
        [id, browser, now],
      );
      const [row] = rows;
      if (row === undefined) return undefined;
      const { email, email_verified: emailVerified, ...named } = row;
      return { ...named, email: email ?? undefined, emailVerified };
    },
  };
}

/** Visits at log-in services, who came back from there, and links, on PostgreSQL. */
export function providerStore(database: Database): ProviderStore {
  return {
    ...arrivals(database),
    beginVisit: ({ stateHash, browser, now, expiresAt, keptPerBrowser }) =>
      database.withTransaction(async (client) => {
        await client.query(
          'insert into provider_requests (state_hash, browser, created_at, expires_at) values ($1, $2, $3, $4)',
          [stateHash, browser, now, expiresAt],
        );
        await client.query(
          `delete from provider_requests where state_hash in (
             select state_hash from provider_requests where browser = $1
             order by created_at desc, (state_hash = $2) desc, state_hash offset $3)`,
          [browser, stateHash, keptPerBrowser],
        );
      }),
    async endVisit(stateHash, browser, now) {
      const rows = await database.query(
        'delete from provider_requests where state_hash = $1 and browser = $2 and expires_at > $3 returning 1',
        [stateHash, browser, now],
      );
      return rows.length === 1;
    },
    async memberOf({ issuer, subject }) {
      const rows = await database.query<{ member: number }>(
        'select member from provider_links where issuer = $1 and subject = $2',
        [issuer, subject],
      );
      return rows[0]?.member as UserId | undefined;
    },
    async linkedAt(user) {
      const rows = await database.query<{ at: string | null }>(
        'select max(linked_at) as at from provider_links where member = $1',
        [user],
      );
      const at = rows[0]?.at ?? null;
      return at === null ? undefined : (Number(at) as Millis);
    },
  };
}

import type { Platform, UserId } from '@crossbook/domain';
import type { VenueAccountStore } from '../../trading/ports.ts';
import type { Database } from '../postgres/database.ts';
import type { Seal } from './seal.ts';

interface AccountColumns {
  readonly state: 'creating' | 'ready' | 'failed';
  readonly account_id: string | null;
  readonly api_key: string | null;
  readonly sealed_secret: string | null;
  /** Null where the venue's keys have two parts. */
  readonly sealed_passphrase: string | null;
}

/** What a part of a venue's key is sealed for. */
export function venueKeyContext(part: 'secret' | 'passphrase', user: number, platform: number): string {
  return `venue-${part}:${user}:${platform}`;
}

/** Members' venue accounts in PostgreSQL; the secret parts of a key are sealed and bound to their row. */
export function createVenueAccountStore(database: Database, seal: Seal): VenueAccountStore {
  return {
    async find(user, platform) {
      const [row] = await database.query<AccountColumns>(
        {
          name: 'venue-account',
          text: `select state, account_id, api_key, sealed_secret, sealed_passphrase from venue_accounts
            where user_id = $1 and platform = $2`,
        },
        [user, platform],
      );
      if (row === undefined) return { state: 'none' };
      const { account_id: accountId, api_key: apiKey, sealed_secret: sealed, sealed_passphrase: third } = row;
      if (row.state !== 'ready' || accountId === null || apiKey === null || sealed === null) {
        return { state: row.state === 'ready' ? 'failed' : row.state };
      }
      return {
        state: 'ready',
        accountId,
        credentials: {
          apiKey,
          secret: seal.open(sealed, venueKeyContext('secret', user, platform)),
          ...(third === null
            ? {}
            : { passphrase: seal.open(third, venueKeyContext('passphrase', user, platform)) }),
        },
      };
    },
    async ready(limit, after) {
      const rows = await database.query<{ user_id: string; platform: number }>(
        `select user_id, platform from venue_accounts
         where state = 'ready' and ($2::bigint is null or (user_id, platform) > ($2::bigint, $3::smallint))
         order by user_id, platform limit $1`,
        [limit, after?.user ?? null, after?.platform ?? null],
      );
      return rows.map((row) => ({ user: Number(row.user_id) as UserId, platform: row.platform as Platform }));
    },
    async begin(user, platform) {
      await database.query(
        "insert into venue_accounts (user_id, platform, state) values ($1, $2, 'creating') on conflict do nothing",
        [user, platform],
      );
    },
    async complete(user, platform, account) {
      const { apiKey, secret, passphrase } = account.credentials;
      const sealed = seal.seal(secret, venueKeyContext('secret', user, platform));
      const third =
        passphrase === undefined
          ? null
          : seal.seal(passphrase, venueKeyContext('passphrase', user, platform));
      await database.query(
        `update venue_accounts set state = 'ready', account_id = $3, api_key = $4, sealed_secret = $5,
           sealed_passphrase = $6, changed_at = now()
         where user_id = $1 and platform = $2`,
        [user, platform, account.accountId, apiKey, sealed, third],
      );
    },
  };
}

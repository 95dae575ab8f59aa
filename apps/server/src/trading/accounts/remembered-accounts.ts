import { createRemembered, type Millis, type Platform, type UserId } from '@crossbook/domain';
import type { VenueAccount, VenueAccountStore } from '../ports.ts';

/** Members' venue accounts whose keys stay open in memory. */
const ACCOUNTS_REMEMBERED_MAX = 50_000;
/** A remembered account is read again after this long, so that what was changed by hand in the database counts, too. */
const REMEMBERED_MILLIS_MAX = 30_000;

interface Seen {
  readonly account: VenueAccount;
  readonly readAt: Millis;
}

/**
 * The same store; a key is read and opened once and then kept in memory, where it is anyway while an order is signed. A
 * change counts from the moment it begins to be written. One process only.
 */
export function rememberVenueAccounts(store: VenueAccountStore, clock: () => Millis): VenueAccountStore {
  const memory = createRemembered<Seen>({
    entriesMax: ACCOUNTS_REMEMBERED_MAX,
    keeps: ({ account }) => account.state === 'ready',
  });
  const keyOf = (user: UserId, platform: Platform): string => `${platform}:${user}`;
  return {
    async find(user, platform) {
      const now = clock();
      const read = async (): Promise<Seen> => ({ account: await store.find(user, platform), readAt: now });
      const fits = ({ readAt }: Seen): boolean => now >= readAt && now - readAt < REMEMBERED_MILLIS_MAX;
      return (await memory.get(keyOf(user, platform), read, fits)).account;
    },
    ready: (limit, after) => store.ready(limit, after),
    begin: (user, platform) => memory.change([keyOf(user, platform)], () => store.begin(user, platform)),
    complete: (user, platform, account) =>
      memory.change([keyOf(user, platform)], () => store.complete(user, platform, account)),
  };
}

import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import {
  type Millis,
  type Platform,
  platformFacts,
  platformOfType,
  type SymbolType,
  type UserId,
} from '@crossbook/domain';
import type { ListingOf } from './listing.ts';

/** Instruments one member may mark. */
export const FAVOURITES_PER_MEMBER_MAX = 500;

/** An instrument by its place. */
export interface Favourite {
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
}

/** Where favourites are kept. */
export interface FavouriteStore {
  has(user: UserId, favourite: Favourite): Promise<boolean>;
  /** Adds it unless it is there; `full` when the member has `countMax` others. */
  add(
    user: UserId,
    favourite: Favourite,
    bound: { readonly now: Millis; readonly countMax: number },
  ): Promise<'added' | 'full'>;
  remove(user: UserId, favourite: Favourite): Promise<void>;
  /** Newest first. */
  list(user: UserId): Promise<readonly Favourite[]>;
}

type Row = CallRequest<'connexbasicdata/addsinglefree'>;

/** The handlers of a member's favourites (spec section 7). */
export interface FavouriteHandlers {
  exists(caller: MemberCaller, row: Row): Promise<CallAnswer<{ exist: boolean }>>;
  add(caller: MemberCaller, row: Row): Promise<CallAnswer<Row>>;
  remove(caller: MemberCaller, row: Row): Promise<CallAnswer<Row>>;
  list(
    caller: MemberCaller,
    filter: CallRequest<'connexbasicdata/getuserfree'>,
  ): Promise<CallAnswer<CallResponse<'connexbasicdata/getuserfree'>>>;
}

function favouriteOf({ platformType, tinstType, tinstId }: Row): Favourite | undefined {
  const platform = platformOfType(platformType)?.platform;
  if (platform === undefined) return undefined;
  return { platform, symbolType: tinstType === 1 ? 'SPOT' : 'SWAP', symbol: tinstId };
}

function rowOf({ platform, symbolType, symbol }: Favourite): Row {
  const { platformType } = platformFacts(platform);
  return { platformType, tinstType: symbolType === 'SPOT' ? 1 : 2, tinstId: symbol };
}

/**
 * Makes the handlers. Only what a venue lists can be marked; what it has delisted since can still be unmarked. All of
 * it may be repeated without harm.
 */
export function favouriteHandlers(store: FavouriteStore, listingOf: ListingOf): FavouriteHandlers {
  return {
    async exists(caller, row) {
      const favourite = favouriteOf(row);
      const exist = favourite !== undefined && (await store.has(caller.user, favourite));
      return { ok: true, value: { exist } };
    },
    async add(caller, row) {
      const favourite = favouriteOf(row);
      const listing = favourite && listingOf(favourite.platform, favourite.symbolType);
      if (favourite === undefined || listing?.find(favourite.symbol) === undefined) {
        const allowed = 'an instrument that the platform lists';
        return { ok: false, code: { error: 'field-invalid', field: 'tinstId', allowed } };
      }
      const bound = { now: caller.now, countMax: FAVOURITES_PER_MEMBER_MAX };
      if ((await store.add(caller.user, favourite, bound)) === 'added') return { ok: true, value: row };
      const allowed = `at most ${FAVOURITES_PER_MEMBER_MAX} favourites; remove one first`;
      return { ok: false, code: { error: 'field-invalid', field: 'tinstId', allowed } };
    },
    async remove(caller, row) {
      const favourite = favouriteOf(row);
      if (favourite !== undefined) await store.remove(caller.user, favourite);
      return { ok: true, value: row };
    },
    async list(caller, { platformType, tinstType }) {
      const rows = (await store.list(caller.user)).map(rowOf);
      return {
        ok: true,
        value: rows
          .filter((row) => platformType === undefined || row.platformType === platformType)
          .filter((row) => tinstType === undefined || row.tinstType === tinstType),
      };
    },
  };
}

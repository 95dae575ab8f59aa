import type { CallHandlers } from '@crossbook/contract';
import { listCurrencies } from '../market/currencies.ts';
import { favouriteHandlers } from '../market/favourites.ts';
import { type ListingOf, querySymbolInfo } from '../market/listing.ts';
import type { Database } from '../storage/postgres/database.ts';
import { favouritesStore } from '../storage/stores/members/favourites-store.ts';

type MarketCall =
  | 'connexbasicdata/QuerySymInfo'
  | 'connexbasicdata/GetCurrencies'
  | 'connexbasicdata/existuserfree'
  | 'connexbasicdata/addsinglefree'
  | 'connexbasicdata/delfree'
  | 'connexbasicdata/getuserfree';

/** The calls about instruments, coins and favourites. */
export function marketHandlers(database: Database, listingOf: ListingOf): Pick<CallHandlers, MarketCall> {
  const favourites = favouriteHandlers(favouritesStore(database), listingOf);
  return {
    'connexbasicdata/QuerySymInfo': async (_caller, request) => querySymbolInfo(listingOf, request),
    'connexbasicdata/GetCurrencies': async (_caller, request) => listCurrencies(listingOf, request),
    'connexbasicdata/existuserfree': favourites.exists,
    'connexbasicdata/addsinglefree': favourites.add,
    'connexbasicdata/delfree': favourites.remove,
    'connexbasicdata/getuserfree': favourites.list,
  };
}

import type { CallHandlers } from '@crossbook/contract';
import { type CurrencyOffer, listCurrencies, listNetworks } from '../market/currencies.ts';
import { favouriteHandlers } from '../market/favourites.ts';
import { type ListingOf, querySymbolInfo } from '../market/listing.ts';
import { type AlertKeeper, type PriceAlertStore, priceAlertHandlers } from '../market/price-alerts.ts';
import type { Database } from '../storage/postgres/database.ts';
import { favouritesStore } from '../storage/stores/members/favourites-store.ts';

type MarketCall =
  | 'connexbasicdata/QuerySymInfo'
  | 'connexbasicdata/GetCurrencies'
  | 'connexbasicdata/GetNetWorks'
  | 'connexbasicdata/existuserfree'
  | 'connexbasicdata/addsinglefree'
  | 'connexbasicdata/delfree'
  | 'connexbasicdata/getuserfree'
  | 'x/alert/List'
  | 'x/alert/Set'
  | 'x/alert/Remove';

/** The calls about instruments, coins, favourites and price alerts. */
export function marketHandlers(
  database: Database,
  listingOf: ListingOf,
  offer: CurrencyOffer,
  alerts: { readonly store: PriceAlertStore; readonly watch: AlertKeeper },
): Pick<CallHandlers, MarketCall> {
  const priceAlerts = priceAlertHandlers(alerts.store, alerts.watch, listingOf);
  const favourites = favouriteHandlers(favouritesStore(database), listingOf);
  return {
    'connexbasicdata/QuerySymInfo': async (_caller, request) => querySymbolInfo(listingOf, request),
    'connexbasicdata/GetCurrencies': async (_caller, request) =>
      listCurrencies(listingOf, await offer.currencies(), request),
    'connexbasicdata/GetNetWorks': (_caller, request) => listNetworks(offer, request),
    'connexbasicdata/existuserfree': favourites.exists,
    'connexbasicdata/addsinglefree': favourites.add,
    'connexbasicdata/delfree': favourites.remove,
    'connexbasicdata/getuserfree': favourites.list,
    'x/alert/List': priceAlerts.list,
    'x/alert/Set': priceAlerts.set,
    'x/alert/Remove': priceAlerts.remove,
  };
}

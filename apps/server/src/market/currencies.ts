import type { CallAnswer, CallRequest, CurrencyRow } from '@crossbook/contract';
import { PLATFORMS } from '@crossbook/domain';
import { coinFacts } from './coins.ts';
import type { ListingOf } from './listing.ts';

/** What everything is quoted in; it is traded wherever anything is. */
const QUOTE = 'USDT';

/**
 * GetCurrencies: coins that can be traded against USDT somewhere now, and USDT itself, by ticker. Spot markets decide:
 * a perpetual has no coin that a wallet could hold.
 */
export function listCurrencies(
  listingOf: ListingOf,
  request: CallRequest<'connexbasicdata/GetCurrencies'>,
): CallAnswer<CurrencyRow[]> {
  const traded = new Map<string, number[]>([[QUOTE, []]]);
  for (const { platform, platformType } of PLATFORMS) {
    const open = listingOf(platform, 'SPOT')
      ?.all()
      .filter((row) => row.status === 'trading');
    if (open === undefined || open.length === 0) continue;
    for (const asset of new Set([QUOTE, ...open.map((row) => row.base)])) {
      const at = traded.get(asset) ?? [];
      traded.set(asset, at);
      at.push(platformType);
    }
  }
  const rows = [...traded]
    .filter(([asset]) => request.asset === undefined || request.asset === asset)
    .map(([asset, platformTypes]): CurrencyRow => ({ asset, ...coinFacts(asset), platformTypes }))
    .sort((left, right) => (left.asset < right.asset ? -1 : 1));
  return { ok: true, value: rows };
}

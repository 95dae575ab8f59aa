import type { CallAnswer, CallRequest, CurrencyRow, NetworkRow } from '@crossbook/contract';
import {
  type CurrencyTerms,
  formatAmount,
  type NetworkTerms,
  networkFacts,
  PLATFORMS,
  SHIPPED_CURRENCY,
} from '@crossbook/domain';
import { coinFacts } from './coins.ts';
import type { ListingOf } from './listing.ts';

/** What everything is quoted in; it is traded wherever anything is. */
const QUOTE = 'USDT';

/** A currency on a network with what changes of it next. */
export interface OfferedNetwork extends NetworkTerms {
  readonly next: NetworkRow['next'];
}

/** What the operator offers of currencies, as it is in force now by the clock of the database. Nothing of it is kept. */
export interface CurrencyOffer {
  /** Those of which anything was set. */
  currencies(): Promise<ReadonlyMap<string, CurrencyTerms>>;
  networks(): Promise<readonly OfferedNetwork[]>;
}

/** How a currency stands in an offer. */
export function termsOf(offered: ReadonlyMap<string, CurrencyTerms>, asset: string): CurrencyTerms {
  return offered.get(asset) ?? SHIPPED_CURRENCY;
}

/**
 * GetCurrencies: coins that can be traded against USDT somewhere now, and USDT itself, in the operator's order, without those
 * that he hides. Spot markets decide: a perpetual has no coin that a wallet could hold.
 */
export function listCurrencies(
  listingOf: ListingOf,
  offered: ReadonlyMap<string, CurrencyTerms>,
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
    .filter(([asset]) => termsOf(offered, asset).shown)
    .map(([asset, platformTypes]): CurrencyRow => {
      const { name, deposits, withdrawals } = termsOf(offered, asset);
      const facts = coinFacts(asset);
      return { asset, ...facts, name: name ?? facts.name, platformTypes, deposits, withdrawals };
    })
    .sort(inOrder(offered));
  return { ok: true, value: rows };
}

/** In the operator's order, those of one place by ticker. */
export function inOrder(offered: ReadonlyMap<string, CurrencyTerms>) {
  return (left: { readonly asset: string }, right: { readonly asset: string }): number =>
    termsOf(offered, left.asset).position - termsOf(offered, right.asset).position ||
    left.asset.localeCompare(right.asset, 'en');
}

/** GetNetWorks: networks of the currencies that are shown; what is closed for a currency is closed on each of them. */
export async function listNetworks(
  offer: CurrencyOffer,
  { asset: wanted }: CallRequest<'connexbasicdata/GetNetWorks'>,
): Promise<CallAnswer<NetworkRow[]>> {
  const [offered, networks] = await Promise.all([offer.currencies(), offer.networks()]);
  const rows = networks
    .filter(({ asset }) => (wanted === undefined || wanted === asset) && termsOf(offered, asset).shown)
    .map(({ deposits, withdrawals, minimum, fee, ...terms }): NetworkRow => {
      const currency = termsOf(offered, terms.asset);
      return {
        ...terms,
        name: networkFacts(terms.network).name,
        deposits: deposits && currency.deposits,
        withdrawals: withdrawals && currency.withdrawals,
        ...{ minimum: formatAmount(minimum), fee: formatAmount(fee), next: [...terms.next] },
      };
    })
    .sort(inOrder(offered));
  return { ok: true, value: rows };
}

import type { AdminFeeRow, AdminLimitRow } from '@crossbook/contract';
import {
  formatAmount,
  type Platform,
  platformFacts,
  type SymbolType,
  shippedLimits,
  TIERS,
} from '@crossbook/domain';
import type { OfferDesk } from '../back-office/offer-calls.ts';
import type { Config } from '../config.ts';
import type { Listing } from '../market/listing.ts';
import type { Database } from '../storage/postgres/database.ts';
import { limitHistory, limitsInForce, type StoredLimit } from '../storage/stores/limit-store.ts';

const CURRENCIES_SHOWN_MAX = 2_000;
const CHANGES_SHOWN_MAX = 50;
const TYPES = ['SPOT', 'SWAP'] as const;

/** What the page is made of. */
export interface OfferParts {
  readonly config: Pick<Config, 'money' | 'venues'>;
  readonly database: Database;
  readonly listingOf: (platform: Platform, symbolType: SymbolType) => Listing | undefined;
}

/** Currencies, fees and limits as the back office shows them; nothing of it is a balance. */
export function offerDesk({ config, database, listingOf }: OfferParts): OfferDesk {
  const shipped = shippedLimits(config.money);
  const platforms = config.venues.map(({ platform }) => platform);
  return {
    async read() {
      const [inForce, history] = await Promise.all([
        limitsInForce(database, 'test-funds'),
        limitHistory(database, CHANGES_SHOWN_MAX),
      ]);
      const limits = TIERS.map((tier): AdminLimitRow => {
        const next = history.find((row) => row.tier === tier && row.waits);
        return {
          ...{ what: 'test-funds', tier, asset: 'USDT', hours: 24 },
          most: formatAmount(inForce.get(tier)?.most ?? shipped.testFundsDayMax[tier]),
          shipped: formatAmount(shipped.testFundsDayMax[tier]),
          next: next === undefined ? null : shownChange(next),
        };
      });
      return {
        ...{ limits: config.money === 'paper' ? limits : [], contractsFrom: shipped.contractsFrom },
        fees: platforms.flatMap((platform) => feesOf(platform, listingOf)),
        currencies: currenciesOf(platforms, listingOf),
        history: history.map((row) => ({ id: row.id, tier: row.tier, ...shownChange(row) })),
      };
    },
    async standing(tier) {
      const [inForce, history] = await Promise.all([
        limitsInForce(database, 'test-funds'),
        limitHistory(database, CHANGES_SHOWN_MAX),
      ]);
      const newest = history.find((row) => row.tier === tier);
      const most = inForce.get(tier)?.most ?? shipped.testFundsDayMax[tier];
      return { most, newest: newest?.id ?? '0', waits: newest?.waits ?? false };
    },
  };
}

function shownChange({ most, at, effectiveAt: from, by, reason }: StoredLimit) {
  return { most: formatAmount(most), at, from, by, reason };
}

function feesOf(platform: Platform, listingOf: OfferParts['listingOf']): readonly AdminFeeRow[] {
  const { platformType, name } = platformFacts(platform);
  return TYPES.flatMap((symbolType) => {
    const listing = listingOf(platform, symbolType);
    if (listing === undefined) return [];
    const { maker, taker } = listing.fees;
    const fees = { maker: formatAmount(maker), taker: formatAmount(taker) };
    return [{ platformType, name, symbolType, ...fees, instruments: listing.all().length }];
  });
}

/** Coins by name, with the exchanges that list them. */
function currenciesOf(platforms: readonly Platform[], listingOf: OfferParts['listingOf']) {
  const found = new Map<string, Set<string>>();
  for (const platform of platforms)
    for (const symbolType of TYPES)
      for (const { base, quote } of listingOf(platform, symbolType)?.all() ?? [])
        for (const asset of [base, quote])
          found.set(asset, (found.get(asset) ?? new Set()).add(platformFacts(platform).name));
  return [...found]
    .map(([asset, names]) => ({ asset, platforms: [...names] }))
    .toSorted((left, right) => (left.asset < right.asset ? -1 : 1))
    .slice(0, CURRENCIES_SHOWN_MAX);
}

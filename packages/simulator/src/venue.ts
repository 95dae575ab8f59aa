import type { Amount, Millis, PlatformSlug } from '@crossbook/domain';
import type { Exchange, MarketFacts } from './exchange.ts';

/**
 * Public market data of a simulated venue: of its spot markets and of its perpetuals. Prices of one coin are the same
 * story at every venue, told a few basis points apart.
 */

/** What a public market shows, whoever trades there. */
export type PublicMarkets = Pick<
  Exchange,
  'markets' | 'now' | 'subscribe' | 'depth' | 'trades' | 'ticker' | 'averagePrice' | 'candles'
>;

/**
 * One listed contract. Quantities (lots, sizes, volumes) count contracts; `contractValue` base coins make one contract:
 * 1 at Binance and Bybit, 0.01 for BTC at OKX. Quote volumes are money all the same: contracts × contract value × price.
 */
export interface PerpFacts extends MarketFacts {
  /** `DATED` contracts end at `deliveryTime`; they exist so that clients' filters are proven (decision 0030.25). */
  readonly kind: 'PERPETUAL' | 'DATED';
  /** The coin in which profit is paid: `USDT`; another one for the contracts that clients must leave out. */
  readonly settle: string;
  readonly contractValue: Amount;
  /** That of the first tier. */
  readonly maxLeverage: number;
  /** Smallest positions first. */
  readonly tiers: readonly PerpTier[];
  /** Every how long funding is paid. */
  readonly fundingEveryMillis: number;
  readonly listedAt: Millis;
  readonly deliveryTime?: Millis;
}

/** One step of a contract's leverage table. */
export interface PerpTier {
  readonly tier: number;
  /** Above `floor`, up to `cap`: notional in quote, or contracts at OKX. */
  readonly floor: Amount;
  readonly cap: Amount;
  readonly maintenanceRate: Amount;
  readonly maxLeverage: number;
  /** Initial margin at that leverage as the venue states it: its own rounding of one over the leverage. */
  readonly initialRate: Amount;
  /** `cum` at Binance, `mmDeduction` at Bybit, 0 at OKX. */
  readonly deduction: Amount;
}

/** What moves beside the book of a perpetual. Prices in quote, as floats for display. */
export interface PerpStats {
  readonly mark: number;
  readonly index: number;
  /** Rate that will be paid at `nextFundingTime`, as a fraction: 0.0001 = 1 bp. Positive: longs pay. */
  readonly fundingRate: number;
  /** Rate paid at the last funding time. */
  readonly lastFundingRate: number;
  readonly nextFundingTime: Millis;
  /** Open interest in contracts. */
  readonly openInterest: number;
}

/** One payment of funding. */
export interface FundingPayment {
  readonly time: Millis;
  readonly rate: number;
  readonly mark: number;
}

/** The public data of a venue's perpetuals. */
export interface PerpMarkets extends PublicMarkets {
  readonly contracts: ReadonlyMap<string, PerpFacts>;
  stats(symbol: string): PerpStats;
  /** Ascending by time; with only `endTime` or nothing the newest, with `startTime` the oldest from it. */
  fundingHistory(
    symbol: string,
    page: { readonly startTime?: Millis; readonly endTime?: Millis; readonly limit: number },
  ): readonly FundingPayment[];
}

/** One venue's part of an index: the fair price of its pair, in quote. All parts weigh the same. */
export interface IndexPart {
  readonly venue: PlatformSlug;
  readonly price: number;
}

/** What stands behind the figures of contracts. Random access, so that what was is told as it was. */
export interface ContractStory {
  /** How far a contract's fair price stands above its index at a time, as a fraction: 0.0001 = 1 bp. */
  premium(symbol: string, time: Millis): number;
  /** The share of those with a position in a contract at a time who are long: above 0, below 1. */
  longShare(symbol: string, time: Millis): number;
  /** The parts of which a contract's index is the mean, in the order of the platforms. */
  indexParts(symbol: string, time: Millis): readonly IndexPart[];
}

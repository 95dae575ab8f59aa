import { amount, type PlatformSlug } from '@crossbook/domain';
import { coinOf } from './coins.ts';
import { crowdStats, ETH_BTC_CROWD, LISTING, type ListedMarket, SUSPENDED_SINCE } from './listing.ts';
import { venueOffset } from './venue-offsets.ts';

/**
 * The spot markets of OKX and Bybit. Steps and bounds as the venues publish them (OKX `public/instruments`, recorded
 * 2022 and known for 2026; Bybit `market/instruments-info`, recorded 2026-08); where a lot times a tick would be finer
 * than 1e-9 USDT, or a largest quantity more than 2^53 lots, ours is the coarser one that a safe integer can count.
 */

// base, tick, lot, smallest quantity, largest quantity, largest market quantity
const OKX_LINES = [
  'BTC 0.1 0.00000001 0.00001 9000000 1000000',
  'ETH 0.01 0.000001 0.0001 900000000 1000000',
  'SOL 0.01 0.000001 0.001 900000000 1000000',
  'XRP 0.0001 0.00001 1 900000000 1000000',
  'DOGE 0.00001 0.0001 10 900000000 10000000',
  'BNB 0.1 0.000001 0.001 900000000 1000000',
  'ADA 0.0001 0.0001 1 900000000 10000000',
  'AVAX 0.001 0.000001 0.1 900000000 1000000',
  'LINK 0.001 0.000001 0.1 900000000 1000000',
  'TON 0.001 0.0001 1 900000000 1000000',
  'DOT 0.001 0.000001 0.1 900000000 1000000',
  'TRX 0.00001 0.0001 10 900000000 10000000',
  'LTC 0.01 0.000001 0.01 900000000 1000000',
  'BCH 0.1 0.000001 0.001 900000000 1000000',
  'UNI 0.001 0.000001 0.1 900000000 1000000',
  'ATOM 0.001 0.000001 0.1 900000000 1000000',
  'NEAR 0.001 0.000001 0.1 900000000 1000000',
  'APT 0.001 0.0001 0.1 900000000 1000000',
  'ARB 0.0001 0.0001 1 900000000 10000000',
  'OP 0.0001 0.0001 1 900000000 10000000',
  'SUI 0.0001 0.0001 1 900000000 10000000',
  'FIL 0.001 0.000001 0.1 900000000 1000000',
  'HBAR 0.00001 0.0001 10 900000000 10000000',
  'PEPE 0.000000001 1 100000 900000000000 100000000000',
];
const OKX_CROSS = 'ETH 0.00001 0.000001 0.0001 900000000 1000000';
const OKX_SUSPENDED = 'WAVES 0.0001 0.0001 1 900000000 1000000';

// base, tick, lot, smallest quantity, largest quantity, largest market quantity, largest value
const BYBIT_LINES = [
  'BTC 0.1 0.000001 0.000001 230 120 8000000',
  'ETH 0.01 0.00001 0.00001 8118 2706 7000000',
  'SOL 0.01 0.0001 0.0001 26000 13000 5000000',
  'XRP 0.0001 0.01 0.01 1200000 620000 4000000',
  'DOGE 0.00001 0.1 0.1 14000000 6800000 4000000',
  'BNB 0.1 0.0001 0.0001 2200 1100 4000000',
  'ADA 0.0001 0.01 0.01 7600000 1500000 4000000',
  'AVAX 0.001 0.001 0.001 140000 27000 3000000',
  'LINK 0.001 0.001 0.001 240000 48000 2500000',
  'DOT 0.0001 0.001 0.001 490000 97000 2000000',
  'TRX 0.0001 0.01 0.01 1625000 812500 3000000',
  'LTC 0.01 0.00001 0.00001 10000 5200 600000',
  'BCH 0.1 0.0001 0.0001 878 439 2000000',
  'UNI 0.001 0.01 0.01 220000 45000 1500000',
  'ATOM 0.001 0.01 0.01 120000 25000 600000',
  'NEAR 0.001 0.01 0.01 670000 130000 600000',
  'APT 0.0001 0.01 0.01 173600 86800 600000',
  'ARB 0.00001 0.01 0.01 2740000 1370000 600000',
  'OP 0.0001 0.01 0.01 3800000 750000 600000',
  'SUI 0.0001 0.01 0.01 410000 200000 2500000',
  'FIL 0.0001 0.01 0.01 470000 93000 1000000',
  'HBAR 0.00001 0.1 0.1 13000000 2700000 2000000',
  'PEPE 0.000000001 1 1 188880000000 62960000000 600000',
];
const BYBIT_CROSS = 'ETH 0.000001 0.00001 0.00001 1542.6 514.2 10';
const BYBIT_SUSPENDED = 'WAVES 0.0001 0.01 0.01 470000 93000 600000';

/** How a venue spells its symbols, what it charges and how much is traded there. */
interface VenueTerms {
  readonly slug: PlatformSlug;
  readonly joint: string;
  readonly makerFee: string;
  readonly takerFee: string;
  /** Of Binance's turnover. */
  readonly share: number;
  /** Smallest order value; OKX has none. */
  readonly minNotional: string;
  readonly maxOpenOrders: number;
  /** Of a market and account that wait for a price, where the venue has such. */
  readonly maxConditionalOrders?: number;
  readonly maxOrderLists?: number;
  /** How far one may trail there, in hundredths of a percent. */
  readonly maxTrailingBips?: number;
}

const OKX: VenueTerms = {
  slug: 'okx',
  joint: '-',
  makerFee: '0.0008',
  takerFee: '0.001',
  share: 0.4,
  minNotional: '0',
  maxOpenOrders: 500,
  // Error 51261 of the v5 guide says that there is a bound, not which; 500 orders of a pair in all (announced 2023-07-11).
  maxConditionalOrders: 500,
  maxOrderLists: 500,
  // callbackRatio up to 1 (v5 guide, "Place algo order", 2026).
  maxTrailingBips: 10_000,
};
/** Bybit's spot fee is 0 %, as the specification advertises (decision 0030.25). */
const BYBIT: VenueTerms = {
  slug: 'bybit',
  joint: '',
  makerFee: '0',
  takerFee: '0',
  share: 0.5,
  minNotional: '5',
  maxOpenOrders: 500,
  // 30 that lock and 30 that do not (order/create-order, 2026-07-24); here they count together.
  maxConditionalOrders: 60,
};
const MAX_VALUE_DEFAULT = '20000000';

function listed(terms: VenueTerms, line: string, quote = 'USDT'): ListedMarket {
  const [base = '', tick = '', lot = '', minQty = '', maxQty = '', maxMarketQty = '', maxValue] =
    line.split(' ');
  const symbol = `${base}${terms.joint}${quote}`;
  // Far limits are allowed as long as they do not chase the price: venues bound buying high and selling low.
  const bounds = {
    bidMultiplierUp: amount('2'),
    bidMultiplierDown: amount('0.001'),
    askMultiplierUp: amount('1000'),
    askMultiplierDown: amount('0.5'),
  };
  return {
    symbol,
    base,
    quote,
    status: 'TRADING',
    tickSize: amount(tick),
    lotSize: amount(lot),
    minPrice: amount(tick),
    maxPrice: highestPrice(coinOf(base).price, tick),
    minQty: amount(minQty),
    maxQty: amount(maxQty),
    maxMarketQty: amount(maxMarketQty),
    minNotional: amount(terms.minNotional),
    maxNotional: amount(maxValue ?? MAX_VALUE_DEFAULT),
    ...bounds,
    maxOpenOrders: terms.maxOpenOrders,
    ...(terms.maxConditionalOrders === undefined ? {} : { maxConditionalOrders: terms.maxConditionalOrders }),
    ...(terms.maxOrderLists === undefined ? {} : { maxOrderLists: terms.maxOrderLists }),
    ...(terms.maxTrailingBips === undefined ? {} : { maxTrailingBips: terms.maxTrailingBips }),
    makerFee: amount(terms.makerFee),
    takerFee: amount(terms.takerFee),
    ...crowdStats(coinOf(base), terms.share),
    story: {
      of: `${base}USDT`,
      name: `${terms.slug} ${symbol}`,
      tilt: (seed) => venueOffset(seed, terms.slug, base),
    },
  };
}

function cross(terms: VenueTerms, line: string): ListedMarket {
  const market = listed(terms, line, 'BTC');
  return {
    ...market,
    ...ETH_BTC_CROWD,
    dailyTurnover: ETH_BTC_CROWD.dailyTurnover * terms.share,
    maxPrice: amount('100'),
    minNotional: amount(terms.minNotional === '0' ? '0' : '0.000065'),
    story: {
      of: 'ETHBTC',
      name: `${terms.slug} ${market.symbol}`,
      tilt: (seed) => {
        const above = venueOffset(seed, terms.slug, 'ETH');
        const below = venueOffset(seed, terms.slug, 'BTC');
        return (time) => above(time) - below(time);
      },
    },
  };
}

function suspended(terms: VenueTerms, line: string): ListedMarket {
  return { ...listed(terms, line), status: 'BREAK', suspendedSince: SUSPENDED_SINCE };
}

/** A round price far above any that the story reaches, less than 2^31 ticks. */
export function highestPrice(startPrice: number, tick: string) {
  const decades = Math.min(Math.ceil(Math.log10(startPrice)) + 1, Math.floor(Math.log10(Number(tick)) + 9.3));
  return amount(decades >= 0 ? `1${'0'.repeat(decades)}` : `0.${'0'.repeat(-decades - 1)}1`);
}

/** Every spot market of a venue, in its own symbols: those against USDT, one cross, one that is suspended. */
export function spotListing(venue: PlatformSlug): readonly ListedMarket[] {
  if (venue === 'binance') return LISTING;
  if (venue === 'okx') {
    const pairs = OKX_LINES.map((line) => listed(OKX, line));
    return [...pairs, cross(OKX, OKX_CROSS), suspended(OKX, OKX_SUSPENDED)];
  }
  const pairs = BYBIT_LINES.map((line) => listed(BYBIT, line));
  return [...pairs, cross(BYBIT, BYBIT_CROSS), suspended(BYBIT, BYBIT_SUSPENDED)];
}

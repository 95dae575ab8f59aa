import { type Amount, amount, type Millis, type PlatformSlug, toNumberForDisplay } from '@crossbook/domain';
import { leverageTiers } from '../../perps/tiers/leverage-tiers.ts';
import type { PerpFacts } from '../../venue.ts';
import { type Coin, coinOf } from './coins.ts';
import { crowdStats, type ListedMarket, SUSPENDED_SINCE } from './listing.ts';
import { highestPrice } from './spot-listing.ts';
import { indexOffset, perpBasis } from './venue-offsets.ts';

/**
 * The contracts of the three venues. Steps, contract values and funding intervals as the venues publish them
 * (`fapi/v1/exchangeInfo`, `public/instruments?instType=SWAP`, `market/instruments-info?category=linear`).
 */

/** A listed contract: its facts, and what its price and figures are made from. */
export interface ListedContract extends ListedMarket, Omit<PerpFacts, keyof ListedMarket> {
  readonly contractValue: Amount;
  readonly coin: Coin;
  /** How many coins one unit of the quoted price stands for: 1000 for 1000PEPE. */
  readonly multiple: number;
}

// coin, tick, lot and smallest quantity, largest quantity, largest market quantity, hours between funding
const BINANCE_LINES = [
  'BTC 0.1 0.001 1000 120 8',
  'ETH 0.01 0.001 10000 2000 8',
  'SOL 0.01 0.01 1000000 5000 8',
  'XRP 0.0001 0.1 10000000 2000000 8',
  'DOGE 0.00001 1 50000000 30000000 8',
  'BNB 0.01 0.01 100000 2000 8',
  'ADA 0.0001 1 20000000 3000000 8',
  'AVAX 0.001 1 1000000 25000 8',
  'LINK 0.001 0.01 1000000 50000 8',
  'TRX 0.00001 1 50000000 10000000 8',
  'LTC 0.01 0.001 100000 5000 8',
  'BCH 0.01 0.001 100000 1000 8',
  'DOT 0.001 0.1 5000000 100000 8',
  'SUI 0.0001 0.1 20000000 500000 4',
  'PEPE 0.0000001 1 1000000000 20000000 4 1000',
  'NEAR 0.001 1 10000000 250000 8',
  'APT 0.001 0.1 10000000 100000 8',
  'ARB 0.0001 0.1 20000000 1500000 8',
  'OP 0.0001 0.1 10000000 500000 8',
  'FIL 0.001 0.1 10000000 100000 8',
  'ATOM 0.001 0.01 1000000 100000 8',
  'UNI 0.001 1 10000000 100000 8',
  'HBAR 0.00001 1 50000000 1500000 8',
];
// coin, tick, lot and smallest quantity in contracts, largest, largest market, hours, multiple, contract value
const OKX_LINES = [
  'BTC 0.1 0.01 100000000 12000 8 1 0.01',
  'ETH 0.01 0.01 100000000 20000 8 1 0.1',
  'SOL 0.01 0.01 100000000 30000 8 1 1',
  'XRP 0.0001 0.01 100000000 14000 8 1 100',
  'DOGE 0.00001 0.01 100000000 24000 8 1 1000',
  'BNB 0.1 1 1000000 100000 8 1 0.01',
  'ADA 0.0001 0.1 100000000 27000 8 1 100',
  'AVAX 0.001 0.1 100000000 40000 8 1 1',
  'LINK 0.001 0.1 100000000 46000 8 1 1',
  'TRX 0.00001 0.01 1000000 20000 8 1 1000',
  'LTC 0.01 0.1 100000000 10000 8 1 1',
  'BCH 0.1 0.1 100000000 15000 8 1 0.1',
  'DOT 0.001 0.1 100000000 33000 8 1 1',
  'SUI 0.0001 1 100000000 350000 4 1 1',
  'PEPE 0.000000001 0.1 100000000 4500 4 1 10000000',
  'NEAR 0.001 1 100000000 1000 8 1 10',
  'APT 0.001 1 100000000 20000 8 1 1',
  'ARB 0.0001 1 100000000 12000 8 1 10',
  'OP 0.0001 1 100000000 60000 8 1 1',
  'FIL 0.001 1 100000000 51000 8 1 0.1',
  'ATOM 0.001 1 100000000 4000 8 1 1',
  'UNI 0.001 1 100000000 8000 8 1 1',
  'HBAR 0.00001 1 100000000 5000 8 1 100',
];
const BYBIT_LINES = [
  'BTC 0.1 0.001 1500 150 8',
  'ETH 0.01 0.01 10000 2000 8',
  'SOL 0.01 0.1 96000 12000 8',
  'XRP 0.0001 0.1 7500000 1500000 8',
  'DOGE 0.00001 1 43678900 5991100 8',
  'BNB 0.1 0.01 940 370 8',
  'ADA 0.0001 1 1500000 590000 8',
  'AVAX 0.001 0.1 110000 22000 8',
  'LINK 0.001 0.1 41000 15000 8',
  'TRX 0.00001 1 1500000 460000 8',
  'LTC 0.01 0.1 8800 3000 8',
  'BCH 0.1 0.01 6500 1300 8',
  'DOT 0.0001 0.1 198890 32140 8',
  'SUI 0.0001 10 330000 66000 4',
  'PEPE 0.000001 100 110000000 42000000 4 1000',
  'NEAR 0.0001 0.1 469060 66470 8',
  'APT 0.0001 0.01 800000 160000 8',
  'ARB 0.00001 0.1 21500000 4300000 8',
  'OP 0.00001 0.1 1080000 540000 8',
  'FIL 0.0001 0.1 295750 60730 8',
  'ATOM 0.0001 0.1 139180 22100 8',
  'UNI 0.001 0.1 32000 11000 8',
  'HBAR 0.00001 1 7416400 1064600 8',
];

interface ContractTerms {
  readonly slug: PlatformSlug;
  readonly lines: readonly string[];
  readonly symbol: (base: string, settle: string) => string;
  readonly dated: string;
  readonly takerFee: string;
  readonly minNotional: string;
  /** Of the coin's spot turnover at Binance. */
  readonly share: number;
}

const TERMS: Readonly<Record<PlatformSlug, ContractTerms>> = {
  binance: {
    slug: 'binance',
    lines: BINANCE_LINES,
    symbol: (base, settle) => base + settle,
    dated: 'BTCUSDT_270326',
    takerFee: '0.0005',
    minNotional: '5',
    share: 9.6,
  },
  okx: {
    slug: 'okx',
    lines: OKX_LINES,
    symbol: (base, settle) => `${base}-${settle}-SWAP`,
    dated: 'BTC-USDT-270326',
    takerFee: '0.0005',
    minNotional: '0',
    share: 3.5,
  },
  bybit: {
    slug: 'bybit',
    lines: BYBIT_LINES,
    symbol: (base, settle) => (settle === 'USDC' ? `${base}PERP` : base + settle),
    dated: 'BTCUSDT-26MAR27',
    takerFee: '0.00055',
    minNotional: '5',
    share: 4.15,
  },
};

const HOUR_MILLIS = 3_600_000;
const YEAR_MILLIS = 365 * 24 * HOUR_MILLIS;
/** The dated contract ends on its quarter's last Friday at 08:00 UTC. */
const DELIVERY = Date.UTC(2027, 2, 26, 8) as Millis;
const LISTED_AT = Date.UTC(2023, 10, 1, 8) as Millis;
const DATED_LISTED_AT = Date.UTC(2026, 8, 25, 8) as Millis;
/** What a year of waiting costs in a dated contract's price. */
const CARRY_PER_YEAR = 0.05;
const MAKER_FEE = '0.0002';
/** Trades of contracts are larger than the coin's on spot (recorded 2024-08 at Binance: five times). */
const TRADE_TIMES_SPOT = 5.4;

function perpetual(terms: ContractTerms, line: string, settle = 'USDT'): ListedContract {
  const [name = '', tick = '', lot = '', maxQty = '', maxMarketQty = '', hours = ''] = line.split(' ');
  const [, , , , , , multipleText = '1', value = '1'] = line.split(' ');
  const coin = coinOf(name);
  const tiers = leverageTiers(terms.slug, name);
  const multiple = Number(multipleText);
  const base = multiple === 1 ? name : `${multiple}${name}`;
  const symbol = terms.symbol(base, settle);
  const contract = { venue: terms.slug, coin: name, volatility: coin.volatility };
  return {
    symbol,
    base,
    quote: settle,
    settle,
    kind: 'PERPETUAL',
    status: 'TRADING',
    contractValue: amount(value),
    coin,
    multiple,
    maxLeverage: tiers[0]?.maxLeverage ?? 1,
    tiers,
    fundingEveryMillis: Number(hours) * HOUR_MILLIS,
    listedAt: LISTED_AT,
    tickSize: amount(tick),
    lotSize: amount(lot),
    minPrice: amount(tick),
    maxPrice: highestPrice(coin.price * multiple, tick),
    minQty: amount(lot),
    maxQty: amount(maxQty),
    maxMarketQty: amount(maxMarketQty),
    minNotional: amount(terms.minNotional),
    maxNotional: amount('50000000'),
    bidMultiplierUp: amount('1.05'),
    bidMultiplierDown: amount('0.001'),
    askMultiplierUp: amount('1000'),
    askMultiplierDown: amount('0.95'),
    maxOpenOrders: 200,
    makerFee: amount(MAKER_FEE),
    takerFee: amount(terms.takerFee),
    ...crowdStats(coin, terms.share),
    tradeNotional: coin.trade * TRADE_TIMES_SPOT,
    startPrice: coin.price * multiple,
    story: {
      of: `${name}USDT`,
      name: `${terms.slug} perps ${symbol}`,
      tilt: (seed) => {
        const index = indexOffset(seed, name);
        const basis = perpBasis(seed, contract);
        const times = Math.log(multiple);
        return (time) => times + index(time) + basis(time);
      },
    },
  };
}

/** The same coin settled in another currency: clients that show USDT contracts only must leave it out. */
function otherSettle(terms: ContractTerms): ListedContract {
  const market = perpetual(terms, terms.lines[0] ?? '', 'USDC');
  return { ...market, dailyTurnover: market.dailyTurnover / 20 };
}

function suspended(terms: ContractTerms): ListedContract {
  const value = terms.slug === 'okx' ? ' 1 1' : '';
  const market = perpetual(
    terms,
    `WAVES 0.0001 ${terms.slug === 'okx' ? '1' : '0.1'} 400000 40000 8${value}`,
  );
  return { ...market, status: 'BREAK', suspendedSince: SUSPENDED_SINCE };
}

function dated(terms: ContractTerms): ListedContract {
  const market = perpetual(terms, terms.lines[0] ?? '');
  return {
    ...market,
    symbol: terms.dated,
    kind: 'DATED',
    listedAt: DATED_LISTED_AT,
    deliveryTime: DELIVERY,
    dailyTurnover: market.dailyTurnover / 40,
    story: {
      of: 'BTCUSDT',
      name: `${terms.slug} perps ${terms.dated}`,
      tilt: (seed) => {
        const index = indexOffset(seed, 'BTC');
        return (time) => index(time) + CARRY_PER_YEAR * Math.max(0, (DELIVERY - time) / YEAR_MILLIS);
      },
    },
  };
}

/**
 * Every contract of a venue, in its own symbols: those against USDT, and one each that is settled otherwise, suspended
 * and dated (decision 0030.25).
 */
export function perpListing(venue: PlatformSlug): readonly ListedContract[] {
  const terms = TERMS[venue];
  return [
    ...terms.lines.map((line) => perpetual(terms, line)),
    otherSettle(terms),
    suspended(terms),
    dated(terms),
  ];
}

/** What a venue publishes of a listed contract. */
export function perpFactsOf(contract: ListedContract, status: PerpFacts['status']): PerpFacts {
  const { story, coin, multiple, dailyTurnover, tradeNotional, commonShare, ...facts } = contract;
  return { ...facts, status };
}

/** Contracts that stand open on an ordinary day: half a day's turnover. */
export function ordinaryInterest(contract: ListedContract): number {
  return (0.5 * contract.dailyTurnover) / contract.startPrice / toNumberForDisplay(contract.contractValue);
}

import { type Amount, amount } from '@crossbook/domain';
import type { MarketFacts } from '../../exchange.ts';
import { type Coin, coinOf } from './coins.ts';

/** A listed market: what the venue publishes, and what only the simulated crowd needs to know. */
export interface ListedMarket extends MarketFacts {
  /** Turnover of an ordinary day in quote. */
  readonly dailyTurnover: number;
  /** Quote value of an ordinary trade. */
  readonly tradeNotional: number;
  /** Share of the price's movement that it has in common with all other markets, 0 to 1. */
  readonly commonShare: number;
  /** Nothing has traded since the start of this day (days since 1970); absent for markets that never stopped. */
  readonly suspendedSince?: number;
  /** Only for crosses: the two markets against the common quote whose ratio is this market's fair price. */
  readonly crossOf?: readonly [base: string, quote: string];
  /** Absent where the market tells its own story: Binance spot, whose prices are the story of each coin. */
  readonly story?: Story;
  /** Base coins in one contract, for contracts; quantities then count contracts. */
  readonly contractValue?: Amount;
}

/** A price that follows another market's. */
export interface Story {
  /** The symbol of the market (of Binance spot) that is followed. */
  readonly of: string;
  /** Unique among all markets of all venues: the seed of this market's own volumes and agents. */
  readonly name: string;
  /** Logarithm of this price over the followed one, by time. */
  readonly tilt: (seed: number) => (time: number) => number;
}

/** The story that a market tells: its own symbol, or that of the market it follows. */
export function storyOf(market: ListedMarket): string {
  return market.story?.of ?? market.symbol;
}

/** What seeds a market's volumes and agents. */
export function crowdOf(market: ListedMarket): string {
  return market.story?.name ?? market.symbol;
}

/** The crowd's half of a listed market against USDT. @param share of the coin's ordinary turnover. */
export function crowdStats(coin: Coin, share: number): CrowdStats {
  return {
    startPrice: coin.price,
    dailyVolatility: coin.volatility,
    dailyTurnover: coin.turnover * 1e6 * share,
    tradeNotional: coin.trade,
    commonShare: coin.common,
  };
}

/** See `crowdStats`. */
export type CrowdStats = Pick<
  ListedMarket,
  'startPrice' | 'dailyVolatility' | 'dailyTurnover' | 'tradeNotional' | 'commonShare'
>;

/** The crowd of ETH against BTC: turnover and trades in BTC. */
export const ETH_BTC_CROWD: CrowdStats = {
  startPrice: 0.03,
  dailyVolatility: 0.018,
  dailyTurnover: 400,
  tradeNotional: 0.004,
  commonShare: 0.5,
};

/** Day on which the suspended market of every venue stopped. */
export const SUSPENDED_SINCE = Date.UTC(2026, 4, 4) / 86_400_000;

/**
 * Every USDT market: base, tick, lot, highest price, largest quantity, largest market quantity, as Binance publishes them
 * in `GET /api/v3/exchangeInfo` (api.binance.com as of 2026-02 where recorded, otherwise the values documented for 2025).
 */
const USDT_LINES = [
  'BTC 0.01 0.00001 1000000 9000 100.05381873',
  'ETH 0.01 0.0001 1000000 9000 1600.51202668',
  'SOL 0.01 0.001 10000 90000 12005.8128492',
  'XRP 0.0001 0.1 10000 9222449 1822449',
  'DOGE 0.00001 1 1000 9000000 9000000',
  'BNB 0.01 0.001 100000 900000 2160.593369',
  'ADA 0.0001 0.1 1000 900000 834643.04711605',
  'AVAX 0.01 0.01 10000 90000 28926.34145934',
  'LINK 0.01 0.01 10000 90000 23978.65296038',
  'TON 0.001 0.01 10000 900000 61270.5',
  'DOT 0.001 0.01 10000 90000 90000',
  'TRX 0.0001 0.1 1000 9000000 2834141.4829861',
  'LTC 0.01 0.001 100000 90000 5570.86240733',
  'BCH 0.1 0.001 100000 90000 1443.76049548',
  'UNI 0.001 0.01 10000 90000 34499.66246699',
  'ATOM 0.001 0.01 10000 90000 40272.47415566',
  'NEAR 0.001 0.1 1000 900000 209731.40041695',
  'APT 0.001 0.01 10000 900000 61893.1',
  'ARB 0.0001 0.1 1000 900000 501234.9',
  'OP 0.0001 0.01 1000 900000 421311.37',
  'SUI 0.0001 0.1 10000 900000 187321.8',
  'FIL 0.001 0.01 10000 9222449 86892.86058333',
  'HBAR 0.00001 1 1000 9000000 2113467',
  'PEPE 0.00000001 1 1 46116860414 27421342019',
];

/** USDT is the quote that all fair prices are counted in. */
const SUSPENDED = 'WAVES 0.0001 0.01 1000 900000 50322.5';
// Binance lists a highest price of 922327 here; ours is lower, because prices in ticks stay below 2^31.
const ETHBTC = 'ETH 0.00001 0.0001 1000 100000 1058.58762125';

/** PERCENT_PRICE_BY_SIDE as recorded in 2026-02: twice and half of the 5-minute average price. */
const PERCENT_PRICE_UP = amount('2');
const PERCENT_PRICE_DOWN = amount('0.5');
/** 0.1 % for maker and taker: Binance's ordinary spot fee. */
const FEE = amount('0.001');

function listed(line: string, quote: string, minNotional: Amount): ListedMarket {
  const [base = '', tick = '', lot = '', maxPrice = '', maxQty = '', maxMarketQty = ''] = line.split(' ');
  return {
    symbol: `${base}${quote}`,
    base,
    quote,
    status: 'TRADING',
    tickSize: amount(tick),
    lotSize: amount(lot),
    minPrice: amount(tick),
    maxPrice: amount(maxPrice),
    minQty: amount(lot),
    maxQty: amount(maxQty),
    maxMarketQty: amount(maxMarketQty),
    minNotional,
    maxNotional: amount('9000000'),
    bidMultiplierUp: PERCENT_PRICE_UP,
    bidMultiplierDown: PERCENT_PRICE_DOWN,
    askMultiplierUp: PERCENT_PRICE_UP,
    askMultiplierDown: PERCENT_PRICE_DOWN,
    maxOpenOrders: 200,
    makerFee: FEE,
    takerFee: FEE,
    ...crowdStats(coinOf(base), 1),
  };
}

/**
 * Every market of the simulated Binance spot exchange: 24 against USDT, one cross (ETHBTC) and one that is
 * suspended (WAVESUSDT, status BREAK), so that clients' filters are proven (decision 0030.25).
 */
export const LISTING: readonly ListedMarket[] = [
  ...USDT_LINES.map((line) => listed(line, 'USDT', amount('5'))),
  { ...listed(ETHBTC, 'BTC', amount('0.0001')), ...ETH_BTC_CROWD, crossOf: ['ETHUSDT', 'BTCUSDT'] },
  { ...listed(SUSPENDED, 'USDT', amount('5')), status: 'BREAK', suspendedSince: SUSPENDED_SINCE },
];

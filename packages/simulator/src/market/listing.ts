import { type Amount, amount } from '@crossbook/domain';
import type { MarketFacts } from '../exchange.ts';

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
}

/**
 * One line of the list below: steps and bounds as Binance publishes them in `GET /api/v3/exchangeInfo`.
 * Filters: api.binance.com as of 2026-02 where recorded, otherwise the values documented for 2025.
 */
interface ListingLine {
  readonly base: string;
  readonly tick: string;
  readonly lot: string;
  readonly maxPrice: string;
  readonly maxQty: string;
  readonly maxMarketQty: string;
  readonly price: number;
  readonly volatility: number;
  /** Millions of quote a day. */
  readonly turnover: number;
  readonly trade: number;
  readonly common: number;
}

/** One column per fact, so that the list reads as a table. */
function line(
  text: string,
  crowd: readonly [price: number, volatility: number, turnover: number, trade: number, common: number],
): ListingLine {
  const [base = '', tick = '', lot = '', maxPrice = '', maxQty = '', maxMarketQty = ''] = text.split(/\s+/);
  const [price, volatility, turnover, trade, common] = crowd;
  return { base, tick, lot, maxPrice, maxQty, maxMarketQty, price, volatility, turnover, trade, common };
}

// base, tick, lot, highest price, largest quantity, largest market quantity; price, daily volatility, turnover, trade, common share
const USDT_LINES: readonly ListingLine[] = [
  line('BTC 0.01 0.00001 1000000 9000 100.05381873', [69383, 0.025, 1400, 1800, 0.93]),
  line('ETH 0.01 0.0001 1000000 9000 1600.51202668', [2082, 0.035, 900, 1300, 0.9]),
  line('SOL 0.01 0.001 10000 90000 12005.8128492', [87.4, 0.042, 320, 700, 0.85]),
  line('XRP 0.0001 0.1 10000 9222449 1822449', [1.428, 0.04, 260, 600, 0.8]),
  line('DOGE 0.00001 1 1000 9000000 9000000', [0.0968, 0.045, 110, 420, 0.82]),
  line('BNB 0.01 0.001 100000 900000 2160.593369', [641.2, 0.028, 150, 700, 0.82]),
  line('ADA 0.0001 0.1 1000 900000 834643.04711605', [0.2712, 0.043, 60, 320, 0.83]),
  line('AVAX 0.01 0.01 10000 90000 28926.34145934', [9.14, 0.046, 32, 300, 0.83]),
  line('LINK 0.01 0.01 10000 90000 23978.65296038', [8.87, 0.044, 40, 300, 0.83]),
  line('TON 0.001 0.01 10000 900000 61270.5', [1.382, 0.04, 14, 220, 0.7]),
  line('DOT 0.001 0.01 10000 90000 90000', [1.361, 0.044, 16, 220, 0.82]),
  line('TRX 0.0001 0.1 1000 9000000 2834141.4829861', [0.2795, 0.02, 60, 420, 0.55]),
  line('LTC 0.01 0.001 100000 90000 5570.86240733', [54.6, 0.036, 30, 300, 0.8]),
  line('BCH 0.1 0.001 100000 90000 1443.76049548', [526.3, 0.038, 35, 320, 0.72]),
  line('UNI 0.001 0.01 10000 90000 34499.66246699', [3.531, 0.05, 18, 240, 0.76]),
  line('ATOM 0.001 0.01 10000 90000 40272.47415566', [1.985, 0.042, 9, 190, 0.78]),
  line('NEAR 0.001 0.1 1000 900000 209731.40041695', [1.052, 0.05, 15, 220, 0.79]),
  line('APT 0.001 0.01 10000 900000 61893.1', [1.083, 0.05, 12, 200, 0.78]),
  line('ARB 0.0001 0.1 1000 900000 501234.9', [0.1164, 0.048, 11, 200, 0.8]),
  line('OP 0.0001 0.01 1000 900000 421311.37', [0.1893, 0.05, 9, 180, 0.8]),
  line('SUI 0.0001 0.1 10000 900000 187321.8', [0.9721, 0.052, 55, 320, 0.8]),
  line('FIL 0.001 0.01 10000 9222449 86892.86058333', [0.963, 0.046, 10, 190, 0.77]),
  line('HBAR 0.00001 1 1000 9000000 2113467', [0.09312, 0.048, 16, 220, 0.78]),
  line('PEPE 0.00000001 1 1 46116860414 27421342019', [0.00000372, 0.06, 70, 320, 0.74]),
];

/** USDT is the quote that all fair prices are counted in. */
const SUSPENDED = line('WAVES 0.0001 0.01 1000 900000 50322.5', [0.784, 0.05, 2, 120, 0.6]);
// Binance lists a highest price of 922327 here; ours is lower, because prices in ticks stay below 2^31.
const ETHBTC = line('ETH 0.00001 0.0001 1000 100000 1058.58762125', [0.03, 0.018, 0.0004, 0.009, 0.5]);

/** PERCENT_PRICE_BY_SIDE as recorded in 2026-02: twice and half of the 5-minute average price. */
const PERCENT_PRICE_UP = amount('2');
const PERCENT_PRICE_DOWN = amount('0.5');
/** 0.1 % for maker and taker: Binance's ordinary spot fee. */
const FEE = amount('0.001');

function listed(entry: ListingLine, quote: string, limits: { minNotional: Amount }): ListedMarket {
  return {
    symbol: `${entry.base}${quote}`,
    base: entry.base,
    quote,
    status: 'TRADING',
    tickSize: amount(entry.tick),
    lotSize: amount(entry.lot),
    minPrice: amount(entry.tick),
    maxPrice: amount(entry.maxPrice),
    minQty: amount(entry.lot),
    maxQty: amount(entry.maxQty),
    maxMarketQty: amount(entry.maxMarketQty),
    minNotional: limits.minNotional,
    maxNotional: amount('9000000'),
    bidMultiplierUp: PERCENT_PRICE_UP,
    bidMultiplierDown: PERCENT_PRICE_DOWN,
    askMultiplierUp: PERCENT_PRICE_UP,
    askMultiplierDown: PERCENT_PRICE_DOWN,
    maxOpenOrders: 200,
    makerFee: FEE,
    takerFee: FEE,
    startPrice: entry.price,
    dailyVolatility: entry.volatility,
    dailyTurnover: entry.turnover * 1e6,
    tradeNotional: entry.trade,
    commonShare: entry.common,
  };
}

/**
 * Every market of the simulated Binance spot exchange: 24 against USDT, one cross (ETHBTC) and one that is
 * suspended (WAVESUSDT, status BREAK), so that clients' filters are proven (decisions.md 25).
 */
export const LISTING: readonly ListedMarket[] = [
  ...USDT_LINES.map((entry) => listed(entry, 'USDT', { minNotional: amount('5') })),
  { ...listed(ETHBTC, 'BTC', { minNotional: amount('0.0001') }), crossOf: ['ETHUSDT', 'BTCUSDT'] },
  {
    ...listed(SUSPENDED, 'USDT', { minNotional: amount('5') }),
    status: 'BREAK',
    suspendedSince: Date.UTC(2026, 4, 4) / 86_400_000,
  },
];

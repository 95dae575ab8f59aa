import { NOON } from './venue-kit.ts';

/**
 * Golden messages about market data, our own: whole shapes as documented (rest-api.md and web-socket-streams.md of Binance
 * 2026-07-21, types of its official connector; OKX v5 guide 2026; bybit-exchange/docs v5 2026-07-24). No two figures of a
 * message are equal, so that a field read in another one's place is seen.
 */

/** What one market answers and tells; instruments and figures are the same everywhere, in each market's words. */
export interface MarketMessages {
  /** By the end of the path that is asked. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Frames of the market's sockets: one trade, one bar, the day. */
  readonly frames: { readonly trade: object; readonly candle: object; readonly ticker?: object };
}

const MINUTE = 60_000;
/** The two bars of every market, oldest first: time, open, high, low, close. */
const BARS = [
  [NOON - 2 * MINUTE, '100.01', '100.09', '99.97', '100.05'],
  [NOON - MINUTE, '100.05', '100.11', '99.98', '100.02'],
] as const;
/** Of each bar: volume in base coins, and in quote. */
const VOLUMES = [
  ['12.5', '1250.4'],
  ['7.25', '725.3'],
] as const;
/** Of each bar of OKX perpetuals: the contracts of its volume. */
const CONTRACTS = ['1250', '725'] as const;
const BIDS = [
  ['100.01', '0.50000'],
  ['99.99', '1.25000'],
] as const;
const ASKS = [
  ['100.02', '0.75000'],
  ['100.04', '2.00000'],
] as const;

function binanceSymbol(futures: boolean): object {
  const named = futures
    ? { pair: 'BTCUSDT', contractType: 'PERPETUAL', marginAsset: 'USDT', liquidationFee: '0.012500' }
    : { isSpotTradingAllowed: true, permissions: [], permissionSets: [['SPOT']] };
  const smallest = futures
    ? { filterType: 'MIN_NOTIONAL', notional: '5' }
    : { filterType: 'NOTIONAL', minNotional: '5', applyMinToMarket: true, maxNotional: '9000000' };
  return {
    ...{ symbol: 'BTCUSDT', status: 'TRADING', baseAsset: 'BTC', quoteAsset: 'USDT', ...named },
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.03', maxPrice: '900000', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.00002', maxQty: '9000', stepSize: '0.00001' },
      { filterType: 'MARKET_LOT_SIZE', minQty: '0.00003', maxQty: '120', stepSize: '0.00001' },
      smallest,
    ],
  };
}

function binance(futures: boolean): MarketMessages {
  const trade = { id: 28_457, price: '100.03', qty: '0.00123', quoteQty: '0.1230369', time: NOON - 5 };
  const day = {
    ...{ symbol: 'BTCUSDT', priceChange: '-0.90', priceChangePercent: '-0.891', weightedAvgPrice: '100.50' },
    ...{ lastPrice: '100.03', lastQty: '0.00123', openPrice: '100.93', highPrice: '101.50' },
    ...{ lowPrice: '99.50', volume: '8913.3', quoteVolume: '895786.65', openTime: NOON - 86_400_000 },
    ...{ closeTime: NOON - 3, firstId: 1, lastId: 28_457, count: 28_457 },
  };
  const premium = {
    ...{ symbol: 'BTCUSDT', markPrice: '100.04', indexPrice: '100.06', estimatedSettlePrice: '100.07' },
    ...{
      lastFundingRate: '-0.000125',
      interestRate: '0.0001',
      nextFundingTime: NOON + 3_600_000,
      time: NOON,
    },
  };
  const k = {
    ...{ t: BARS[1][0], T: BARS[1][0] + MINUTE - 1, s: 'BTCUSDT', i: '1m', f: 100, L: 200, n: 101 },
    ...{
      o: '100.05',
      c: '100.02',
      h: '100.11',
      l: '99.98',
      v: '7.25',
      q: '725.3',
      V: '3.5',
      Q: '350',
      B: '0',
    },
    x: true,
  };
  const stream = (name: string, data: object) => ({ stream: `btcusdt@${name}`, data });
  return {
    answers: {
      exchangeInfo: {
        timezone: 'UTC',
        serverTime: NOON,
        rateLimits: [],
        exchangeFilters: [],
        symbols: [binanceSymbol(futures)],
      },
      depth: { lastUpdateId: 160, ...(futures ? { E: NOON - 1, T: NOON - 2 } : {}), bids: BIDS, asks: ASKS },
      trades: [
        { ...trade, isBuyerMaker: true, isBestMatch: true },
        { ...trade, id: 28_458, time: NOON - 4, isBuyerMaker: false, isBestMatch: true },
      ],
      klines: BARS.map((bar, at) => [
        ...[...bar, VOLUMES[at]?.[0], bar[0] + MINUTE - 1, VOLUMES[at]?.[1]],
        ...[308, '5.125', '512.6', '0'],
      ]),
      '24hr': futures ? day : { ...day, prevClosePrice: '100.92', bidPrice: '100.01', askPrice: '100.02' },
      premiumIndex: premium,
    },
    frames: {
      trade: stream('trade', {
        ...{ e: 'trade', E: NOON, s: 'BTCUSDT', t: 28_457, p: '100.03', q: '0.00123', T: NOON - 5, m: true },
        ...(futures ? { X: 'MARKET' } : { M: true }),
      }),
      candle: stream('kline_1m', { e: 'kline', E: NOON, s: 'BTCUSDT', k }),
      ticker: stream('ticker', {
        ...{ e: '24hrTicker', E: NOON - 3, s: 'BTCUSDT', p: '-0.90', P: '-0.891', w: '100.50', x: '100.92' },
        ...{
          c: '100.03',
          Q: '0.00123',
          b: '100.01',
          B: '0.5',
          a: '100.02',
          A: '0.75',
          o: '100.93',
          h: '101.50',
        },
        ...{ l: '99.50', v: '8913.3', q: '895786.65', O: 1, C: NOON - 2, F: 1, L: 28_457, n: 28_457 },
      }),
    },
  };
}

function okx(swap: boolean): MarketMessages {
  const instId = swap ? 'BTC-USDT-SWAP' : 'BTC-USDT';
  const instType = swap ? 'SWAP' : 'SPOT';
  const listed = swap
    ? { ctType: 'linear', ctVal: '0.01', ctMult: '1', ctValCcy: 'BTC', settleCcy: 'USDT', lever: '100' }
    : { ctType: '', ctVal: '', ctMult: '', ctValCcy: '', settleCcy: '', lever: '10' };
  const instrument = {
    ...{ instType, instId, instFamily: swap ? 'BTC-USDT' : '', uly: swap ? 'BTC-USDT' : '', state: 'live' },
    ...{ baseCcy: swap ? '' : 'BTC', quoteCcy: swap ? '' : 'USDT', tickSz: '0.01', lotSz: '0.00001' },
    ...{
      minSz: '0.00002',
      maxLmtSz: '9000',
      maxMktSz: '120',
      maxTriggerSz: '8000',
      instIdCode: 7,
      ...listed,
    },
  };
  const levels = (rows: typeof BIDS | typeof ASKS) => rows.map(([price, size]) => [price, size, '0', '3']);
  const trade = { instId, px: '100.03', sz: '0.00123', source: '0' };
  const bars = BARS.map((bar, at) => {
    const [base = '', quote = ''] = VOLUMES[at] ?? [];
    const volumes = swap ? [CONTRACTS[at], base, quote] : [base, quote, quote];
    return [String(bar[0]), ...bar.slice(1), ...volumes, '1'];
  });
  const data = (...rows: readonly unknown[]) => ({ code: '0', msg: '', data: rows });
  const pushed = (channel: string, row: unknown) => ({ arg: { channel, instId }, data: [row] });
  const day = {
    ...{
      instType,
      instId,
      last: '100.03',
      lastSz: '0.00123',
      askPx: '100.02',
      askSz: '0.75',
      bidPx: '100.01',
    },
    ...{
      bidSz: '0.5',
      open24h: '100.93',
      high24h: '101.50',
      low24h: '99.50',
      sodUtc0: '100.70',
      sodUtc8: '100.80',
    },
    ...{ vol24h: swap ? '891330' : '8913.3', volCcy24h: swap ? '8913.3' : '895786.65', ts: String(NOON - 3) },
  };
  const funding = {
    instType,
    instId,
    method: 'current_period',
    fundingRate: '-0.000125',
    nextFundingRate: '',
  };
  return {
    answers: {
      instruments: data(instrument),
      books: data({ asks: levels(ASKS), bids: levels(BIDS), ts: String(NOON - 1), seqId: 160 }),
      // Newest first.
      trades: data(
        { ...trade, tradeId: '28458', side: 'buy', ts: String(NOON - 4) },
        { ...trade, tradeId: '28457', side: 'sell', ts: String(NOON - 5) },
      ),
      candles: data(...[...bars].reverse()),
      ticker: data(day),
      'mark-price': data({ instType, instId, markPx: '100.04', ts: String(NOON) }),
      'index-tickers': data({
        instId: 'BTC-USDT',
        idxPx: '100.06',
        high24h: '101.4',
        open24h: '100.9',
        ts: '1',
      }),
      'funding-rate': data({
        ...{ ...funding, fundingTime: String(NOON + 3_600_000), nextFundingTime: String(NOON + 32_400_000) },
        ...{ minFundingRate: '-0.015', maxFundingRate: '0.015', premium: '0.0002', ts: String(NOON) },
      }),
    },
    frames: {
      trade: pushed('trades', { ...trade, tradeId: '28457', side: 'sell', ts: String(NOON - 5), count: '2' }),
      candle: pushed('candle1m', bars[1]),
      ...(swap ? {} : { ticker: pushed('tickers', day) }),
    },
  };
}

function bybit(category: 'spot' | 'linear'): MarketMessages {
  const linear = category === 'linear';
  const result = (body: object) => ({ retCode: 0, retMsg: 'OK', result: body, retExtInfo: {}, time: NOON });
  const instrument = linear
    ? {
        ...{ contractType: 'LinearPerpetual', settleCoin: 'USDT', fundingInterval: 480, launchTime: '1' },
        leverageFilter: { minLeverage: '1', maxLeverage: '100.00', leverageStep: '0.01' },
        priceFilter: { minPrice: '0.03', maxPrice: '900000', tickSize: '0.01' },
        lotSizeFilter: {
          ...{ maxOrderQty: '9000', minOrderQty: '0.00002', qtyStep: '0.00001', postOnlyMaxOrderQty: '9001' },
          ...{ maxMktOrderQty: '120', minNotionalValue: '5' },
        },
      }
    : {
        ...{ innovation: '0', marginTrading: 'both', priceFilter: { tickSize: '0.01' } },
        lotSizeFilter: {
          ...{
            basePrecision: '0.00001',
            quotePrecision: '0.0000001',
            minOrderQty: '0.00002',
            maxOrderQty: '9001',
          },
          ...{ minOrderAmt: '5', maxOrderAmt: '8000000', maxLimitOrderQty: '9000', maxMarketOrderQty: '120' },
        },
      };
  const row = { symbol: 'BTCUSDT', status: 'Trading', baseCoin: 'BTC', quoteCoin: 'USDT', ...instrument };
  const trade = {
    symbol: 'BTCUSDT',
    price: '100.03',
    size: '0.00123',
    isBlockTrade: false,
    isRPITrade: false,
  };
  const bars = BARS.map((bar, at) => [String(bar[0]), ...bar.slice(1), ...(VOLUMES[at] ?? [])]);
  const perpetual = {
    ...{ markPrice: '100.04', indexPrice: '100.06', fundingRate: '-0.000125', openInterest: '54321.5' },
    ...{ nextFundingTime: String(NOON + 3_600_000), openInterestValue: '5432150', prevPrice1h: '100.4' },
  };
  const day = {
    ...{ symbol: 'BTCUSDT', bid1Price: '100.01', bid1Size: '0.5', ask1Price: '100.02', ask1Size: '0.75' },
    ...{ lastPrice: '100.03', prevPrice24h: '100.93', price24hPcnt: '-0.00891', highPrice24h: '101.50' },
    ...{ lowPrice24h: '99.50', turnover24h: '895786.65', volume24h: '8913.3', ...(linear ? perpetual : {}) },
  };
  const [b, a] = [BIDS, ASKS];
  const candle = {
    ...{ start: BARS[1][0], end: BARS[1][0] + MINUTE - 1, interval: '1', open: '100.05', close: '100.02' },
    ...{ high: '100.11', low: '99.98', volume: '7.25', turnover: '725.3', confirm: true, timestamp: NOON },
  };
  return {
    answers: {
      'instruments-info': result({ category, list: [row], nextPageCursor: '' }),
      orderbook: result({ s: 'BTCUSDT', b, a, ts: NOON - 1, u: 160, seq: 7_961_638, cts: NOON - 2 }),
      'recent-trade': result({
        category,
        list: [
          { ...trade, execId: '28458', side: 'Buy', time: String(NOON - 4), seq: '2' },
          { ...trade, execId: '28457', side: 'Sell', time: String(NOON - 5), seq: '1' },
        ],
      }),
      kline: result({ category, symbol: 'BTCUSDT', list: [...bars].reverse() }),
      tickers: result({ category, list: [day] }),
    },
    frames: {
      trade: {
        ...{ topic: 'publicTrade.BTCUSDT', type: 'snapshot', ts: NOON },
        data: [
          {
            ...{ T: NOON - 5, s: 'BTCUSDT', S: 'Sell', v: '0.00123', p: '100.03' },
            i: '28457',
            BT: false,
            RPI: false,
          },
        ],
      },
      candle: { topic: 'kline.1.BTCUSDT', type: 'snapshot', ts: NOON, data: [candle] },
      ticker: { topic: 'tickers.BTCUSDT', type: 'snapshot', data: day, cs: 5, ts: NOON - 3 },
    },
  };
}

/** By the names of the kits. */
export const MARKET_MESSAGES: Readonly<Record<string, MarketMessages>> = {
  'Binance spot': binance(false),
  'Binance USD-M futures': binance(true),
  'OKX spot': okx(false),
  'OKX perpetuals': okx(true),
  'Bybit spot': bybit('spot'),
  'Bybit perpetuals': bybit('linear'),
};

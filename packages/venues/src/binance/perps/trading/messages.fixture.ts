/**
 * Golden messages of USD-M contracts, our own: shapes of the official connector's types
 * (derivatives-trading-usds-futures 38.1.1, read 2026-11-22), figures ours.
 */

/** The answer of a placement, a query, a list row and a cancel. */
export const ORDER = {
  ...{
    orderId: 77,
    symbol: 'BTCUSDT',
    status: 'NEW',
    clientOrderId: 'ours',
    price: '61000.00',
    avgPrice: '0.00',
  },
  ...{ origQty: '0.500', executedQty: '0.000', cumQty: '0.000', cumQuote: '0.00000', timeInForce: 'GTC' },
  ...{ type: 'LIMIT', reduceOnly: false, closePosition: false, side: 'BUY', positionSide: 'BOTH' },
  ...{ stopPrice: '0.00', workingType: 'CONTRACT_PRICE', priceProtect: false, origType: 'LIMIT' },
  ...{ priceMatch: 'NONE', selfTradePreventionMode: 'NONE', goodTillDate: 0, updateTime: 1_770_000_000_001 },
};

/** A row of `userTrades`: half a coin of a long was sold. */
export const TRADE = {
  ...{
    symbol: 'BTCUSDT',
    id: 5,
    orderId: 77,
    side: 'SELL',
    price: '61000',
    qty: '0.2',
    realizedPnl: '-40.5',
  },
  ...{ quoteQty: '12200', commission: '6.1', commissionAsset: 'USDT', time: 1_770_000_000_002 },
  ...{ positionSide: 'LONG', buyer: false, maker: true },
};

/** A row of `positionRisk` v3. */
export const POSITION = {
  ...{ symbol: 'BTCUSDT', positionSide: 'BOTH', positionAmt: '-0.500', entryPrice: '60000.0' },
  ...{ breakEvenPrice: '59970.0', markPrice: '60500.00000000', unRealizedProfit: '-250.00000000' },
  ...{ liquidationPrice: '65000.1', isolatedMargin: '0', notional: '-30250', marginAsset: 'USDT' },
  ...{ isolatedWallet: '0', initialMargin: '1512.5', maintMargin: '121', positionInitialMargin: '1512.5' },
  ...{ openOrderInitialMargin: '0', adl: 2, bidNotional: '0', askNotional: '0' },
  updateTime: 1_770_000_000_003,
};

/** A row of `symbolConfig`. */
export const CONFIG = {
  ...{ symbol: 'BTCUSDT', marginType: 'CROSSED', isAutoAddMargin: false, leverage: 20 },
  maxNotionalValue: '100000000',
};

/** `account` v3 of an account with one cross and one isolated position. */
export const ACCOUNT = {
  totalInitialMargin: '1812.5',
  assets: [
    {
      ...{ asset: 'USDT', walletBalance: '5000', unrealizedProfit: '-250', marginBalance: '4750' },
      ...{ maintMargin: '141', initialMargin: '1812.5', positionInitialMargin: '1712.5' },
      ...{ openOrderInitialMargin: '100', crossWalletBalance: '4800', crossUnPnl: '-250' },
      ...{ availableBalance: '2937.5', maxWithdrawAmount: '2937.5', updateTime: 1_770_000_000_004 },
    },
    {
      ...{ asset: 'BNB', walletBalance: '1', unrealizedProfit: '0', marginBalance: '1', maintMargin: '0' },
      ...{ initialMargin: '0', positionInitialMargin: '0', openOrderInitialMargin: '0' },
      ...{ crossWalletBalance: '1', crossUnPnl: '0', availableBalance: '1', maxWithdrawAmount: '1' },
      updateTime: 0,
    },
  ],
  positions: [
    {
      ...{ symbol: 'BTCUSDT', positionSide: 'BOTH', positionAmt: '-0.5', unrealizedProfit: '-250' },
      ...{ isolatedMargin: '0', notional: '-30250', isolatedWallet: '0', initialMargin: '1512.5' },
      ...{ maintMargin: '121', updateTime: 1_770_000_000_003 },
    },
    {
      ...{ symbol: 'ETHUSDT', positionSide: 'BOTH', positionAmt: '1', unrealizedProfit: '0' },
      ...{ isolatedMargin: '200', notional: '3000', isolatedWallet: '200', initialMargin: '200' },
      ...{ maintMargin: '20', updateTime: 1_770_000_000_003 },
    },
  ],
};

/** `leverageBracket` of one symbol: figures are JSON numbers. */
export const BRACKETS = {
  symbol: 'BTCUSDT',
  notionalCoef: 1,
  brackets: [
    {
      ...{ bracket: 2, initialLeverage: 100, notionalCap: 800_000, notionalFloor: 300_000 },
      ...{ maintMarginRatio: 0.005, cum: 300 },
    },
    {
      ...{ bracket: 1, initialLeverage: 125, notionalCap: 300_000, notionalFloor: 0 },
      ...{ maintMarginRatio: 0.004, cum: 0 },
    },
  ],
};

/** A row of `income`: funding that was paid. */
export const FUNDING = {
  ...{ symbol: 'BTCUSDT', incomeType: 'FUNDING_FEE', income: '-1.53086250', asset: 'USDT' },
  ...{ info: 'FUNDING_FEE', time: 1_770_000_000_005, tranId: 9_689_322_392, tradeId: '' },
};

/** `ORDER_TRADE_UPDATE` of a fill. */
export const ORDER_UPDATE = {
  ...{ e: 'ORDER_TRADE_UPDATE', E: 1_770_000_000_010, T: 1_770_000_000_009 },
  o: {
    ...{
      s: 'BTCUSDT',
      c: 'ours',
      S: 'SELL',
      o: 'LIMIT',
      f: 'GTC',
      q: '0.5',
      p: '61000',
      ap: '61000',
      sp: '0',
    },
    ...{ x: 'TRADE', X: 'PARTIALLY_FILLED', i: 77, l: '0.2', z: '0.2', L: '61000', N: 'USDT', n: '6.1' },
    ...{ T: 1_770_000_000_009, t: 5, b: '0', a: '0', m: true, R: false, wt: 'CONTRACT_PRICE', ot: 'LIMIT' },
    ...{ ps: 'LONG', cp: false, rp: '-40.5', pP: false, si: 0, ss: 0, V: 'NONE', pm: 'NONE', gtd: 0 },
  },
};

/** `ACCOUNT_UPDATE` of the same fill: rows of all three sides, the empty ones too. */
export const ACCOUNT_UPDATE = {
  ...{ e: 'ACCOUNT_UPDATE', E: 1_770_000_000_010, T: 1_770_000_000_009 },
  a: {
    m: 'ORDER',
    B: [{ a: 'USDT', wb: '4953.4', cw: '4953.4', bc: '0' }],
    P: [
      { s: 'BTCUSDT', pa: '0', ep: '0', bep: '0', cr: '0', up: '0', mt: 'cross', iw: '0', ps: 'BOTH' },
      {
        s: 'BTCUSDT',
        pa: '0.3',
        ep: '61202.5',
        bep: '61233',
        cr: '-40.5',
        up: '-60.75',
        mt: 'cross',
        iw: '0',
        ps: 'LONG',
      },
      {
        s: 'BTCUSDT',
        pa: '-0.1',
        ep: '60000',
        bep: '59970',
        cr: '0',
        up: '-100',
        mt: 'cross',
        iw: '0',
        ps: 'SHORT',
      },
    ],
  },
};

/** Funding of a cross position: the balance alone. */
export const FUNDING_UPDATE = {
  ...{ e: 'ACCOUNT_UPDATE', E: 1_770_000_000_020, T: 1_770_000_000_019 },
  a: { m: 'FUNDING_FEE', B: [{ a: 'USDT', wb: '4951.87', cw: '4951.87', bc: '-1.53' }] },
};

/** The answer of a placement, a query and a list row of the algo service. */
export const ALGO = {
  ...{ algoId: 7, clientAlgoId: 'ours', algoType: 'CONDITIONAL', orderType: 'STOP_MARKET' },
  ...{ symbol: 'BTCUSDT', side: 'SELL', positionSide: 'BOTH', timeInForce: 'GTC', quantity: '0.500' },
  ...{ algoStatus: 'NEW', triggerPrice: '59000.0', price: '0', icebergQuantity: null, reduceOnly: true },
  ...{ workingType: 'MARK_PRICE', priceMatch: 'NONE', closePosition: false, priceProtect: false },
  ...{ activatePrice: '', callbackRate: '', createTime: 1_770_000_000_040, updateTime: 1_770_000_000_040 },
  ...{ triggerTime: 0, goodTillDate: 0, selfTradePreventionMode: 'EXPIRE_MAKER' },
};

/** `ALGO_UPDATE` of one that was placed. */
export const ALGO_UPDATE = {
  ...{ e: 'ALGO_UPDATE', E: 1_770_000_000_041, T: 1_770_000_000_040 },
  o: {
    ...{ caid: 'ours', aid: 7, at: 'CONDITIONAL', o: 'STOP_MARKET', s: 'BTCUSDT', S: 'SELL', ps: 'BOTH' },
    ...{ f: 'GTC', q: '0.5', X: 'NEW', ai: '', tp: '59000', p: '0', V: 'EXPIRE_MAKER', wt: 'MARK_PRICE' },
    ...{ pm: 'NONE', cp: false, pP: false, R: true, tt: 0, gtd: 0 },
  },
};

/** A position near liquidation. */
export const MARGIN_CALL = {
  ...{ e: 'MARGIN_CALL', E: 1_770_000_000_031, cw: '3.16' },
  p: [{ s: 'BTCUSDT', ps: 'LONG', pa: '0.3', mt: 'CROSSED', iw: '0', mp: '187.17', up: '-1.16', mm: '1.6' }],
};

/** Every frame of the private stream, for what must never end it. */
export const FRAMES: readonly object[] = [
  ORDER_UPDATE,
  ACCOUNT_UPDATE,
  FUNDING_UPDATE,
  ALGO_UPDATE,
  { e: 'ACCOUNT_CONFIG_UPDATE', E: 1_770_000_000_030, T: 1_770_000_000_029, ac: { s: 'BTCUSDT', l: 25 } },
  MARGIN_CALL,
  {
    e: 'TRADE_LITE',
    E: 1,
    T: 1,
    s: 'BTCUSDT',
    q: '1',
    p: '1',
    m: false,
    c: 'ours',
    S: 'BUY',
    L: '1',
    l: '1',
    t: 5,
    i: 77,
  },
  { result: [], id: 1 },
];

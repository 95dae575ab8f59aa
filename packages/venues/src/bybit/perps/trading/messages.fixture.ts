/**
 * Golden messages of linear contracts, our own: shapes of bybit-exchange/docs v5 (2026-07-24, read 2026-11-22),
 * figures ours.
 */

/** An order as `order/realtime` and the topic `order` have it. */
export const ORDER = {
  ...{
    category: 'linear',
    symbol: 'BTCUSDT',
    orderId: '77',
    orderLinkId: 'ours',
    side: 'Sell',
    orderType: 'Limit',
  },
  ...{ price: '61000', qty: '0.5', timeInForce: 'GTC', orderStatus: 'PartiallyFilled', positionIdx: 1 },
  ...{ reduceOnly: true, leavesQty: '0.3', leavesValue: '18300', cumExecQty: '0.2', cumExecValue: '12200' },
  ...{ avgPrice: '61000', cumExecFee: '6.1', closedPnl: '-46.6', feeCurrency: 'USDT', cancelType: 'UNKNOWN' },
  ...{ rejectReason: 'EC_NoError', createType: 'CreateByUser', stopOrderType: '', triggerPrice: '' },
  ...{ createdTime: '1770000000000', updatedTime: '1770000000009' },
};

/** An execution as `execution/list` and the topic `execution` have it. */
export const EXECUTION = {
  ...{
    category: 'linear',
    symbol: 'BTCUSDT',
    orderId: '77',
    orderLinkId: 'ours',
    side: 'Sell',
    orderPrice: '61000',
  },
  ...{
    orderQty: '0.5',
    leavesQty: '0.3',
    orderType: 'Limit',
    stopOrderType: '',
    execFee: '6.1',
    execId: 'e-5',
  },
  ...{ execPrice: '61000', execQty: '0.2', execType: 'Trade', execValue: '12200', execTime: '1770000000009' },
  ...{
    isMaker: true,
    feeRate: '0.0002',
    markPrice: '61001',
    indexPrice: '',
    closedSize: '0.2',
    execPnl: '-40.5',
  },
  seq: 140_612_148_849_382,
};

/** A row of `position/list`; the topic `position` says `entryPrice` for `avgPrice`. */
export const POSITION = {
  ...{ positionIdx: 0, riskId: 1, riskLimitValue: '2000000', symbol: 'BTCUSDT', side: 'Sell', size: '0.5' },
  ...{ avgPrice: '60000', positionValue: '30250', tradeMode: 0, autoAddMargin: 0, positionStatus: 'Normal' },
  ...{ leverage: '10', markPrice: '60500', liqPrice: '65000.1', bustPrice: '', positionIM: '3041.5' },
  ...{ positionMM: '167.7', positionBalance: '3000', takeProfit: '', stopLoss: '', trailingStop: '0' },
  ...{ unrealisedPnl: '-250', curRealisedPnl: '-6.1', cumRealisedPnl: '-6.1', breakEvenPrice: '59970' },
  ...{ adlRankIndicator: 2, createdTime: '1770000000000', updatedTime: '1770000000009', seq: 42 },
  ...{ isReduceOnly: false, tpslMode: 'Full', sessionAvgPrice: '', mmrSysUpdatedTime: '' },
};

/** The unified account of `wallet-balance` in cross margin. */
export const WALLET = {
  ...{ accountType: 'UNIFIED', accountIMRate: '0.6588', accountMMRate: '0.04', accountLTV: '0' },
  ...{ totalEquity: '4750', totalWalletBalance: '5000', totalMarginBalance: '4750' },
  ...{ totalAvailableBalance: '1535.15', totalPerpUPL: '-250', totalInitialMargin: '2964.85' },
  totalMaintenanceMargin: '162.35',
  coin: [
    {
      ...{ coin: 'BTC', equity: '0', usdValue: '0', walletBalance: '0', locked: '0', totalOrderIM: '0' },
      ...{ totalPositionIM: '0', totalPositionMM: '0', unrealisedPnl: '0', marginCollateral: true },
      ...{ collateralSwitch: false, availableToWithdraw: '' },
    },
    {
      ...{ coin: 'USDT', equity: '4750', usdValue: '4750', walletBalance: '5000', locked: '0' },
      ...{
        totalOrderIM: '100',
        totalPositionIM: '2864.85',
        totalPositionMM: '162.35',
        unrealisedPnl: '-250',
      },
      ...{ cumRealisedPnl: '-6.1', bonus: '0', marginCollateral: true, collateralSwitch: true },
      ...{ spotBorrow: '0', availableToWithdraw: '', availableToBorrow: '' },
    },
  ],
};

/** Rows of `risk-limit`. */
export const TIERS = [
  {
    ...{ id: 2, symbol: 'BTCUSDT', riskLimitValue: '2600000', maintenanceMargin: '0.0056', isLowestRisk: 0 },
    ...{ initialMargin: '0.0111', maxLeverage: '90.00', mmDeduction: '1200' },
  },
  {
    ...{ id: 1, symbol: 'BTCUSDT', riskLimitValue: '2000000', maintenanceMargin: '0.005', isLowestRisk: 1 },
    ...{ initialMargin: '0.01', maxLeverage: '100.00', mmDeduction: '' },
  },
];

/** A row of the transaction log: funding that was paid. `fee` is above 0 when paid, `funding` when received. */
export const FUNDING = {
  ...{
    id: '592324_BTCUSDT_161440249321',
    symbol: 'BTCUSDT',
    category: 'linear',
    side: 'Buy',
    currency: 'USDT',
  },
  ...{ transactionTime: '1770000000005', type: 'SETTLEMENT', transSubType: '', qty: '0.25', size: '0.25' },
  ...{ tradePrice: '61234.5', funding: '-1.5308625', fee: '', cashFlow: '0', change: '-1.5308625' },
  ...{
    cashBalance: '4998.47',
    feeRate: '0.0001',
    bonusChange: '',
    tradeId: 'f-1',
    orderId: '',
    orderLinkId: '',
  },
};

const topic = (name: string, ...data: readonly object[]) => ({
  ...{ id: 'message', topic: name, creationTime: 1_770_000_000_010 },
  data,
});

const HELD = {
  ...POSITION,
  category: 'linear',
  positionIdx: 1,
  side: 'Buy',
  size: '0.3',
  entryPrice: '61202.5',
};

export const ORDER_MESSAGE = topic('order', ORDER);
export const EXECUTION_MESSAGE = topic('execution', EXECUTION);
export const POSITION_MESSAGE = topic('position', HELD);

/** Every frame of the private stream, for what must never end it. */
export const FRAMES: readonly object[] = [
  ORDER_MESSAGE,
  EXECUTION_MESSAGE,
  POSITION_MESSAGE,
  topic('position', {
    ...HELD,
    side: '',
    size: '0',
    entryPrice: '0',
    liqPrice: '',
    positionStatus: 'Normal',
  }),
  topic('wallet', WALLET),
  topic('execution', {
    ...EXECUTION,
    execType: 'Funding',
    orderType: 'UNKNOWN',
    execPnl: '',
    closedSize: '',
  }),
];

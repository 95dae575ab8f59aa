/**
 * Golden messages of swaps, our own: shapes of the OKX v5 guide (read 2026-11-22), figures ours. Every value is text,
 * what is not there is "".
 */

/** The instrument as the list of instruments has it; one contract is a hundredth of a coin. */
export const INSTRUMENT = {
  ...{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', instIdCode: 7_002, ctVal: '0.01', ctMult: '1' },
  ...{
    ctValCcy: 'BTC',
    settleCcy: 'USDT',
    lotSz: '0.01',
    minSz: '0.01',
    tickSz: '0.1',
    lever: '100',
    state: 'live',
  },
};

/** An order as `order` and `orders-pending` have it. */
export const ORDER = {
  ...{
    instType: 'SWAP',
    instId: 'BTC-USDT-SWAP',
    ordId: '77',
    clOrdId: 'ours',
    tag: '',
    px: '61000',
    sz: '50',
  },
  ...{ ordType: 'limit', side: 'sell', posSide: 'long', tdMode: 'cross', accFillSz: '20', fillPx: '61000' },
  ...{ tradeId: '5', fillSz: '20', fillTime: '1770000000002', avgPx: '61000', state: 'partially_filled' },
  ...{
    lever: '10',
    feeCcy: 'USDT',
    fee: '-6.1',
    rebateCcy: 'USDT',
    rebate: '0',
    category: 'normal',
    pnl: '-40.5',
  },
  ...{ reduceOnly: 'false', cancelSource: '', cTime: '1770000000000', uTime: '1770000000009' },
};

/** A row of `fills`. */
export const FILL = {
  ...{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', tradeId: '5', ordId: '77', clOrdId: 'ours', billId: '900' },
  ...{
    subType: '5',
    tag: '',
    fillPx: '61000',
    fillSz: '20',
    fillPnl: '-40.5',
    side: 'sell',
    posSide: 'long',
  },
  ...{ execType: 'M', feeCcy: 'USDT', fee: '-6.1', ts: '1770000000003', fillTime: '1770000000002' },
};

/** A row of `positions`. */
export const POSITION = {
  ...{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', mgnMode: 'cross', posId: '12', posSide: 'net', pos: '-50' },
  ...{
    posCcy: '',
    availPos: '',
    avgPx: '60000',
    markPx: '60500',
    upl: '-250.0000000000000001',
    uplRatio: '-0.08',
  },
  ...{ lever: '10', liqPx: '65000.1', imr: '3025', margin: '', mgnRatio: '25', mmr: '121', tradeId: '5' },
  ...{
    notionalUsd: '30250',
    adl: '2',
    ccy: 'USDT',
    last: '60500',
    idxPx: '60501',
    bePx: '59970',
    realizedPnl: '-6.1',
  },
  ...{
    pnl: '0',
    fee: '-6.1',
    fundingFee: '0',
    liqPenalty: '0',
    cTime: '1770000000000',
    uTime: '1770000000009',
  },
};

/** `balance` in Futures mode. */
export const BALANCE = {
  ...{ uTime: '1770000000009', totalEq: '5000', isoEq: '0', adjEq: '', imr: '', mmr: '', mgnRatio: '' },
  details: [
    {
      ...{ ccy: 'USDT', eq: '4750', cashBal: '5000', uTime: '1770000000008', isoEq: '0', availEq: '1625' },
      ...{ availBal: '1600', frozenBal: '3125', ordFrozen: '100', upl: '-250', mgnRatio: '25', imr: '3025' },
      ...{ mmr: '121', eqUsd: '4750', disEq: '4750', liab: '', interest: '' },
    },
  ],
};

/** Rows of `position-tiers`. */
export const TIERS = [
  {
    tier: '2',
    minSz: '1000.01',
    maxSz: '5000',
    mmr: '0.005',
    imr: '0.0133',
    maxLever: '75',
    instFamily: 'BTC-USDT',
  },
  {
    tier: '1',
    minSz: '0',
    maxSz: '1000',
    mmr: '0.004',
    imr: '0.01',
    maxLever: '100',
    instFamily: 'BTC-USDT',
  },
];

/** A bill of funding that was paid. */
export const FUNDING = {
  ...{ billId: '901', ccy: 'USDT', type: '8', subType: '173', balChg: '-1.53', bal: '4998', posBalChg: '0' },
  ...{ posBal: '0', sz: '50', px: '61200', pnl: '-1.53', fee: '0', interest: '0', instType: 'SWAP' },
  ...{ instId: 'BTC-USDT-SWAP', ordId: '', clOrdId: '', tradeId: '', execType: '', mgnMode: 'cross' },
  ...{ from: '', to: '', notes: '', ts: '1770000000005', fillTime: '' },
};

const push = (channel: string, data: object, instType?: string) => ({
  arg: { channel, ...(instType === undefined ? {} : { instType }), uid: '1' },
  data: [data],
});

/** The order channel after a fill. */
export const ORDER_PUSH = push(
  'orders',
  { ...ORDER, execType: 'M', fillPnl: '-40.5', fillFee: '-6.1', fillFeeCcy: 'USDT' },
  'SWAP',
);
/** The position after it, on the two channels that say it. */
export const POSITION_PUSH = push('positions', { ...POSITION, posSide: 'long', pos: '30' }, 'SWAP');
/** Balance and position together, with the reason. */
export const REASON_PUSH = push('balance_and_position', {
  ...{ pTime: '1770000000010', eventType: 'filled' },
  balData: [{ ccy: 'USDT', cashBal: '5000', uTime: '1770000000008' }],
  posData: [
    {
      ...{
        posId: '12',
        tradeId: '5',
        instId: 'BTC-USDT-SWAP',
        instType: 'SWAP',
        mgnMode: 'cross',
        posSide: 'long',
      },
      ...{ pos: '30', ccy: 'USDT', posCcy: '', avgPx: '60000', uTime: '1770000000009' },
    },
  ],
  trades: [{ instId: 'BTC-USDT-SWAP', tradeId: '5' }],
});

/** A position near liquidation: the inverse of its ratio is below 300 %. */
export const WARNING_PUSH = push(
  'liquidation-warning',
  {
    ...{
      instType: 'SWAP',
      instId: 'BTC-USDT-SWAP',
      mgnMode: 'cross',
      posId: '12',
      posSide: 'net',
      pos: '-50',
    },
    ...{ posCcy: '', lever: '10', markPx: '64000', mgnRatio: '2.4', ccy: 'USDT' },
    ...{ cTime: '1770000000000', uTime: '1770000000009', pTime: '1770000000012' },
  },
  'SWAP',
);

/** Every frame of the private socket, for what must never end it. */
export const FRAMES: readonly object[] = [
  ORDER_PUSH,
  POSITION_PUSH,
  REASON_PUSH,
  WARNING_PUSH,
  push('account', BALANCE),
  push('positions', { ...POSITION, pos: '0', avgPx: '', upl: '', lever: '', adl: '' }, 'SWAP'),
  push('balance_and_position', {
    ...{ pTime: '1770000000011', eventType: 'funding_fee', balData: [], posData: [], trades: [] },
  }),
];

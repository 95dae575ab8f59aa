import type { SymbolRow } from '@crossbook/contract';
import type { Platform, SymbolType } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { serviceInstrument, symbolInfo } from './symbol-info.ts';

const ROW: SymbolRow = {
  ...{ tinstId: 'BTCUSDT', tinstType: 1, tstate: 1, tbaseCcy: 'BTC', tquoteCcy: 'USDT', ttickSz: '0.05' },
  ...{ tlotSz: '0.001', tminSz: '0.002', tmaxSz: '100', tminPrice: '1', tmaxPrice: '1000000' },
  ...{ tminOrderAmt: '5', tmaxOrderAmt: '0', tmaxLmtSz: '90', tmaxMktSz: '50', tctVal: '1', tlever: 1 },
  ...{ tinstFamily: 'BTC-USDT', tmakerFee: '0.0002', ttakerFee: '0.0005' },
};
const PERP = { tinstType: 2, tlever: 100 } as const;

const LISTED: readonly (readonly [Platform, SymbolType, string, Partial<SymbolRow>])[] = [
  [1, 'SPOT', 'BTCUSDT', {}],
  [1, 'SWAP', 'BTCUSDT', PERP],
  [2, 'SPOT', 'BTC-USDT', {}],
  [2, 'SWAP', 'BTC-USDT-SWAP', { ...PERP, tctVal: '0.01' }],
  [3, 'SPOT', 'BTCUSDT', {}],
  [3, 'SWAP', 'BTCUSDT', PERP],
];

test.each(LISTED)('symbol info of platform %i, %s, %s has the names of the specification', (...listed) => {
  const [platform, symbolType, symbol, change] = listed;
  const swap = symbolType === 'SWAP';
  expect(symbolInfo(platform, { ...ROW, tinstId: symbol, ...change })).toEqual({
    exchange: platform,
    symbolType,
    routerType: swap ? 'futures' : 'spot',
    symbol,
    ccyName: 'BTC/USDT',
    baseCcy: 'BTC',
    quoteCcy: 'USDT',
    PRICE_FILTER: { minPrice: '1', maxPrice: '1000000', tickSize: '0.05', tickSz: 2 },
    LOT_SIZE: { minQty: '0.002', maxQty: '100', stepSize: '0.001', stepSz: 3 },
    MARKET_LOT_SIZE: { minQty: '0.002', maxQty: '50', stepSize: '0.001', stepSz: 3 },
    maxLmtSz: '90',
    maxMktSz: '50',
    ctVal: swap && platform === 2 ? '0.01' : '1',
    maxLever: swap ? 100 : 1,
    instFamily: 'BTC-USDT',
  });
});

test.each(LISTED)('the instrument of platform %i, %s, %s has the names of the specification', (...listed) => {
  const [, , symbol, change] = listed;
  expect(serviceInstrument({ ...ROW, tinstId: symbol, ...change })).toEqual({
    symbol,
    tickSz: '0.05',
    baseCcy: 'BTC',
    quoteCcy: 'USDT',
    tinstFamily: 'BTC-USDT',
  });
});

import type { SymbolRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { instrumentOfRow } from './instruments.ts';

const row: SymbolRow = {
  ...{ tinstId: 'BTCUSDT', tinstType: 2, tstate: 1, tbaseCcy: 'BTC', tquoteCcy: 'USDT', ttickSz: '0.1' },
  ...{ tlotSz: '0.001', tminSz: '0.001', tmaxSz: '100', tminPrice: '1', tmaxPrice: '1000000' },
  ...{ tminOrderAmt: '5', tmaxOrderAmt: '0', tmaxLmtSz: '100', tmaxMktSz: '50', tctVal: '1', tlever: 125 },
  ...{ tinstFamily: 'BTC-USDT', tmakerFee: '0.0002', ttakerFee: '0.0005' },
};

test.each([
  ['none is named', {}, undefined],
  [
    'its ends are fractions',
    { tpriceBand: { buyMost: '1.05', sellLeast: '0.95' } },
    { buyMost: amount('1.05'), sellLeast: amount('0.95') },
  ],
  ['an end that is no decimal bounds nothing', { tpriceBand: { buyMost: 'much' } }, {}],
] as const)('of a price band %s', (_name, change, band) => {
  expect(instrumentOfRow(1, { ...row, ...change })?.priceBand).toEqual(band);
});

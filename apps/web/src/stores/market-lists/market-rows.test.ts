import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { instrumentOfRow, type ListedInstrument } from '../market/instruments.ts';
import { marketKey } from '../market/market.ts';
import { isOffered, type MarketRow, searchMarkets, topMarkets, topMovers } from './market-rows.ts';
import { sampleInstrument, sampleRow } from './market-sample.fixture.ts';

const SYMBOL_ROW = {
  tinstId: 'BTCUSDT',
  tinstType: 1,
  tstate: 1,
  tbaseCcy: 'BTC',
  tquoteCcy: 'USDT',
  ttickSz: '0.01',
  tlotSz: '0.00001',
  tminSz: '0.00001',
  tmaxSz: '9000',
  tminPrice: '0.01',
  tmaxPrice: '1000000',
  tminOrderAmt: '5',
  tmaxOrderAmt: '0',
  tmaxLmtSz: '9000',
  tmaxMktSz: '100',
  tctVal: '1',
  tlever: 1,
  tinstFamily: 'BTC-USDT',
  tmakerFee: '0.001',
  ttakerFee: '0.001',
} as const;

function row(base: string, change?: string): MarketRow {
  const instrument = instrumentOfRow(1, { ...SYMBOL_ROW, tbaseCcy: base, tinstId: `${base}USDT` });
  const stats = { last: '1', open: '1', high: '1', low: '1', volume: '1', quoteVolume: '1', t: 1 };
  return {
    instrument: instrument as ListedInstrument,
    ticker: change === undefined ? undefined : { ...stats, change, direction: 'none' },
  };
}

test('a symbol row becomes an instrument with exact figures', () => {
  expect(instrumentOfRow(1, SYMBOL_ROW)).toMatchObject({
    symbol: 'BTCUSDT',
    symbolType: 'SPOT',
    status: 'trading',
    tickSize: amount('0.01'),
    minNotional: amount('5'),
    takerFee: amount('0.001'),
  });
});

test.each([
  ['ttickSz', '0'],
  ['tlotSz', '1e-5'],
  ['tmaxSz', ''],
] as const)('a row whose %s is %j is no instrument', (field, value) => {
  expect(instrumentOfRow(1, { ...SYMBOL_ROW, [field]: value })).toBeUndefined();
});

test.each([
  ['contract', 2, 1, true],
  ['contract', 2, 0, false],
  ['pair', 1, 0, true],
] as const)('a %s (%i) whose tstate is %i is offered: %s', (_kind, tinstType, tstate, offered) => {
  const instrument = instrumentOfRow(1, { ...SYMBOL_ROW, tinstType, tstate });
  expect(isOffered(instrument as ListedInstrument)).toBe(offered);
});

test('top markets are BTC, ETH, SOL, XRP, DOGE, whatever the order of the list; absent ones are left out', () => {
  const rows = ['ADA', 'DOGE', 'SOL', 'BTC', 'XRP'].map((base) => row(base));
  expect(topMarkets(rows).map(({ instrument }) => instrument.base)).toEqual(['BTC', 'SOL', 'XRP', 'DOGE']);
});

test('top movers are the six largest changes either way; equal ones stand by name', () => {
  const changes = { A: '1', B: '-9', C: '3', D: '-3', E: '0', F: '2', G: '8', H: '0.5' };
  const rows = [...Object.entries(changes).map(([base, change]) => row(base, change)), row('Z')];
  expect(topMovers(rows).map(({ instrument }) => instrument.base)).toEqual(['B', 'G', 'C', 'D', 'F', 'A']);
});

test("a coin of several platforms moves once, where it moved most; each row of the top markets is the first platform's", () => {
  const rows = [
    sampleRow(sampleInstrument('BTC', 1), { change: '1' }),
    sampleRow(sampleInstrument('BTC', 2), { change: '-3' }),
    sampleRow(sampleInstrument('ETH', 2), { change: '2' }),
  ];
  const keys = (list: readonly MarketRow[]) => list.map(({ instrument }) => marketKey(instrument));
  expect(keys(topMovers(rows))).toEqual(['2:SPOT:BTC-USDT', '2:SPOT:ETH-USDT']);
  expect(keys(topMarkets(rows))).toEqual(['1:SPOT:BTCUSDT', '2:SPOT:ETH-USDT']);
});

test.each([
  ['', 2],
  ['bt', 1],
  [' btc/usdt ', 1],
  ['BTC-USDT', 1],
  ['usdt', 2],
  ['nothing', 0],
])('searching %j finds %i', (typed, found) => {
  expect(searchMarkets([row('BTC'), row('ETH')], typed)).toHaveLength(found);
});

import { amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { writeCsv } from '../../calculators/tables/csv.ts';
import { marketKey } from '../market/market.ts';
import { MARKET_CSV, marketListRow } from './market-list-row.ts';
import { sampleInstrument, sampleTicker } from './market-sample.fixture.ts';

const STATS = { last: '60000.1', open: '59000', high: '61000', low: '58000', volume: '12', change: '1.86' };

test.each([
  [1, 'SPOT', '1', '7', 'BTCUSDT', '7'],
  [1, 'SWAP', '1', '7', 'BTCUSDT', '7'],
  [2, 'SPOT', '1', '7', 'BTC-USDT', '7'],
  [2, 'SWAP', '0.01', '7', 'BTC-USDT-SWAP', '0.07'],
  [3, 'SPOT', '1', undefined, 'BTCUSDT', undefined],
  [3, 'SWAP', '1', undefined, 'BTCUSDT', undefined],
] as const)('a row of platform %i, %s, has the names of the specification', (...row) => {
  const [platform, symbolType, contractValue, lastSize, symbol, lastSz] = row;
  const lever = symbolType === 'SPOT' ? 1 : 75;
  const instrument = {
    ...sampleInstrument('BTC', platform, symbolType),
    ...{ contractValue: amount(contractValue), maxLeverage: lever },
  };
  const ticker = sampleTicker({ ...STATS, ...(lastSize === undefined ? {} : { lastSize }) });
  expect(marketListRow({ instrument, ticker }, new Set([marketKey(instrument)]))).toEqual({
    instType: symbolType,
    symbol,
    instId: symbol,
    last: '60000.1',
    lastSz,
    open24h: '59000',
    high24h: '61000',
    low24h: '58000',
    vol24h: '12',
    price24hPcnt: '1.86',
    exchange: platform,
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    lever,
    collection: true,
  });
});

test('the file names every field, and what is not known is empty', () => {
  const row = marketListRow({ instrument: sampleInstrument('BTC', 2), ticker: undefined }, new Set());
  expect(writeCsv(MARKET_CSV, [row])).toBe(
    'exchange,instType,symbol,instId,baseCoin,quoteCoin,last,lastSz,open24h,high24h,low24h,vol24h,price24hPcnt,lever,collection\r\n' +
      '2,SPOT,BTC-USDT,BTC-USDT,BTC,USDT,,,,,,,,1,false\r\n',
  );
  expect(MARKET_CSV.map(({ head }) => head).toSorted()).toEqual(Object.keys(row).toSorted());
});

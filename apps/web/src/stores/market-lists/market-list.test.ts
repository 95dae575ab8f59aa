import { expect, test } from 'vitest';
import { marketKey } from '../market/market.ts';
import {
  arrangeMarkets,
  DEFAULT_MARKET_VIEW,
  type MarketColumn,
  type MarketFilter,
  type MarketView,
  parseMarketView,
  sortedBy,
} from './market-list.ts';
import { sampleInstrument, sampleRow } from './market-sample.fixture.ts';

const ROWS = [
  sampleRow(sampleInstrument('BTC'), {
    ...{ last: '60000', change: '-1', high: '61000', low: '59000', quoteVolume: '900' },
  }),
  sampleRow(sampleInstrument('BTC', 1, 'SWAP'), {
    ...{ last: '60010', change: '-1.1', high: '61010', low: '59010', quoteVolume: '5000', funding: '0.0001' },
  }),
  sampleRow(sampleInstrument('BTC', 2, 'SWAP'), {
    ...{
      last: '60020',
      change: '-1.2',
      high: '61020',
      low: '59020',
      quoteVolume: '4000',
      funding: '-0.0002',
    },
  }),
  sampleRow(sampleInstrument('ETH', 2), {
    ...{ last: '3000', change: '2', high: '3100', low: '2900', quoteVolume: '10000' },
  }),
  sampleRow(sampleInstrument('ADA', 3), {
    last: '0.5',
    change: '0',
    high: '0.6',
    low: '0.4',
    quoteVolume: '70',
  }),
  sampleRow(sampleInstrument('XYZ')),
];

const FILTER: MarketFilter = {
  typed: '',
  favourites: new Set([marketKey(sampleInstrument('BTC', 2, 'SWAP')), marketKey(sampleInstrument('ADA', 3))]),
  nameOf: (asset) => ({ BTC: 'Bitcoin', ETH: 'Ethereum', ADA: 'Cardano' })[asset],
};

function names(view: Partial<MarketView>, filter: Partial<MarketFilter> = {}): readonly string[] {
  const rows = arrangeMarkets(ROWS, { ...DEFAULT_MARKET_VIEW, ...view }, { ...FILTER, ...filter });
  return rows.map(({ instrument }) => marketKey(instrument));
}

test.each<[MarketColumn, boolean, readonly string[]]>([
  ['volume', true, ['2:SPOT:ETH-USDT', '1:SWAP:BTCUSDT', '2:SWAP:BTC-USDT-SWAP', '1:SPOT:BTCUSDT']],
  ['volume', false, ['3:SPOT:ADAUSDT', '1:SPOT:BTCUSDT', '2:SWAP:BTC-USDT-SWAP', '1:SWAP:BTCUSDT']],
  ['last', true, ['2:SWAP:BTC-USDT-SWAP', '1:SWAP:BTCUSDT', '1:SPOT:BTCUSDT', '2:SPOT:ETH-USDT']],
  ['high', false, ['3:SPOT:ADAUSDT', '2:SPOT:ETH-USDT', '1:SPOT:BTCUSDT', '1:SWAP:BTCUSDT']],
  ['low', true, ['2:SWAP:BTC-USDT-SWAP', '1:SWAP:BTCUSDT', '1:SPOT:BTCUSDT', '2:SPOT:ETH-USDT']],
  ['change', true, ['2:SPOT:ETH-USDT', '3:SPOT:ADAUSDT', '1:SPOT:BTCUSDT', '1:SWAP:BTCUSDT']],
  ['pair', false, ['3:SPOT:ADAUSDT', '1:SPOT:BTCUSDT', '1:SWAP:BTCUSDT', '2:SWAP:BTC-USDT-SWAP']],
  ['venue', false, ['1:SPOT:BTCUSDT', '1:SWAP:BTCUSDT', '1:SPOT:XYZUSDT', '3:SPOT:ADAUSDT']],
  ['funding', true, ['1:SWAP:BTCUSDT', '2:SWAP:BTC-USDT-SWAP', '3:SPOT:ADAUSDT', '1:SPOT:BTCUSDT']],
])('sorted by %s, descending %s', (sort, descending, first) => {
  expect(names({ sort, descending }).slice(0, 4)).toEqual(first);
});

test('a row without figures stands last whichever way figures are sorted', () => {
  for (const descending of [true, false]) {
    expect(names({ sort: 'last', descending }).at(-1)).toBe('1:SPOT:XYZUSDT');
  }
});

test('tabs: all, one platform, favourites; all types, spot, futures', () => {
  expect(names({})).toHaveLength(6);
  expect(names({ scope: 'okx' })).toEqual(['2:SPOT:ETH-USDT', '2:SWAP:BTC-USDT-SWAP']);
  expect(names({ scope: 'okx', type: 'SWAP' })).toEqual(['2:SWAP:BTC-USDT-SWAP']);
  expect(names({ type: 'SPOT' })).toHaveLength(4);
  expect(names({ scope: 'favourites' })).toEqual(['2:SWAP:BTC-USDT-SWAP', '3:SPOT:ADAUSDT']);
  expect(names({ scope: 'favourites' }, { favourites: new Set() })).toEqual([]);
});

test.each([
  ['btc', 3],
  ['Bitcoin', 3],
  ['BTC-USDT-SWAP', 1],
  ['btc/usdt', 3],
  ['card', 1],
  ['no such coin', 0],
])('searching %j by coin, symbol or name finds %i', (typed, found) => {
  expect(names({}, { typed })).toHaveLength(found);
});

test('pressing a head sorts by it, pressing it again turns round; names begin at A', () => {
  const view = DEFAULT_MARKET_VIEW;
  expect(sortedBy(view, 'change')).toEqual({ sort: 'change', descending: true });
  expect(sortedBy({ ...view, sort: 'change' }, 'change')).toEqual({ sort: 'change', descending: false });
  expect(sortedBy(view, 'pair')).toEqual({ sort: 'pair', descending: false });
});

test('a kept view is read back; damaged parts become defaults', () => {
  const view: MarketView = { scope: 'favourites', type: 'SWAP', sort: 'funding', descending: false };
  expect(parseMarketView({ ...view })).toEqual(view);
  expect(parseMarketView({ scope: 'kraken', type: 3, sort: null, descending: 'yes' })).toEqual(
    DEFAULT_MARKET_VIEW,
  );
});

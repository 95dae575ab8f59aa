import { expect, test } from 'vitest';
import {
  acrossVenues,
  basisOf,
  type CoinRow,
  coinRows,
  DEFAULT_DATA_VIEW,
  dataSortedBy,
  interestValue,
  type MarketDataView,
  parseDataView,
  sortCoins,
  topicStat,
} from './market-data.ts';
import { sampleInstrument, sampleTicker } from './market-sample.fixture.ts';
import type { TickerRow } from './tickers.ts';

const [BTC1, BTC2, BTC3] = ([1, 2, 3] as const).map((platform) => sampleInstrument('BTC', platform, 'SWAP'));
const ETH1 = sampleInstrument('ETH', 1, 'SWAP');
const XRP2 = sampleInstrument('XRP', 2, 'SWAP');
const INSTRUMENTS = [BTC1, BTC2, BTC3, ETH1, XRP2].filter((row) => row !== undefined);

const STATS: Readonly<Record<string, Partial<TickerRow>>> = {
  '1:SWAP:BTCUSDT': {
    last: '60000',
    mark: '60030',
    index: '60000',
    funding: '0.0001',
    nextFunding: 8,
    interest: '9',
  },
  '2:SWAP:BTC-USDT-SWAP': { last: '60060', mark: '60000', index: '60000', funding: '-0.0003' },
  '3:SWAP:BTCUSDT': { last: '60030' },
  '1:SWAP:ETHUSDT': { last: '3000', mark: '2997', index: '3000', funding: '0' },
};
const TICKERS = new Map(Object.entries(STATS).map(([key, stats]) => [key, sampleTicker(stats)]));
const INTEREST = new Map([
  ['1:SWAP:BTCUSDT', '10'],
  ['2:SWAP:BTC-USDT-SWAP', '5'],
]);
const ROWS = coinRows(INSTRUMENTS, TICKERS, INTEREST);

function coin(base: string): CoinRow {
  const row = ROWS.find((one) => one.base === base);
  if (row === undefined) throw new Error(`no ${base}`);
  return row;
}

test('perpetuals of all venues are joined by coin; what a venue does not tell stays unknown', () => {
  expect(ROWS.map(({ base }) => base)).toEqual(['BTC', 'ETH', 'XRP']);
  expect(coin('BTC').venues.get(1)).toMatchObject({
    mark: 60_030,
    index: 60_000,
    funding: 0.0001,
    nextFunding: 8,
  });
  expect(coin('BTC').venues.get(3)).toMatchObject({ last: 60_030, mark: undefined, funding: undefined });
  expect(coin('XRP').venues.get(2)).toMatchObject({ last: undefined, interest: undefined });
  expect(coin('ETH').venues.get(2)).toBeUndefined();
});

test('a funding of nought is a figure, not a gap', () => {
  expect(topicStat('funding', coin('ETH').venues.get(1))).toBe(0);
});

test('open interest that was read beside the ticker counts before the one in it', () => {
  expect(coin('BTC').venues.get(1)?.interest).toBe(10);
});

test('basis in basis points, open interest at mark or else at last', () => {
  expect(basisOf({ mark: 60_030, index: 60_000 })).toBeCloseTo(5, 10);
  expect(basisOf({ mark: 2_997, index: 3_000 })).toBeCloseTo(-10, 10);
  expect(basisOf({ mark: 1, index: undefined })).toBeUndefined();
  expect(basisOf({ mark: 1, index: 0 })).toBeUndefined();
  const one = coin('BTC').venues.get(1);
  expect(one && interestValue(one)).toBe(600_300);
  const three = coin('BTC').venues.get(3);
  expect(three && interestValue({ ...three, interest: 2 })).toBe(120_060);
});

test('over all venues: distances of the extremes, the sum of open interest, nothing from one venue alone', () => {
  expect(acrossVenues('funding', coin('BTC'))).toBeCloseTo(0.0004, 12);
  expect(acrossVenues('basis', coin('BTC'))).toBeCloseTo(5, 10);
  expect(acrossVenues('price', coin('BTC'))).toBeCloseTo(10, 10);
  expect(acrossVenues('interest', coin('BTC'))).toBe(600_300 + 300_000);
  expect(acrossVenues('price', coin('ETH'))).toBeUndefined();
  expect(acrossVenues('interest', coin('XRP'))).toBeUndefined();
});

test.each<[Partial<MarketDataView>, readonly string[]]>([
  [{ sort: 'coin', descending: false }, ['BTC', 'ETH', 'XRP']],
  [{ sort: 'coin', descending: true }, ['XRP', 'ETH', 'BTC']],
  [{ topic: 'basis', sort: 'venue1', descending: true }, ['BTC', 'ETH', 'XRP']],
  [{ topic: 'basis', sort: 'venue1', descending: false }, ['ETH', 'BTC', 'XRP']],
  [{ topic: 'price', sort: 'across', descending: false }, ['BTC', 'ETH', 'XRP']],
])('sorted by %j; what is unknown stands last', (view, order) => {
  expect(sortCoins(ROWS, { ...DEFAULT_DATA_VIEW, ...view }).map(({ base }) => base)).toEqual(order);
});

test('the view is read back, damaged parts become defaults, and heads sort as expected', () => {
  const view: MarketDataView = { topic: 'interest', sort: 'venue2', descending: true };
  expect(parseDataView({ ...view })).toEqual(view);
  expect(parseDataView({ topic: 'x', sort: 'venue9', descending: 1 })).toEqual(DEFAULT_DATA_VIEW);
  expect(dataSortedBy(view, 'venue2')).toEqual({ sort: 'venue2', descending: false });
  expect(dataSortedBy(view, 'across')).toEqual({ sort: 'across', descending: true });
  expect(dataSortedBy(view, 'coin')).toEqual({ sort: 'coin', descending: false });
});

import { expect, test } from 'vitest';
import {
  activated,
  type ChartSlot,
  chartLayoutText,
  parseChartLayout,
  withCount,
  withInterval,
} from './chart-layout.ts';

const slot = (symbol: string, interval = '1m', platform: 1 | 2 | 3 = 1): ChartSlot => ({
  market: { platform, symbolType: 'SPOT', symbol },
  interval,
});
const [BTC, ETH, SOL, XRP] = ['BTC', 'ETH', 'SOL', 'XRP'].map((symbol) => slot(symbol)) as [
  ...[ChartSlot, ChartSlot, ChartSlot, ChartSlot],
];
const ALONE = { active: 0, slots: [] };
const shown = ({ active, slots }: ReturnType<typeof parseChartLayout>) =>
  slots.map(({ market, interval }, at) => `${market.symbol} ${interval}${at === active ? ' *' : ''}`);

test('a layout is read as it was kept', () => {
  const layout = { active: 1, slots: [BTC, slot('ETH', '1h', 2)] };
  expect(parseChartLayout(chartLayoutText(layout))).toEqual(layout);
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['another thing', '[1]'],
  ['three charts', chartLayoutText({ active: 0, slots: [BTC, ETH, SOL] })],
  ['an active one that is not there', chartLayoutText({ active: 2, slots: [BTC, ETH] })],
  [
    'an exchange that nobody knows',
    '{"active":0,"slots":[{"platform":9,"symbolType":"SPOT","symbol":"A","interval":"1m"},{}]}',
  ],
])('of %s there is one chart', (_, kept) => {
  expect(parseChartLayout(kept)).toEqual(ALONE);
});

test('more charts keep those that stand and show what is offered and not there yet', () => {
  const two = withCount(ALONE, 2, BTC, [BTC, ETH, SOL, XRP]);
  expect(shown(two)).toEqual(['BTC 1m *', 'ETH 1m']);
  const other = activated(two, 1, BTC);
  expect(shown(withCount(other, 4, slot('ETH', '5m'), [BTC, ETH, SOL, XRP]))).toEqual([
    ...['ETH 5m *', 'BTC 1m', 'SOL 1m', 'XRP 1m'],
  ]);
  expect(shown(withCount(ALONE, 4, BTC, [ETH]))).toEqual(['BTC 1m *', 'ETH 1m', 'BTC 1m', 'BTC 1m']);
  expect(withCount(two, 1, BTC, [])).toEqual(ALONE);
});

test("fewer charts keep the page's own", () => {
  const four = { active: 3, slots: [BTC, ETH, SOL, XRP] };
  expect(shown(withCount(four, 2, slot('XRP', '1d'), []))).toEqual(['XRP 1d *', 'BTC 1m']);
});

test('the one that was active stays with what the page showed in it', () => {
  const layout = { active: 0, slots: [BTC, ETH] };
  expect(shown(activated(layout, 1, slot('DOGE', '4h')))).toEqual(['DOGE 4h', 'ETH 1m *']);
  expect(shown(withInterval(layout, 1, '1h'))).toEqual(['BTC 1m *', 'ETH 1h']);
});

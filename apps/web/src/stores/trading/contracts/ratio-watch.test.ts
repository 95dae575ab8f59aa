import type { PositionRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CONTRACT, MARGIN } from '../../../calculators/contracts/contract.fixture.ts';
import { positionFixture } from '../../../calculators/contracts/position.fixture.ts';
import { alarmsStore } from '../../app/alarms.ts';
import { noticesStore } from '../../app/notices.ts';
import { instrumentsStore } from '../../market/instruments.ts';
import { marksStore } from './marks.ts';
import { applyMargin, applyPosition, forgetPositions } from './positions.ts';
import { watchRatios } from './ratio-watch.ts';

const rows = ['BTCUSDT', 'ETHUSDT'].map((symbol) => ({
  ...CONTRACT,
  ...{ symbol, makerFee: amount('0.0002'), takerFee: amount('0.0005'), family: symbol },
}));
const released = vi.fn();
const keep = vi.fn(() => released);
const followed = () => keep.mock.lastCall as unknown as readonly [readonly { readonly symbol: string }[]];

beforeEach(() => {
  vi.clearAllMocks();
  forgetPositions();
  noticesStore.setState({ notices: [] });
  instrumentsStore.setState({ byPlatform: { 1: { status: 'ready', rows } } });
  applyMargin({ ...MARGIN, wallet: '1500' });
});
let end: () => void = () => undefined;
afterEach(() => end());

const held = (row: Partial<PositionRow> = {}) => applyPosition(positionFixture(row));
/** What is said when the mark of BTC gets there. */
function saidAt(price: string): readonly unknown[] {
  noticesStore.setState({ notices: [] });
  marksStore.setState({ '1:SWAP:BTCUSDT': { price: amount(price), at: 0 } });
  return noticesStore
    .getState()
    .notices.map(({ tone, message }) => [tone, 'values' in message ? message.values : undefined]);
}
const binance = (percent: string) => ({ venue: 'Binance', percent });

test('a cross position that nears liquidation as the mark moves is said before anybody tells it', () => {
  held();
  end = watchRatios(keep);
  const alarms = () => alarmsStore.getState().count;
  const before = alarms();
  // 114.6 of 150 is needed, and 114.5 of 125.
  expect(saidAt('59000')).toEqual([]);
  expect(saidAt('57300')).toEqual([['warning', binance('≈ 76.4')]]);
  expect(saidAt('57310')).toEqual([]);
  expect(saidAt('57250')).toEqual([['error', binance('≈ 91.6')]]);
  expect(alarms()).toBe(before + 1);
  expect(saidAt('59500')).toEqual([]);
  expect(saidAt('57300')).toEqual([['warning', binance('≈ 76.4')]]);
});

test('an isolated position has a ratio of its own, which names it and offers to close it', () => {
  held({ marginMode: 'isolated', isolatedMargin: '1500' });
  held({ symbol: 'ETHUSDT' });
  applyMargin({ ...MARGIN, wallet: '9000', updatedAt: 2 });
  end = watchRatios(keep);
  expect(saidAt('57300')).toEqual([['warning', { venue: 'Binance BTCUSDT', percent: '≈ 76.4' }]]);
  expect(noticesStore.getState().notices[0]?.actions).toEqual([
    { label: 'contract.toAddMargin', does: 'add-margin' },
    { label: 'contract.toClose', does: 'close', platform: 1, symbol: 'BTCUSDT' },
  ]);
});

test('the marks of what is held are followed, as long as somebody watches', () => {
  end = watchRatios(keep);
  const second = watchRatios(keep);
  expect(keep).not.toHaveBeenCalled();
  held();
  expect(followed()[0].map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
  held({ updatedAt: 1_700_000_000_001, markPrice: '59000' });
  expect(keep).toHaveBeenCalledTimes(1);
  held({ symbol: 'ETHUSDT' });
  expect(followed()[0].map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  expect(released).toHaveBeenCalledTimes(1);
  end();
  end();
  expect(released).toHaveBeenCalledTimes(1);
  second();
  expect(released).toHaveBeenCalledTimes(2);
  expect(saidAt('57250')).toEqual([]);
});

test('nothing is said of figures that are not known yet', () => {
  instrumentsStore.setState({ byPlatform: {} });
  vi.stubGlobal('fetch', async () => new Promise(() => undefined));
  held();
  end = watchRatios(keep);
  expect(saidAt('57250')).toEqual([]);
  vi.unstubAllGlobals();
});

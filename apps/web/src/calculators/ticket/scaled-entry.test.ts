import { type Amount, amount, type Instrument, ORDER_TYPE, SIDE, TIME_IN_FORCE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { heldStill, type Said } from './held-still.ts';
import {
  averagePrice,
  EMPTY_SCALED,
  keenestPrice,
  movingScaled,
  type ScaledEntry,
  type ScaledError,
  type ScaledScene,
  scaledErrors,
  scaledList,
  scaledOrderOf,
  scaledTimeInForce,
  skewRatio,
  stepCount,
} from './scaled-entry.ts';

const BTC: Instrument = {
  ...{ platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
  ...{
    tickSize: amount('0.1'),
    lotSize: amount('0.001'),
    minPrice: amount('1'),
    maxPrice: amount('1000000'),
  },
  ...{ minQty: amount('0.001'), maxQty: amount('1000'), maxMarketQty: amount('100') },
  ...{ minNotional: amount('5'), contractValue: amount('1'), maxLeverage: 1, status: 'trading' },
};
const SCENE: ScaledScene = {
  ...{ instrument: BTC, side: SIDE.BUY, timeInForce: TIME_IN_FORCE.GTC, from: '100', quantity: amount('1') },
  market: {
    offer: {
      orderTypes: [ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET],
      timesInForce: Object.values(TIME_IN_FORCE),
      ...{ quoteStep: amount('0.01'), marketBuyBound: amount('1.05') },
    },
    ...{ bestBid: amount('99'), bestAsk: amount('101'), priceStale: false },
  },
  ignored: [],
};
const ENTRY: ScaledEntry = { ...EMPTY_SCALED, to: '90' };

describe('the fields of a scaled order', () => {
  test('that are sound make its orders, and nothing is wrong', () => {
    expect(scaledErrors(ENTRY, SCENE)).toEqual([]);
    expect(scaledList(ENTRY, SCENE).map(({ price }) => price)).toEqual(
      ['100', '97.5', '95', '92.5', '90'].map(amount),
    );
  });

  test.each<[string, Partial<ScaledEntry>, Partial<ScaledScene>, Partial<ScaledError>[]]>([
    ['an empty last price', { to: '' }, {}, [{ name: 'field-invalid', field: 'to', missing: true }]],
    ['an empty first price', {}, { from: '' }, [{ name: 'field-invalid', field: 'from', missing: true }]],
    ['a last price of zero', { to: '0' }, {}, [{ name: 'field-invalid', field: 'to' }]],
    ['no size', {}, { quantity: undefined }, [{ name: 'field-invalid', field: 'size', missing: true }]],
    ['one order', { count: '1' }, {}, [{ name: 'field-invalid', field: 'count', allowed: '2 – 20' }]],
    ['twenty-one', { count: '21' }, {}, [{ name: 'field-invalid', field: 'count' }]],
    ['half an order', { count: '2.5' }, {}, [{ name: 'field-invalid', field: 'count' }]],
    ['no count', { count: '' }, {}, [{ name: 'field-invalid', field: 'count' }]],
    ['an end between ticks', { to: '90.05' }, {}, [{ name: 'price-step', field: 'to', allowed: '0.1' }]],
    [
      'an order of too little value, and which',
      {},
      { quantity: amount('0.264') },
      [{ name: 'notional-too-small', field: 'size', allowed: '5 USDT', part: 4 }],
    ],
    [
      'post-only through the book',
      { to: '102' },
      { timeInForce: TIME_IN_FORCE.POST_ONLY },
      [{ name: 'crosses', field: 'to', allowed: '< 101.0' }],
    ],
    [
      'post-only through the book, selling',
      {},
      { side: SIDE.SELL, timeInForce: TIME_IN_FORCE.POST_ONLY },
      [{ name: 'crosses', field: 'to', allowed: '> 99.0' }],
    ],
  ])('say %s at their field', (_claim, entry, scene, errors) => {
    expect(scaledErrors({ ...ENTRY, ...entry }, { ...SCENE, ...scene })).toMatchObject(errors);
  });

  test('list nothing while something is wrong with the orders themselves', () => {
    expect(scaledList({ ...ENTRY, count: '21' }, SCENE)).toEqual([]);
    expect(scaledList(ENTRY, { ...SCENE, quantity: amount('0.264') })).toEqual([]);
  });

  test('a closing one has no smallest value', () => {
    const closing = { ...SCENE, quantity: amount('0.01'), ignored: ['notional-too-small'] as const };
    expect(scaledErrors(ENTRY, closing)).toEqual([]);
  });

  test('only rest: every time in force but post-only is until cancelled', () => {
    expect(Object.values(TIME_IN_FORCE).map(scaledTimeInForce)).toEqual([1, 1, 1, 4]);
  });
});

describe('a bound under the fields of a scaled order', () => {
  const POST_ONLY = { ...SCENE, timeInForce: TIME_IN_FORCE.POST_ONLY };
  const asking = (best: string): ScaledScene => ({
    ...{ ...POST_ONLY, market: { ...POST_ONLY.market, bestAsk: amount(best) } },
  });

  test.each<[string, readonly (readonly [ScaledEntry, ScaledScene])[], readonly string[]]>([
    [
      'stands as it was said while the book moves',
      ['101', '100.9', '100.8'].map((best) => [{ ...ENTRY, to: '102' }, asking(best)] as const),
      ['to < 101.0', 'to < 101.0', 'to < 101.0'],
    ],
    [
      'is of its moment once another price is typed',
      [
        [{ ...ENTRY, to: '102' }, asking('101')],
        [{ ...ENTRY, to: '103' }, asking('100.9')],
      ],
      ['to < 101.0', 'to < 100.9'],
    ],
    [
      'is of its moment once the first price is typed over',
      [
        [ENTRY, { ...asking('101'), from: '102' }],
        [ENTRY, { ...asking('100.9'), from: '103' }],
      ],
      ['from < 101.0', 'from < 100.9'],
    ],
    [
      'goes when the book has gone away from it, and is said anew when it comes back',
      ['101', '102.5', '100.8'].map((best) => [{ ...ENTRY, to: '102' }, asking(best)] as const),
      ['to < 101.0', '', 'to < 100.8'],
    ],
    [
      'that no market moves follows at once',
      [
        [{ ...ENTRY, count: '21' }, asking('101')],
        [{ ...ENTRY, to: '90.05' }, asking('101')],
      ],
      ['count 2 – 20', 'to 0.1'],
    ],
  ])('%s', (_claim, steps, words) => {
    let held: Said<readonly ScaledError[]> | undefined;
    const read = steps.map(([entry, scene]) => {
      const errors = scaledErrors(entry, scene);
      held = heldStill(held, { of: movingScaled(errors, entry, scene), words: errors });
      return held.words.map(({ field, allowed }) => `${field} ${allowed}`).join();
    });
    expect(read).toEqual(words);
  });
});

describe('what stands beside them', () => {
  test('the average price is of the sizes, and never a tick too low', () => {
    expect(averagePrice(scaledList(ENTRY, SCENE), BTC)).toBe(amount('95'));
    const skewed = scaledList({ ...ENTRY, count: '2', skew: 3 }, { ...SCENE, quantity: amount('0.333') });
    const spent = skewed.reduce((sum, { price, quantity }) => sum + price * quantity, 0n);
    const average = averagePrice(skewed, BTC) ?? (0n as Amount);
    expect(average * amount('0.333') >= spent).toBe(true);
    expect((average - BTC.tickSize) * amount('0.333') < spent).toBe(true);
    expect(averagePrice([], BTC)).toBeUndefined();
  });

  test.each([
    [SIDE.BUY, '90', '100'],
    [SIDE.BUY, '110', '110'],
    [SIDE.SELL, '90', '90'],
    [SIDE.SELL, '110', '100'],
  ])('the keenest price of side %i from 100 to %s is %s', (side, to, keenest) => {
    const order = scaledOrderOf({ ...ENTRY, to }, SCENE);
    expect(order && keenestPrice(order, side)).toBe(amount(keenest));
  });

  test.each([
    [-3, '4 : 1'],
    [0, '1 : 1'],
    [2, '1 : 3'],
  ])('skew %i is said as first to last %s', (skew, ratio) => {
    expect(skewRatio(skew)).toBe(ratio);
  });

  test.each([
    ['5', 1, '6'],
    ['20', 1, '20'],
    ['2', -10, '2'],
    ['', 1, '2'],
  ])('a count of %s after %i steps is %s', (count, steps, after) => {
    expect(stepCount(count, steps)).toBe(after);
  });
});

import { type AlgoOffer, amount, SIDE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import {
  type AlgoEntry,
  type AlgoFacts,
  algoRequestOf,
  asksWhole,
  choicesOf,
  EMPTY_ALGO,
  entryOffered,
  timeOfLimit,
} from './algo-entry.ts';
import { algoErrors } from './algo-errors.ts';
import { bracketError, bracketFields } from './brackets.ts';

const OFFER: AlgoOffer = {
  ...{ kinds: ['stop', 'take-profit', 'trailing', 'oco'], triggerBy: ['last', 'mark'], whole: 'one-way' },
  trailing: {
    ratio: { min: amount('0.001'), max: amount('0.1'), step: amount('0.001') },
    distance: false,
  },
  limitTimes: [1],
  ...{ amends: false, locks: false, openMax: 2, perSymbol: false, attached: 'hub' },
};
const FACTS: AlgoFacts = {
  ...{ instrument: CONTRACT, side: SIDE.SELL, offer: OFFER, limit: '57900', timeInForce: 1, waiting: 0 },
  prices: { last: amount('60000'), mark: amount('60010') },
  quantity: amount('0.1'),
  contract: { effect: 0, reduceOnly: true, marginMode: 'cross', leverage: 20 },
};
const PAIR: AlgoFacts = {
  ...{ side: SIDE.SELL, offer: OFFER, limit: '57900', timeInForce: 1, waiting: 0, quantity: amount('0.1') },
  ...{ instrument: { ...CONTRACT, symbolType: 'SPOT' }, prices: { last: amount('60000') } },
};
const entry = (change: Partial<AlgoEntry>): AlgoEntry => ({ ...EMPTY_ALGO, ...change });
const TERMS = { effect: 0, reduceOnly: true, marginMode: 'cross', leverage: 20 };
const BASE = { tinstType: 2, symbol: 'BTCUSDT', side: 2, timeInForce: 1, quantity: '0.1', ...TERMS };

describe('what is sent', () => {
  test.each([
    [
      'a stop of a sell is below',
      { trigger: '58000' },
      { algoType: 'stop', triggerPrice: '58000', triggerBy: 'last' },
    ],
    [
      'above it is a take-profit, by the mark as chosen',
      { trigger: '60020', by: 'mark' },
      { algoType: 'take-profit', triggerPrice: '60020', triggerBy: 'mark' },
    ],
    [
      'a limit goes along',
      { trigger: '58000', market: false },
      { algoType: 'stop', triggerPrice: '58000', triggerBy: 'last', price: '57900' },
    ],
    [
      'a trailing stop by its fraction',
      { choice: 'trailing', callback: '1.5', activation: '61000' },
      { algoType: 'trailing', trailingRatio: '0.015', activation: '61000', triggerBy: 'last' },
    ],
    [
      'both legs of an OCO wait for a price',
      { choice: 'oco', takeProfit: '63000', trigger: '58000' },
      { algoType: 'oco', takeProfit: '63000', takeProfitBy: 'last', stopLoss: '58000', stopLossBy: 'last' },
    ],
  ] as const)('%s', (_, change, fields) => {
    expect(algoRequestOf(entry(change), FACTS)).toEqual({ ...BASE, ...fields });
    expect(algoErrors(entry(change), FACTS)).toEqual([]);
  });

  test('the take-profit of a pair rests in the book where the venue lets it', () => {
    const oco = entry({ choice: 'oco', takeProfit: '63000', trigger: '58000', market: false });
    const asked = {
      ...{ tinstType: 1, symbol: 'BTCUSDT', side: 2, timeInForce: 1, quantity: '0.1', algoType: 'oco' },
      ...{ stopLoss: '58000', stopLossPrice: '57900', stopLossBy: 'last' },
    };
    const binance = { ...PAIR, offer: { ...OFFER, targetRests: true } } as const;
    expect(algoRequestOf(oco, binance)).toEqual({ ...asked, takeProfitPrice: '63000' });
    expect(algoErrors(oco, binance)).toEqual([]);
    // Elsewhere it waits for its price as the stop does.
    expect(algoRequestOf(oco, PAIR)).toEqual({ ...asked, takeProfit: '63000', takeProfitBy: 'last' });
  });

  test('all of a position needs no size and only ever closes', () => {
    const facts = { ...FACTS, contract: { effect: 0, reduceOnly: false } as const };
    const { quantity, ...rest } = algoRequestOf(entry({ trigger: '58000', whole: true }), facts);
    expect({ quantity, ...rest }).toMatchObject({ quantity: undefined, whole: true, reduceOnly: true });
  });

  test('a leg of hedge mode sends its size where the venue knows the whole in one-way mode alone', () => {
    const facts = { ...FACTS, contract: { effect: 1, reduceOnly: true } as const };
    expect(algoRequestOf(entry({ trigger: '58000', whole: true }), facts)).toMatchObject({ quantity: '0.1' });
  });
});

test.each([
  ['a time that the venue has not becomes GTC', { market: false }, 3, 1],
  ['one that it has stays', { market: false }, 2, 2],
  ['what is at market has none', {}, 2, 1],
  ['nor has what trails', { choice: 'trailing', market: false }, 2, 1],
] as const)('%s', (_claim, change, timeInForce, sent) => {
  const offer = { ...OFFER, limitTimes: [1, 2] as const };
  expect(timeOfLimit(entry(change), { timeInForce, offer })).toBe(sent);
});

test('the whole position is sent at market, at a limit only where the venue has that, and never trails', () => {
  const limited = { ...OFFER, wholeAtLimit: true } as const;
  const asked = [entry({}), entry({ market: false }), entry({ choice: 'trailing' })];
  expect(asked.map((one) => asksWhole(one, OFFER, 0))).toEqual([true, false, false]);
  expect(asked.map((one) => asksWhole(one, limited, 0))).toEqual([true, true, false]);
});

describe('what is wrong is said at its field', () => {
  test.each([
    ['nothing filled in', {}, {}, 'field-invalid', 'trigger'],
    ['a limit is missing', { trigger: '58000', market: false }, { limit: '' }, 'field-invalid', 'limit'],
    ['off the tick', { trigger: '58000.05' }, {}, 'price-step', 'trigger'],
    ['the price of now', { trigger: '60000' }, {}, 'trigger-at-once', 'trigger'],
    ['too far behind', { choice: 'trailing', callback: '11' }, {}, 'trailing-range', 'callback'],
    ['between the steps', { choice: 'trailing', callback: '0.15' }, {}, 'trailing-range', 'callback'],
    [
      'an OCO whose stop is above',
      { choice: 'oco', takeProfit: '63000', trigger: '61000' },
      {},
      'targets-of-long',
      'trigger',
    ],
    ['as many as the venue takes', { trigger: '58000' }, { waiting: 2 }, 'algo-limit', 'form'],
    ['a size off the lot', { trigger: '58000' }, { quantity: amount('0.0005') }, 'quantity-step', 'size'],
  ] as const)('%s: %o %o', (...row) => {
    const [, change, facts, name, field] = row;
    expect(algoErrors(entry(change), { ...FACTS, ...facts })[0]).toMatchObject({ name, field });
  });

  test('without a price of now nothing is opened, for it may be a stop or a take-profit; what closes is sent', () => {
    const facts = { ...FACTS, prices: {} };
    const stop = entry({ trigger: '60000' });
    const contract = { effect: 0, reduceOnly: false } as const;
    expect(algoErrors(stop, { ...facts, contract })).toEqual([
      { name: 'price-missing', field: 'trigger', allowed: '' },
    ]);
    expect(algoErrors(stop, { ...facts, contract: { ...contract, reduceOnly: true } })).toEqual([]);
  });
});

test('what a venue has not is not chosen', () => {
  const { trailing: _, ...offer } = {
    ...OFFER,
    kinds: ['stop', 'take-profit'],
    triggerBy: ['last'],
  } as const;
  expect(choicesOf(offer)).toEqual(['stop']);
  // What hangs on a position is set there.
  const kinds = ['stop', 'trailing'] as const;
  expect(choicesOf({ kinds, trailing: { distance: true, ofPosition: true } })).toEqual(['stop']);
  expect(choicesOf({ kinds, trailing: { distance: true } })).toEqual(['stop', 'trailing']);
  const kept = entry({ choice: 'oco', by: 'mark', callbackIn: 'percent' });
  expect(entryOffered(kept, offer)).toMatchObject({ choice: 'stop', by: 'last' });
  const trails = entry({ choice: 'trailing', by: 'mark' });
  const byLast = { ...OFFER, trailing: { distance: true, by: ['last'] as const } };
  expect(entryOffered(trails, byLast)).toMatchObject({ choice: 'trailing', by: 'last' });
  expect(entryOffered(trails, OFFER)).toMatchObject({ by: 'mark' });
});

describe('a bracket of an order', () => {
  const order = { side: SIDE.BUY, price: amount('60000'), instrument: CONTRACT };
  const bracket = { takeProfit: amount('63000'), stopLoss: amount('58000') };

  test('stands around its price', () => {
    expect(bracketError(bracket, 'mark', order, OFFER)).toBeUndefined();
    expect(bracketFields(bracket, 'mark')).toEqual({
      ...{ takeProfit: '63000', takeProfitBy: 'mark', stopLoss: '58000', stopLossBy: 'mark' },
    });
  });

  test('sends limits where they were asked for', () => {
    const limits = { takeProfit: amount('62900'), stopLoss: amount('57900') };
    expect(bracketFields({ ...bracket, limits }, 'last')).toMatchObject({
      ...{ takeProfitPrice: '62900', stopLossPrice: '57900' },
    });
    const one = { takeProfit: undefined, stopLoss: amount('58000'), limits };
    expect(bracketFields(one, 'last')).toEqual({
      ...{ stopLoss: '58000', stopLossPrice: '57900', stopLossBy: 'last' },
    });
  });

  test.each([
    ['buy', SIDE.BUY, { limits: { takeProfit: amount('0') } }, 'field-invalid', 'takeProfit'],
    ['buy', SIDE.BUY, { limits: { takeProfit: amount('62999.95') } }, 'price-step', 'takeProfit'],
    ['buy', SIDE.BUY, { limits: { stopLoss: amount('57999.95') } }, 'price-step', 'stopLoss'],
    ['buy', SIDE.BUY, { stopLoss: amount('60000') }, 'targets-above-below', 'stopLoss'],
    ['buy', SIDE.BUY, { takeProfit: amount('59000') }, 'targets-above-below', 'takeProfit'],
    ['sell', SIDE.SELL, {}, 'targets-below-above', 'stopLoss'],
    ['buy', SIDE.BUY, { takeProfit: undefined, stopLoss: undefined }, 'field-invalid', 'takeProfit'],
  ] as const)('of a %s is refused on the wrong side', (...row) => {
    const [, side, change, name, field] = row;
    const found = bracketError({ ...bracket, ...change }, 'last', { ...order, side }, OFFER);
    expect(found).toMatchObject({ name, field });
  });
});

describe('an iceberg', () => {
  const offer: AlgoOffer = {
    ...{ ...OFFER, kinds: ['stop', 'iceberg'] },
    iceberg: {
      ratio: { min: amount('0.0001'), max: amount('0.01'), step: amount('0.0001') },
      ...{ distance: true, slicesMax: 10, openMax: 20 },
    },
  };
  // Counted in hundredths of a coin.
  const instrument = {
    ...CONTRACT,
    contractValue: amount('0.01'),
    lotSize: amount('0.1'),
    minQty: amount('0.1'),
  };
  const facts: AlgoFacts = { ...FACTS, offer, instrument, quantity: amount('50'), limit: '60000' };
  const berg = (change: Partial<AlgoEntry>) =>
    entry({ choice: 'iceberg', visible: '0.1', callback: '0.05', ...change });

  test.each([
    ['behind by a share', {}, { behindRatio: '0.0005' }],
    ['behind by a distance', { callback: '5', callbackIn: 'distance' }, { behindDistance: '5' }],
  ] as const)('%s: coins are sent as the exchange counts', (_claim, change, far) => {
    expect(algoErrors(berg(change), facts)).toEqual([]);
    const asked = { algoType: 'iceberg', price: '60000', visibleQuantity: '10', quantity: '50', ...far };
    expect(algoRequestOf(berg({ ...change, whole: true }), facts)).toEqual({ ...BASE, ...asked });
  });

  test.each<[string, Partial<AlgoEntry>, Partial<AlgoFacts>, object[]]>([
    ['its limit', {}, { limit: '' }, [{ name: 'field-invalid', field: 'limit', missing: true }]],
    ['what shows', { visible: '' }, {}, [{ name: 'field-invalid', field: 'visible', missing: true }]],
    ['how far behind', { callback: '' }, {}, [{ name: 'field-invalid', field: 'callback', missing: true }]],
    [
      'less than a step',
      { visible: '0.1005' },
      {},
      [{ name: 'quantity-step', field: 'visible', allowed: '0.001' }],
    ],
    [
      'more than all',
      { visible: '0.6' },
      {},
      [{ name: 'quantity-range', field: 'visible', allowed: '0.05 – 0.5' }],
    ],
    ['too many parts', { visible: '0.02' }, {}, [{ name: 'quantity-range', field: 'visible' }]],
    [
      ...(['too far behind', { callback: '2' }, {}] as const),
      [{ name: 'behind-range', field: 'callback', allowed: '0.01 – 1 % (0.01 %)' }],
    ],
  ])('without %s is told at its field', (_claim, change, more, expected) => {
    expect(algoErrors(berg(change), { ...facts, ...more })).toMatchObject(expected);
  });

  test('is told of a share or a distance as the exchange has it', () => {
    const kept = entry({ choice: 'iceberg', callbackIn: 'distance' });
    expect(entryOffered(kept, offer)).toMatchObject({ choice: 'iceberg', callbackIn: 'distance' });
    expect(entryOffered(kept, OFFER)).toMatchObject({ choice: 'stop' });
  });
});

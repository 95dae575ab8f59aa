import { describe, expect, test } from 'vitest';
import type { AlgoLeg, AlgoOffer, AlgoPlan, Trailing, TriggerBy } from '../algo-order.ts';
import { amount, formatAmount } from '../amount.ts';
import { SIDE, type Side, TIME_IN_FORCE } from '../order.ts';
import { algoFaults, trailingBuyMax } from './algo-checks.ts';
import { algoHold } from './algo-hold.ts';
import type { AlgoFault, AlgoMarket, AlgoRequest } from './algo-request.ts';
import { BTCUSDT } from './btcusdt.fixture.ts';
import { type OrderTargets, targetsFault } from './target-checks.ts';

/** Each rule at its border, and what it says would be right. */

const OFFER: AlgoOffer = {
  kinds: ['stop', 'take-profit', 'trailing', 'oco'],
  ...{ triggerBy: ['last', 'mark'], whole: 'one-way', limitTimes: [TIME_IN_FORCE.GTC, TIME_IN_FORCE.IOC] },
  trailing: {
    ratio: { min: amount('0.001'), max: amount('0.1'), step: amount('0.001') },
    distance: true,
  },
  ...{ amends: false, locks: true, openMax: 5, perSymbol: true, attached: 'hub' },
};
const PRICES = { last: amount('100'), mark: amount('110') };
const PERP = { ...BTCUSDT, symbolType: 'SWAP' } as const;
const CLOSES = { closes: true, positionMode: 'one-way' } as const;
const OPENS = { closes: false, positionMode: 'one-way' } as const;
const HEDGE = { closes: true, positionMode: 'hedge' } as const;
const closing = { instrument: PERP, contract: CLOSES } as const;

/** `99` waits for that price, `99 98` then sends a limit, `- 98` rests from the start; by the last price. */
function leg(text: string, by: TriggerBy = 'last'): AlgoLeg {
  const [price = '-', limit] = text.split(' ');
  return {
    ...(price === '-' ? {} : { trigger: { price: amount(price), by } }),
    ...(limit === undefined ? {} : { limit: amount(limit) }),
  };
}
const stop = (text: string, by?: TriggerBy): AlgoPlan => ({ kind: 'stop', leg: leg(text, by) });
const target = (text: string): AlgoPlan => ({ kind: 'take-profit', leg: leg(text) });
const oco = (takes: string, stops: string, by?: TriggerBy): AlgoPlan => ({
  ...{ kind: 'oco', takeProfit: leg(takes, by), stopLoss: leg(stops) },
});
const trail = (part: Readonly<Record<string, string>>, by: TriggerBy = 'last'): AlgoPlan => ({
  kind: 'trailing',
  trailing: { ...Object.fromEntries(Object.entries(part).map(([name, text]) => [name, amount(text)])), by },
});
const sell = (plan: AlgoPlan, part: Partial<AlgoRequest> = {}): AlgoRequest => ({
  ...{ instrument: BTCUSDT, side: SIDE.SELL, plan, quantity: amount('1') },
  ...part,
});
const buy = (plan: AlgoPlan, part: Partial<AlgoRequest> = {}) => sell(plan, { side: SIDE.BUY, ...part });
const sized = (quantity: string) => ({ quantity: amount(quantity) });
const { quantity: _none, ...wholeOf } = sell(stop('99'), { ...closing, whole: true });
const { quantity: _neither, ...unsized } = sell(stop('99'));

const first = (request: AlgoRequest, market: Partial<AlgoMarket>): AlgoFault | undefined =>
  algoFaults(request, { offer: OFFER, prices: PRICES, ...market })[0];

/** An offer that differs from the one above. */
const offered = (part: Partial<AlgoOffer>): Partial<AlgoMarket> => ({ offer: { ...OFFER, ...part } });
const { trailing: _trailing, ...noTrailing } = OFFER;
const ratioAlone = offered({ trailing: { ...OFFER.trailing, distance: false } });
const resting = offered({ targetRests: true });
const trailsByLast = offered({ trailing: { ...OFFER.trailing, distance: true, by: ['last'] } });
const hanging = offered({ trailing: { distance: true, by: ['last'], ofPosition: true } });
const blind = { prices: {} };

describe('sound is', () => {
  test.each<[string, AlgoRequest, Partial<AlgoMarket>]>([
    ['a price at the lower bound', sell(stop('1'), sized('5')), {}],
    ['a price at the upper bound', sell(target('1000000')), {}],
    ['a distance below all prices', sell(trail({ distance: '0.1' })), {}],
    ['the smallest ratio', sell(trail({ ratio: '0.001' })), {}],
    ['the largest ratio', sell(trail({ ratio: '0.1' })), {}],
    ['a ratio without a range', sell(trail({ distance: '5' })), offered({ trailing: { distance: true } })],
    ['the smallest quantity', sell(stop('99'), { ...closing, ...sized('0.001') }), {}],
    ['the largest market quantity', sell(stop('99'), sized('100')), {}],
    ['the largest quantity of a limit', sell(stop('99 98'), sized('1000')), {}],
    ['the smallest value, at the limit', sell(stop('99 10'), sized('0.5')), {}],
    ['the smallest value, at the trigger', sell(stop('10'), sized('0.5')), {}],
    ['a whole of either mode', { ...wholeOf, contract: HEDGE }, offered({ whole: 'always' })],
    ['a whole in one-way mode', wholeOf, {}],
    ['a whole that hangs', { ...wholeOf, plan: trail({ distance: '99.9' }) }, hanging],
    ['a whole at a limit', { ...wholeOf, plan: stop('99 98') }, offered({ wholeAtLimit: true })],
    ['a time that limits may have', sell(stop('99 98'), { timeInForce: TIME_IN_FORCE.IOC }), {}],
    ['a time of what is at market', sell(stop('99'), { timeInForce: TIME_IN_FORCE.FOK }), {}],
    ['a time of what trails', sell(trail({ distance: '5' }), { timeInForce: TIME_IN_FORCE.FOK }), {}],
    ['a time of what rests', sell(oco('- 120', '80'), { timeInForce: TIME_IN_FORCE.FOK }), resting],
    ['a side that reduces', sell(stop('99'), { ...closing, contract: { ...CLOSES, reduceOnly: true } }), {}],
    ['a part in hedge mode', sell(stop('99'), { ...closing, contract: HEDGE }), offered({ whole: 'never' })],
    ['a pair whose target rests', sell(oco('- 120', '80')), resting],
    ['a pair whose target waits by the mark', sell(oco('111', '80', 'mark')), {}],
    ['a pair of which nothing is known', sell(oco('99', '80')), blind],
    ['a pair that opens a contract', sell(oco('120', '80'), { instrument: PERP, contract: OPENS }), {}],
    ['a trailing buy that begins below', buy(trail({ ratio: '0.01', activation: '99.9' })), {}],
    ['a trailing sell by the mark', sell(trail({ ratio: '0.01', activation: '110.1' }, 'mark')), {}],
    [
      'a trailing order of which nothing is known',
      sell(trail({ ratio: '0.01', activation: '1' }), sized('9')),
      blind,
    ],
  ])('%s', (_claim, request, market) => expect(first(request, market)).toBeUndefined());
});

describe('refused is', () => {
  const combination = (sentence: string, field?: AlgoFault['field'] & string): AlgoFault => ({
    ...{ name: 'order-combination', allowed: [sentence] },
    ...(field === undefined ? {} : { field }),
  });
  const missing = (field: AlgoFault['field'] & string, what: string): AlgoFault => ({
    ...{ name: 'algo-not-offered', field, given: 'BTCUSDT', allowed: [what] },
  });
  const range = (field: AlgoFault['field'] & string): AlgoFault => ({
    ...{ name: 'price-range', field, allowed: ['1', '1000000'] },
  });
  const step = (field: AlgoFault['field'] & string): AlgoFault => ({
    ...{ name: 'price-step', field, allowed: ['0.1'] },
  });
  const trails: AlgoFault = { name: 'trailing-range', field: 'trailingRatio', allowed: ['0.001', '0.1'] };
  const trailsBy = (...allowed: readonly string[]): AlgoFault => ({
    ...{ name: 'trailing-range', field: 'trailingDistance', allowed },
  });
  const tooMuch = (most: string): AlgoFault => ({
    ...{ name: 'quantity-range', field: 'quantity', allowed: ['0.001', most] },
  });
  const atOnce = (field: 'activation' | 'triggerPrice', allowed: string): AlgoFault => ({
    ...{ name: 'trigger-at-once', field, allowed: [allowed] },
  });
  const small: AlgoFault = { name: 'notional-too-small', field: 'quantity', allowed: ['5 USDT'] };
  const both = 'exactly one of quantity and whole';
  const forContracts = 'position settings are for contracts';
  const oneDistance = 'exactly one of trailingRatio and trailingDistance';
  const halted = { ...BTCUSDT, status: 'halted' } as const;

  test.each<[string, AlgoRequest, Partial<AlgoMarket>, AlgoFault]>([
    [
      'a halted pair',
      sell(stop('99'), { instrument: halted }),
      {},
      { name: 'symbol-halted', given: 'BTCUSDT' },
    ],
    ['no size', unsized, {}, combination(both)],
    ['both sizes', sell(stop('99'), { ...closing, whole: true }), {}, combination(both)],
    ['a pair with settings', sell(stop('99'), { contract: CLOSES }), {}, combination(forContracts)],
    ['a contract without', sell(stop('99'), { instrument: PERP }), {}, combination(forContracts)],
    [
      ...(['a whole that opens', { ...wholeOf, contract: OPENS }, {}] as const),
      combination('the whole of a position is only ever closed', 'whole'),
    ],
    ['two distances', sell(trail({ ratio: '0.01', distance: '5' })), {}, combination(oneDistance)],
    ['no distance', sell(trail({})), {}, combination(oneDistance)],
    [
      'a stop without a trigger',
      sell(stop('- 99')),
      {},
      combination('a trigger price is needed', 'triggerPrice'),
    ],
    [
      'a target without a trigger',
      sell(target('- 120')),
      {},
      combination('a trigger price is needed', 'triggerPrice'),
    ],
    [
      'a pair without a stop',
      sell(oco('120', '- 80')),
      {},
      combination('a trigger price is needed', 'stopLoss'),
    ],
    [
      ...(['a pair without a target', sell(oco('-', '80')), {}] as const),
      combination('takeProfit or takeProfitPrice is needed', 'takeProfit'),
    ],
    ['a kind', sell(target('120')), offered({ kinds: ['stop'] }), missing('algoType', 'take-profit')],
    ['a trigger', sell(stop('99', 'index')), {}, missing('triggerBy', 'a trigger by index price')],
    [
      'a trigger of a pair',
      sell(oco('120', '80', 'index')),
      {},
      missing('takeProfitBy', 'a trigger by index price'),
    ],
    [
      'a trail',
      sell(trail({ ratio: '0.01' }, 'index')),
      {},
      missing('triggerBy', 'a trigger by index price'),
    ],
    ['a whole', wholeOf, offered({ whole: 'never' }), missing('whole', 'the whole position')],
    ['a whole in hedge mode', { ...wholeOf, contract: HEDGE }, {}, missing('whole', 'the whole position')],
    [
      ...(['a whole at a limit', { ...wholeOf, plan: stop('99 98') }, {}] as const),
      missing('price', 'the whole position at a limit'),
    ],
    [
      ...(['a whole that trails', { ...wholeOf, plan: trail({ distance: '5' }) }, {}] as const),
      missing('whole', 'the whole position by a trailing stop'),
    ],
    [
      ...(['a part of what hangs', sell(trail({ distance: '5' }), closing), hanging] as const),
      missing('quantity', 'a trailing stop of a part of a position'),
    ],
    [
      ...(['a share of what hangs', { ...wholeOf, plan: trail({ ratio: '0.01' }) }, hanging] as const),
      missing('trailingRatio', 'trailingRatio'),
    ],
    [
      ...([
        'a distance below all prices',
        { ...wholeOf, plan: trail({ distance: '0.9' }) },
        hanging,
      ] as const),
      trailsBy('1', '100'),
    ],
    [
      ...([
        'a distance as far as the price',
        { ...wholeOf, plan: trail({ distance: '100' }) },
        hanging,
      ] as const),
      trailsBy('1', '100'),
    ],
    [
      'a distance as far as it begins',
      { ...wholeOf, plan: trail({ distance: '120', activation: '120' }) },
      hanging,
      trailsBy('1', '120'),
    ],
    [
      ...(['a time', sell(stop('99 98'), { timeInForce: TIME_IN_FORCE.FOK }), {}] as const),
      missing('timeInForce', 'FOK for what a trigger sends'),
    ],
    [
      ...([
        'a time of one leg of a pair',
        sell(oco('120', '80 79'), { timeInForce: TIME_IN_FORCE.POST_ONLY }),
        {},
      ] as const),
      missing('timeInForce', 'post-only for what a trigger sends'),
    ],
    [
      ...(['a trail by the mark', sell(trail({ distance: '5' }, 'mark')), trailsByLast] as const),
      missing('triggerBy', 'a trigger by mark price'),
    ],
    [
      ...([
        'a leg that opens and should reduce',
        sell(stop('99'), { ...closing, contract: { ...HEDGE, closes: false, reduceOnly: true } }),
        {},
      ] as const),
      combination('this side opens the leg and cannot reduce it', 'reduceOnly'),
    ],
    [
      'a distance',
      sell(trail({ distance: '5' })),
      ratioAlone,
      missing('trailingDistance', 'trailingDistance'),
    ],
    [
      'a distance without trails',
      sell(trail({ distance: '5' })),
      { offer: noTrailing },
      missing('trailingDistance', 'trailingDistance'),
    ],
    [
      ...(['a ratio', sell(trail({ ratio: '0.01' })), offered({ trailing: { distance: true } })] as const),
      missing('trailingRatio', 'trailingRatio'),
    ],
    [
      'a ratio without trails',
      sell(trail({ ratio: '0.01' })),
      { offer: noTrailing },
      missing('trailingRatio', 'trailingRatio'),
    ],
    ['a trigger off the step', sell(stop('99.05')), {}, step('triggerPrice')],
    ['a limit off the step', sell(stop('99 98.05')), {}, step('price')],
    ['a target off the step', sell(oco('120.05', '80')), {}, step('takeProfit')],
    ['a resting target off the step', sell(oco('- 120.05', '80')), resting, step('takeProfitPrice')],
    ['a stop off the step', sell(oco('120', '80.05')), {}, step('stopLoss')],
    ['a limit of a stop off the step', sell(oco('120', '80 79.05')), {}, step('stopLossPrice')],
    ['a distance off the step', sell(trail({ distance: '5.05' })), {}, step('trailingDistance')],
    [
      'a beginning off the step',
      sell(trail({ distance: '5', activation: '120.05' })),
      {},
      step('activation'),
    ],
    ['a trigger too low', sell(stop('0.9')), {}, range('triggerPrice')],
    ['a trigger too high', sell(target('1000000.1')), {}, range('triggerPrice')],
    [
      'a beginning too high',
      sell(trail({ distance: '5', activation: '1000000.1' })),
      {},
      range('activation'),
    ],
    ['a ratio too small', sell(trail({ ratio: '0.0009' })), {}, trails],
    ['a ratio too large', sell(trail({ ratio: '0.101' })), {}, trails],
    ['a ratio off its step', sell(trail({ ratio: '0.0015' })), {}, trails],
    ['a target at the stop', sell(oco('80', '80')), {}, { name: 'targets-of-long', field: 'takeProfit' }],
    ['a target at the price', sell(oco('100', '80')), {}, { name: 'targets-of-long', field: 'takeProfit' }],
    [
      'a resting target where both legs wait',
      sell(oco('- 120', '80')),
      {},
      missing('takeProfit', 'a take-profit that rests in the book'),
    ],
    [
      'a resting target at the price',
      sell(oco('- 100', '80')),
      resting,
      { name: 'targets-of-long', field: 'takeProfit' },
    ],
    [
      'a target at the mark',
      sell(oco('110', '80', 'mark')),
      {},
      { name: 'targets-of-long', field: 'takeProfit' },
    ],
    ['a stop at the price', sell(oco('120', '100')), {}, { name: 'targets-of-long', field: 'stopLoss' }],
    [
      'a target at the stop of a buy',
      buy(oco('80', '80')),
      blind,
      { name: 'targets-of-short', field: 'takeProfit' },
    ],
    [
      'a target at the price of a buy',
      buy(oco('100', '120')),
      {},
      { name: 'targets-of-short', field: 'takeProfit' },
    ],
    [
      'a stop at the price of a buy',
      buy(oco('80', '100')),
      {},
      { name: 'targets-of-short', field: 'stopLoss' },
    ],
    ['a stop of a sell at the price', sell(stop('100')), {}, atOnce('triggerPrice', '< 100')],
    ['a stop of a buy at the mark', buy(stop('110', 'mark')), {}, atOnce('triggerPrice', '> 110')],
    ['a target of a sell at the price', sell(target('100')), {}, atOnce('triggerPrice', '> 100')],
    ['a target of a buy at the price', buy(target('100')), {}, atOnce('triggerPrice', '< 100')],
    [
      ...([
        'a trailing buy that begins at the price',
        buy(trail({ ratio: '0.01', activation: '100' })),
        {},
      ] as const),
      atOnce('activation', '< 100'),
    ],
    [
      ...([
        'a trailing sell that begins at the mark',
        sell(trail({ ratio: '0.01', activation: '110' }, 'mark')),
        {},
      ] as const),
      atOnce('activation', '> 110'),
    ],
    [
      ...(['a quantity off the step', sell(stop('99'), sized('1.0001')), {}] as const),
      { name: 'quantity-step', field: 'quantity', allowed: ['0.001'] },
    ],
    ['no quantity', sell(stop('99'), sized('0')), {}, tooMuch('100')],
    ['too much at market', sell(stop('99'), sized('100.001')), {}, tooMuch('100')],
    ['too much of a trail', sell(trail({ ratio: '0.01' }), sized('100.001')), {}, tooMuch('100')],
    [
      'too much of a pair with one market leg',
      sell(oco('- 120', '80'), sized('100.001')),
      resting,
      tooMuch('100'),
    ],
    ['too much of a limit', sell(stop('99 98'), sized('1000.001')), {}, tooMuch('1000')],
    ['too little at the limit', sell(stop('99 10'), sized('0.499')), {}, small],
    ['too little at the trigger', sell(stop('10'), sized('0.499')), {}, small],
    ['too little in the cheaper leg', sell(oco('120', '10'), sized('0.1')), {}, small],
    [
      ...([
        'too little of a contract',
        sell(stop('99'), { instrument: PERP, contract: OPENS, ...sized('0.05') }),
        {},
      ] as const),
      small,
    ],
  ])('%s', (...[, request, market, fault]) => expect(first(request, market)).toEqual(fault));

  test('a contract counts what it stands for', () => {
    const instrument = { ...PERP, contractValue: amount('0.01') };
    const opening = (quantity: string) =>
      sell(stop('99 50'), { instrument, contract: OPENS, ...sized(quantity) });
    expect(first(opening('10'), {})).toBeUndefined();
    expect(first(opening('9.999'), {})).toEqual(small);
  });
});

describe('the targets of an order', () => {
  const faultOf = (
    targets: OrderTargets,
    part: { side?: Side; price?: string; instrument?: typeof PERP } = {},
  ) => {
    const { side = SIDE.BUY, price = '100', instrument = BTCUSDT } = part;
    const order = { side, price: price === '-' ? undefined : amount(price), instrument };
    const fault = targetsFault(order, targets, OFFER);
    return fault === undefined ? 'sound' : `${fault.name} at ${fault.field}`;
  };
  const takes = (text: string): OrderTargets => ({ takeProfit: leg(text) });
  const stops = (text: string): OrderTargets => ({ stopLoss: leg(text) });
  test.each<[string, OrderTargets, Parameters<typeof faultOf>[1], string]>([
    ['none', {}, {}, 'sound'],
    ['of an order without a price', { ...takes('50'), ...stops('150') }, { price: '-' }, 'sound'],
    ['of a contract', { ...takes('101'), ...stops('99') }, { instrument: PERP }, 'sound'],
    ['worth less than an order must be', stops('1.1'), {}, 'sound'],
    ['of a sell', { ...takes('99'), ...stops('101') }, { side: SIDE.SELL }, 'sound'],
    [
      'a target of a sell at its price',
      takes('100'),
      { side: SIDE.SELL },
      'targets-below-above at takeProfit',
    ],
    ['a stop of a sell at its price', stops('100'), { side: SIDE.SELL }, 'targets-below-above at stopLoss'],
    ['a stop of a sell below', stops('99'), { side: SIDE.SELL }, 'targets-below-above at stopLoss'],
    ['a stop of a buy above', stops('101'), {}, 'targets-above-below at stopLoss'],
    ['both wrong', { ...takes('99'), ...stops('101') }, {}, 'targets-above-below at stopLoss'],
    ['a limit off the step', takes('101 100.95'), {}, 'price-step at takeProfitPrice'],
    ['a limit of a stop off the step', stops('99 98.95'), {}, 'price-step at stopLossPrice'],
    ['a stop off the step', stops('98.95'), {}, 'price-step at stopLoss'],
    ['a stop that waits for nothing', stops('- 98'), {}, 'order-combination at stopLoss'],
  ])('%s', (...[, targets, part, answer]) => expect(faultOf(targets, part)).toBe(answer));

  test('wait only for what the venue follows', () => {
    const order = { side: SIDE.BUY, price: amount('100'), instrument: BTCUSDT };
    expect(targetsFault(order, { stopLoss: leg('99', 'index') }, OFFER)).toMatchObject({
      ...{ name: 'algo-not-offered', field: 'stopLossBy' },
    });
    const stopAlone = { ...OFFER, kinds: ['stop'] as const };
    expect(targetsFault(order, { stopLoss: leg('99') }, stopAlone)).toBeUndefined();
    expect(targetsFault(order, { takeProfit: leg('101') }, stopAlone)).toMatchObject({
      ...{ name: 'algo-not-offered', field: 'takeProfit' },
    });
  });
});

describe('a buy of an algo order holds its quantity at', () => {
  const CHEAP = { ...BTCUSDT, maxPrice: amount('103') };
  const twice = sized('2');
  test.each<[string, AlgoRequest, AlgoMarket['prices'], string | undefined]>([
    ['its limit', buy(stop('120 121'), twice), PRICES, '242'],
    ['its trigger and 5 %', buy(stop('120'), twice), PRICES, '252'],
    ['that on the step', buy(stop('120.1'), twice), PRICES, '252.2'],
    ['no more than the highest price', buy(stop('101'), { ...twice, instrument: CHEAP }), PRICES, '206'],
    ['the target where it is dearer', buy(oco('- 90', '50'), twice), PRICES, '180'],
    ['the stop where it is dearer', buy(oco('- 90', '120'), twice), PRICES, '252'],
    ['a way back from the price', buy(trail({ distance: '5' }), twice), PRICES, '220.4'],
    ['a way back from where it begins', buy(trail({ distance: '5', activation: '80' }), twice), {}, '178.4'],
    ['a share back from the mark', buy(trail({ ratio: '0.1' }, 'mark'), twice), PRICES, '254'],
    ['no price that is known', buy(trail({ ratio: '0.1' }), twice), { mark: amount('1') }, undefined],
    ['no quantity that is known', { ...unsized, side: SIDE.BUY }, PRICES, undefined],
  ])('%s', (...[, request, prices, held]) => {
    const hold = algoHold(request, { prices }, amount('1.05'));
    expect(hold).toEqual(held === undefined ? undefined : { asset: 'USDT', amount: amount(held) });
  });

  test.each<[Omit<Trailing, 'by'>, string]>([
    [{ distance: amount('5') }, '105'],
    [{ ratio: amount('0.01') }, '101'],
    [{}, '100'],
  ])('%o from 100: %s', (trailing, price) => {
    expect(formatAmount(trailingBuyMax({ ...trailing, by: 'last' }, amount('100')))).toBe(price);
  });
});

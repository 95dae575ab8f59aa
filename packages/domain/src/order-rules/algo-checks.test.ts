import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AlgoOffer, AlgoPlan } from '../algo-order.ts';
import { type Amount, amount, mulUp, ZERO } from '../amount.ts';
import { notionalUp } from '../instrument.ts';
import { SIDE, type Side, TIME_IN_FORCE } from '../order.ts';
import { algoFaults } from './algo-checks.ts';
import { algoHold } from './algo-hold.ts';
import type { AlgoFaultName, AlgoRequest } from './algo-request.ts';
import { BTCUSDT } from './btcusdt.fixture.ts';
import { targetsFault } from './target-checks.ts';

const OFFER: AlgoOffer = {
  kinds: ['stop', 'take-profit', 'trailing', 'oco'],
  ...{ triggerBy: ['last', 'mark'], targetRests: true },
  whole: 'one-way',
  limitTimes: [TIME_IN_FORCE.GTC],
  trailing: {
    ratio: { min: amount('0.001'), max: amount('0.1'), step: amount('0.001') },
    distance: false,
  },
  ...{ amends: false, locks: true, openMax: 5, perSymbol: true, attached: 'hub' },
};
const MARKET = { offer: OFFER, prices: { last: amount('100'), mark: amount('110') } };
const PERP = { ...BTCUSDT, symbolType: 'SWAP' } as const;
const CLOSES = { closes: true, positionMode: 'one-way' } as const;
const HEDGE = { closes: true, positionMode: 'hedge' } as const;
const at = (price: string, limit?: string, by: 'last' | 'mark' | 'index' = 'last') => ({
  trigger: { price: amount(price), by },
  ...(limit === undefined ? {} : { limit: amount(limit) }),
});
const stop = (price: string, limit?: string, by?: 'last' | 'mark' | 'index'): AlgoPlan => ({
  kind: 'stop',
  leg: at(price, limit, by),
});
const target = (price: string): AlgoPlan => ({ kind: 'take-profit', leg: at(price) });
const trail = (part: Readonly<Record<string, string>>): AlgoPlan => ({
  kind: 'trailing',
  trailing: {
    ...Object.fromEntries(Object.entries(part).map(([name, text]) => [name, amount(text)])),
    by: 'last',
  },
});
const oco = (takeProfit: string, stopLoss: string): AlgoPlan => ({
  kind: 'oco',
  takeProfit: { limit: amount(takeProfit) },
  stopLoss: at(stopLoss),
});
const sell = (plan: AlgoPlan, part: Partial<AlgoRequest> = {}): AlgoRequest => ({
  ...{ instrument: BTCUSDT, side: SIDE.SELL, plan, quantity: amount('1') },
  ...part,
});
const buy = (plan: AlgoPlan, part: Partial<AlgoRequest> = {}) => sell(plan, { side: SIDE.BUY, ...part });
const { quantity: _none, ...noQuantity } = sell(stop('90'));

describe('an algo order', () => {
  test.each<[string, AlgoRequest]>([
    ['a stop below a sell', sell(stop('99'))],
    ['a stop above a buy, with a limit', buy(stop('101', '102'))],
    ['a target above a sell', sell(target('101'))],
    ['a target below a buy', buy(target('99'))],
    ['a stop by the mark, which is elsewhere', sell(stop('105', undefined, 'mark'), {})],
    ['a trailing sell', sell(trail({ ratio: '0.01' }))],
    ['a trailing sell that begins above', sell(trail({ ratio: '0.01', activation: '120' }))],
    ['a pair around the price', sell(oco('120', '80'))],
    ['a buying pair around the price', buy(oco('80', '120'))],
    ['the whole position', { ...noQuantity, instrument: PERP, whole: true, contract: CLOSES }],
    [
      'a little that closes',
      sell(stop('99'), { instrument: PERP, quantity: amount('0.001'), contract: CLOSES }),
    ],
  ])('%s is sound', (_claim, request) => expect(algoFaults(request, MARKET)).toEqual([]));

  test.each<[AlgoFaultName, string | undefined, AlgoRequest]>([
    ['symbol-halted', undefined, sell(stop('99'), { instrument: { ...BTCUSDT, status: 'halted' } })],
    ['order-combination', undefined, noQuantity],
    ['order-combination', undefined, sell(stop('99'), { whole: true })],
    ['order-combination', undefined, sell(stop('99'), { contract: CLOSES })],
    ['order-combination', undefined, sell(stop('99'), { instrument: PERP })],
    ['order-combination', undefined, { ...noQuantity, whole: true }],
    ['order-combination', undefined, sell(trail({}))],
    ['order-combination', undefined, sell({ kind: 'stop', leg: { limit: amount('99') } })],
    ['order-combination', undefined, sell({ kind: 'oco', takeProfit: {}, stopLoss: at('80') })],
    ['algo-not-offered', undefined, sell(stop('99', undefined, 'index'))],
    ['algo-not-offered', undefined, sell(trail({ distance: '5' }))],
    ['algo-not-offered', undefined, { ...noQuantity, instrument: PERP, whole: true, contract: HEDGE }],
    ['price-step', 'triggerPrice', sell(stop('99.05'))],
    ['price-step', 'price', sell(stop('99', '98.01'))],
    ['price-range', 'triggerPrice', sell(stop('0.5'))],
    ['price-range', 'activation', sell(trail({ ratio: '0.01', activation: '2000000' }))],
    ['trailing-range', 'trailingRatio', sell(trail({ ratio: '0.2' }))],
    ['trailing-range', 'trailingRatio', sell(trail({ ratio: '0.0015' }))],
    ['targets-of-long', 'takeProfit', sell(oco('99', '80'))],
    ['targets-of-long', 'stopLoss', sell(oco('120', '100'))],
    ['targets-of-short', 'takeProfit', buy(oco('120', '80'))],
    ['trigger-at-once', 'triggerPrice', sell(stop('100'))],
    ['trigger-at-once', 'triggerPrice', buy(stop('99'))],
    ['trigger-at-once', 'triggerPrice', sell(target('99'))],
    ['trigger-at-once', 'triggerPrice', buy(target('100'))],
    ['trigger-at-once', 'activation', sell(trail({ ratio: '0.01', activation: '90' }))],
    ['quantity-step', 'quantity', sell(stop('99'), { quantity: amount('1.0001') })],
    ['quantity-range', 'quantity', sell(stop('99'), { quantity: amount('101') })],
    ['notional-too-small', 'quantity', sell(stop('99'), { quantity: amount('0.05') })],
  ])('%s at %s', (name, field, request) =>
    expect(algoFaults(request, MARKET)[0]).toMatchObject({ name, ...(field === undefined ? {} : { field }) }),
  );

  test.each<[string, AlgoPlan]>([
    ['no target', { kind: 'oco', takeProfit: {}, stopLoss: at('80') }],
    ['no stop', { kind: 'oco', takeProfit: at('120'), stopLoss: { limit: amount('80') } }],
    ['neither', { kind: 'oco', takeProfit: {}, stopLoss: {} }],
  ])('a pair with %s has no other fault', (_claim, plan) =>
    expect(algoFaults(sell(plan), MARKET)).toMatchObject([{ name: 'order-combination' }]),
  );

  test('a ratio on the step is refused below the smallest', () => {
    const ratio = { min: amount('0.002'), max: amount('0.1'), step: amount('0.001') };
    const market = { ...MARKET, offer: { ...OFFER, trailing: { ratio, distance: false } } };
    expect(algoFaults(sell(trail({ ratio: '0.001' })), market)).toMatchObject([{ name: 'trailing-range' }]);
  });

  test('what is not known of the market breaks no rule', () => {
    expect(algoFaults(sell(stop('100')), { offer: OFFER, prices: {} })).toEqual([]);
  });
});

describe('the targets of an order', () => {
  const of = (side: Side, takeProfit?: string, stopLoss?: string) =>
    targetsFault(
      { side, price: amount('100'), instrument: BTCUSDT },
      {
        ...(takeProfit === undefined ? {} : { takeProfit: at(takeProfit) }),
        ...(stopLoss === undefined ? {} : { stopLoss: at(stopLoss) }),
      },
      OFFER,
    );
  test.each<[Side, string | undefined, string | undefined, string]>([
    [SIDE.BUY, '101', '99', 'sound'],
    [SIDE.BUY, '101', undefined, 'sound'],
    [SIDE.SELL, '99', '101', 'sound'],
    [SIDE.BUY, '100', undefined, 'targets-above-below at takeProfit'],
    [SIDE.BUY, '101', '100', 'targets-above-below at stopLoss'],
    [SIDE.BUY, '99', '98', 'targets-above-below at takeProfit'],
    [SIDE.SELL, '101', undefined, 'targets-below-above at takeProfit'],
    [SIDE.SELL, '99', '98', 'targets-below-above at stopLoss'],
    [SIDE.BUY, '101.01', undefined, 'price-step at takeProfit'],
  ])('side %s, take-profit %s, stop-loss %s: %s', (side, takeProfit, stopLoss, answer) => {
    const fault = of(side, takeProfit, stopLoss);
    expect(fault === undefined ? 'sound' : `${fault.name} at ${fault.field}`).toBe(answer);
  });
});

describe('what an algo order holds', () => {
  const BOUND = amount('1.05');
  const price = fc
    .bigInt({ min: 10n, max: 10_000_000n })
    .map((ticks) => (ticks * BTCUSDT.tickSize) as Amount);
  const lots = fc.bigInt({ min: 1n, max: 100_000n }).map((count) => (count * BTCUSDT.lotSize) as Amount);

  test('a sell its quantity, a contract nothing, a trailing buy nothing known without a price', () => {
    expect(algoHold(sell(stop('99')), MARKET, BOUND)).toEqual({ asset: 'BTC', amount: amount('1') });
    const contract = buy(stop('101'), { instrument: PERP, contract: CLOSES });
    expect(algoHold(contract, MARKET, BOUND)).toEqual({ asset: 'USDT', amount: ZERO });
    expect(algoHold(buy(trail({ ratio: '0.01' })), { prices: {} }, BOUND)).toBeUndefined();
    expect(algoHold(buy(trail({ ratio: '0.01' })), MARKET, BOUND)).toEqual({
      asset: 'USDT',
      amount: amount('106'),
    });
  });

  test('a leg without any price adds nothing', () => {
    const plan: AlgoPlan = { kind: 'oco', takeProfit: {}, stopLoss: at('80', '81') };
    expect(algoHold(buy(plan), MARKET, BOUND)).toEqual({ asset: 'USDT', amount: amount('81') });
  });

  test('a buy is covered at whatever price its legs may pay, and no more than the dearer one', () => {
    fc.assert(
      fc.property(price, price, fc.boolean(), lots, (takes, stops, limited, quantity) => {
        const stopLoss = {
          trigger: { price: stops, by: 'last' },
          ...(limited ? { limit: stops } : {}),
        } as const;
        const plan: AlgoPlan = { kind: 'oco', takeProfit: { limit: takes }, stopLoss };
        const held = algoHold(buy(plan, { quantity }), MARKET, BOUND)?.amount ?? ZERO;
        const most = limited ? stops : mulUp(stops, BOUND);
        expect(held).toBeGreaterThanOrEqual(notionalUp(takes, quantity));
        expect(held).toBeGreaterThanOrEqual(notionalUp(limited ? stops : (stops as Amount), quantity));
        expect(held).toBeLessThanOrEqual(notionalUp(takes > most ? takes : most, quantity));
      }),
    );
  });
});

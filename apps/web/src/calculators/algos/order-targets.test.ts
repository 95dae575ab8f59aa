import { type AlgoOffer, amount, SIDE, type Side } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import { askedTargets, formOf, formsOffered } from './order-targets.ts';
import { blankForms, NO_FORMS, NO_TARGET, type TargetForms } from './targets.ts';

/** Targets of an order on a contract: what each form of the fields sends, and what is wrong with it. */

const OFFER: AlgoOffer = {
  ...{ kinds: ['stop', 'take-profit', 'trailing'], triggerBy: ['last', 'mark'], whole: 'one-way' },
  trailing: {
    ratio: { min: amount('0.001'), max: amount('1'), step: amount('0.001') },
    ...{ distance: true, by: ['last'] },
  },
  ...{ limitTimes: [1], amends: true, locks: false, openMax: 500, perSymbol: true, attached: 'venue' },
  ...{ targetsMax: 10, attachedTrails: true },
};
const { targetsMax: _, ...UNSEVERAL } = OFFER;
const { attachedTrails: __, ...ALONE } = UNSEVERAL;
const INSTRUMENT = {
  ...CONTRACT,
  ...{ contractValue: amount('0.01'), lotSize: amount('0.01'), minQty: amount('0.01') },
};
const SCENE = {
  ...{ side: SIDE.BUY, entry: amount('60000'), size: amount('0.5'), leverage: 20 },
  ...{ tickSize: amount('0.1'), feeRate: amount('0') },
};
const STOP = { text: '59000', unit: 'price' } as const;
const asked = (
  forms: Partial<TargetForms>,
  { stopLoss = NO_TARGET as object, side = SIDE.BUY as Side, offer = OFFER as AlgoOffer } = {},
) =>
  askedTargets(
    { takeProfit: NO_TARGET, stopLoss: { ...NO_TARGET, ...stopLoss }, by: 'mark', ...NO_FORMS, ...forms },
    { instrument: INSTRUMENT, side, scene: { ...SCENE, side }, offer },
  );
const PARTS = [
  { target: { text: '61000', unit: 'price' }, share: '40' },
  { target: { text: '5', unit: 'percent' }, share: '60' },
] as const;
const SEVERAL = { form: 'several', parts: PARTS } as const;
const trails = (trailing: Partial<TargetForms['trailing']>) =>
  ({ form: 'trailing', trailing: { ...NO_FORMS.trailing, ...trailing } }) as const;

test('the forms are those that the exchange takes; a chosen one that it has not is one of each', () => {
  expect(formsOffered(OFFER)).toEqual(['one', 'several', 'trailing']);
  expect(formsOffered(UNSEVERAL)).toEqual(['one', 'trailing']);
  expect(formsOffered(ALONE)).toEqual(['one']);
  expect(formOf({ form: 'several' }, OFFER)).toBe('several');
  expect(formOf({ form: 'several' }, ALONE)).toBe('one');
  // What stands in the fields of another form is not sent.
  expect(asked(SEVERAL, { stopLoss: STOP, offer: ALONE }).fields).toEqual({
    ...{ stopLoss: '59000', stopLossBy: 'mark' },
  });
});

test('several go out with their quantities as the exchange counts, by one price, with the stop-loss of the whole', () => {
  const { error, fields, legs } = asked(SEVERAL, { stopLoss: STOP });
  expect(error).toBeUndefined();
  expect(fields).toEqual({
    ...{ takeProfits: '[["61000","20"],["63000","30"]]', takeProfitBy: 'mark' },
    ...{ stopLoss: '59000', stopLossBy: 'mark' },
  });
  expect(legs.map(({ name, number, coins, net }) => [name, number, coins, net])).toEqual([
    ['takeProfit', 1, amount('0.2'), amount('200')],
    ['takeProfit', 2, amount('0.3'), amount('900')],
    ['stopLoss', undefined, amount('0.5'), -amount('500')],
  ]);
  expect(asked(SEVERAL)).toMatchObject({ error: undefined, fields: { takeProfitBy: 'mark' } });
});

test.each<[string, object, object]>([
  [
    'on the wrong side',
    { stopLoss: { ...STOP, text: '60500' } },
    { name: 'targets-above-below', field: 'stopLoss' },
  ],
  ['without its limit', { stopLoss: { ...STOP, limit: '' } }, { name: 'field-invalid', field: 'stopLoss' }],
])('the stop-loss beside several is refused %s', (_claim, more, error) => {
  expect(asked(SEVERAL, more).error).toMatchObject(error);
});

test.each<[string, Partial<TargetForms['trailing']>, object]>([
  ['by percent', { callback: '1.5' }, { trailingRatio: '0.015' }],
  ['by a distance', { callback: '500', callbackIn: 'distance' }, { trailingDistance: '500' }],
  ['from a price', { callback: '1', activation: '61000' }, { trailingRatio: '0.01', activation: '61000' }],
])('a trailing stop goes out alone: %s', (_claim, trailing, fields) => {
  expect(asked(trails(trailing), { stopLoss: STOP })).toEqual({ error: undefined, fields, legs: [] });
});

test.each<[string, Partial<TargetForms['trailing']>, Side, object]>([
  ['without a callback', {}, SIDE.BUY, { name: 'field-invalid', field: 'callback', missing: true }],
  [
    'too far',
    { callback: '100.1' },
    SIDE.BUY,
    { name: 'trailing-range', field: 'callback', allowed: '0.1 – 100 % (0.1 %)' },
  ],
  [
    'off the tick',
    { callback: '5.05', callbackIn: 'distance' },
    SIDE.BUY,
    { name: 'price-step', field: 'callback' },
  ],
  [
    'from nothing',
    { callback: '1', activation: '0' },
    SIDE.BUY,
    { name: 'field-invalid', field: 'activation' },
  ],
  [
    'from where a long loses',
    { callback: '1', activation: '59999' },
    SIDE.BUY,
    { name: 'follows-from', field: 'activation', allowed: '> 60,000.0' },
  ],
  [
    'from where a short loses',
    { callback: '1', activation: '60001' },
    SIDE.SELL,
    { name: 'follows-from', field: 'activation', allowed: '< 60,000.0' },
  ],
])('a trailing stop is refused at its field: %s', (_claim, trailing, side, error) => {
  expect(asked(trails(trailing), { side }).error).toMatchObject(error);
});

test('figures are of one market: shares and units go on, prices and distances do not', () => {
  expect(
    blankForms({
      form: 'several',
      parts: PARTS,
      trailing: { callback: '5', callbackIn: 'distance', activation: '61000' },
    }),
  ).toEqual({
    form: 'several',
    parts: [
      { target: { text: '', unit: 'price' }, share: '40' },
      { target: { text: '', unit: 'percent' }, share: '60' },
    ],
    trailing: { callback: '', callbackIn: 'distance', activation: '' },
  });
});

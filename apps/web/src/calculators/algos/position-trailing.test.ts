import type { AlgoRow } from '@crossbook/contract';
import { type AlgoOffer, amount } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import { positionFixture } from '../contracts/position.fixture.ts';
import { hangingStop } from './position-targets.ts';
import { trailingChange, trailingError, trailingOf, trailingOrder } from './position-trailing.ts';

const LONG = positionFixture({ exchange: 3 });
const OFFER: AlgoOffer = {
  ...{ kinds: ['stop', 'take-profit', 'trailing'], triggerBy: ['last', 'mark'], whole: 'always' },
  trailing: { distance: true, by: ['last'], ofPosition: true },
  limitTimes: [1],
  ...{ amends: true, locks: false, openMax: 10, perSymbol: true, attached: 'venue' },
};
const row = (part: object) => ({ algoType: 'trailing', quantity: null, ...part }) as AlgoRow;
const STANDING = row({
  trailing: { ratio: null, distance: '500', activation: '61000', triggerBy: 'last' },
});
const errorOf = (distance: string, activation = '', standing?: AlgoRow) => {
  const context = { instrument: CONTRACT, offer: OFFER, prices: { last: amount('60000') }, standing };
  const error = trailingError({ distance, activation }, LONG, context);
  return error && `${error.field} ${error.name} ${error.allowed}`;
};

test('one is set for all of a position, on its closing side, and never opens', () => {
  expect(trailingOrder({ distance: '500.', activation: '' }, LONG)).toEqual({
    ...{ platformType: 42, tinstType: 2, symbol: 'BTCUSDT', algoType: 'trailing', triggerBy: 'last' },
    ...{ side: 2, effect: 0, reduceOnly: true, whole: true, marginMode: 'cross', leverage: 20 },
    ...{ timeInForce: 1, trailingDistance: '500' },
  });
  const short = positionFixture({ exchange: 3, quantity: '-0.5' });
  expect(trailingOrder({ distance: '1', activation: '59000' }, short)).toMatchObject({
    ...{ side: 1, activation: '59000' },
  });
});

test('the one that stands fills the fields, and what differs is the change', () => {
  const sized = row({ quantity: '0.1' });
  expect(hangingStop([row({ algoType: 'stop' }), sized, STANDING])).toBe(STANDING);
  expect(hangingStop([sized])).toBeUndefined();
  const fields = trailingOf(STANDING);
  expect(fields).toEqual({ distance: '500', activation: '61000' });
  expect(trailingChange(fields, STANDING)).toEqual({});
  expect(trailingChange({ ...fields, distance: '500.0' }, STANDING)).toEqual({});
  expect(trailingChange({ distance: '700', activation: '62000' }, STANDING)).toEqual({
    ...{ trailingDistance: '700', activation: '62000' },
  });
});

const PASSED = row({ trailing: { ...STANDING.trailing, activation: '59000' } });
test.each<[string, Parameters<typeof errorOf>, string | undefined]>([
  ['nothing yet', [''], undefined],
  ['sound', ['500', '61000'], undefined],
  ['no distance', ['0'], 'callback field-invalid > 0'],
  ['between two ticks', ['500.05'], 'callback price-step 0.1'],
  ['as far as the price', ['60000'], 'callback trailing-range 0.1 – 60000'],
  ['from where the price is', ['500', '60000'], 'activation trigger-at-once > 60000'],
  ['from nowhere', ['500', '0'], 'activation field-invalid > 0'],
  ['without what stands', ['500', '', STANDING], 'activation field-invalid > 0'],
  ['from where it stands, passed since', ['700', '59000', PASSED], undefined],
])('%s is told at its field', (_, asked, expected) => {
  expect(errorOf(...asked)).toBe(expected);
});

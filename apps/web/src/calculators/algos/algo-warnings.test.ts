import type { PositionRow } from '@crossbook/contract';
import { amount, SIDE } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import { positionFixture } from '../contracts/position.fixture.ts';
import { type AlgoEntry, type AlgoFacts, EMPTY_ALGO } from './algo-entry.ts';
import { algoWarnings, bracketWarnings } from './algo-warnings.ts';

const FACTS: AlgoFacts = {
  ...{ instrument: CONTRACT, side: SIDE.SELL, offer: venueProfile(1).trading.algos.SWAP, limit: '' },
  ...{ prices: { last: amount('60000'), mark: amount('60000') }, timeInForce: 1, waiting: 0 },
  quantity: amount('0.1'),
};
const long = positionFixture({ quantity: '0.5', liquidationPrice: '57000' });
const short = positionFixture({ quantity: '-0.5', liquidationPrice: '63000' });
const STOP: AlgoEntry = { ...EMPTY_ALGO, trigger: '58000' };

describe('an order that waits on a contract', () => {
  test.each<[string, Partial<AlgoEntry>, Partial<AlgoFacts>, PositionRow | undefined, readonly string[]]>([
    ['a stop before liquidation', {}, {}, long, []],
    ['a stop at liquidation', { trigger: '57000' }, {}, long, ['liquidation-first 57,000.0']],
    ['a stop behind it', { trigger: '56000' }, {}, long, ['liquidation-first 57,000.0']],
    [
      'a stop of a short one behind it',
      { trigger: '64000' },
      { side: SIDE.BUY },
      short,
      ['liquidation-first 63,000.0'],
    ],
    ['what adds to the position', { trigger: '56000' }, { side: SIDE.BUY }, long, []],
    ['no position', { trigger: '56000' }, {}, undefined, []],
    ['a position without such a price', { trigger: '56000' }, {}, { ...long, liquidationPrice: null }, []],
    ['a trailing one, which has no trigger', { choice: 'trailing', trigger: '56000' }, {}, long, []],
    [
      'last half a percent from mark',
      {},
      { prices: { last: amount('60300'), mark: amount('60000') } },
      long,
      [],
    ],
    [
      'last further from mark',
      {},
      { prices: { last: amount('59400'), mark: amount('60000') } },
      long,
      ['trigger-by-last 1.00'],
    ],
    [
      'a trigger that follows mark',
      { by: 'mark' },
      { prices: { last: amount('59400'), mark: amount('60000') } },
      long,
      [],
    ],
    ['an unknown mark', {}, { prices: { last: amount('59400') } }, long, []],
  ])('says of %s what there is to say', (...[, entry, facts, position, found]) => {
    const warnings = algoWarnings({ ...STOP, ...entry }, { ...FACTS, ...facts }, position);
    expect(warnings.map(({ name, values }) => [name, ...Object.values(values)].join(' '))).toEqual(found);
  });
});

describe('a stop-loss with an order', () => {
  const after = (side: 1 | 2) => ({ side, size: amount('1'), entry: amount('60000') });
  const effect = { closing: amount('0'), opening: amount('1'), flips: false };
  test.each([
    ['of a long above its liquidation', SIDE.BUY, '57001', 0],
    ['of a long at its liquidation', SIDE.BUY, '57000', 1],
    ['of a short below its liquidation', SIDE.SELL, '56999', 0],
    ['of a short above it', SIDE.SELL, '57001', 1],
  ] as const)('%s', (_what, side, stop, warnings) => {
    const summary = { liquidationAfter: amount('57000'), effect: { ...effect, after: after(side) } };
    expect(bracketWarnings(stop, summary, CONTRACT)).toHaveLength(warnings);
  });

  test('there is none, or no liquidation in range: nothing is said', () => {
    const summary = { liquidationAfter: undefined, effect: { ...effect, after: after(SIDE.BUY) } };
    expect(bracketWarnings('57000', summary, CONTRACT)).toEqual([]);
    expect(bracketWarnings(undefined, { ...summary, liquidationAfter: amount('57000') }, CONTRACT)).toEqual(
      [],
    );
  });
});

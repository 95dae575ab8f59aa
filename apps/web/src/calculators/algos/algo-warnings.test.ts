import type { PositionRow } from '@crossbook/contract';
import { amount, SIDE } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test } from 'vitest';
import { CONTRACT } from '../contracts/contract.fixture.ts';
import { positionFixture } from '../contracts/position.fixture.ts';
import { type AlgoEntry, type AlgoFacts, EMPTY_ALGO } from './algo-entry.ts';
import { algoErrors } from './algo-errors.ts';
import { algoWarnings, bracketWarnings } from './algo-warnings.ts';
import { liquidatesBefore } from './position-targets.ts';

const FACTS: AlgoFacts = {
  ...{ instrument: CONTRACT, side: SIDE.SELL, offer: venueProfile(1).trading.algos.SWAP, limit: '' },
  ...{ prices: { last: amount('60000'), mark: amount('60000') }, timeInForce: 1, waiting: 0 },
  quantity: amount('0.1'),
};
const long = positionFixture({ quantity: '0.5', liquidationPrice: '57000' });
const short = positionFixture({ quantity: '-0.5', liquidationPrice: '63000' });
const CLOSES = { effect: 0, reduceOnly: true, marginMode: 'cross', leverage: 20 } as const;
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
    ['what adds to the position before it', { trigger: '58000' }, { side: SIDE.BUY }, long, []],
    [
      'what would add once it is gone',
      { trigger: '56000' },
      { side: SIDE.BUY },
      long,
      ['liquidation-first 57,000.0'],
    ],
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

test('it is the trigger that is held against liquidation, not the limit behind it', () => {
  const warned = (trigger: string, limit: string) =>
    algoWarnings({ ...STOP, market: false, trigger }, { ...FACTS, limit }, long).length;
  expect([warned('58000', '56000'), warned('56000', '58000')]).toEqual([0, 1]);
});

test.each([
  ['before its trigger', '61000', []],
  ['at its trigger', '66000', ['66,000.0']],
  ['beyond its trigger', '67000', ['67,000.0']],
] as const)('what opens a long that would be liquidated %s is said to be', (_what, liquidation, said) => {
  const opening = amount('1');
  const held = { side: SIDE.BUY, size: opening, entry: amount('66000') };
  const effect = { closing: amount('0'), opening, flips: false, after: held };
  const fired = { liquidationAfter: amount(liquidation), effect };
  const facts = { ...FACTS, side: SIDE.BUY };
  const warnings = algoWarnings({ ...STOP, by: 'mark', trigger: '66000' }, facts, undefined, fired);
  expect(warnings.map(({ values }) => values.price)).toEqual(said);
});

test('a stop behind liquidation is told alike by ticket, bracket and line, and refused by none', () => {
  const after = { side: SIDE.BUY, size: amount('0.5'), entry: amount('60000') };
  const effect = { closing: amount('0'), opening: amount('0.5'), flips: false, after };
  for (const stop of ['56999.9', '57000', '57000.1']) {
    const liquidation = amount('57000');
    const late = liquidatesBefore(SIDE.BUY, amount(stop), liquidation);
    const entry = { ...STOP, trigger: stop };
    expect(algoWarnings(entry, FACTS, long).length === 1, stop).toBe(late);
    const bracket = bracketWarnings(stop, { liquidationAfter: liquidation, effect }, CONTRACT);
    expect(bracket.length === 1, stop).toBe(late);
    expect(algoErrors(entry, { ...FACTS, contract: CLOSES }), stop).toEqual([]);
  }
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

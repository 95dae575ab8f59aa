import { expect, test } from 'vitest';
import WORDS from '../../i18n/trade/en.json' with { type: 'json' };
import { knownReason, stateWord } from './algo-reasons.ts';

test.each([
  ['cancelled for a change, nothing was placed anew', { id: 'trade.algo.reason.halfChanged', rest: '' }],
  [
    'cancelled for a change, nothing was placed anew: the balance did not suffice',
    { id: 'trade.algo.reason.halfChanged', rest: ': the balance did not suffice' },
  ],
  ['the exchange never received it', { id: 'trade.algo.reason.neverReceived', rest: '' }],
  ['its position was closed', { id: 'trade.algo.reason.closed', rest: '' }],
  ['as many orders wait as may', { id: 'trade.algo.reason.tooMany', rest: '' }],
  ['the exchange does not know it any more', { id: 'trade.algo.reason.forgotten', rest: '' }],
  ['Account has insufficient balance', undefined],
])('"%s" is told in the language of the page where the hub says it', (reason, expected) => {
  expect(knownReason(reason)).toEqual(expected);
});

test.each([
  ['refused', true, 'fired, refused:'],
  ['refused', false, 'refused:'],
  ['waiting', true, 'waiting'],
  ['firing', true, 'firing'],
  ['placing', false, 'being placed'],
] as const)('one that is %s, taken by the exchange %s, is said to be "%s"', (state, placed, words) => {
  expect(WORDS[stateWord({ state, placed })]).toBe(words);
});

import type { Millis, Ticks } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import {
  type ConditionalOrder,
  type ConditionalState,
  ended,
  finished,
  fired,
  isOver,
  NEXT_STATES,
  refusedWith,
  sent,
  type Waiting,
} from './conditional-order.ts';
import { firingPrice, followed, type TrailingTrigger } from './trigger.ts';

const NOW = 1_000 as Millis;
const LATER = 2_000 as Millis;
const waiting: Waiting = {
  ...{ algoId: 1, clientId: 'a', purpose: 'STOP', state: 'WAITING', createdAt: NOW, updatedAt: NOW },
  trigger: { at: 'PRICE', by: 'LAST', direction: 'FALL', price: 95 as Ticks },
  sends: { account: 1, symbol: 'AAAUSDT', side: 'SELL', clientId: 'a' },
};

describe('states', () => {
  const triggering = fired(waiting, 94.5, LATER);
  const triggered = sent(triggering, 7, LATER);
  const steps: readonly (readonly [ConditionalOrder, ConditionalOrder])[] = [
    [waiting, triggering],
    [waiting, ended(waiting, { state: 'CANCELLED', cause: 'SIBLING' }, LATER)],
    [waiting, ended(waiting, { state: 'EXPIRED', cause: 'POSITION' }, LATER)],
    [triggering, triggered],
    [triggering, refusedWith(triggering, 'NOTIONAL', LATER)],
    [triggered, finished(triggered, LATER)],
  ];

  test.each(steps)('$state leads on, and keeps what was asked for', (before, after) => {
    expect(NEXT_STATES[before.state]).toContain(after.state);
    const { algoId, clientId, trigger, sends, createdAt } = before;
    expect(after).toMatchObject({ algoId, clientId, trigger, sends, createdAt, updatedAt: LATER });
  });

  test('the functions make every step of the table and no other', () => {
    const made = new Set(steps.map(([before, after]) => `${before.state} ${after.state}`));
    const listed = Object.entries(NEXT_STATES).flatMap(([state, next]) =>
      next.map((one) => `${state} ${one}`),
    );
    expect([...made].sort()).toEqual(listed.sort());
  });

  test.each<[ConditionalState, boolean]>([
    ['WAITING', false],
    ['TRIGGERING', false],
    ['TRIGGERED', false],
    ['FINISHED', true],
    ['REFUSED', true],
    ['CANCELLED', true],
    ['EXPIRED', true],
  ])('%s is over: %s', (state, over) => expect(isOver({ state })).toBe(over));

  test('what fired says when and at which price, what was refused says why', () => {
    expect(triggered).toMatchObject({ firedAt: LATER, firedPrice: 94.5, childId: 7 });
    expect(refusedWith(triggering, 'NOTIONAL', LATER)).toMatchObject({
      refusal: 'NOTIONAL',
      firedPrice: 94.5,
    });
  });
});

describe('a trailing trigger', () => {
  const by = 'LAST';
  const sells: TrailingTrigger = { at: 'TRAIL', by, direction: 'FALL', back: { bips: 100 } };
  const buys: TrailingTrigger = { at: 'TRAIL', by, direction: 'RISE', back: { ticks: 10 as Ticks } };
  test.each<[string, TrailingTrigger, number[], (number | undefined)[]]>([
    [
      'follows a rise by a share, rounded down',
      sells,
      [1_000, 1_030, 1_010, 1_055],
      [990, 1_019, 1_019, 1_044],
    ],
    ['follows a fall by a distance', buys, [1_000, 1_005, 990, 985.5], [1_010, 1_010, 1_000, 996]],
    [
      'waits for its activation',
      { ...sells, activation: 1_020 as Ticks },
      [1_000, 1_020, 990],
      [undefined, 1_009, 1_009],
    ],
    [
      'that buys waits for a fall',
      { ...buys, activation: 990 as Ticks },
      [1_000, 990, 980],
      [undefined, 1_000, 990],
    ],
  ])('%s', (_, trigger, prices, due) => {
    let now = trigger;
    const seen = prices.map((price) => {
      now = followed(now, price);
      return firingPrice(now);
    });
    expect(seen).toEqual(due);
  });

  test('that a price does not move stays the same object', () => {
    const followedOnce = followed(sells, 1_000);
    expect(followed(followedOnce, 1_000)).toBe(followedOnce);
    expect(followed(followedOnce, 900)).toBe(followedOnce);
  });
});

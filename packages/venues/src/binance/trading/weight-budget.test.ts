import { expect, test } from 'vitest';
import { ScriptedTime } from '../../trading/scripted-transport.fixture.ts';
import { WeightBudget } from './weight-budget.ts';

test('reads stop at four fifths of the minute, orders go on to the end, and a new minute starts afresh', () => {
  const time = new ScriptedTime();
  const budget = new WeightBudget(time.clock);
  expect(budget.take(4_800, 'read')).toBe(true);
  expect(budget.take(1, 'read')).toBe(false);
  expect(budget.take(1_200, 'change')).toBe(true);
  expect(budget.take(1, 'change')).toBe(false);
  time.advance(60_000);
  expect(budget.take(1, 'read')).toBe(true);
});

test("the venue's own figure counts when it is higher", () => {
  const budget = new WeightBudget(new ScriptedTime().clock);
  budget.report(5_000);
  budget.report(10);
  expect([budget.take(1, 'read'), budget.take(1_000, 'change'), budget.take(1, 'change')]).toEqual([
    false,
    true,
    false,
  ]);
});

test("after a 429 nothing is sent until the venue's time has passed", () => {
  const time = new ScriptedTime();
  const budget = new WeightBudget(time.clock);
  budget.pause(120_000);
  budget.pause(1_000);
  time.advance(119_999);
  expect(budget.take(1, 'change')).toBe(false);
  time.advance(1);
  expect(budget.take(1, 'change')).toBe(true);
  budget.pause(undefined);
  expect(budget.take(1, 'change')).toBe(false);
  time.advance(10_000);
  expect(budget.take(1, 'change')).toBe(true);
});

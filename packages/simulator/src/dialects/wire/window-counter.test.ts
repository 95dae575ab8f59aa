import type { Millis } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { WindowCounter } from './window-counter.ts';

const at = (millis: number) => millis as Millis;

test('a window begins at a whole multiple of its length, and what was used before is gone', () => {
  const counter = new WindowCounter(1_000);
  expect([counter.add('a', 2, at(10)), counter.add('a', 3, at(999))]).toEqual([2, 5]);
  expect([counter.used('a', at(999)), counter.used('a', at(1_000)), counter.used('b', at(999))]).toEqual([
    5, 0, 0,
  ]);
  expect([counter.secondsLeft(at(999)), new WindowCounter(60_000).secondsLeft(at(1))]).toEqual([1, 60]);
});

test('what is given back never makes a count negative', () => {
  const counter = new WindowCounter(1_000);
  counter.add('a', 2, at(0));
  expect([counter.add('a', -5, at(0)), counter.add('a', 1, at(0))]).toEqual([0, 1]);
});

test('what does not fit any more is refused and not counted', () => {
  const counter = new WindowCounter(1_000);
  const taken = [2, 2, 1].map((weight) => counter.take('a', 3, { now: at(0), weight }));
  expect([taken, counter.used('a', at(0))]).toEqual([[true, false, true], 3]);
});

test('keys without number do not grow it: the oldest is forgotten', () => {
  const counter = new WindowCounter(1_000);
  for (let index = 0; index < 10_001; index += 1) counter.add(`key ${index}`, 1, at(0));
  const used = ['key 0', 'key 1', 'key 10000'].map((key) => counter.used(key, at(0)));
  expect(used).toEqual([0, 1, 1]);
});

import type { Millis, OrderId, UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { DueTargets, WatchedTargets } from './watched-targets.ts';

const order = (id: number) => String(id) as OrderId;
const of = (user: number) => ({ user: user as UserId, since: 5 as Millis });

test('one member has 500 places, whoever else is there; a place that is given back is free', () => {
  const watched = new WatchedTargets();
  for (let id = 0; id < 500; id += 1) watched.add(order(id), of(1));
  expect([watched.hasRoom(1 as UserId), watched.hasRoom(2 as UserId)]).toEqual([false, true]);
  watched.add(order(0), of(2));
  watched.delete(order(7));
  watched.delete(order(7));
  expect(watched.hasRoom(1 as UserId)).toBe(true);
  expect([watched.since(order(0)), watched.since(order(7))]).toEqual([5, undefined]);
  watched.add(order(7), of(1));
  expect(watched.hasRoom(1 as UserId)).toBe(false);
});

test('all have 200,000 together', () => {
  const watched = new WatchedTargets();
  for (let id = 0; id < 200_000; id += 1) watched.add(order(id), of(Math.floor(id / 400)));
  expect(watched.hasRoom(999_999 as UserId)).toBe(false);
});

test('each comes in its turn', () => {
  const watched = new WatchedTargets();
  for (let id = 0; id < 5; id += 1) watched.add(order(id), of(id));
  expect([watched.next(2), watched.next(2), watched.next(2)].flat().join('')).toBe('012340');
  expect(watched.next(9)).toHaveLength(5);
});

test('ten of one member are taken before the next ones of others, each once, and the rest stays', () => {
  const due = new DueTargets();
  for (let id = 0; id < 25; id += 1) due.add(order(id), 1 as UserId);
  due.add(order(25), 2 as UserId);
  due.add(order(26), undefined);
  due.add(order(3), 2 as UserId);
  due.delete(order(4));
  expect(due.take(11)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 25].map(order));
  expect(due.take(100)).toEqual([...Array.from({ length: 10 }, (_, at) => at + 11), 26].map(order));
  expect(due.take(2)).toEqual([order(21), order(22)]);
  expect([...due.take(100), ...due.take(100)]).toEqual([order(23), order(24)]);
});

import type { Millis, OrderId, UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { WatchedTargets } from './watched-targets.ts';

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

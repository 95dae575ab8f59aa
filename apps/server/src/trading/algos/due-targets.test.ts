import type { OrderId, UserId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { DueTargets } from './due-targets.ts';

const order = (id: number) => String(id) as OrderId;

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

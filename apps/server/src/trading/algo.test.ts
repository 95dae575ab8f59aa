import type { OrderId } from '@crossbook/domain';
import { expect, test } from 'vitest';
import { algoClientId, childClientIds, childIdOf } from './algo.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const placed = (attempt: number) => ({ id: ID, attempt });

test("what a venue is asked to call an algo order is its id, and its children's are f(id, n)", () => {
  // They stand at exchanges already: another function would lose every child that is under way at an upgrade.
  expect(algoClientId(placed(0))).toBe('0189000000007000800000000000abcd');
  expect(childClientIds(placed(0))).toEqual([
    '8c4ca7f16a7c8357a55dc88b2ba1a985',
    '093981092c998cebb89c1abadeba5ac8',
  ]);
  expect(childClientIds(placed(0))).toEqual(childClientIds(placed(0)));
});

test('no two legs, placements or algo orders share one; each has the form that every exchange takes', () => {
  const other = { id: '01890000-0000-7000-8000-00000000abce' as OrderId, attempt: 0 };
  const ids = [
    ...[placed(0), placed(1), placed(2), other].flatMap((algo) => [
      algoClientId(algo),
      ...childClientIds(algo),
    ]),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test('the child has that id with us too, so that it is found by either', () => {
  for (const attempt of [0, 1]) {
    const legs = [childIdOf(placed(attempt), 'take-profit'), childIdOf(placed(attempt), 'stop-loss')];
    expect(childClientIds(placed(attempt))).toEqual(legs.map((id) => id.replaceAll('-', '')));
  }
});

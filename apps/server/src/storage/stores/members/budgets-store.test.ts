import type { Millis } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BudgetStore } from '../../../accounts/ports.ts';
import { openTestDatabase, type TestDatabase } from '../../testing.ts';
import { budgetsStore } from './budgets-store.ts';

let db: TestDatabase;
let store: BudgetStore;
beforeAll(async () => {
  db = await openTestDatabase();
  store = budgetsStore(db.database);
});
afterAll(() => db.close());

const NOW = 1_000 as Millis;
const BUDGET = { usesMax: 3, windowMillis: 60_000 };

test('what many counted at once, far beyond the limit, is gone when all give it back', async () => {
  const counts = await Promise.all(Array.from({ length: 40 }, () => store.consume('storm', BUDGET, NOW)));
  expect(counts.map(({ used }) => used).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, at) => at + 1),
  );
  await Promise.all(counts.map(() => store.giveBack('storm')));
  expect(await store.used('storm', NOW)).toBe(0);
  await store.giveBack('storm');
  expect(await store.used('storm', NOW)).toBe(0);
});

test('a window that ended forgets; a counter under attack stops before it overflows', async () => {
  expect(await store.consume('window', BUDGET, NOW)).toEqual({ used: 1, secondsLeft: 60 });
  expect((await store.consume('window', BUDGET, (NOW + 60_000) as Millis)).used).toBe(1);
  await db.database.query(`update budgets set used = 1000003 where key = 'window'`, []);
  expect((await store.consume('window', BUDGET, (NOW + 60_001) as Millis)).used).toBe(1_000_003);
});

import type { Millis } from '@crossbook/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ACCOUNT_BUDGETS,
  type AccountBudgets,
  accountBudgets,
  type CountedBudgetName,
  type SenderBudgetName,
  type StrangersBudgetName,
} from '../../../accounts/budgets.ts';
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

type Name = keyof typeof ACCOUNT_BUDGETS;
const NAMES = Object.keys(ACCOUNT_BUDGETS) as Name[];

/** Whether one more is within the budget, for whoever keeps it. */
async function isWithin(budgets: AccountBudgets, name: Name, now: Millis): Promise<boolean> {
  const { keyedBy, usesMax } = ACCOUNT_BUDGETS[name];
  if (keyedBy === 'sender')
    return (
      (await budgets.take(name as SenderBudgetName, { address: '203.0.113.7', about: name }, now)) ===
      undefined
    );
  if (keyedBy === 'strangers')
    return (await budgets.takeOfStrangers(name as StrangersBudgetName, now)) === undefined;
  return (await budgets.count(name as CountedBudgetName, 'whoever', now)) <= usesMax;
}

test.each(NAMES)(
  '%s is exact: the last that it allows passes and the next does not, at any hub of the database, until its window ends',
  async (name) => {
    const { usesMax, windowMillis } = ACCOUNT_BUDGETS[name];
    const hubs = [accountBudgets(store, 1), accountBudgets(budgetsStore(db.owner), 1)] as const;
    const tried = await Promise.all(
      Array.from({ length: usesMax - 1 }, (_, n) => isWithin(hubs[n % 2 === 0 ? 0 : 1], name, NOW)),
    );
    expect(tried).not.toContain(false);
    expect(await isWithin(hubs[0], name, NOW)).toBe(true);
    for (const hub of hubs) expect(await isWithin(hub, name, NOW)).toBe(false);
    // As after a restart: nothing is kept but what the database has.
    const later = accountBudgets(budgetsStore(db.database), 1);
    expect(await isWithin(later, name, (NOW + windowMillis - 1) as Millis)).toBe(false);
    expect(await isWithin(later, name, (NOW + windowMillis) as Millis)).toBe(true);
  },
);

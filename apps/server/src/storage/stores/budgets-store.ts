import type { Millis } from '@crossbook/domain';
import type { Budget, BudgetAnswer, BudgetStore } from '../../accounts/ports.ts';
import type { Database } from '../postgres/database.ts';

interface BudgetRow {
  readonly used: number;
  readonly window_ends_at: string;
}

function answer(row: BudgetRow | undefined, usesMax: number, now: Millis): BudgetAnswer {
  if (row === undefined || row.used <= usesMax) return { ok: true };
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((Number(row.window_ends_at) - now) / 1000)) };
}

/** Fixed-window counters in one upsert each: exact under parallel calls, and a restart forgets nothing. */
export function budgetsStore(database: Database): BudgetStore {
  return {
    async consume(key: string, budget: Budget, now: Millis) {
      const rows = await database.query<BudgetRow>(
        {
          name: 'budget-consume',
          // One above the limit is as far as the counter goes: it cannot overflow under attack.
          text: `insert into budgets as b (key, used, window_ends_at) values ($1, 1, $2)
                 on conflict (key) do update set
                   used = case when b.window_ends_at <= $3 then 1 else least(b.used + 1, $4 + 1) end,
                   window_ends_at = case when b.window_ends_at <= $3 then $2 else b.window_ends_at end
                 returning used, window_ends_at`,
        },
        [key, now + budget.windowMillis, now, budget.usesMax],
      );
      return answer(rows[0], budget.usesMax, now);
    },
    async peek(key: string, budget: Budget, now: Millis) {
      const rows = await database.query<BudgetRow>(
        'select used, window_ends_at from budgets where key = $1 and window_ends_at > $2',
        [key, now],
      );
      return answer(rows[0], budget.usesMax - 1, now);
    },
    async reset(key: string) {
      await database.query('delete from budgets where key = $1', [key]);
    },
  };
}

import type { Millis } from '@crossbook/domain';
import type { Budget, BudgetStore } from '../../../accounts/ports.ts';
import type { Database } from '../../postgres/database.ts';

interface BudgetRow {
  readonly used: number;
  readonly window_ends_at: string;
}

/** Fixed-window counters in one upsert each: exact under parallel calls, and a restart forgets nothing. */
export function budgetsStore(database: Database): BudgetStore {
  return {
    async consume(key: string, budget: Budget, now: Millis) {
      const rows = await database.query<BudgetRow>(
        {
          name: 'budget-consume',
          // So far above the limit the counter stops: it cannot overflow, and what is given back was counted.
          text: `insert into budgets as b (key, used, window_ends_at) values ($1, 1, $2)
                 on conflict (key) do update set
                   used = case when b.window_ends_at <= $3 then 1 else least(b.used + 1, $4 + 1000000) end,
                   window_ends_at = case when b.window_ends_at <= $3 then $2 else b.window_ends_at end
                 returning used, window_ends_at`,
        },
        [key, now + budget.windowMillis, now, budget.usesMax],
      );
      const [row] = rows;
      const endsAt = Number(row?.window_ends_at ?? now);
      return { used: row?.used ?? 0, secondsLeft: Math.max(1, Math.ceil((endsAt - now) / 1000)) };
    },
    async used(key: string, now: Millis) {
      const rows = await database.query<Pick<BudgetRow, 'used'>>(
        'select used from budgets where key = $1 and window_ends_at > $2',
        [key, now],
      );
      return rows[0]?.used ?? 0;
    },
    async giveBack(key: string) {
      await database.query('update budgets set used = used - 1 where key = $1 and used > 0', [key]);
    },
    async reset(key: string) {
      await database.query('delete from budgets where key = $1', [key]);
    },
  };
}

import type { Millis, UserId } from '@crossbook/domain';
import type { Database } from '../../postgres/database.ts';

/** Demos that are over and may have left something open at the exchanges. */
export interface DemoLeavings {
  /** Those after one, in a fixed order. */
  uncleared(after: UserId, demosMax: number): Promise<readonly UserId[]>;
  /** Marks one of which nothing is open; one that has something stays as it is. */
  markCleared(user: UserId, now: Millis): Promise<void>;
}

const LEFT = 'demo and demo_ended_at is not null and demo_cleared_at is null';

/** Reads and marks them in PostgreSQL. */
export function demoLeavings(database: Database): DemoLeavings {
  return {
    async uncleared(after, demosMax) {
      const rows = await database.query<{ id: string }>(
        `select id from members where ${LEFT} and id > $1 order by id limit $2`,
        [after, demosMax],
      );
      return rows.map(({ id }) => Number(id) as UserId);
    },
    async markCleared(user, now) {
      await database.query(
        `update members set demo_cleared_at = $2 where id = $1 and ${LEFT}
           and not exists (select from orders where user_id = $1 and not settled)
           and not exists (select from algo_orders
             where user_id = $1 and state in ('placing', 'waiting', 'firing'))`,
        [user, now],
      );
    },
  };
}

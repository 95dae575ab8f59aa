import type { PoolClient } from 'pg';
import type { OrderDesk, OrderEnd, OrderStanding } from '../../../back-office/ports.ts';
import type { Database } from '../../postgres/database.ts';
import { auditAct } from './member-desk.ts';

/** Writes the row that the running hub looks for; false where it has not answered the last one of this kind yet. */
export async function requestEnd(
  client: PoolClient,
  { order, resolution, quantity, quoteQuantity, cumQuantity, cumQuote }: OrderEnd,
  by: {
    readonly operator: string;
    readonly reason: string;
    readonly now: number;
    /** The decision of two that it rests on. */
    readonly approval?: string;
  },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into operator_requests
       (id, order_id, resolution, quantity, quote_quantity, operator, reason, requested_at, approval, seen_quantity, seen_quote)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (order_id) where answered_at is null and operator ~ '^admins? [0-9]' do nothing`,
    [
      ...[order, resolution, quantity ?? null, quoteQuantity ?? null],
      ...[by.operator, by.reason, by.now, by.approval ?? null, cumQuantity, cumQuote],
    ],
  );
  return rowCount === 1;
}

/** Orders that admins ask the hub to end, on PostgreSQL. */
export function orderDesk(database: Database): OrderDesk {
  return {
    async standing(order): Promise<OrderStanding> {
      const [row] = await database.query<{ settled: boolean; cum_quantity: string; cum_quote: string }>(
        `select settled, trim_scale(cum_quantity)::text as cum_quantity, trim_scale(cum_quote)::text as cum_quote
         from orders where id = $1`,
        [order],
      );
      if (row === undefined) return { state: 'unknown' };
      if (row.settled) return { state: 'ended' };
      return { state: 'open', cumQuantity: row.cum_quantity, cumQuote: row.cum_quote };
    },
    ask: (act, end) =>
      database.withTransaction(async (client) => {
        const { admin, reason, now } = act;
        if (!(await requestEnd(client, end, { operator: `admin ${admin}`, reason, now })))
          return 'already-decided';
        const { order, ...details } = end;
        await auditAct(client, act, { subject: `order ${order}`, details });
        return 'ok';
      }),
  };
}

import type { ContractStore, OrderFilter } from '../../../trading/contract-store.ts';
import type { Database } from '../../postgres/database.ts';
import { money, type OrderColumns, orderOf, signedMoney } from '../order-columns.ts';
import { LAST_ID, NEWEST, narrowing, ORDER_CURSOR, pageOf } from './trading-store.ts';

function conditionsOf(filter: OrderFilter, first: number) {
  const { platform, symbol, symbolType, side, status, begin, end } = filter;
  const text = (value: number | undefined) => (value === undefined ? undefined : String(value));
  const equal = narrowing(
    { platform: text(platform), symbol, symbol_type: symbolType, side: text(side), status: text(status) },
    first,
  );
  const at = first + equal.values.length;
  return {
    conditions: `${equal.conditions} and created_at >= $${at} and created_at < $${at + 1}`,
    values: [...equal.values, begin ?? 0, end ?? NEWEST],
  };
}

/** Orders of all platforms by a filter, and their sums. */
export function orderTotals(database: Database): Pick<ContractStore, 'orders' | 'totals'> {
  return {
    async orders(filter, page) {
      const [, time = NEWEST, id = LAST_ID] = ORDER_CURSOR.exec(page.cursor ?? '') ?? [];
      const { conditions, values } = conditionsOf(filter, 5);
      const rows = await database.query<OrderColumns>(
        `select * from orders where user_id = $1 and (created_at, id) < ($2::bigint, $3::uuid) ${conditions}
          order by created_at desc, id desc limit $4`,
        [filter.user, time, id, page.limit + 1, ...values],
      );
      return pageOf(rows, page.limit, { keep: orderOf, cursor: (row) => `${row.created_at}_${row.id}` });
    },
    async totals(filter) {
      const { conditions, values } = conditionsOf(filter, 2);
      const [sums] = await database.query<{ orders: number; filled: number; quote: string; pnl: string }>(
        `select count(*)::int as orders, count(*) filter (where cum_quantity > 0)::int as filled,
            trim_scale(coalesce(sum(cum_quote), 0))::text as quote,
            trim_scale(coalesce(sum(realised_pnl), 0))::text as pnl
          from orders where user_id = $1 ${conditions}`,
        [filter.user, ...values],
      );
      const fees = await database.query<{ asset: string; amount: string }>(
        `select f.fee_asset as asset, trim_scale(sum(f.fee))::text as amount from fills f
          where f.order_id in (select id from orders where user_id = $1 ${conditions})
          group by f.fee_asset having sum(f.fee) <> 0 order by f.fee_asset`,
        [filter.user, ...values],
      );
      return {
        orders: sums?.orders ?? 0,
        filled: sums?.filled ?? 0,
        cumQuote: money(sums?.quote ?? '0'),
        realisedPnl: signedMoney(sums?.pnl ?? '0'),
        fees: fees.map(({ asset, amount }) => ({ asset, amount: signedMoney(amount) })),
      };
    },
  };
}

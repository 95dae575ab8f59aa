import type { PageRequest } from '../../../trading/account-pages.ts';
import type { ContractStore, OrderFilter } from '../../../trading/contract-store.ts';
import type { Database } from '../../postgres/database.ts';
import { money, type OrderColumns, orderOf, signedMoney } from '../order-columns.ts';
import type { LongReads } from './long-reads.ts';
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

/** Profit less fees, with funding and the like, in a time. */
const REALISED = `select trim_scale(
    coalesce((select sum(realised_pnl - fee) from fills where user_id = $1 and symbol_type = 'SWAP'
      and filled_at >= $2 and filled_at < $3), 0)
    + coalesce((select sum(amount) from contract_income where user_id = $1 and kind <> 'insurance'
      and at >= $2 and at < $3), 0))::text as sum`;

/** Orders of all platforms by a filter, their sums, and what contracts realised: each may walk all that a member ever did. */
export function orderTotals(
  database: Database,
  longReads: LongReads,
): Pick<ContractStore, 'orders' | 'totals' | 'realised'> {
  return {
    orders: (filter, page) => longReads(filter.user, () => ordersOf(database, filter, page)),
    totals: (filter) => longReads(filter.user, () => totalsOf(database, filter)),
    async realised(user, from, to) {
      const read = () => database.query<{ sum: string }>(REALISED, [user, from, to]);
      const [row] = await longReads(user, read);
      return signedMoney(row?.sum ?? '0');
    },
  };
}

async function ordersOf(database: Database, filter: OrderFilter, page: PageRequest) {
  const [, time = NEWEST, id = LAST_ID] = ORDER_CURSOR.exec(page.cursor ?? '') ?? [];
  const { conditions, values } = conditionsOf(filter, 5);
  const rows = await database.query<OrderColumns>(
    `select * from orders where user_id = $1 and (created_at, id) < ($2::bigint, $3::uuid) ${conditions}
      order by created_at desc, id desc limit $4`,
    [filter.user, time, id, page.limit + 1, ...values],
  );
  return pageOf(rows, page.limit, { keep: orderOf, cursor: (row) => `${row.created_at}_${row.id}` });
}

async function totalsOf(database: Database, filter: OrderFilter) {
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
}

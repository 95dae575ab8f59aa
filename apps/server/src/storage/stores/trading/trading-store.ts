import type { Millis, OrderId, Platform, UserId, VenueOrderId } from '@crossbook/domain';
import type { StoredPage } from '../../../trading/account-pages.ts';
import type { OrderFees, OrderStore } from '../../../trading/ports.ts';
import type { Database } from '../../postgres/database.ts';
import {
  amendedColumns,
  type FillColumns,
  fillColumns,
  fillOf,
  money,
  type OrderColumns,
  orderColumns,
  orderOf,
  progressColumns,
} from '../order-columns.ts';

/** What is written of a new order; the rest has the columns' defaults. */
const INSERTED =
  `id user_id platform symbol_type symbol base quote side order_type time_in_force price quantity quote_quantity
  visible_quantity listed_quantity send_type send_time_in_force send_price effect reduce_only margin_mode leverage cause algo_id
  venue_client_id payload_hash hold_id shares_hold hold_asset hold_amount status created_at
  updated_at`.split(/\s+/);

/** What is written of an order's progress, behind its id. */
const PROGRESSED =
  `status cancel_pending settled cum_quantity cum_quote realised_pnl venue_order_id reason fence_closes_at looks
  first_look_at updated_at`.split(/\s+/);

/** Statements of this store, registered with the ledger store so that they commit with the money. */
export const TRADING_WRITES = {
  'orders.insert': {
    sql: `insert into orders (${INSERTED.join(', ')})
      select ${INSERTED.join(', ')} from jsonb_populate_recordset(null::orders, $1)`,
    one: {
      columns: INSERTED,
      sql: `insert into orders (${INSERTED.join(', ')})
        select ${INSERTED.map((_column, at) => `$${at + 1}`).join(', ')} where true`,
    },
  },
  'orders.progress': {
    sql: `update orders set ${PROGRESSED.map((column) => `${column} = r.${column}`).join(', ')}
      from jsonb_to_recordset($1) r(id uuid, status smallint, cancel_pending boolean, settled boolean,
        cum_quantity numeric, cum_quote numeric, realised_pnl numeric, venue_order_id text, reason text,
        fence_closes_at bigint, looks integer, first_look_at bigint, updated_at bigint) where orders.id = r.id`,
    one: {
      columns: ['id', ...PROGRESSED],
      sql: `update orders set ${PROGRESSED.map((column, at) => `${column} = $${at + 2}`).join(', ')} where id = $1`,
    },
  },
  'orders.amend': `update orders set price = r.price, quantity = r.quantity, send_price = r.send_price,
      hold_id = r.hold_id, hold_amount = r.hold_amount, amend_price = r.amend_price, amend_quantity = r.amend_quantity,
      amend_deadline_at = r.amend_deadline_at, amend_lookups = r.amend_lookups, updated_at = r.updated_at
    from jsonb_populate_recordset(null::orders, $1) r where orders.id = r.id`,
  'fills.insert': `insert into fills (platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity,
      quote_quantity, fee, fee_asset, maker, filled_at, effect, margin_mode, realised_pnl, cause)
    select platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity, quote_quantity, fee,
      fee_asset, maker, filled_at, effect, margin_mode, realised_pnl, cause
    from jsonb_populate_recordset(null::fills, $1)
    on conflict (platform, symbol_type, symbol, trade_id, order_id) do nothing`,
};

/** A page's rows and its `next`: one row more than asked for was read to know whether there is one. */
export function pageOf<Row, Kept>(
  rows: readonly Row[],
  limit: number,
  made: { readonly keep: (row: Row) => Kept; readonly cursor: (row: Row) => string },
): StoredPage<Kept> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const page = { rows: shown.map(made.keep) };
  return rows.length > limit && last !== undefined ? { ...page, next: made.cursor(last) } : page;
}

/** Where a page of orders begins. */
export const ORDER_CURSOR = /^([0-9]{1,16})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Where a first page begins: behind everything. A cursor that may be absent would be a filter and no bound of the index,
 * and a page deep in a history would read everything before it.
 */
export const NEWEST = '9223372036854775807';
/** The last id there can be. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Conditions on the columns that are asked for; an absent one is none, so that an index bounds what is read. */
export function narrowing(asked: Readonly<Record<string, string | undefined>>, firstParameter: number) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return {
    columns: given.map(([column]) => column),
    conditions: given.map(([column], at) => `and ${column} = $${at + firstParameter}`).join(' '),
    values: given.map(([, value]) => value ?? null),
  };
}

/** Of each order of a page so many fills are read to add up what they cost. */
export const FEE_FILLS_MAX = 1_000;

/** Pages of what is over or not, the fills of one order, and what those of a page of orders cost. */
function historyOf(database: Database): Pick<OrderStore, 'history' | 'fills' | 'fillsOfOrder' | 'feesOf'> {
  return {
    async history(user, platform, page) {
      const [, time = NEWEST, id = LAST_ID] = ORDER_CURSOR.exec(page.cursor ?? '') ?? [];
      const { symbol, symbolType } = page;
      const narrowed = narrowing({ symbol, symbol_type: symbolType }, 6);
      const rows = await database.query<OrderColumns>(
        {
          name: ['orders-history', ...narrowed.columns].join('-'),
          text: `select * from orders where user_id = $1 and platform = $2
            and (created_at, id) < ($3::bigint, $4::uuid) ${narrowed.conditions}
            order by created_at desc, id desc limit $5`,
        },
        [user, platform, time, id, page.limit + 1, ...narrowed.values],
      );
      return pageOf(rows, page.limit, { keep: orderOf, cursor: (row) => `${row.created_at}_${row.id}` });
    },
    async fills(user, platform, page) {
      const before = /^[0-9]{1,18}$/.test(page.cursor ?? '') ? page.cursor : NEWEST;
      const { symbol, symbolType, orderId } = page;
      const narrowed = narrowing({ symbol, symbol_type: symbolType, order_id: orderId }, 5);
      const rows = await database.query<FillColumns>(
        {
          name: ['fills-history', ...narrowed.columns].join('-'),
          text: `select * from fills where user_id = $1 and platform = $2 and sequence < $3 ${narrowed.conditions}
            order by sequence desc limit $4`,
        },
        [user, platform, before ?? NEWEST, page.limit + 1, ...narrowed.values],
      );
      return pageOf(rows, page.limit, { keep: fillOf, cursor: (row) => row.sequence });
    },
    async fillsOfOrder(id) {
      const rows = await database.query<FillColumns>(
        { name: 'fills-of-order', text: 'select * from fills where order_id = $1 order by sequence' },
        [id],
      );
      return rows.map(fillOf);
    },
    async feesOf(ids) {
      const rows = await database.query<{ id: OrderId; asset: string; amount: string; fills: string }>(
        {
          name: 'fees-of-orders',
          text: `select asked.id, f.fee_asset as asset, trim_scale(sum(f.fee))::text as amount, count(*) as fills
            from unnest($1::uuid[]) as asked (id) cross join lateral
              (select fee_asset, fee from fills where order_id = asked.id limit ${FEE_FILLS_MAX + 1}) f
            group by asked.id, f.fee_asset order by asked.id, f.fee_asset`,
        },
        [ids],
      );
      const fees = new Map<OrderId, OrderFees>();
      const fills = new Map<OrderId, number>();
      for (const { id, asset, amount, fills: count } of rows) {
        fees.set(id, [...(fees.get(id) ?? []), { asset, amount: money(amount) }]);
        fills.set(id, (fills.get(id) ?? 0) + Number(count));
      }
      return new Map(
        [...fees].map(([id, paid]) => [id, (fills.get(id) ?? 0) > FEE_FILLS_MAX ? 'too-many' : paid]),
      );
    },
  };
}

/** Orders by the ids they are known by. */
function namesOf(database: Database): Pick<OrderStore, 'byId' | 'byVenueId' | 'ofVenueId'> {
  return {
    async byId(id) {
      const [row] = await database.query<OrderColumns>(
        { name: 'order-by-id', text: 'select * from orders where id = $1' },
        [id],
      );
      return row === undefined ? undefined : orderOf(row);
    },
    async byVenueId({ user, platform }, id, { symbol, symbolType }) {
      const [row] = await database.query<OrderColumns>(
        {
          name: 'order-by-venue-id',
          text: `select * from orders where user_id = $1 and platform = $2 and venue_order_id = $3 and symbol = $4
            and ($5::text is null or symbol_type = $5) order by created_at desc limit 1`,
        },
        [user, platform, id, symbol, symbolType ?? null],
      );
      return row === undefined ? undefined : orderOf(row);
    },
    async ofVenueId({ user, platform }, id) {
      const rows = await database.query<OrderColumns>(
        {
          name: 'orders-of-venue-id',
          text: `select * from orders where user_id = $1 and platform = $2 and venue_order_id = $3
            order by created_at desc limit 100`,
        },
        [user, platform, id],
      );
      return rows.map(orderOf);
    },
  };
}

/** Orders and fills in PostgreSQL. */
export function createOrderStore(database: Database): OrderStore {
  return {
    ...namesOf(database),
    async unsettled() {
      const rows = await database.query<OrderColumns>(
        'select * from orders where not settled order by created_at',
      );
      return rows.map(orderOf);
    },
    async unsettledOwners() {
      const rows = await database.query<{ user_id: string; platform: number }>(
        'select distinct user_id, platform from orders where not settled order by user_id, platform',
      );
      return rows.map((row) => ({ user: Number(row.user_id) as UserId, platform: row.platform as Platform }));
    },
    async unsettledOf({ user, platform }) {
      const rows = await database.query<OrderColumns>(
        {
          name: 'orders-unsettled-of',
          text: 'select * from orders where user_id = $1 and platform = $2 and not settled order by created_at',
        },
        [user, platform],
      );
      return rows.map(orderOf);
    },
    async ofIceberg(id) {
      // One statement: an order that is booked meanwhile is counted once.
      const [row] = await database.query<{
        readonly executed: string;
        readonly unsettled: readonly { id: OrderId; at: VenueOrderId; cum: string; of: string }[];
        readonly newest: { readonly id: OrderId; readonly at: number } | null;
      }>(
        {
          name: 'iceberg-sum',
          text: `select coalesce(sum(cum_quantity) filter (where settled), 0) as executed,
              coalesce(jsonb_agg(jsonb_build_object('id', id, 'at', venue_order_id, 'cum', cum_quantity::text, 'of', quantity::text))
                filter (where not settled), '[]') as unsettled,
              (array_agg(jsonb_build_object('id', id, 'at', created_at) order by created_at desc, id desc))[1] as newest
            from orders where algo_id = $1`,
        },
        [id],
      );
      const { executed = '0', unsettled = [], newest } = row ?? {};
      return {
        executed: money(executed),
        unsettled: unsettled.map(({ id, at, cum, of }) => ({
          ...{ id, venueOrderId: at, cumQuantity: money(cum), quantity: money(of) },
        })),
        ...(newest == null ? {} : { newest: { id: newest.id, createdAt: newest.at as Millis } }),
      };
    },
    async knownVenueIds({ user, platform, symbol, symbolType }, ids) {
      const rows = await database.query<{ venue_order_id: VenueOrderId }>(
        {
          name: 'orders-by-venue-id',
          text: `select venue_order_id from orders where user_id = $1 and platform = $2 and symbol = $3
            and venue_order_id = any($4) and symbol_type = $5`,
        },
        [user, platform, symbol, ids, symbolType],
      );
      return new Set(rows.map((row) => row.venue_order_id));
    },
    async openOf(user, platform, only = {}) {
      const rows = await database.query<OrderColumns>(
        {
          name: 'orders-open',
          text: `select * from orders where user_id = $1 and platform = $2 and not settled
            and status in (0, 1, 2, 5) and ($3::text is null or symbol = $3)
            and ($4::text is null or symbol_type = $4) order by created_at desc, id desc`,
        },
        [user, platform, only.symbol ?? null, only.symbolType ?? null],
      );
      return rows.map(orderOf);
    },
    ...historyOf(database),
    insert: (order) => ({ table: 'orders.insert', row: orderColumns(order) }),
    progress: (order) => ({ table: 'orders.progress', row: progressColumns(order) }),
    amend: (order) => ({ table: 'orders.amend', row: amendedColumns(order) }),
    fill: (fill) => ({ table: 'fills.insert', row: fillColumns(fill) }),
  };
}

import {
  type Amount,
  assert,
  formatAmount,
  type Millis,
  type OrderId,
  type OrderStatus,
  type OrderType,
  type Platform,
  parseAmount,
  type Side,
  type SymbolType,
  type TimeInForce,
  type UserId,
  type VenueOrderId,
} from '@crossbook/domain';
import type { HoldId } from '@crossbook/ledger';
import type { StoredFill, StoredOrder } from '../../trading/order.ts';
import type { OrderStore, StoredPage } from '../../trading/ports.ts';
import type { Database } from '../postgres/database.ts';

/** Set-based statements of this store, registered with the ledger store so that they commit with the money. */
export const TRADING_WRITES: Readonly<Record<string, string>> = {
  'orders.insert': `insert into orders (id, user_id, platform, symbol_type, symbol, base, quote, side, order_type,
      time_in_force, price, quantity, quote_quantity, send_type, send_time_in_force, send_price, payload_hash, hold_id,
      hold_asset, hold_amount, status, created_at, updated_at)
    select id, user_id, platform, symbol_type, symbol, base, quote, side, order_type, time_in_force, price, quantity,
      quote_quantity, send_type, send_time_in_force, send_price, payload_hash, hold_id, hold_asset, hold_amount, status,
      created_at, updated_at
    from jsonb_populate_recordset(null::orders, $1)`,
  'orders.progress': `update orders set status = r.status, cancel_pending = r.cancel_pending, settled = r.settled,
      cum_quantity = r.cum_quantity, cum_quote = r.cum_quote, venue_order_id = r.venue_order_id, reason = r.reason,
      fence_closes_at = r.fence_closes_at, looks = r.looks, first_look_at = r.first_look_at, updated_at = r.updated_at
    from jsonb_to_recordset($1) r(id uuid, status smallint, cancel_pending boolean, settled boolean,
      cum_quantity numeric, cum_quote numeric, venue_order_id text, reason text, fence_closes_at bigint, looks integer,
      first_look_at bigint, updated_at bigint) where orders.id = r.id`,
  'fills.insert': `insert into fills (platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity,
      quote_quantity, fee, fee_asset, maker, filled_at)
    select platform, symbol_type, symbol, trade_id, order_id, user_id, side, price, quantity, quote_quantity, fee,
      fee_asset, maker, filled_at
    from jsonb_populate_recordset(null::fills, $1)
    on conflict (platform, symbol_type, symbol, trade_id, order_id) do nothing`,
};

interface OrderColumns {
  readonly id: string;
  readonly user_id: string;
  readonly platform: number;
  readonly symbol_type: SymbolType;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly side: Side;
  readonly order_type: OrderType;
  readonly time_in_force: TimeInForce;
  readonly price: string | null;
  readonly quantity: string | null;
  readonly quote_quantity: string | null;
  readonly send_type: OrderType;
  readonly send_time_in_force: TimeInForce;
  readonly send_price: string | null;
  readonly payload_hash: string;
  readonly hold_id: string;
  readonly hold_asset: string;
  readonly hold_amount: string;
  readonly status: OrderStatus;
  readonly cancel_pending: boolean;
  readonly settled: boolean;
  readonly cum_quantity: string;
  readonly cum_quote: string;
  readonly venue_order_id: string | null;
  readonly reason: string | null;
  readonly fence_closes_at: string | null;
  readonly looks: number;
  readonly first_look_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

interface FillColumns {
  readonly platform: number;
  readonly symbol_type: SymbolType;
  readonly symbol: string;
  readonly trade_id: string;
  readonly order_id: string;
  readonly user_id: string;
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
  readonly quote_quantity: string;
  readonly fee: string;
  readonly fee_asset: string;
  readonly maker: boolean;
  readonly filled_at: string;
  readonly sequence: string;
}

/** An amount as a column has it. */
export function money(text: string): Amount {
  const value = parseAmount(text);
  assert(value !== undefined, `a stored amount is readable: ${text}`);
  return value;
}

/** `{ key: read(value) }`, or nothing where the column is null: "absent" is spelt one way inside. */
function maybe<Key extends string, Value>(
  key: Key,
  column: string | null,
  read: (text: string) => Value,
): { readonly [K in Key]?: Value } {
  return column === null ? {} : ({ [key]: read(column) } as { readonly [K in Key]?: Value });
}

const millis = (text: string) => Number(text) as Millis;

function orderOf(row: OrderColumns): StoredOrder {
  return {
    id: row.id as OrderId,
    user: Number(row.user_id) as UserId,
    platform: row.platform as Platform,
    symbolType: row.symbol_type,
    symbol: row.symbol,
    base: row.base,
    quote: row.quote,
    side: row.side,
    type: row.order_type,
    timeInForce: row.time_in_force,
    ...maybe('price', row.price, money),
    ...maybe('quantity', row.quantity, money),
    ...maybe('quoteQuantity', row.quote_quantity, money),
    sendType: row.send_type,
    sendTimeInForce: row.send_time_in_force,
    ...maybe('sendPrice', row.send_price, money),
    payloadHash: row.payload_hash,
    holdId: row.hold_id as HoldId,
    holdAsset: row.hold_asset,
    holdAmount: money(row.hold_amount),
    status: row.status,
    cancelPending: row.cancel_pending,
    settled: row.settled,
    cumQuantity: money(row.cum_quantity),
    cumQuote: money(row.cum_quote),
    ...maybe('venueOrderId', row.venue_order_id, (text) => text as VenueOrderId),
    ...maybe('reason', row.reason, (text) => text),
    ...maybe('deadlineAt', row.fence_closes_at, millis),
    lookups: row.looks,
    ...maybe('firstLookupAt', row.first_look_at, millis),
    createdAt: millis(row.created_at),
    updatedAt: millis(row.updated_at),
  };
}

function fillOf(row: FillColumns): StoredFill {
  return {
    tradeId: row.trade_id,
    orderId: row.order_id as OrderId,
    user: Number(row.user_id) as UserId,
    platform: row.platform as Platform,
    symbolType: row.symbol_type,
    symbol: row.symbol,
    side: row.side,
    price: money(row.price),
    quantity: money(row.quantity),
    quoteQuantity: money(row.quote_quantity),
    fee: money(row.fee),
    feeAsset: row.fee_asset,
    maker: row.maker,
    time: millis(row.filled_at),
  };
}

const text = (value: Amount | undefined) => (value === undefined ? null : formatAmount(value));

function progressColumns(order: StoredOrder) {
  return {
    id: order.id,
    status: order.status,
    cancel_pending: order.cancelPending,
    settled: order.settled,
    cum_quantity: formatAmount(order.cumQuantity),
    cum_quote: formatAmount(order.cumQuote),
    venue_order_id: order.venueOrderId ?? null,
    reason: order.reason ?? null,
    fence_closes_at: order.deadlineAt ?? null,
    looks: order.lookups,
    first_look_at: order.firstLookupAt ?? null,
    updated_at: order.updatedAt,
  };
}

function orderColumns(order: StoredOrder) {
  return {
    ...progressColumns(order),
    user_id: order.user,
    platform: order.platform,
    symbol_type: order.symbolType,
    symbol: order.symbol,
    base: order.base,
    quote: order.quote,
    side: order.side,
    order_type: order.type,
    time_in_force: order.timeInForce,
    price: text(order.price),
    quantity: text(order.quantity),
    quote_quantity: text(order.quoteQuantity),
    send_type: order.sendType,
    send_time_in_force: order.sendTimeInForce,
    send_price: text(order.sendPrice),
    payload_hash: order.payloadHash,
    hold_id: order.holdId,
    hold_asset: order.holdAsset,
    hold_amount: formatAmount(order.holdAmount),
    created_at: order.createdAt,
  };
}

function fillColumns(fill: StoredFill) {
  return {
    platform: fill.platform,
    symbol_type: fill.symbolType,
    symbol: fill.symbol,
    trade_id: fill.tradeId,
    order_id: fill.orderId,
    user_id: fill.user,
    side: fill.side,
    price: formatAmount(fill.price),
    quantity: formatAmount(fill.quantity),
    quote_quantity: formatAmount(fill.quoteQuantity),
    fee: formatAmount(fill.fee),
    fee_asset: fill.feeAsset,
    maker: fill.maker,
    filled_at: fill.time,
  };
}

/** A page's rows and its `next`: one row more than asked for was read to know whether there is one. */
function pageOf<Row, Kept>(
  rows: readonly Row[],
  limit: number,
  made: { readonly keep: (row: Row) => Kept; readonly cursor: (row: Row) => string },
): StoredPage<Kept> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const page = { rows: shown.map(made.keep) };
  return rows.length > limit && last !== undefined ? { ...page, next: made.cursor(last) } : page;
}

const ORDER_CURSOR = /^([0-9]{1,16})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Where a first page begins: behind everything. A cursor that may be absent would be a filter and no bound of the index,
 * and a page deep in a history would read everything before it.
 */
const NEWEST = '9223372036854775807';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Pages of what is over or not, and the fills of one order. */
function historyOf(database: Database): Pick<OrderStore, 'history' | 'fills' | 'fillsOfOrder'> {
  return {
    async history(user, platform, page) {
      const [, time = NEWEST, id = LAST_ID] = ORDER_CURSOR.exec(page.cursor ?? '') ?? [];
      const { symbol } = page;
      const rows = await database.query<OrderColumns>(
        {
          name: symbol === undefined ? 'orders-history' : 'orders-history-symbol',
          text: `select * from orders where user_id = $1 and platform = $2
            and (created_at, id) < ($3::bigint, $4::uuid) ${symbol === undefined ? '' : 'and symbol = $6'}
            order by created_at desc, id desc limit $5`,
        },
        [user, platform, time, id, page.limit + 1, ...(symbol === undefined ? [] : [symbol])],
      );
      return pageOf(rows, page.limit, { keep: orderOf, cursor: (row) => `${row.created_at}_${row.id}` });
    },
    async fills(user, platform, page) {
      const before = /^[0-9]{1,18}$/.test(page.cursor ?? '') ? page.cursor : NEWEST;
      const { symbol, orderId } = page;
      const narrowed = Object.entries({ symbol, order_id: orderId }).filter(
        ([, value]) => value !== undefined,
      );
      const conditions = narrowed.map(([column], at) => `and ${column} = $${at + 5}`).join(' ');
      const rows = await database.query<FillColumns>(
        {
          name: ['fills-history', ...narrowed.map(([column]) => column)].join('-'),
          text: `select * from fills where user_id = $1 and platform = $2 and sequence < $3 ${conditions}
            order by sequence desc limit $4`,
        },
        [user, platform, before ?? NEWEST, page.limit + 1, ...narrowed.map(([, value]) => value ?? null)],
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
  };
}

/** Orders and fills in PostgreSQL. */
export function createOrderStore(database: Database): OrderStore {
  return {
    async byId(id) {
      const [row] = await database.query<OrderColumns>(
        { name: 'order-by-id', text: 'select * from orders where id = $1' },
        [id],
      );
      return row === undefined ? undefined : orderOf(row);
    },
    async byVenueId({ user, platform }, id) {
      const [row] = await database.query<OrderColumns>(
        {
          name: 'order-by-venue-id',
          text: `select * from orders where user_id = $1 and platform = $2 and venue_order_id = $3
            order by created_at desc limit 1`,
        },
        [user, platform, id],
      );
      return row === undefined ? undefined : orderOf(row);
    },
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
    async knownVenueIds({ user, platform, symbol }, ids) {
      const rows = await database.query<{ venue_order_id: VenueOrderId }>(
        {
          name: 'orders-by-venue-id',
          text: `select venue_order_id from orders where user_id = $1 and platform = $2 and symbol = $3
            and venue_order_id = any($4)`,
        },
        [user, platform, symbol, ids],
      );
      return new Set(rows.map((row) => row.venue_order_id));
    },
    async openOf(user, platform, symbol) {
      const rows = await database.query<OrderColumns>(
        {
          name: 'orders-open',
          text: `select * from orders where user_id = $1 and platform = $2 and not settled
            and status in (0, 1, 2, 5) and ($3::text is null or symbol = $3) order by created_at desc, id desc`,
        },
        [user, platform, symbol ?? null],
      );
      return rows.map(orderOf);
    },
    ...historyOf(database),
    insert: (order) => ({ table: 'orders.insert', row: orderColumns(order) }),
    progress: (order) => ({ table: 'orders.progress', row: progressColumns(order) }),
    fill: (fill) => ({ table: 'fills.insert', row: fillColumns(fill) }),
  };
}

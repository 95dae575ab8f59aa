import {
  type Amount,
  assert,
  formatAmount,
  type MarginMode,
  type Millis,
  type OrderId,
  type OrderStatus,
  type OrderType,
  type Platform,
  type PositionSide,
  parseAmount,
  parseSignedAmount,
  type Side,
  type SymbolType,
  type TimeInForce,
  type UserId,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import type { HoldId } from '@crossbook/ledger';
import type { OrderCause, StoredContractFill, StoredFill, StoredOrder } from '../../trading/order.ts';

/** A row of `orders`. */
export interface OrderColumns {
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
  readonly visible_quantity: string | null;
  readonly listed_quantity: string | null;
  readonly send_type: OrderType;
  readonly send_time_in_force: TimeInForce;
  readonly send_price: string | null;
  readonly effect: PositionSide;
  readonly reduce_only: boolean;
  readonly margin_mode: MarginMode | null;
  readonly leverage: number | null;
  readonly cause: 'order' | OrderCause;
  readonly algo_id: string | null;
  readonly venue_client_id: string | null;
  readonly realised_pnl: string | null;
  readonly payload_hash: string;
  readonly hold_id: string;
  readonly shares_hold: boolean;
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
  readonly amend_price: string | null;
  readonly amend_quantity: string | null;
  readonly amend_deadline_at: string | null;
  readonly amend_lookups: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A row of `fills`. */
export interface FillColumns {
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
  readonly effect: PositionSide;
  readonly margin_mode: MarginMode | null;
  readonly realised_pnl: string | null;
  readonly cause: StoredContractFill['cause'];
  readonly sequence: string;
}

/** An amount as a column has it. */
export function money(text: string): Amount {
  const value = parseAmount(text);
  assert(value !== undefined, `a stored amount is readable: ${text}`);
  return value;
}

/** The same with a sign. */
export function signedMoney(text: string): Amount {
  const value = parseSignedAmount(text);
  assert(value !== undefined, `a stored amount is readable: ${text}`);
  return value;
}

/** `{ key: read(value) }`, or nothing where the column is null: "absent" is spelt one way inside. */
export function maybe<Key extends string, Value>(
  key: Key,
  column: string | null,
  read: (text: string) => Value,
): { readonly [K in Key]?: Value } {
  return column === null ? {} : ({ [key]: read(column) } as { readonly [K in Key]?: Value });
}

const millis = (text: string) => Number(text) as Millis;

/** An order as its row has it. */
export function orderOf(row: OrderColumns): StoredOrder {
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
    ...maybe('visible', row.visible_quantity, money),
    ...maybe('listed', row.listed_quantity, money),
    sendType: row.send_type,
    sendTimeInForce: row.send_time_in_force,
    ...maybe('sendPrice', row.send_price, money),
    ...(row.margin_mode === null
      ? {}
      : {
          contract: {
            side: row.effect,
            marginMode: row.margin_mode,
            reduceOnly: row.reduce_only,
            leverage: row.leverage ?? 1,
          },
        }),
    ...(row.cause === 'order' ? {} : { cause: row.cause }),
    ...maybe('algoId', row.algo_id, (text) => text as OrderId),
    ...maybe('venueClientId', row.venue_client_id, (text) => text as VenueClientId),
    ...maybe('realisedPnl', row.realised_pnl, signedMoney),
    payloadHash: row.payload_hash,
    holdId: row.hold_id as HoldId,
    ...(row.shares_hold ? { sharesHold: true } : {}),
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
    ...amendmentOf(row),
    createdAt: millis(row.created_at),
    updatedAt: millis(row.updated_at),
  };
}

function amendmentOf(row: OrderColumns): Pick<StoredOrder, 'amendment'> {
  if (row.amend_price === null || row.amend_quantity === null) return {};
  const terms = { price: money(row.amend_price), quantity: money(row.amend_quantity) };
  const deadline = maybe('deadlineAt', row.amend_deadline_at, millis);
  return { amendment: { ...terms, ...deadline, lookups: row.amend_lookups ?? 0 } };
}

/** A fill as its row has it. */
export function fillOf(row: FillColumns): StoredFill {
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
    ...(row.margin_mode === null || row.realised_pnl === null
      ? {}
      : {
          contract: {
            realisedPnl: signedMoney(row.realised_pnl),
            side: row.effect,
            marginMode: row.margin_mode,
            cause: row.cause,
          },
        }),
  };
}

// What is absent stays absent: a row says nothing of columns that are null, which the database would have to read.
const text = (value: Amount | undefined) => (value === undefined ? undefined : formatAmount(value));

/** The columns that change as an order lives. */
export function progressColumns(order: StoredOrder) {
  return {
    id: order.id,
    status: order.status,
    cancel_pending: order.cancelPending,
    settled: order.settled,
    cum_quantity: formatAmount(order.cumQuantity),
    cum_quote: formatAmount(order.cumQuote),
    venue_order_id: order.venueOrderId,
    realised_pnl: text(order.realisedPnl),
    reason: order.reason,
    fence_closes_at: order.deadlineAt,
    looks: order.lookups,
    first_look_at: order.firstLookupAt,
    updated_at: order.updatedAt,
  };
}

/** The columns that a change of its terms writes. */
export function amendedColumns(order: StoredOrder) {
  const { amendment } = order;
  return {
    id: order.id,
    price: text(order.price),
    quantity: text(order.quantity),
    send_price: text(order.sendPrice),
    hold_id: order.holdId,
    hold_amount: formatAmount(order.holdAmount),
    amend_price: text(amendment?.price),
    amend_quantity: text(amendment?.quantity),
    amend_deadline_at: amendment?.deadlineAt,
    amend_lookups: amendment?.lookups,
    updated_at: order.updatedAt,
  };
}

/** All columns of a new order. */
export function orderColumns(order: StoredOrder) {
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
    visible_quantity: text(order.visible),
    listed_quantity: text(order.listed),
    send_type: order.sendType,
    send_time_in_force: order.sendTimeInForce,
    send_price: text(order.sendPrice),
    effect: order.contract?.side ?? 0,
    reduce_only: order.contract?.reduceOnly ?? false,
    margin_mode: order.contract?.marginMode,
    leverage: order.contract?.leverage,
    cause: order.cause ?? 'order',
    algo_id: order.algoId,
    venue_client_id: order.venueClientId,
    payload_hash: order.payloadHash,
    hold_id: order.holdId,
    shares_hold: order.sharesHold ?? false,
    hold_asset: order.holdAsset,
    hold_amount: formatAmount(order.holdAmount),
    created_at: order.createdAt,
  };
}

/** All columns of a fill. */
export function fillColumns(fill: StoredFill) {
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
    effect: fill.contract?.side ?? 0,
    margin_mode: fill.contract?.marginMode,
    realised_pnl: text(fill.contract?.realisedPnl),
    cause: fill.contract?.cause ?? 'trade',
  };
}

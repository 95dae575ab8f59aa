import type { CallAnswer, FillRow, OrderRow } from '@crossbook/contract';
import { type Amount, formatAmount, ORDER_STATUS, type Side, ZERO } from '@crossbook/domain';
import { icebergOf, type StoredFill, type StoredOrder } from './order.ts';
import { refusal } from './ports.ts';
import { refusalOfReason, reportedReason } from './venue-refusal.ts';

function optional(value: Amount | undefined): string | null {
  return value === undefined ? null : formatAmount(value);
}

function changeOf({ amendment }: StoredOrder): OrderRow['change'] {
  if (amendment === undefined) return null;
  return { price: formatAmount(amendment.price), quantity: formatAmount(amendment.quantity) };
}

/** An order as its owner sees it; those of spot have position effect 0 (spec section 4). */
export function orderRow(order: StoredOrder): OrderRow {
  return {
    orderId: order.id,
    ...(order.venueOrderId === undefined ? {} : { venueOrderId: order.venueOrderId }),
    exchange: order.platform,
    symbolType: order.symbolType,
    symbol: order.symbol,
    side: order.side,
    effect: order.contract?.side ?? 0,
    reduceOnly: order.contract?.reduceOnly ?? false,
    marginMode: order.contract?.marginMode ?? null,
    leverage: order.contract?.leverage ?? null,
    cause: order.cause ?? 'order',
    orderType: order.type === 2 ? 2 : 1,
    timeInForce: order.timeInForce,
    price: optional(order.price),
    quantity: optional(order.quantity),
    quoteQuantity: optional(order.quoteQuantity),
    visibleQuantity: optional(order.visible),
    icebergId: icebergOf(order) ?? null,
    cumQuantity: formatAmount(order.cumQuantity),
    cumQuote: formatAmount(order.cumQuote),
    realisedPnl: order.contract === undefined ? null : formatAmount(order.realisedPnl ?? ZERO),
    status: order.status,
    cancelPending: order.cancelPending,
    change: changeOf(order),
    settled: order.settled,
    ...reportedReason(order.reason),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

/** A fill as its owner sees it. */
export function fillRow(fill: StoredFill): FillRow {
  return {
    tradeId: fill.tradeId,
    orderId: fill.orderId,
    exchange: fill.platform,
    symbolType: fill.symbolType,
    symbol: fill.symbol,
    side: fill.side satisfies Side,
    effect: fill.contract?.side ?? 0,
    realisedPnl: optional(fill.contract?.realisedPnl),
    cause: fill.contract?.cause ?? 'trade',
    price: formatAmount(fill.price),
    quantity: formatAmount(fill.quantity),
    quoteQuantity: formatAmount(fill.quoteQuantity),
    fee: formatAmount(fill.fee),
    feeAsset: fill.feeAsset,
    maker: fill.maker,
    time: fill.time,
  };
}

/** The order as the answer of a call; a refused one is a refusal, in the venue's words, however often it is asked for. */
export function orderAnswer(order: StoredOrder): CallAnswer<OrderRow> {
  return order.status === ORDER_STATUS.REJECT
    ? refusal(refusalOfReason(order.reason))
    : { ok: true, value: orderRow(order) };
}

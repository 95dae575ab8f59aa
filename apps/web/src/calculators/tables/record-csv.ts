import type {
  AlgoRow,
  ClosedPositionRow,
  FillRow,
  FundingRow,
  OrderRow,
  PastOrderRow,
  PositionRow,
} from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import type { CsvColumn } from './csv.ts';

/** Columns of exports: machine-readable, in English whatever the language. */

/** Why it ended, in a name of ours where an exchange refused it. */
function reasonOf({ reason, refusal }: Pick<OrderRow, 'reason' | 'refusal'>): string {
  return reason ?? refusal?.cause ?? '';
}

const ORDER_CSV: readonly CsvColumn<OrderRow>[] = [
  { head: 'time', cell: (row) => new Date(row.createdAt).toISOString() },
  { head: 'updated', cell: (row) => new Date(row.updatedAt).toISOString() },
  { head: 'exchange', cell: (row) => platformFacts(row.exchange).slug },
  { head: 'symbol', cell: (row) => row.symbol },
  { head: 'side', cell: (row) => (row.side === 1 ? 'buy' : 'sell') },
  { head: 'type', cell: (row) => (row.orderType === 1 ? 'limit' : 'market') },
  { head: 'timeInForce', cell: (row) => ['', 'GTC', 'IOC', 'FOK', 'POST_ONLY'][row.timeInForce] ?? '' },
  { head: 'price', cell: (row) => row.price ?? '' },
  { head: 'quantity', cell: (row) => row.quantity ?? '' },
  { head: 'quoteQuantity', cell: (row) => row.quoteQuantity ?? '' },
  { head: 'filledQuantity', cell: (row) => row.cumQuantity },
  { head: 'filledQuote', cell: (row) => row.cumQuote },
  { head: 'status', cell: (row) => String(row.status) },
  { head: 'reason', cell: reasonOf },
  { head: 'venueCode', cell: (row) => row.refusal?.venueCode ?? '' },
  { head: 'effect', cell: (row) => String(row.effect) },
  { head: 'realisedPnl', cell: (row) => row.realisedPnl ?? '' },
  { head: 'orderId', cell: (row) => row.orderId },
];

const FILL_CSV: readonly CsvColumn<FillRow>[] = [
  { head: 'time', cell: (row) => new Date(row.time).toISOString() },
  { head: 'exchange', cell: (row) => platformFacts(row.exchange).slug },
  { head: 'symbol', cell: (row) => row.symbol },
  { head: 'side', cell: (row) => (row.side === 1 ? 'buy' : 'sell') },
  { head: 'price', cell: (row) => row.price },
  { head: 'quantity', cell: (row) => row.quantity },
  { head: 'quoteQuantity', cell: (row) => row.quoteQuantity },
  { head: 'fee', cell: (row) => row.fee },
  { head: 'feeAsset', cell: (row) => row.feeAsset },
  { head: 'role', cell: (row) => (row.maker ? 'maker' : 'taker') },
  { head: 'tradeId', cell: (row) => row.tradeId },
  { head: 'effect', cell: (row) => String(row.effect) },
  { head: 'realisedPnl', cell: (row) => row.realisedPnl ?? '' },
  { head: 'orderId', cell: (row) => row.orderId },
];

const leg = (side: 'takeProfit' | 'stopLoss', of: 'triggerPrice' | 'triggerBy' | 'price') => ({
  head: `${side}${of[0]?.toUpperCase()}${of.slice(1)}`,
  cell: (row: AlgoRow) => row[side]?.[of] ?? '',
});

const ALGO_CSV: readonly CsvColumn<AlgoRow>[] = [
  { head: 'time', cell: (row) => new Date(row.createdAt).toISOString() },
  { head: 'updated', cell: (row) => new Date(row.updatedAt).toISOString() },
  { head: 'exchange', cell: (row) => platformFacts(row.exchange).slug },
  { head: 'symbol', cell: (row) => row.symbol },
  { head: 'side', cell: (row) => (row.side === 1 ? 'buy' : 'sell') },
  { head: 'effect', cell: (row) => String(row.effect) },
  { head: 'type', cell: (row) => row.algoType },
  { head: 'reduceOnly', cell: (row) => String(row.reduceOnly) },
  { head: 'quantity', cell: (row) => row.quantity ?? 'whole' },
  ...(['stopLoss', 'takeProfit'] as const).flatMap((side) =>
    (['triggerPrice', 'triggerBy', 'price'] as const).map((of) => leg(side, of)),
  ),
  { head: 'trailingRatio', cell: (row) => row.trailing?.ratio ?? '' },
  { head: 'trailingDistance', cell: (row) => row.trailing?.distance ?? '' },
  { head: 'trailingActivation', cell: (row) => row.trailing?.activation ?? '' },
  { head: 'icebergPrice', cell: (row) => row.iceberg?.price ?? '' },
  { head: 'icebergVisible', cell: (row) => row.iceberg?.visibleQuantity ?? '' },
  { head: 'icebergBehindRatio', cell: (row) => row.iceberg?.behindRatio ?? '' },
  { head: 'icebergBehindDistance', cell: (row) => row.iceberg?.behindDistance ?? '' },
  { head: 'executed', cell: (row) => row.executed ?? '' },
  { head: 'state', cell: (row) => row.state },
  { head: 'reason', cell: reasonOf },
  { head: 'venueCode', cell: (row) => row.refusal?.venueCode ?? '' },
  { head: 'algoId', cell: (row) => row.algoId },
];

/** Columns of orders that wait for a price, with those that are done. */
export function algoCsv(keyOf: (row: AlgoRow) => string): readonly CsvColumn<AlgoRow>[] {
  return [...ALGO_CSV, { head: 'symbolKey', cell: keyOf }];
}

/**
 * Columns of orders.
 * @param keyOf names the market of a row alike at every exchange: the order symbol key.
 */
export function orderCsv(keyOf: (row: OrderRow) => string): readonly CsvColumn<OrderRow>[] {
  return [...ORDER_CSV, { head: 'symbolKey', cell: keyOf }];
}

/** Columns of an order history: what the fills cost besides; each asset in its place where there are several. */
export function pastOrderCsv(keyOf: (row: OrderRow) => string): readonly CsvColumn<PastOrderRow>[] {
  return [
    ...ORDER_CSV,
    { head: 'fee', cell: ({ fees }) => (fees ?? []).map(({ amount }) => amount).join(';') },
    { head: 'feeAsset', cell: ({ fees }) => (fees ?? []).map(({ asset }) => asset).join(';') },
    { head: 'symbolKey', cell: keyOf },
  ];
}

/** Columns of fills, with the same key. */
export function fillCsv(keyOf: (row: FillRow) => string): readonly CsvColumn<FillRow>[] {
  return [...FILL_CSV, { head: 'symbolKey', cell: keyOf }];
}

/** Columns of open positions; what follows the mark is as the exchange last said it. */
export const POSITION_CSV: readonly CsvColumn<PositionRow>[] = [
  { head: 'opened', cell: (row) => new Date(row.openedAt).toISOString() },
  { head: 'updated', cell: (row) => new Date(row.updatedAt).toISOString() },
  { head: 'exchange', cell: (row) => platformFacts(row.exchange).slug },
  { head: 'symbol', cell: (row) => row.symbol },
  { head: 'effect', cell: (row) => String(row.effect) },
  { head: 'marginMode', cell: (row) => row.marginMode },
  { head: 'leverage', cell: (row) => String(row.leverage) },
  { head: 'quantity', cell: (row) => row.quantity },
  { head: 'entryPrice', cell: (row) => row.entryPrice },
  { head: 'breakEvenPrice', cell: (row) => row.breakEvenPrice ?? '' },
  { head: 'markPrice', cell: (row) => row.markPrice },
  { head: 'liquidationPrice', cell: (row) => row.liquidationPrice ?? '' },
  { head: 'initialMargin', cell: (row) => row.initialMargin },
  { head: 'maintenanceMargin', cell: (row) => row.maintenanceMargin },
  { head: 'isolatedMargin', cell: (row) => row.isolatedMargin ?? '' },
  { head: 'unrealisedPnl', cell: (row) => row.unrealisedPnl },
  { head: 'realisedPnl', cell: (row) => row.realisedPnl },
  { head: 'fees', cell: (row) => row.fees },
  { head: 'funding', cell: (row) => row.funding },
  { head: 'adlRank', cell: (row) => String(row.adlRank) },
  { head: 'positionId', cell: (row) => row.positionId },
];

/** Columns of closed positions. */
export const CLOSED_CSV: readonly CsvColumn<ClosedPositionRow>[] = [
  { head: 'opened', cell: (row) => new Date(row.openedAt).toISOString() },
  { head: 'closed', cell: (row) => new Date(row.closedAt).toISOString() },
  { head: 'exchange', cell: (row) => platformFacts(row.exchange).slug },
  { head: 'symbol', cell: (row) => row.symbol },
  { head: 'direction', cell: (row) => row.direction },
  { head: 'effect', cell: (row) => String(row.effect) },
  { head: 'marginMode', cell: (row) => row.marginMode },
  { head: 'leverage', cell: (row) => String(row.leverage) },
  { head: 'maxQuantity', cell: (row) => row.maxQuantity },
  { head: 'entryPrice', cell: (row) => row.entryPrice },
  { head: 'exitPrice', cell: (row) => row.exitPrice },
  { head: 'realisedPnl', cell: (row) => row.realisedPnl },
  { head: 'fees', cell: (row) => row.fees },
  { head: 'funding', cell: (row) => row.funding },
  { head: 'net', cell: (row) => row.net },
  { head: 'ended', cell: (row) => row.ended },
  { head: 'positionId', cell: (row) => row.positionId },
];

/** Columns of funding payments; above 0 received. */
export const FUNDING_CSV: readonly CsvColumn<FundingRow>[] = [
  { head: 'time', cell: (row) => new Date(row.time).toISOString() },
  { head: 'exchange', cell: (row) => platformFacts(row.exchange).slug },
  { head: 'symbol', cell: (row) => row.symbol },
  { head: 'effect', cell: (row) => String(row.effect) },
  { head: 'quantity', cell: (row) => row.quantity ?? '' },
  { head: 'markPrice', cell: (row) => row.markPrice ?? '' },
  { head: 'rate', cell: (row) => row.rate ?? '' },
  { head: 'amount', cell: (row) => row.amount },
  { head: 'id', cell: (row) => row.id },
];

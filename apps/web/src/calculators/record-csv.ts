import type { FillRow, OrderRow } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import type { CsvColumn } from './csv.ts';

/** Columns of exports: machine-readable, in English whatever the language. */

/** Columns of orders. */
export const ORDER_CSV: readonly CsvColumn<OrderRow>[] = [
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
  { head: 'reason', cell: (row) => row.reason ?? '' },
  { head: 'orderId', cell: (row) => row.orderId },
];

/** Columns of fills. */
export const FILL_CSV: readonly CsvColumn<FillRow>[] = [
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
  { head: 'orderId', cell: (row) => row.orderId },
];

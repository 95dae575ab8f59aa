import { ACCOUNT_ENDPOINTS } from './account.ts';
import { BATCH_ENDPOINTS } from './batches.ts';
import { CONTRACT_ENDPOINTS } from './contracts.ts';
import type { Endpoint } from './endpoint.ts';
import { INSTRUMENT_ENDPOINTS } from './instruments.ts';
import { MARKET_DATA_ENDPOINTS } from './market-data.ts';
import { ORDER_QUERY_ENDPOINTS } from './order-queries.ts';
import { ORDER_ENDPOINTS } from './orders.ts';
import { SUB_ACCOUNT_ENDPOINTS } from './sub-accounts.ts';
import { TICKER_ENDPOINTS } from './tickers.ts';
import { TRANSFER_ENDPOINTS } from './transfers.ts';

/** Every call of the dialect: one table, two doors. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...INSTRUMENT_ENDPOINTS,
  ...MARKET_DATA_ENDPOINTS,
  ...TICKER_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...BATCH_ENDPOINTS,
  ...ORDER_QUERY_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...SUB_ACCOUNT_ENDPOINTS,
  ...TRANSFER_ENDPOINTS,
];

/** By `METHOD /path`. */
export const REST_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.map((entry) => [entry.route, entry] as const),
);

/** By the trade socket's `op`. */
export const SOCKET_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.filter((entry) => entry.socket).map((entry) => [entry.name, entry] as const),
);

import { ACCOUNT_ENDPOINTS } from './account/account.ts';
import { SUB_ACCOUNT_ENDPOINTS } from './account/sub-accounts.ts';
import { TRANSFER_ENDPOINTS } from './account/transfers.ts';
import type { Endpoint } from './endpoint.ts';
import { INSTRUMENT_ENDPOINTS } from './market/instruments.ts';
import { MARKET_DATA_ENDPOINTS } from './market/market-data.ts';
import { TICKER_ENDPOINTS } from './market/tickers.ts';
import { CONTRACT_ENDPOINTS } from './perps/contracts.ts';
import { BATCH_ENDPOINTS } from './spot/batches.ts';
import { ORDER_QUERY_ENDPOINTS } from './spot/order-queries.ts';
import { ORDER_ENDPOINTS } from './spot/orders.ts';

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

import { ACCOUNT_ENDPOINTS } from './account/account.ts';
import { SUB_ACCOUNT_ENDPOINTS } from './account/sub-accounts.ts';
import type { Endpoint } from './endpoint.ts';
import { CANCEL_REPLACE_ENDPOINT } from './spot/cancel-replace.ts';
import { EXCHANGE_INFO_ENDPOINTS } from './spot/exchange-info.ts';
import { MARKET_DATA_ENDPOINTS } from './spot/market-data.ts';
import { ORDER_QUERY_ENDPOINTS } from './spot/order-queries.ts';
import { ORDER_ENDPOINTS } from './spot/orders.ts';
import { TICKER_ENDPOINTS } from './spot/tickers.ts';

/** Every call of the dialect: one table, two doors. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...EXCHANGE_INFO_ENDPOINTS,
  ...MARKET_DATA_ENDPOINTS,
  ...TICKER_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  CANCEL_REPLACE_ENDPOINT,
  ...ORDER_QUERY_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...SUB_ACCOUNT_ENDPOINTS,
];

/** By `METHOD /path`. */
export const REST_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.flatMap((entry) => entry.rest.map((route) => [route, entry] as const)),
);

/** By the WebSocket API's method. */
export const SOCKET_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.filter((entry) => entry.socket).map((entry) => [entry.name, entry] as const),
);

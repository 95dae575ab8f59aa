import { ACCOUNT_ENDPOINTS } from './account/account.ts';
import { POCKET_ENDPOINTS } from './account/pocket-transfers.ts';
import { SUB_ACCOUNT_ENDPOINTS } from './account/sub-accounts.ts';
import { byMethod, byRoute, type Endpoint } from './endpoint.ts';
import type { BinanceError } from './errors.ts';
import { CANCEL_REPLACE_ENDPOINT } from './spot/cancel-replace.ts';
import { EXCHANGE_INFO_ENDPOINTS } from './spot/exchange-info.ts';
import { MARKET_DATA_ENDPOINTS } from './spot/market-data.ts';
import { ORDER_LIST_ENDPOINTS } from './spot/order-lists.ts';
import { ORDER_QUERY_ENDPOINTS } from './spot/order-queries.ts';
import { ORDER_ENDPOINTS } from './spot/orders.ts';
import { PREVENTED_MATCH_ENDPOINT } from './spot/prevented-match-calls.ts';
import { TICKER_ENDPOINTS } from './spot/tickers.ts';
import { WINDOW_TICKER_ENDPOINTS } from './spot/window-tickers.ts';

/** Every call of the dialect: one table, two doors. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...EXCHANGE_INFO_ENDPOINTS,
  ...MARKET_DATA_ENDPOINTS,
  ...TICKER_ENDPOINTS,
  ...WINDOW_TICKER_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  CANCEL_REPLACE_ENDPOINT,
  ...ORDER_LIST_ENDPOINTS,
  ...ORDER_QUERY_ENDPOINTS,
  PREVENTED_MATCH_ENDPOINT,
  ...ACCOUNT_ENDPOINTS,
  ...SUB_ACCOUNT_ENDPOINTS,
  ...POCKET_ENDPOINTS,
];

/** By `METHOD /path`. */
export const REST_ENDPOINTS = byRoute(ENDPOINTS);

/** By the WebSocket API's method. */
export const SOCKET_ENDPOINTS = byMethod(ENDPOINTS);

const PATHS: ReadonlySet<string> = new Set(
  [...REST_ENDPOINTS.keys()].map((route) => route.slice(route.indexOf(' ') + 1)),
);

/** What spot answers to a path that it does not have, or not with this method. */
export function unknownRoute(method: string, path: string): BinanceError {
  return PATHS.has(path)
    ? { status: 405, code: -1020, msg: `Request method '${method.slice(0, 16)}' is not supported.` }
    : { status: 404, code: -1020, msg: 'Path not found.' };
}

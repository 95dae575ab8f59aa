import { ACCOUNT_ENDPOINTS } from './account.ts';
import { CANDLE_ENDPOINTS } from './candles.ts';
import { CONTRACT_ENDPOINTS } from './contract-data.ts';
import type { Endpoint } from './endpoint.ts';
import { INSTRUMENT_ENDPOINTS } from './instruments.ts';
import { MARKET_DATA_ENDPOINTS } from './market-data.ts';
import { ORDER_QUERY_ENDPOINTS } from './order-queries.ts';
import { ORDER_ENDPOINTS } from './orders.ts';
import { PUBLIC_DATA_ENDPOINTS } from './public-data.ts';
import { SUB_ACCOUNT_ENDPOINTS } from './sub-accounts.ts';
import { TICKER_ENDPOINTS } from './tickers.ts';
import { TRANSFER_ENDPOINTS } from './transfers.ts';

/** Every call of the dialect by REST. */
const ENDPOINTS: readonly Endpoint[] = [
  ...PUBLIC_DATA_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...INSTRUMENT_ENDPOINTS,
  ...TICKER_ENDPOINTS,
  ...MARKET_DATA_ENDPOINTS,
  ...CANDLE_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...ORDER_QUERY_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...TRANSFER_ENDPOINTS,
  ...SUB_ACCOUNT_ENDPOINTS,
];

/** By `METHOD /path`. */
export const REST_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.map((entry) => [entry.route, entry] as const),
);

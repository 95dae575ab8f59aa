import { ACCOUNT_ENDPOINTS } from './account/account.ts';
import { SUB_ACCOUNT_ENDPOINTS } from './account/sub-accounts.ts';
import { TRANSFER_ENDPOINTS } from './account/transfers.ts';
import type { Endpoint } from './endpoint.ts';
import { CANDLE_ENDPOINTS } from './market/candles.ts';
import { INSTRUMENT_ENDPOINTS } from './market/instruments.ts';
import { MARKET_DATA_ENDPOINTS } from './market/market-data.ts';
import { PUBLIC_DATA_ENDPOINTS } from './market/public-data.ts';
import { TICKER_ENDPOINTS } from './market/tickers.ts';
import { MODE_ENDPOINTS } from './perps/account-modes.ts';
import { CONTRACT_ENDPOINTS } from './perps/contract-data.ts';
import { LIQUIDATION_ENDPOINTS } from './perps/liquidations.ts';
import { POSITION_ENDPOINTS } from './perps/positions.ts';
import { SETTING_ENDPOINTS } from './perps/settings.ts';
import { ALGO_ENDPOINTS } from './trade/algo-orders.ts';
import { BILL_ENDPOINTS } from './trade/bills.ts';
import { CANCEL_AFTER_ENDPOINTS } from './trade/cancel-after.ts';
import { CLOSE_ENDPOINTS } from './trade/close-position.ts';
import { ORDER_QUERY_ENDPOINTS } from './trade/order-queries.ts';
import { ORDER_ENDPOINTS } from './trade/orders.ts';

/** Every call of the dialect by REST. */
const ENDPOINTS: readonly Endpoint[] = [
  ...PUBLIC_DATA_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...LIQUIDATION_ENDPOINTS,
  ...INSTRUMENT_ENDPOINTS,
  ...TICKER_ENDPOINTS,
  ...MARKET_DATA_ENDPOINTS,
  ...CANDLE_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...CLOSE_ENDPOINTS,
  ...CANCEL_AFTER_ENDPOINTS,
  ...ORDER_QUERY_ENDPOINTS,
  ...ALGO_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...POSITION_ENDPOINTS,
  ...SETTING_ENDPOINTS,
  ...MODE_ENDPOINTS,
  ...BILL_ENDPOINTS,
  ...TRANSFER_ENDPOINTS,
  ...SUB_ACCOUNT_ENDPOINTS,
];

/** By `METHOD /path`. */
export const REST_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  ENDPOINTS.map((entry) => [entry.route, entry] as const),
);

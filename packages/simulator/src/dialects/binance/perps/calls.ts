import { byRoute, type Endpoint, FUTURES_PREFIX } from '../endpoint.ts';
import type { BinanceError } from '../errors.ts';
import { ACCOUNT_CALLS } from './account/account.ts';
import { INCOME_CALLS } from './account/income.ts';
import { LISTEN_KEY_CALLS } from './account/listen-keys.ts';
import { POSITION_CALLS } from './account/positions.ts';
import { SETTING_CALLS } from './account/settings.ts';
import { type FuturesDesk, publicEndpoint } from './desk.ts';
import { FUTURES_ERRORS, invalidPath } from './errors.ts';
import { EXCHANGE_INFO_CALLS } from './market/exchange-info.ts';
import { FUNDING_CALLS } from './market/funding.ts';
import { INSURANCE_CALLS } from './market/insurance.ts';
import { KLINE_CALLS } from './market/klines.ts';
import { MARKET_DATA_CALLS } from './market/market-data.ts';
import { TICKER_CALLS } from './market/tickers.ts';
import { ALGO_CALLS } from './orders/algo-orders.ts';
import { BATCH_CALLS } from './orders/batches.ts';
import { ORDER_QUERY_CALLS } from './orders/order-queries.ts';
import { ORDER_CALLS } from './orders/orders.ts';

const PUBLIC_CALLS = [
  ...EXCHANGE_INFO_CALLS,
  ...MARKET_DATA_CALLS,
  ...KLINE_CALLS,
  ...TICKER_CALLS,
  ...FUNDING_CALLS,
  ...INSURANCE_CALLS,
];

const ENDPOINTS: readonly Endpoint<FuturesDesk>[] = [
  ...PUBLIC_CALLS.map(publicEndpoint),
  ...ORDER_CALLS,
  ...BATCH_CALLS,
  ...ALGO_CALLS,
  ...ORDER_QUERY_CALLS,
  ...ACCOUNT_CALLS,
  ...POSITION_CALLS,
  ...SETTING_CALLS,
  ...INCOME_CALLS,
  ...LISTEN_KEY_CALLS,
];

/** Every call of the dialect by `METHOD /path`. */
export const FUTURES_ENDPOINTS = byRoute(ENDPOINTS);

/** Those of the WebSocket API by its methods. */
export const FUTURES_METHODS: ReadonlyMap<string, Endpoint<FuturesDesk>> = new Map(
  ENDPOINTS.filter(({ socket }) => socket).map((entry) => [entry.name.slice(FUTURES_PREFIX.length), entry]),
);

/** Calls that clients know and the simulator does not have: refused by name, so that nobody waits or guesses. */
const LEFT_OUT =
  /^\/fapi\/v[123]\/(?:pmAccountInfo|(?:income|order|trade)\/asyn(?:\/id)?|(?:convert|apiReferral)\/[a-zA-Z]+|rpiDepth|indexInfo|assetIndex|constituents|lvtKlines|tradingSchedule|stock\/contract)$/;

/** Statistics of the exchange's own traders; the simulator keeps none. */
const STATISTICS =
  /^\/futures\/data\/(?:openInterestHist|topLongShort(?:Account|Position)Ratio|globalLongShortAccountRatio|takerlongshortRatio|basis|delivery-price)$/;

/** What the futures' host answers to a path that it does not have, or not with this method. */
export function unknownFuturesRoute(method: string, path: string): BinanceError {
  const leftOut = LEFT_OUT.test(path) || STATISTICS.test(path);
  return leftOut ? FUTURES_ERRORS.notSimulated : invalidPath(method, path);
}

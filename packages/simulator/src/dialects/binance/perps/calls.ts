import { byRoute } from '../endpoint.ts';
import type { BinanceError } from '../errors.ts';
import { publicEndpoint } from './desk.ts';
import { FUTURES_ERRORS, invalidPath } from './errors.ts';
import { EXCHANGE_INFO_CALLS } from './market/exchange-info.ts';
import { FUNDING_CALLS } from './market/funding.ts';
import { KLINE_CALLS } from './market/klines.ts';
import { MARKET_DATA_CALLS } from './market/market-data.ts';
import { TICKER_CALLS } from './market/tickers.ts';

/** Every call of the dialect by `METHOD /path`. */
export const FUTURES_ENDPOINTS = byRoute(
  [...EXCHANGE_INFO_CALLS, ...MARKET_DATA_CALLS, ...KLINE_CALLS, ...TICKER_CALLS, ...FUNDING_CALLS].map(
    publicEndpoint,
  ),
);

/** Calls about an account that clients know: refused by name, so that nobody waits or guesses. */
const ACCOUNT_PATH =
  /^\/fapi\/v[123]\/(?:order(?:\/test)?|batchOrders|allOpenOrders|openOrders?|allOrders|userTrades|forceOrders|countdownCancelAll|algoOrder|algoOpenOrders|openAlgoOrders|allAlgoOrders|account|accountConfig|symbolConfig|balance|positionRisk|leverage|leverageBracket|marginType|positionMargin(?:\/history)?|positionSide\/dual|multiAssetsMargin|commissionRate|income|listenKey|feeBurn|adlQuantile|rateLimit\/order|orderAmendment|pmAccountInfo|apiTradingStatus|convert\/[a-zA-Z]+)$/;

/** What the futures' host answers to a path that it does not have, or not with this method. */
export function unknownFuturesRoute(method: string, path: string): BinanceError {
  return ACCOUNT_PATH.test(path) ? FUTURES_ERRORS.notTraded : invalidPath(method, path);
}

import type { FuturesCall } from './desk.ts';
import { EXCHANGE_INFO_CALLS } from './market/exchange-info.ts';
import { FUNDING_CALLS } from './market/funding.ts';
import { KLINE_CALLS } from './market/klines.ts';
import { MARKET_DATA_CALLS } from './market/market-data.ts';
import { TICKER_CALLS } from './market/tickers.ts';

/** Every public call of the dialect, by path. */
export const FUTURES_CALLS: ReadonlyMap<string, FuturesCall> = new Map(
  [...EXCHANGE_INFO_CALLS, ...MARKET_DATA_CALLS, ...KLINE_CALLS, ...TICKER_CALLS, ...FUNDING_CALLS].flatMap(
    (call) => call.paths.map((path) => [path, call] as const),
  ),
);

/** Calls about an account that clients know: refused by name, so that nobody waits or guesses. */
const ACCOUNT_PATH =
  /^\/fapi\/v[123]\/(?:order(?:\/test)?|batchOrders|allOpenOrders|openOrders?|allOrders|userTrades|forceOrders|countdownCancelAll|algoOrder|algoOpenOrders|openAlgoOrders|allAlgoOrders|account|accountConfig|symbolConfig|balance|positionRisk|leverage|leverageBracket|marginType|positionMargin(?:\/history)?|positionSide\/dual|multiAssetsMargin|commissionRate|income|listenKey|feeBurn|adlQuantile|rateLimit\/order|orderAmendment|pmAccountInfo|apiTradingStatus|convert\/[a-zA-Z]+)$/;

/** Whether a path needs an account. */
export function isAccountPath(path: string): boolean {
  return ACCOUNT_PATH.test(path);
}

import { type Markets, useFollowedTickers, useMarkets } from './use-markets.ts';

/** The spot instruments of all platforms that list any, with their tickers followed while the screen is shown. */
export function useSpotMarkets(): Markets {
  const markets = useMarkets('SPOT');
  useFollowedTickers(markets.instruments);
  return markets;
}

/**
 * The public half of every exchange, also for the browser: profiles, market data by REST and stream, books. What needs a key is
 * `@crossbook/venues/trading`, for the server alone.
 */

export {
  createBinanceFuturesPublic,
  createBinanceFuturesRest,
} from './binance/perps/binance-futures-public.ts';
export {
  createBinancePublic,
  createBinanceRest,
} from './binance/spot/binance-public.ts';
export {
  type BookState,
  BookSync,
  type BookSyncCounters,
} from './book-sync.ts';
export type { CandleUpdate } from './built-candles.ts';
export {
  createBybitPublic,
  createBybitRest,
} from './bybit/market/bybit-public.ts';
export type { BybitCategory } from './bybit/urls.ts';
export {
  createOkxPublic,
  createOkxRest,
} from './okx/market/okx-public.ts';
export type {
  CandleProfile,
  ContractOffer,
  CountdownOffer,
  FeeRates,
  KeptBars,
  MarketProfile,
  RelayProfile,
  RelayRule,
  VenueProfile,
} from './profile.ts';
export { VENUE_PROFILES, venueProfile } from './profiles.ts';
export { canonicalQuery, isCommonQuestion } from './relay-fields.ts';
export { type PublicCall, tellingFailures } from './telling-failures.ts';
export type {
  FetchText,
  MarketChannel,
  MarketMessage,
  PerpStats,
  PublicSocketCodec,
  VenuePublic,
  VenuePublicRest,
} from './venue-public.ts';

export {
  createBinanceFuturesPublic,
  createBinanceFuturesRest,
} from './binance/perps/binance-futures-public.ts';
export { BINANCE_FUTURES_BASES } from './binance/perps/urls.ts';
export {
  type BinancePublic,
  type BinancePublicOptions,
  createBinancePublic,
  createBinanceRest,
} from './binance/spot/binance-public.ts';
export { BINANCE_SPOT_BASES } from './binance/urls.ts';
export {
  type BookState,
  type BookStep,
  BookSync,
  type BookSyncCounters,
  type BookSyncOptions,
} from './book-sync.ts';
export { type CandleUpdate, foldCandles } from './built-candles.ts';
export {
  type BybitPublic,
  type BybitPublicOptions,
  createBybitPublic,
  createBybitRest,
} from './bybit/market/bybit-public.ts';
export { BYBIT_BASES, type BybitCategory } from './bybit/urls.ts';
export {
  createOkxPublic,
  createOkxRest,
  type OkxPublic,
  type OkxPublicOptions,
} from './okx/market/okx-public.ts';
export { OKX_BASES } from './okx/urls.ts';
export type {
  CandleProfile,
  ContractOffer,
  FeeRates,
  KeptBars,
  MarketProfile,
  RelayProfile,
  RelayRule,
  TradingProfile,
  VenueProfile,
} from './profile.ts';
export { VENUE_PROFILES, venueProfile } from './profiles.ts';
export { canonicalQuery, isCommonQuestion, type RelayField, type RelayFields } from './relay-fields.ts';
export { type FailedRead, type PublicCall, tellingFailures } from './telling-failures.ts';
export type {
  BookWitness,
  Continuity,
  FetchText,
  MarketChannel,
  MarketDataFailure,
  MarketMessage,
  PerpStats,
  PublicRestOptions,
  PublicSocketCodec,
  VenuePublic,
  VenuePublicRest,
} from './venue-public.ts';

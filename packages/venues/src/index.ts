export type {
  Continuity,
  FetchText,
  MarketChannel,
  MarketDataFailure,
  MarketMessage,
  PublicSocketCodec,
  VenuePublic,
  VenuePublicRest,
} from './venue-public.ts';

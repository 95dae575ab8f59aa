import type { Platform } from '@crossbook/domain';
import { BINANCE_PROFILE } from './binance/profile.ts';
import { BYBIT_PROFILE } from './bybit/profile.ts';
import { OKX_PROFILE } from './okx/profile.ts';
import type { VenueProfile } from './profile.ts';

/** The profile of every exchange. */
export const VENUE_PROFILES: Readonly<Record<Platform, VenueProfile>> = {
  1: BINANCE_PROFILE,
  2: OKX_PROFILE,
  3: BYBIT_PROFILE,
};

/** The profile of one exchange. */
export function venueProfile(platform: Platform): VenueProfile {
  return VENUE_PROFILES[platform];
}

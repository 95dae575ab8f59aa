import { BINANCE_KIT } from './binance-kit.ts';
import type { VenueKit } from './venue-kit.ts';

/** Every venue that exists; each must pass every claim. A new venue is one more kit here. */
export const VENUE_KITS: readonly VenueKit[] = [BINANCE_KIT];

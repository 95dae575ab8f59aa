import type { PlatformSlug } from '@crossbook/domain';
import type { PerpTier } from '../perp-exchange.ts';
import type { PerpFacts } from '../venue.ts';
import { BINANCE_RULES } from './margin/binance.ts';
import { BYBIT_RULES } from './margin/bybit.ts';
import { OKX_RULES } from './margin/okx.ts';
import type { MarginRules } from './margin/rules.ts';
import { VENUE_HABITS, type VenueHabits } from './state/venue-habits.ts';

const RULES: Readonly<Record<PlatformSlug, MarginRules>> = {
  binance: BINANCE_RULES,
  okx: OKX_RULES,
  bybit: BYBIT_RULES,
};

/** By what a venue's contracts are traded: figures, habits, tiers. */
export interface VenueRules {
  readonly rules: MarginRules;
  readonly habits: VenueHabits;
  tiers(contract: PerpFacts): readonly PerpTier[];
}

/** The rules of a venue. */
export function venueRules(slug: PlatformSlug): VenueRules {
  return { rules: RULES[slug], habits: VENUE_HABITS[slug], tiers: ({ tiers }) => tiers };
}

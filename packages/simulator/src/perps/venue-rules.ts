import { type Amount, amount, type PlatformSlug, ZERO } from '@crossbook/domain';
import type { PerpTier } from '../perp-exchange.ts';
import type { PerpFacts } from '../venue.ts';
import { BINANCE_RULES } from './margin/binance.ts';
import { BYBIT_RULES } from './margin/bybit.ts';
import { OKX_RULES } from './margin/okx.ts';
import type { MarginRules } from './margin/rules.ts';
import { VENUE_HABITS, type VenueHabits } from './venue-habits.ts';

/** By what a venue's contracts are traded: figures, habits, tiers. */
export interface VenueRules {
  readonly rules: MarginRules;
  readonly habits: VenueHabits;
  tiers(contract: PerpFacts): readonly PerpTier[];
}

/** The rules of a venue. */
export function venueRules(slug: PlatformSlug): VenueRules {
  return { rules: RULES[slug], habits: VENUE_HABITS[slug], tiers: typicalTiers };
}

const RULES: Readonly<Record<PlatformSlug, MarginRules>> = {
  binance: BINANCE_RULES,
  okx: OKX_RULES,
  bybit: BYBIT_RULES,
};

const STEPS: readonly (readonly [cap: string, rate: string, leverageShare: number])[] = [
  ['50000', '0.004', 1],
  ['500000', '0.005', 0.8],
  ['5000000', '0.01', 0.4],
  ['50000000', '0.025', 0.16],
  ['500000000', '0.1', 0.04],
];

/** Tiers of a contract whose own are not known: typical ones. */
function typicalTiers({ maxLeverage }: PerpFacts): readonly PerpTier[] {
  let floor = ZERO;
  let rate = ZERO;
  let deduction = ZERO;
  return STEPS.map(([capText, rateText, share], at) => {
    const maintenanceRate = amount(rateText);
    deduction = (deduction + (floor * (maintenanceRate - rate)) / 10n ** 18n) as Amount;
    const tier: PerpTier = {
      ...{ tier: at + 1, floor, cap: amount(capText), maintenanceRate, deduction },
      maxLeverage: Math.max(1, Math.floor(maxLeverage * share)),
    };
    floor = tier.cap;
    rate = maintenanceRate;
    return tier;
  });
}

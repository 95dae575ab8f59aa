import { type Amount, amount } from './amount.ts';

/** What identity verification makes of a member: 0 before it, 1 once it is passed. */
export type Tier = 0 | 1;

/** All tiers, lowest first. */
export const TIERS: readonly Tier[] = [0, 1];

/** What members of each tier may do. What is not named here is the same for all of them. */
export interface TierLimits {
  /** The lowest tier that may open positions in contracts; closing is open to all. */
  readonly contractsFrom: Tier;
  /** Most test funds of 24 hours, in USDT. */
  readonly testFundsDayMax: Readonly<Record<Tier, Amount>>;
}

/** The limits as they are shipped. Contracts with real money need a member who is known; simulated ones nobody's name. */
export function shippedLimits(money: 'paper' | 'live'): TierLimits {
  return {
    contractsFrom: money === 'live' ? 1 : 0,
    testFundsDayMax: { 0: amount('100000'), 1: amount('200000') },
  };
}

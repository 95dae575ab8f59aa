import { shippedLimits, type Tier, type UserId } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { TradingDeps } from '../trading/ports.ts';
import type { MemberTiers } from '../wallets/ports.ts';

/** Tiers with the limits of this hub's money. */
export function memberTiers(
  { money }: Pick<Config, 'money'>,
  tierOf: (user: UserId) => Promise<Tier>,
): MemberTiers {
  const limits = shippedLimits(money);
  return { tierOf, limits: async () => limits };
}

/** Who may open positions in contracts; where everybody may, nobody's tier is looked up. */
export function mayOpenContracts({ limits, tierOf }: MemberTiers): TradingDeps['mayOpenContracts'] {
  return async (user) => {
    const { contractsFrom } = await limits();
    return contractsFrom === 0 || (await tierOf(user)) >= contractsFrom;
  };
}

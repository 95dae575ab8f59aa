import { shippedLimits, type Tier, type UserId } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { Database } from '../storage/postgres/database.ts';
import { limitsInForce, limitsToCome } from '../storage/stores/limit-store.ts';
import type { TradingDeps } from '../trading/ports.ts';
import type { MemberTiers } from '../wallets/ports.ts';

/** Tiers with the limits of this hub: what two admins have set, else what is shipped. */
export function memberTiers(
  { money }: Pick<Config, 'money'>,
  database: Database,
  tierOf: (user: UserId) => Promise<Tier>,
): MemberTiers {
  const shipped = shippedLimits(money);
  return {
    tierOf,
    async limitsToCome() {
      const set = await limitsToCome(database, 'test-funds');
      return new Map([...set].map(([tier, { most, effectiveAt: from }]) => [tier, { most, from }]));
    },
    async limits() {
      const set = await limitsInForce(database, 'test-funds');
      const most = (tier: Tier) => set.get(tier)?.most ?? shipped.testFundsDayMax[tier];
      return { ...shipped, testFundsDayMax: { 0: most(0), 1: most(1) } };
    },
  };
}

/** Who may open positions in contracts; where everybody may, nobody's tier is looked up. */
export function mayOpenContracts(
  { money }: Pick<Config, 'money'>,
  { tierOf }: Pick<MemberTiers, 'tierOf'>,
): TradingDeps['mayOpenContracts'] {
  const { contractsFrom } = shippedLimits(money);
  return async (user) => contractsFrom === 0 || (await tierOf(user)) >= contractsFrom;
}

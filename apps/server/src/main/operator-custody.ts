import { type Platform, ZERO } from '@crossbook/domain';
import type { VenueDesk } from '../trading/ports.ts';
import type { Custody } from '../wallets/ports.ts';

/**
 * Custody with real money: the operator distributes funds over the exchanges himself. Only what lies in his account at
 * the platform can go to a member there; the hub looks before it asks, and moves nothing between exchanges.
 */
export function operatorCustody(deskOf: (platform: Platform) => VenueDesk | undefined): Custody {
  return {
    async provide({ platform, asset, amount }) {
      const desk = deskOf(platform);
      const funds = await desk?.trading.operatorFunds(desk.master);
      if (funds === undefined || !funds.ok) return 'unknown';
      const free = funds.value.find((row) => row.asset === asset)?.free ?? ZERO;
      return free >= amount ? 'there' : 'short';
    },
    collect: async () => 'done',
  };
}

import type { BootPlatform } from '@crossbook/contract';
import { closedLabel } from '../../stores/app/boot.ts';
import { defaultMarket } from '../../stores/market/market.ts';

/** A platform in the Spot or Futures menu. */
export interface VenueEntry {
  readonly name: string;
  readonly to: string;
  /** Why nothing can be opened there: to come, paused, or this hub does not show that type of market. */
  readonly label: 'nav.soon' | 'nav.paused' | 'nav.later' | undefined;
}

/** The platforms of the Spot or Futures menu with their default links. */
export function venueEntries(
  platforms: readonly BootPlatform[],
  symbolType: 'SPOT' | 'SWAP',
): readonly VenueEntry[] {
  const router = symbolType === 'SPOT' ? 'spot' : 'futures';
  return platforms.map((row) => ({
    name: row.name,
    to: `/${router}/${row.slug}/${defaultMarket(row.platform, symbolType).symbol}`,
    label:
      row.state === 'coming-soon'
        ? closedLabel(row)
        : row.restBases[symbolType] === undefined
          ? 'nav.later'
          : undefined,
  }));
}

/** Where money is put in: with paper money that is test funds, which the wallet gives; real money has a screen of its own. */
export function depositTarget(money: 'paper' | 'live'): { readonly to: string; readonly hash?: string } {
  return money === 'paper'
    ? { to: '/wallet/WalletOverviewSub', hash: 'funds' }
    : { to: '/wallet/DepositSub' };
}

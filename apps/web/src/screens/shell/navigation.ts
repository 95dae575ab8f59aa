import type { BootPlatform } from '@crossbook/contract';
import type { MessageId } from '../../i18n/i18n.ts';
import { closedLabel } from '../../stores/app/boot.ts';
import { defaultMarket } from '../../stores/market/market.ts';
import { LATER_ROUTES } from '../later-routes.ts';

/** An entry of a menu: where it leads, and whether that screen exists yet. */
export interface Entry {
  readonly to: string;
  readonly labelId: MessageId;
  readonly later: boolean;
}

function entry(to: string, labelId: MessageId): Entry {
  return { to, labelId, later: LATER_ROUTES.some((route) => route.path === to) };
}

/** Wallet menu of spec section 2, in its order. */
export const WALLET_ENTRIES: readonly Entry[] = [
  entry('/wallet/WalletOverviewSub', 'nav.wallet.overview'),
  entry('/wallet/DepositSub', 'nav.wallet.deposit'),
  entry('/wallet/WithdrawSub', 'nav.wallet.withdraw'),
  entry('/wallet/ConvertSub', 'nav.wallet.convert'),
  entry('/wallet/TransferSub', 'nav.wallet.transfer'),
  entry('/wallet/ExchangeSub', 'nav.wallet.exchange'),
  entry('/wallet/GiftSub', 'nav.wallet.gift'),
];

/** Dashboard menu of spec section 2. */
export const DASHBOARD_ENTRIES: readonly Entry[] = [
  entry('/dashboard/profile', 'nav.dashboard.profile'),
  entry('/dashboard/security', 'nav.dashboard.security'),
  entry('/dashboard/self_referral', 'nav.dashboard.selfReferral'),
];

/** History menu of spec section 2. */
export const HISTORY_ENTRIES: readonly Entry[] = [
  entry('/history/spot_trading_overview', 'nav.history.spotOrders'),
  entry('/history/spot_trading_details', 'nav.history.spotFills'),
  entry('/history/futures_trading_overview', 'nav.history.futuresOrders'),
  entry('/history/futures_trading_details', 'nav.history.futuresFills'),
  entry('/history/funding_history', 'nav.history.funding'),
];

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

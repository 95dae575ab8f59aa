import type { MessageId } from '../../i18n/i18n.ts';
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

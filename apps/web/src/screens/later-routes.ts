import type { MessageId } from '../i18n/i18n.ts';

/** A route of the specification that a later version fills. */
export interface LaterRoute {
  readonly path: string;
  readonly titleId: MessageId;
  /** Whether the screen will need a login. */
  readonly member: boolean;
}

/** All of them. A screen that is built takes its line away here and gets a route of its own. */
export const LATER_ROUTES: readonly LaterRoute[] = [
  { path: '/wallet/DepositSub', titleId: 'nav.wallet.deposit', member: true },
  { path: '/wallet/WithdrawSub', titleId: 'nav.wallet.withdraw', member: true },
  { path: '/wallet/ConvertSub', titleId: 'nav.wallet.convert', member: true },
  { path: '/wallet/ExchangeSub', titleId: 'nav.wallet.exchange', member: true },
  { path: '/wallet/GiftSub', titleId: 'nav.wallet.gift', member: true },
];

import type { Amount } from '@crossbook/domain';
import type { TierUnit } from './exposure.ts';
import type { AccountView, ContractView, OrderView, PositionView } from './rules.ts';

/** Where one venue's figures differ from another's; all are exact, the venue's decimals come after. */
export interface VenueFormulas {
  /** Digits after the point in which the venue states money. */
  readonly moneyDecimals: number;
  readonly tierUnit: TierUnit;
  positionInitial(position: PositionView): Amount;
  /** Isolated margin that its owner may not take away; the initial margin where the venue has no other rule. */
  marginToKeep?(position: PositionView): Amount;
  /** Lots that maintenance rates fall on: the position's own, less where legs cover each other. */
  exposedLots(position: PositionView, account: AccountView): number;
  /** Part of maintenance that does not move with the mark: the fee to close at Bybit. */
  fixedMaintenance(position: PositionView): Amount;
  /** What equity must cover besides maintenance before the position is liquidated, as a rate of its notional. */
  liquidationRate(contract: ContractView): Amount;
  /** What of cross equity does not stand behind positions. */
  heldBack(account: AccountView): Amount;
  /** Margin of the orders of one symbol and margin mode, given the positions of the same. */
  ordersInitial(orders: readonly OrderView[], positions: readonly PositionView[]): Amount;
  /** Price that a market order is reckoned at. */
  marketPrice(order: OrderView): Amount;
  /** What opening some lots at a price loses at once against the mark; 0 where the venue does not ask for it. */
  openLoss(order: OrderView, lots: number): Amount;
  breakEvenPrice(position: PositionView): Amount;
  shownLiquidationPrice(exact: Amount, position: PositionView): Amount;
  /** Isolated margin that opening a value at a price sets aside. */
  isolatedMargin(contract: ContractView, lots: number, price: Amount, leverage: number): Amount;
  /** Of the value that is closed by force. */
  liquidationFeeRate(contract: ContractView): Amount;
  /** Numbers of the tiers that one step of liquidation may go down to, largest first; without one all is closed. */
  liquidationTiers(tier: number, passesAtFirstTier: boolean): readonly number[];
  /** Whether only a step after which the ratio is below 1 is taken; otherwise the first one is, and the next follows. */
  readonly stepMustHold: boolean;
  /** What weighs profit in the queue of deleveraging: the ratio, or notional over equity. */
  readonly adlBy: 'RATIO' | 'LEVERAGE';
}

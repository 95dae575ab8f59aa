import { type Amount, minus, plus, ZERO } from '@crossbook/domain';
import type { PerpTier } from '../../perp-exchange.ts';
import { notionalOf, profitOf, tierAt, tierSize, valueAt } from './exposure.ts';
import type { VenueFormulas } from './formulas.ts';
import { fraction, times } from './rounding.ts';
import { type AccountView, BANKRUPT_RATIO, type PositionView } from './rules.ts';

/** Equity against what must stay behind positions: exact, before a venue's decimals. */

/** The tier whose rates a position's maintenance has at the mark. */
export function maintenanceTier(
  formulas: VenueFormulas,
  position: PositionView,
  lots: number = position.lots,
): PerpTier {
  const { contract } = position;
  return tierAt(contract, tierSize(formulas.tierUnit, contract, lots, contract.mark));
}

/** Maintenance margin of a position at the mark. */
export function maintenanceOf(formulas: VenueFormulas, position: PositionView, account: AccountView): Amount {
  const lots = formulas.exposedLots(position, account);
  const fixed = formulas.fixedMaintenance(position);
  if (lots === 0) return fixed;
  const tier = maintenanceTier(formulas, position, lots);
  const value = valueAt(position.contract, lots, position.contract.mark);
  return plus(minus(times(value, tier.maintenanceRate), tier.deduction), fixed);
}

/** What equity is held against: maintenance and the cost of a liquidation. */
export function requirementOf(formulas: VenueFormulas, position: PositionView, account: AccountView): Amount {
  const cost = times(notionalOf(position), formulas.liquidationRate(position.contract));
  return plus(maintenanceOf(formulas, position, account), cost);
}

/** Positions that share their equity with this one: itself alone when isolated. */
export function poolOf(position: PositionView, account: AccountView): readonly PositionView[] {
  if (position.marginMode === 'ISOLATED') return [position];
  return account.positions.filter(({ marginMode }) => marginMode === 'CROSS');
}

/** The wallet without what isolated positions have set aside. */
export function crossWalletOf(account: AccountView): Amount {
  return account.positions.reduce((rest, { isolatedWallet }) => minus(rest, isolatedWallet), account.wallet);
}

/** Sum of a figure over positions. */
export function total(positions: readonly PositionView[], stat: (position: PositionView) => Amount): Amount {
  return positions.reduce((sum, position) => plus(sum, stat(position)), ZERO);
}

/** What stands behind a position at the marks. */
export function equityOf(formulas: VenueFormulas, position: PositionView, account: AccountView): Amount {
  if (position.marginMode === 'ISOLATED') return plus(position.isolatedWallet, profitOf(position));
  return crossEquityOf(formulas, account);
}

/** What stands behind all cross positions at the marks. */
export function crossEquityOf(formulas: VenueFormulas, account: AccountView): Amount {
  const cross = account.positions.filter(({ marginMode }) => marginMode === 'CROSS');
  return minus(plus(crossWalletOf(account), total(cross, profitOf)), formulas.heldBack(account));
}

/** Requirement over equity: 1 = liquidation. */
export function ratioOf(requirement: Amount, equity: Amount): number {
  if (requirement <= 0n) return 0;
  if (equity <= 0n) return BANKRUPT_RATIO;
  return Math.min(BANKRUPT_RATIO, fraction(requirement, equity));
}

import type { Amount } from '../amount.ts';
import type { MarginMode, PositionSide, VenuePosition } from '../position.ts';
import { liquidationEstimate, maintenanceAtMark } from './liquidation-estimate.ts';
import type { ContractScene } from './margin-terms.ts';
import { marginAtEntry } from './order-cost.ts';

/** What is known of a contract that the account holds besides. */
export type HeldContract = Pick<ContractScene, 'instrument' | 'takerFee' | 'tiers'>;

/**
 * The mark that would liquidate the position of a side, were all that the account holds in another margin mode (Bybit).
 * Isolated it has behind it what it would have been opened with; cross the whole wallet and every other position, legs
 * with the lower of their two leverages and set off against each other. `undefined`: none that the contract can have, or
 * no tiers are known.
 * @param scene with all positions of the account.
 * @param others contracts of the account by symbol; legs of one that is not there count as the exchange states them now, alone.
 */
export function liquidationInMode(
  side: PositionSide,
  marginMode: MarginMode,
  scene: ContractScene,
  others: ReadonlyMap<string, HeldContract>,
): Amount | undefined {
  const setting = { ...scene.setting, marginMode };
  const positions = scene.positions.map(({ isolatedMargin: _, ...position }): VenuePosition => {
    if (marginMode === 'isolated')
      return { ...position, marginMode, isolatedMargin: marginAtEntry(position, scene) };
    const legs = scene.positions.filter(({ symbol }) => symbol === position.symbol);
    return { ...position, marginMode, leverage: Math.min(...legs.map(({ leverage }) => leverage)) };
  });
  const beside = positions.map((position): VenuePosition => {
    const held = others.get(position.symbol);
    if (held === undefined || position.symbol === scene.instrument.symbol) return position;
    const there = { ...scene, ...held, setting, positions, mark: position.markPrice };
    const maintenanceMargin = maintenanceAtMark(position.side, there) ?? position.maintenanceMargin;
    return { ...position, maintenanceMargin };
  });
  const price = liquidationEstimate(side, { ...scene, setting, positions: beside });
  return price === undefined || price >= scene.instrument.maxPrice ? undefined : price;
}

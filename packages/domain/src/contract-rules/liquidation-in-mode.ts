import type { Amount } from '../amount.ts';
import type { MarginMode, PositionSide, VenuePosition } from '../position.ts';
import { liquidationEstimate } from './liquidation-estimate.ts';
import type { ContractScene } from './margin-terms.ts';
import { marginAtEntry } from './order-cost.ts';

/**
 * The mark that would liquidate the position of a side, were all that the account holds in another margin mode (Bybit).
 * Isolated it has behind it what it would have been opened with; cross the whole wallet and every other position, legs
 * with the lower of their two leverages. Legs of other contracts count there as they stand now, alone, so that they weigh a
 * little more than where the exchange sets them off against each other. `undefined`: none that the contract can have, or no
 * tiers are known.
 * @param scene with all positions of the account.
 */
export function liquidationInMode(
  side: PositionSide,
  marginMode: MarginMode,
  scene: ContractScene,
): Amount | undefined {
  const positions = scene.positions.map(({ isolatedMargin: _, ...position }): VenuePosition => {
    if (marginMode === 'isolated')
      return { ...position, marginMode, isolatedMargin: marginAtEntry(position, scene) };
    const legs = scene.positions.filter(({ symbol }) => symbol === position.symbol);
    return { ...position, marginMode, leverage: Math.min(...legs.map(({ leverage }) => leverage)) };
  });
  const moved = { ...scene, positions, setting: { ...scene.setting, marginMode } };
  const price = liquidationEstimate(side, moved);
  return price === undefined || price >= scene.instrument.maxPrice ? undefined : price;
}

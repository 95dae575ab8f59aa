import type { TierRow } from '@crossbook/contract';
import { type LeverageTier, parseAmount, ZERO } from '@crossbook/domain';

/** A leverage table as the calculators take it; a row with a figure that is no decimal is left out. */
export function tiersOf(rows: readonly TierRow[] | undefined): readonly LeverageTier[] {
  return (rows ?? []).flatMap((row) => {
    const floor = parseAmount(row.floor);
    const cap = parseAmount(row.cap);
    const maintenanceRate = parseAmount(row.maintenanceRate);
    const deduction = parseAmount(row.deduction) ?? ZERO;
    if (floor === undefined || cap === undefined || maintenanceRate === undefined) return [];
    const { tier, unit, maxLeverage } = row;
    return [{ tier, unit, floor, cap, maintenanceRate, maxLeverage, deduction }];
  });
}

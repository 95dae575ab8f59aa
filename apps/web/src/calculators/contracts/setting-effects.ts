import type { PositionRow } from '@crossbook/contract';
import { type Amount, type LeverageTier, mulDown, parseAmount, ZERO } from '@crossbook/domain';
import { positionQuantity, signedDecimal } from './position-stats.ts';

/** Leverage that is offered where a venue gives no table. */
export const LEVERAGE_WITHOUT_TIERS = 5;

/** The highest leverage there is: of the table, else of what the exchange or we allow without one. */
export function highestLeverage(tiers: readonly LeverageTier[], stated: number | undefined): number {
  if (tiers.length === 0) return Math.min(stated ?? LEVERAGE_WITHOUT_TIERS, LEVERAGE_WITHOUT_TIERS);
  return Math.max(...tiers.map((tier) => tier.maxLeverage));
}

/** Marks of a leverage slider: 1, the ends of the table's steps, thinned to at most six. */
export function leverageMarks(tiers: readonly LeverageTier[], highest: number): readonly number[] {
  const steps = [...new Set([1, ...tiers.map((tier) => tier.maxLeverage), highest])]
    .filter((value) => value <= highest)
    .toSorted((left, right) => left - right);
  const gap = highest / 8;
  return steps.filter((value, at) => {
    const next = steps[at + 1];
    return value === 1 || value === highest || next === undefined || next - value >= gap;
  });
}

/** What another leverage does to the positions of a symbol. */
export interface LeverageEffect {
  /** Margin of the positions now, by the exchange, and at the other leverage, by us. */
  readonly marginBefore: Amount;
  readonly marginAfter: Amount;
  /** Largest position that the table allows, in quote or contracts; `undefined` without a table. */
  readonly cap: LeverageTier | undefined;
  /** Whether what is held is more than the table allows at that leverage. */
  readonly tooLarge: boolean;
}

/**
 * The effect of another leverage on the positions of one symbol.
 * @param contractValue base coins of one contract.
 */
export function leverageEffect(
  positions: readonly PositionRow[],
  leverage: number,
  context: { readonly tiers: readonly LeverageTier[]; readonly contractValue: Amount },
): LeverageEffect {
  const cap = context.tiers.findLast((tier) => tier.maxLeverage >= leverage);
  let marginBefore = 0n;
  let marginAfter = 0n;
  let tooLarge = false;
  for (const row of positions) {
    const mark = parseAmount(row.markPrice) ?? ZERO;
    const counted = positionQuantity(row);
    const value = mulDown(mulDown(counted, context.contractValue), mark);
    marginBefore += signedDecimal(row.initialMargin);
    marginAfter += value / BigInt(leverage);
    if (cap !== undefined && (cap.unit === 'contracts' ? counted : value) > cap.cap) tooLarge = true;
  }
  return { marginBefore: marginBefore as Amount, marginAfter: marginAfter as Amount, cap, tooLarge };
}

/** The tier that a position lies in now. */
export function heldTier(
  row: PositionRow,
  context: { readonly tiers: readonly LeverageTier[]; readonly contractValue: Amount },
): LeverageTier | undefined {
  const counted = positionQuantity(row);
  const mark = parseAmount(row.markPrice) ?? ZERO;
  const value = mulDown(mulDown(counted, context.contractValue), mark);
  return context.tiers.find((tier) => (tier.unit === 'contracts' ? counted : value) <= tier.cap);
}

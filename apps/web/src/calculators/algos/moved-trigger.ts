import type { AlgoRow } from '@crossbook/contract';
import { type Amount, formatAmount, parseAmount, SIDE, type Side } from '@crossbook/domain';
import { rowTrigger, type TargetName } from './targets.ts';

/** Which trigger of an order that waits; an OCO has two. */
export type TriggerField = 'triggerPrice' | TargetName;

type Legs = Pick<AlgoRow, TargetName>;

/** The leg that a trigger belongs to. */
export function legOf(algo: Legs, field: TriggerField): AlgoRow[TargetName] {
  return field === 'triggerPrice' ? (algo.takeProfit ?? algo.stopLoss) : algo[field];
}

/** The limit behind a trigger, moved as far as the trigger; `undefined` where it sends a market order or would be below 0. */
export function movedLimit(leg: AlgoRow[TargetName], trigger: Amount): Amount | undefined {
  const before = rowTrigger(leg);
  const limit = parseAmount(leg?.price ?? '');
  if (before === undefined || limit === undefined) return undefined;
  const moved = limit + trigger - before;
  return moved > 0n ? (moved as Amount) : undefined;
}

/** What a change of a trigger asks for. @param limitToo whether the limit behind it keeps its distance. */
export function triggerChange(
  algo: Legs,
  field: TriggerField,
  trigger: Amount,
  limitToo: boolean,
): Readonly<Record<string, string>> {
  const limit = limitToo ? movedLimit(legOf(algo, field), trigger) : undefined;
  const limitField = field === 'triggerPrice' ? 'price' : `${field}Price`;
  return {
    [field]: formatAmount(trigger),
    ...(limit === undefined ? {} : { [limitField]: formatAmount(limit) }),
  };
}

/** What a price that is pulled out of a position is for: beyond the market it takes a profit, on its other side it stops. */
export function pulledTarget(side: Side, price: Amount, market: Amount): TargetName {
  return price > market === (side === SIDE.BUY) ? 'takeProfit' : 'stopLoss';
}

import type { PositionRow } from '@crossbook/contract';
import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  type Instrument,
  parseAmount,
  SIDE,
  toNumberForDisplay,
} from '@crossbook/domain';
import type { ContractSummary } from '../contracts/contract-summary.ts';
import { positionSide } from '../contracts/position-stats.ts';
import { groupThousands } from '../step-text.ts';
import { entryAmount } from '../ticket/number-entry.ts';
import type { TicketWarning } from '../ticket/ticket-warnings.ts';
import { type AlgoEntry, type AlgoFacts, hasTrigger } from './algo-entry.ts';

/** Percent between last and mark price from which it matters which of them a trigger follows. */
const APART_PERCENT = 0.5;

/** Whether a price would be met only after the position is liquidated. */
function liquidatesBefore(
  position: Pick<PositionRow, 'quantity' | 'effect' | 'liquidationPrice'> | undefined,
  stop: Amount | undefined,
): boolean {
  const liquidation = position?.liquidationPrice == null ? undefined : parseAmount(position.liquidationPrice);
  if (position === undefined || stop === undefined || liquidation === undefined) return false;
  return positionSide(position) === SIDE.BUY ? stop <= liquidation : stop >= liquidation;
}

function byLast({ by }: AlgoEntry, { prices }: AlgoFacts): readonly TicketWarning[] {
  const { last, mark } = prices;
  if (by !== 'last' || last === undefined || mark === undefined || mark === 0n) return [];
  const percent = Math.abs(toNumberForDisplay(last) / toNumberForDisplay(mark) - 1) * 100;
  if (percent <= APART_PERCENT) return [];
  return [{ name: 'trigger-by-last', grave: false, values: { percent: percent.toFixed(2) } }];
}

/**
 * Remarks about an order on a contract that waits for a price and may be sent all the same.
 * @param position what it would close, or add to.
 */
export function algoWarnings(
  entry: AlgoEntry,
  facts: AlgoFacts,
  position: PositionRow | undefined,
): readonly TicketWarning[] {
  const trigger = hasTrigger(entry.choice) ? entryAmount(entry.trigger) : undefined;
  const closes = position !== undefined && positionSide(position) !== facts.side;
  const late = closes && liquidatesBefore(position, trigger);
  const price = position?.liquidationPrice ?? '';
  const digits = decimalsOf(facts.instrument.tickSize);
  const shown = groupThousands(formatAmountFixed(parseAmount(price) ?? (0n as Amount), digits));
  return [
    ...(entry.choice === 'iceberg' ? [] : byLast(entry, facts)),
    ...(late ? [{ name: 'liquidation-first' as const, grave: false, values: { price: shown } }] : []),
  ];
}

/** A stop-loss that goes with an order, and that the position would be liquidated before. */
export function bracketWarnings(
  stopLoss: string | undefined,
  { liquidationAfter, effect }: Pick<ContractSummary, 'liquidationAfter' | 'effect'>,
  { tickSize }: Pick<Instrument, 'tickSize'>,
): readonly TicketWarning[] {
  const stop = stopLoss === undefined ? undefined : parseAmount(stopLoss);
  if (stop === undefined || liquidationAfter === undefined || effect?.after === undefined) return [];
  const late = effect.after.side === SIDE.BUY ? stop <= liquidationAfter : stop >= liquidationAfter;
  const price = groupThousands(formatAmountFixed(liquidationAfter, decimalsOf(tickSize)));
  return late ? [{ name: 'liquidation-first', grave: false, values: { price } }] : [];
}

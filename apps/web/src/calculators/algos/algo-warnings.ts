import type { PositionRow } from '@crossbook/contract';
import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  type Instrument,
  parseAmount,
  type Side,
  toNumberForDisplay,
} from '@crossbook/domain';
import type { ContractSummary } from '../contracts/contract-summary.ts';
import { positionSide } from '../contracts/position-stats.ts';
import { groupThousands } from '../step-text.ts';
import { entryAmount } from '../ticket/number-entry.ts';
import type { TicketWarning } from '../ticket/ticket-warnings.ts';
import { type AlgoEntry, type AlgoFacts, hasTrigger } from './algo-entry.ts';
import { liquidatesBefore } from './position-targets.ts';

/** Percent between last and mark price from which it matters which of them a trigger follows. */
const APART_PERCENT = 0.5;

/** That liquidation comes before a price, or with it. */
function liquidationFirst(
  side: Side | undefined,
  price: Amount | undefined,
  about: { readonly liquidation: Amount | undefined; readonly tickSize: Amount },
): readonly TicketWarning[] {
  const { liquidation, tickSize } = about;
  if (side === undefined || liquidation === undefined || !liquidatesBefore(side, price, liquidation))
    return [];
  const shown = groupThousands(formatAmountFixed(liquidation, decimalsOf(tickSize)));
  return [{ name: 'liquidation-first', grave: false, values: { price: shown } }];
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
 * @param fired what it would come to at the price that it waits for; absent where it has no size of its own.
 */
export function algoWarnings(
  entry: AlgoEntry,
  facts: AlgoFacts,
  position: PositionRow | undefined,
  fired: Pick<ContractSummary, 'liquidationAfter' | 'effect'> | undefined = undefined,
): readonly TicketWarning[] {
  const { tickSize } = facts.instrument;
  const trigger = hasTrigger(entry.choice) ? entryAmount(entry.trigger) : undefined;
  const liquidation = position?.liquidationPrice == null ? undefined : parseAmount(position.liquidationPrice);
  const side = position === undefined ? undefined : positionSide(position);
  const before = liquidationFirst(side, trigger, { liquidation, tickSize });
  const opens = fired?.effect !== undefined && fired.effect.opening > 0n;
  const after = opens
    ? liquidationFirst(fired.effect.after?.side, trigger, { liquidation: fired.liquidationAfter, tickSize })
    : [];
  return [
    ...(entry.choice === 'iceberg' ? [] : byLast(entry, facts)),
    ...(before.length > 0 ? before : after),
  ];
}

/** A stop-loss that goes with an order, and that the position would be liquidated before. */
export function bracketWarnings(
  stopLoss: string | undefined,
  { liquidationAfter, effect }: Pick<ContractSummary, 'liquidationAfter' | 'effect'>,
  { tickSize }: Pick<Instrument, 'tickSize'>,
): readonly TicketWarning[] {
  const stop = stopLoss === undefined ? undefined : parseAmount(stopLoss);
  return liquidationFirst(effect?.after?.side, stop, { liquidation: liquidationAfter, tickSize });
}

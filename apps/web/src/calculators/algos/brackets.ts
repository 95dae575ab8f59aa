import type { CallInput } from '@crossbook/contract';
import {
  type AlgoOffer,
  type Amount,
  formatAmount,
  type Instrument,
  type Side,
  type TriggerBy,
  targetsFault,
} from '@crossbook/domain';
import type { AlgoError } from './algo-errors.ts';
import { type TargetEntry, type TargetScene, targetPrice } from './targets.ts';

/** Take-profit and stop-loss as the fields hold them. */
export interface TargetsAsked {
  readonly takeProfit: TargetEntry;
  readonly stopLoss: TargetEntry;
  readonly by: TriggerBy;
}

/** The triggers that are asked for; what is empty, or cannot be reckoned yet, is absent. */
export interface Bracket {
  readonly takeProfit: Amount | undefined;
  readonly stopLoss: Amount | undefined;
}

/** The trigger prices that the fields mean. */
export function bracketOf(asked: TargetsAsked, scene: TargetScene): Bracket {
  return {
    takeProfit: targetPrice('takeProfit', asked.takeProfit, scene),
    stopLoss: targetPrice('stopLoss', asked.stopLoss, scene),
  };
}

/** What of an order's call says its take-profit and stop-loss. */
export type BracketFields = Pick<
  CallInput<'connextrade/PlaceOrder'>,
  'takeProfit' | 'takeProfitBy' | 'stopLoss' | 'stopLossBy'
>;

/** The bracket in the fields of the call. */
export function bracketFields({ takeProfit, stopLoss }: Bracket, by: TriggerBy): BracketFields {
  return {
    ...(takeProfit === undefined ? {} : { takeProfit: formatAmount(takeProfit), takeProfitBy: by }),
    ...(stopLoss === undefined ? {} : { stopLoss: formatAmount(stopLoss), stopLossBy: by }),
  };
}

/** The order that the bracket goes with. */
export interface BracketOrder {
  readonly side: Side;
  /** The limit, or the price that a market order will meet. */
  readonly price: Amount | undefined;
  readonly instrument: Instrument;
}

/** What is wrong with the bracket of an order, by the rules that the hub asks too; one that is empty was forgotten. */
export function bracketError(
  { takeProfit, stopLoss }: Bracket,
  by: TriggerBy,
  order: BracketOrder,
  offer: AlgoOffer,
): AlgoError | undefined {
  if (takeProfit === undefined && stopLoss === undefined) {
    return { name: 'field-invalid', field: 'takeProfit', allowed: '> 0', missing: true };
  }
  const leg = (price: Amount) => ({ trigger: { price, by } });
  const targets = {
    ...(takeProfit === undefined ? {} : { takeProfit: leg(takeProfit) }),
    ...(stopLoss === undefined ? {} : { stopLoss: leg(stopLoss) }),
  };
  const fault = targetsFault(order, targets, offer);
  if (fault === undefined) return undefined;
  const field = fault.field === 'takeProfit' ? 'takeProfit' : 'trigger';
  return { name: fault.name, field, allowed: (fault.allowed ?? []).join(' – ') };
}

import type { CallInput } from '@crossbook/contract';
import {
  type AlgoLeg,
  type AlgoOffer,
  type Amount,
  formatAmount,
  type Instrument,
  type Side,
  type TriggerBy,
  targetsFault,
  ZERO,
} from '@crossbook/domain';
import type { AlgoError } from './algo-errors.ts';
import { type TargetEntry, type TargetName, type TargetScene, targetLimit, targetPrice } from './targets.ts';

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
  /** What the legs send; without one a leg sends a market order. 0 is a limit that was not filled in. */
  readonly limits?: Readonly<Partial<Record<TargetName, Amount>>>;
}

/** One leg of a bracket; `undefined` where it has none of the name. */
export function bracketLeg(bracket: Bracket, name: TargetName, by: TriggerBy): AlgoLeg | undefined {
  const price = bracket[name];
  const limit = bracket.limits?.[name];
  if (price === undefined) return undefined;
  return { trigger: { price, by }, ...(limit === undefined ? {} : { limit }) };
}

/** The trigger prices that the fields mean. */
export function bracketOf(asked: TargetsAsked, scene: TargetScene): Bracket {
  const takes = targetLimit(asked.takeProfit);
  const stops = targetLimit(asked.stopLoss);
  return {
    takeProfit: targetPrice('takeProfit', asked.takeProfit, scene),
    stopLoss: targetPrice('stopLoss', asked.stopLoss, scene),
    limits: {
      ...(takes === undefined ? {} : { takeProfit: takes }),
      ...(stops === undefined ? {} : { stopLoss: stops }),
    },
  };
}

/** The leg of a bracket whose limit was chosen and not filled in. */
export function unfilledLimit({ limits = {}, ...triggers }: Bracket): TargetName | undefined {
  return (['takeProfit', 'stopLoss'] as const).find(
    (name) => triggers[name] !== undefined && limits[name] === ZERO,
  );
}

/** What of an order's call says its take-profit and stop-loss. */
export type BracketFields = Pick<
  CallInput<'connextrade/PlaceOrder'>,
  | ('takeProfit' | 'takeProfitPrice' | 'takeProfitBy' | 'stopLoss' | 'stopLossPrice' | 'stopLossBy')
  | ('takeProfits' | 'trailingRatio' | 'trailingDistance' | 'activation')
>;

/** Fields of an order's targets that something can be wrong with, by the names of their inputs; of several those of one, from 1. */
export type TargetInput = TargetName | `${'takeProfit' | 'share'}${number}` | ('callback' | 'activation');

/** One thing that is wrong with the targets of an order. */
export interface BracketError extends Omit<AlgoError, 'field'> {
  readonly field: TargetInput;
}

/** The bracket in the fields of the call. */
export function bracketFields(bracket: Bracket, by: TriggerBy): BracketFields {
  const { takeProfit, stopLoss, limits = {} } = bracket;
  return {
    ...(takeProfit === undefined ? {} : { takeProfit: formatAmount(takeProfit), takeProfitBy: by }),
    ...(takeProfit === undefined || limits.takeProfit === undefined
      ? {}
      : { takeProfitPrice: formatAmount(limits.takeProfit) }),
    ...(stopLoss === undefined ? {} : { stopLoss: formatAmount(stopLoss), stopLossBy: by }),
    ...(stopLoss === undefined || limits.stopLoss === undefined
      ? {}
      : { stopLossPrice: formatAmount(limits.stopLoss) }),
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
  bracket: Bracket,
  by: TriggerBy,
  order: BracketOrder,
  offer: AlgoOffer,
): BracketError | undefined {
  const takeProfit = bracketLeg(bracket, 'takeProfit', by);
  const stopLoss = bracketLeg(bracket, 'stopLoss', by);
  if (takeProfit === undefined && stopLoss === undefined) {
    return { name: 'field-invalid', field: 'takeProfit', allowed: '> 0', missing: true };
  }
  const unfilled = unfilledLimit(bracket);
  if (unfilled !== undefined)
    return { name: 'field-invalid', field: unfilled, allowed: '> 0', missing: true };
  const targets = {
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  };
  const fault = targetsFault(order, targets, offer);
  if (fault === undefined) return undefined;
  const field = fault.field?.startsWith('takeProfit') === true ? 'takeProfit' : 'stopLoss';
  return { name: fault.name, field, allowed: (fault.allowed ?? []).join(' – ') };
}

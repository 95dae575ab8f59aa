import type { AlgoOffer, AlgoPlan, TriggerBy } from '../algo-order.ts';
import type { Amount } from '../amount.ts';
import type { Instrument } from '../instrument.ts';
import type { Side, TimeInForce } from '../order.ts';

/** What the rules of algo orders look at, and what they find. */

/** What can be wrong with an algo order by itself: names of the error catalogue, in its order, which is that of the checks. */
export const ALGO_FAULT_NAMES = [
  'symbol-halted',
  'order-combination',
  'algo-not-offered',
  'price-step',
  'price-range',
  'trailing-range',
  'targets-above-below',
  'targets-below-above',
  'targets-of-long',
  'targets-of-short',
  'trigger-at-once',
  'quantity-step',
  'quantity-range',
  'notional-too-small',
] as const;
/** One such name. */
export type AlgoFaultName = (typeof ALGO_FAULT_NAMES)[number];

/** Names of the values of an algo order, those of its call. */
export type AlgoField =
  | 'triggerPrice'
  | 'price'
  | 'takeProfit'
  | 'takeProfitPrice'
  | 'takeProfits'
  | 'stopLoss'
  | 'stopLossPrice'
  | 'trailingRatio'
  | 'trailingDistance'
  | 'activation'
  | 'visibleQuantity'
  | 'behindRatio'
  | 'behindDistance'
  | 'quantity'
  | 'algoType'
  | 'triggerBy'
  | 'takeProfitBy'
  | 'stopLossBy'
  | 'timeInForce'
  | 'whole'
  | 'reduceOnly'
  | 'effect';

/** One thing that is wrong with an algo order. */
export interface AlgoFault {
  readonly name: AlgoFaultName;
  /** The value that is wrong; absent where it is the order as a whole. */
  readonly field?: AlgoField;
  /** What would be right: a step, a bound, or the two ends of a range. */
  readonly allowed?: readonly string[];
  readonly given?: string;
}

/** An algo order as somebody wants it, not checked yet. */
export interface AlgoRequest {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly plan: AlgoPlan;
  /** As orders count; absent with `whole`. */
  readonly quantity?: Amount;
  readonly whole?: true;
  /** Of a limit leg; absent: until it is cancelled. */
  readonly timeInForce?: TimeInForce;
  /**
   * Present exactly for contracts: whether it can only make a position smaller, whether that was asked for, and in which
   * mode.
   */
  readonly contract?: {
    readonly closes: boolean;
    readonly reduceOnly?: boolean;
    readonly positionMode: 'one-way' | 'hedge';
  };
}

/** What the rules look at besides the algo order. */
export interface AlgoMarket {
  readonly offer: AlgoOffer;
  /** The price that a trigger follows; what is not known breaks no rule. */
  readonly prices: Partial<Readonly<Record<TriggerBy, Amount>>>;
}

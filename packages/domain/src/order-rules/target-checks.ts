import {
  type AlgoLeg,
  type AlgoOffer,
  TARGETS_MIN,
  type Trailing,
  type TriggerBy,
  type TriggerPlan,
} from '../algo-order.ts';
import { type Amount, formatAmount, plus, ZERO } from '../amount.ts';
import type { Instrument } from '../instrument.ts';
import { SIDE, type Side } from '../order.ts';
import { algoFaults } from './algo-checks.ts';
import type { AlgoFault, AlgoFaultName, AlgoField, AlgoRequest } from './algo-request.ts';

/** One of several take-profits of an order: what it sends is a market order of its part. */
export interface PartTarget {
  readonly trigger: { readonly price: Amount; readonly by: TriggerBy };
  /** Its part, as the order counts. */
  readonly quantity: Amount;
}

/**
 * What closes what an order fills: a take-profit for all of it, or several for parts, and a stop-loss; or a trailing stop,
 * which stands alone.
 */
export interface OrderTargets {
  readonly takeProfit?: AlgoLeg;
  readonly takeProfits?: readonly PartTarget[];
  readonly stopLoss?: AlgoLeg;
  readonly trailing?: Trailing;
}

/** The order that targets come with. */
interface TargetedOrder {
  readonly side: Side;
  /** The limit, or of a market order the price that it will meet. */
  readonly price: Amount | undefined;
  /** What several take-profits must come to; `undefined` while it is not known. */
  readonly quantity?: Amount | undefined;
  readonly instrument: Instrument;
}

/** A leg under the names of the call. */
interface NamedLeg {
  readonly kind: 'stop' | 'take-profit';
  readonly leg: AlgoLeg;
  readonly field: 'takeProfit' | 'takeProfits' | 'stopLoss';
  readonly quantity?: Amount;
}

/**
 * What is wrong with the targets of an order (spec section 5): of a buy every take-profit above its price and the stop-loss
 * below, of a sell the other way round; several take-profits are for all of the order, each at a price of its own.
 */
export function targetsFault(
  order: TargetedOrder,
  targets: OrderTargets,
  offer: AlgoOffer,
): AlgoFault | undefined {
  const { takeProfits, trailing } = targets;
  if (trailing !== undefined) return trailingFault(order, targets, trailing, offer);
  const several = takeProfits && severalFault(order, targets, offer);
  if (several !== undefined) return several;
  for (const named of legsOf(targets)) {
    const fault = legFault(order, named, offer);
    if (fault !== undefined) return fault;
  }
  return takeProfits && sumFault(order, takeProfits);
}

function legsOf({ takeProfit, takeProfits = [], stopLoss }: OrderTargets): readonly NamedLeg[] {
  const parts = takeProfits.map(
    ({ trigger, quantity }): NamedLeg => ({
      ...{ kind: 'take-profit', leg: { trigger }, field: 'takeProfits', quantity },
    }),
  );
  return [
    ...(stopLoss === undefined ? [] : [{ kind: 'stop', leg: stopLoss, field: 'stopLoss' } as const]),
    ...(takeProfit === undefined
      ? []
      : [{ kind: 'take-profit', leg: takeProfit, field: 'takeProfit' } as const]),
    ...parts,
  ];
}

/** Fields of a leg's limit and of the price that it follows, by the one of its trigger. */
const MORE_FIELDS: Readonly<Record<NamedLeg['field'], Partial<Record<AlgoField, AlgoField>>>> = {
  stopLoss: { price: 'stopLossPrice', triggerBy: 'stopLossBy' },
  takeProfit: { price: 'takeProfitPrice', triggerBy: 'takeProfitBy' },
  takeProfits: { triggerBy: 'takeProfitBy' },
};

function legFault(
  order: TargetedOrder,
  { kind, leg, field, quantity }: NamedLeg,
  offer: AlgoOffer,
): AlgoFault | undefined {
  const fault = aloneFault(order, { kind, leg }, offer, quantity);
  if (fault !== undefined)
    return { ...fault, field: MORE_FIELDS[field][fault.field ?? 'triggerPrice'] ?? field };
  const { side, price } = order;
  const at = leg.trigger?.price;
  if (at === undefined || price === undefined) return undefined;
  const above = (kind === 'take-profit') === (side === SIDE.BUY);
  return (above ? at <= price : at >= price) ? { name: targetsName(side), field } : undefined;
}

/** What is wrong with a plan whatever the market does: without prices no rule asks which side it is. */
function aloneFault(
  { side, instrument }: TargetedOrder,
  plan: TriggerPlan,
  offer: AlgoOffer,
  quantity = instrument.minQty,
): AlgoFault | undefined {
  const contract =
    instrument.symbolType === 'SWAP' ? { contract: { closes: true, positionMode: 'one-way' } as const } : {};
  const alone: AlgoRequest = { instrument, side, plan, quantity, ...contract };
  return algoFaults(alone, { offer, prices: {} }).find(({ name }) => name !== 'notional-too-small');
}

function trailingFault(
  order: TargetedOrder,
  { takeProfit, takeProfits, stopLoss }: OrderTargets,
  trailing: Trailing,
  offer: AlgoOffer,
): AlgoFault | undefined {
  const field = trailing.distance === undefined ? 'trailingRatio' : 'trailingDistance';
  const given = order.instrument.symbol;
  if (offer.attachedTrails !== true)
    return { name: 'algo-not-offered', field, given, allowed: ['a trailing stop with an order'] };
  if ((takeProfit ?? takeProfits ?? stopLoss) !== undefined)
    return { name: 'order-combination', field, allowed: ['targets or a trailing stop'] };
  const { activation } = trailing;
  const { side, price } = order;
  const fault = aloneFault(order, { kind: 'trailing', trailing }, offer);
  if (fault !== undefined || activation === undefined || price === undefined) return fault;
  // It begins where the position gains, as a take-profit lies there.
  const gains = side === SIDE.BUY ? activation > price : activation < price;
  return gains ? undefined : { name: targetsName(side), field: 'activation' };
}

/** What several take-profits may not be, whatever their prices are. */
function severalFault(
  { instrument }: TargetedOrder,
  { takeProfit, takeProfits = [] }: OrderTargets,
  { targetsMax }: AlgoOffer,
): AlgoFault | undefined {
  const field = 'takeProfits';
  if (targetsMax === undefined)
    return { name: 'algo-not-offered', field, given: instrument.symbol, allowed: ['several take-profits'] };
  const prices = new Set(takeProfits.map(({ trigger }) => trigger.price));
  const rules: readonly (readonly [boolean, string])[] = [
    [takeProfit !== undefined, 'takeProfit or takeProfits'],
    [
      takeProfits.length < TARGETS_MIN || takeProfits.length > targetsMax,
      `${TARGETS_MIN} to ${targetsMax} take-profits`,
    ],
    [prices.size < takeProfits.length, 'take-profits at different prices'],
  ];
  const broken = rules.find(([wrong]) => wrong);
  return broken && { name: 'order-combination', field, allowed: [broken[1]] };
}

function sumFault({ quantity }: TargetedOrder, takeProfits: readonly PartTarget[]): AlgoFault | undefined {
  const sum = takeProfits.reduce((all, part) => plus(all, part.quantity), ZERO);
  if (quantity === undefined || sum === quantity) return undefined;
  const allowed = [`take-profits of ${formatAmount(quantity)} together`];
  return { name: 'order-combination', field: 'takeProfits', allowed };
}

function targetsName(side: Side): AlgoFaultName {
  return side === SIDE.BUY ? 'targets-above-below' : 'targets-below-above';
}

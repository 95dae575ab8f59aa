import {
  AMOUNT_ONE,
  type Amount,
  floorTo,
  type Instrument,
  minus,
  mulDown,
  ORDER_TYPE,
  type OrderId,
  type OrderTargets,
  plus,
  SIDE,
  TIME_IN_FORCE,
  type TriggerPlan,
  type VenueFill,
  ZERO,
} from '@crossbook/domain';
import { holdId } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { ListedLegs } from '@crossbook/venues/trading';
import { algoClientId, childClientIds, OF_FILLS, type StoredAlgo } from './algo.ts';
import type { OrderDraft, StoredOrder } from './order.ts';
import { storedAlgo } from './stored-algo.ts';

/** Targets of a pair's order: legs that go to the exchange with it, as one list or by themselves, or that the hub places once it is over. */

/** The part of an order that goes out with it; what the hub places is of the parts behind it. */
const LISTED_PART = 0;

/** Which part of its order a leg protects, in place of a request's hash. */
export function partName(part: number): string {
  return `part ${part} of its order`;
}

/** The leg of a pair: one that is both where there are two targets. */
export function pairPlan({ takeProfit, stopLoss }: OrderTargets): TriggerPlan | undefined {
  if (takeProfit !== undefined && stopLoss !== undefined) return { kind: 'oco', takeProfit, stopLoss };
  if (stopLoss !== undefined) return { kind: 'stop', leg: stopLoss };
  return takeProfit && { kind: 'take-profit', leg: takeProfit };
}

/**
 * How much the legs sell that go out with an order as one list: what it buys less the largest fee that can be taken of it, in
 * whole lots. What is left of that is free, as of every sale that is smaller than what there is.
 * @returns nothing where its targets are the hub's to place.
 */
export function listedQuantity({
  instrument,
  side,
  type,
  quantity,
  targets,
}: Pick<OrderDraft, 'instrument' | 'side' | 'type' | 'quantity' | 'targets'>): Amount | undefined {
  const { platform, symbolType, lotSize, minQty } = instrument;
  const { markets, trading } = venueProfile(platform);
  if (trading.algos[symbolType].attached !== 'list' || targets === undefined) return undefined;
  if (type !== ORDER_TYPE.LIMIT || side !== SIDE.BUY || quantity === undefined) return undefined;
  const { maker, taker } = markets[symbolType].fees;
  const kept = minus(AMOUNT_ONE as Amount, maker > taker ? maker : taker);
  const sold = floorTo(mulDown(quantity, kept), lotSize);
  return sold >= minQty ? sold : undefined;
}

/** The id of the leg that went out with an order. */
export function listedLegId(order: OrderId, { kind }: Pick<TriggerPlan, 'kind'>): OrderId {
  return holdId('target', order, LISTED_PART, kind) as string as OrderId;
}

/** Whether the venue makes one leg of a pair's buy, of what has filled once it is over. */
export function followsFills({
  platform,
  symbolType,
  side,
}: Pick<StoredOrder, 'platform' | 'symbolType' | 'side'>): boolean {
  return side === SIDE.BUY && venueProfile(platform).trading.algos[symbolType].attached === 'fills';
}

/** What the venue is told beside an order: the same values and ids as those of the row that its last fill writes. */
export function listedRequest(order: StoredOrder, targets: OrderTargets): ListedLegs | undefined {
  const { listed: quantity } = order;
  const plan = pairPlan(targets);
  if (plan === undefined || (quantity === undefined && !followsFills(order))) return undefined;
  const leg = { id: listedLegId(order.id, plan), attempt: 0 };
  const ids = { clientId: algoClientId(leg), childClientIds: childClientIds(leg) };
  const side = order.side === SIDE.BUY ? SIDE.SELL : SIDE.BUY;
  return {
    ...ids,
    side,
    plan,
    timeInForce: TIME_IN_FORCE.GTC,
    ...(quantity === undefined ? {} : { quantity }),
  };
}

/** What of a purchase has arrived that legs can sell: its fills less the fees taken of them, in whole lots. */
export function arrivedOf(
  { base }: Pick<StoredOrder, 'base'>,
  fills: readonly Pick<VenueFill, 'quantity' | 'fee' | 'feeAsset'>[],
  { lotSize }: Pick<Instrument, 'lotSize'>,
): Amount {
  const arrived = fills.map(({ quantity, fee, feeAsset }) =>
    feeAsset === base ? minus(quantity, fee) : quantity,
  );
  return floorTo(arrived.reduce(plus, ZERO), lotSize);
}

/**
 * The leg as a row. Nobody sends it: the venue has it since its order was placed, so that it is looked up, and placed by the
 * hub only once it is proved that the venue has none.
 */
export function listedLeg(
  order: StoredOrder,
  targets: OrderTargets,
  { now, quantity }: { readonly now: StoredAlgo['createdAt']; readonly quantity: Amount },
): StoredAlgo | undefined {
  const { id, user, base, side } = order;
  const plan = pairPlan(targets);
  if (plan === undefined) return undefined;
  const leg = storedAlgo(
    {
      ...{ instrument: order, plan, quantity, timeInForce: TIME_IN_FORCE.GTC },
      side: side === SIDE.BUY ? SIDE.SELL : SIDE.BUY,
    },
    {
      ...{ id: listedLegId(id, plan), user, parent: id, createdAt: now },
      payloadHash: order.listed === undefined ? OF_FILLS : partName(LISTED_PART),
      hold: { asset: base, amount: quantity },
    },
  );
  return { ...leg, deadlineAt: now };
}

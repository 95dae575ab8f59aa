import {
  AMOUNT_ONE,
  type Amount,
  floorTo,
  minus,
  mulDown,
  ORDER_TYPE,
  type OrderId,
  type OrderTargets,
  SIDE,
  TIME_IN_FORCE,
  type TriggerPlan,
} from '@crossbook/domain';
import { holdId } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { ListedLegs } from '@crossbook/venues/trading';
import { algoClientId, childClientIds, type StoredAlgo } from './algo.ts';
import type { OrderDraft, StoredOrder } from './order.ts';
import { storedAlgo } from './stored-algo.ts';

/** Targets of a pair's order: legs that go to the exchange with it as one list, or that the hub places once it is over. */

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

/** What the venue is told beside an order: the same values and ids as those of the row that its last fill writes. */
export function listedRequest(order: StoredOrder, targets: OrderTargets): ListedLegs | undefined {
  const leg = listedLeg(order, targets, order.createdAt);
  const plan = pairPlan(targets);
  if (leg?.quantity === undefined || plan === undefined) return undefined;
  const { side, timeInForce, quantity } = leg;
  const ids = { clientId: algoClientId(leg), childClientIds: childClientIds(leg) };
  return { ...ids, side, plan, timeInForce, quantity };
}

/**
 * The leg as a row. Nobody sends it: the venue has it since its order was placed, so that it is looked up, and placed by the
 * hub only once it is proved that the venue has none.
 */
export function listedLeg(
  order: StoredOrder,
  targets: OrderTargets,
  now: StoredAlgo['createdAt'],
): StoredAlgo | undefined {
  const { id, user, base, side, listed } = order;
  const plan = pairPlan(targets);
  if (plan === undefined || listed === undefined) return undefined;
  const leg = storedAlgo(
    {
      ...{ instrument: order, plan, quantity: listed, timeInForce: TIME_IN_FORCE.GTC },
      side: side === SIDE.BUY ? SIDE.SELL : SIDE.BUY,
    },
    {
      ...{ id: listedLegId(id, plan), user, parent: id, payloadHash: partName(LISTED_PART), createdAt: now },
      hold: { asset: base, amount: listed },
    },
  );
  return { ...leg, deadlineAt: now };
}

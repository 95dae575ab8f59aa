import { type Amount, lesser, magnitude, plus, ZERO } from '../amount.ts';
import { notionalUp } from '../instrument.ts';
import {
  type ContractOrderRequest,
  type ContractScene,
  positionMet,
  reckonedPrice,
  signedQuantity,
} from './margin-terms.ts';
import { contractOrderCost, orderParts } from './order-cost.ts';

/** What bounds the largest order: money, the leverage table, the lot filter, or the position that it only closes. */
export type ContractSizeBound = 'margin' | 'tier' | 'lot' | 'position';

/** The largest quantity on the lot, and what binds it. Below the smallest order it is 0. */
export interface LargestContractOrder {
  readonly quantity: Amount;
  readonly bound: ContractSizeBound;
}

/** The largest order of a kind that the venue would take: one lot more costs too much or leaves tier or filter. */
export function largestContractOrder(
  like: Omit<ContractOrderRequest, 'quantity'>,
  scene: ContractScene,
): LargestContractOrder {
  const { instrument } = scene;
  const filter =
    like.price === undefined ? lesser(instrument.maxMarketQty, instrument.maxQty) : instrument.maxQty;
  const sized = (lots: bigint): ContractOrderRequest => ({
    ...like,
    quantity: (lots * instrument.lotSize) as Amount,
  });
  const most = { ...like, quantity: filter };
  const { closing, opening } = orderParts(most, scene);
  const [room, what]: readonly [Amount, ContractSizeBound] =
    opening === 0n ? [closing, 'position'] : [plus(closing, contractTierRoom(most, scene)), 'tier'];
  const limit = lesser(room, filter);
  const lotsMax = limit / instrument.lotSize;
  const affordable = (lots: bigint): boolean => contractOrderCost(sized(lots), scene) <= scene.pool.available;
  const lots = largestThat(affordable, lotsMax);
  const quantity = (lots * instrument.lotSize) as Amount;
  return {
    quantity: quantity < instrument.minQty ? ZERO : quantity,
    bound: lots < lotsMax ? 'margin' : room < filter ? what : 'lot',
  };
}

/** The largest number up to `most` that holds, where all smaller ones hold too. */
function largestThat(holds: (count: bigint) => boolean, most: bigint): bigint {
  if (holds(most)) return most;
  let low = 0n;
  let high = most;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** What the tier table still lets an order open at the leverage that is set; without a table as much as one likes. */
export function contractTierRoom(order: ContractOrderRequest, scene: ContractScene): Amount {
  const { tiers, setting, instrument, mark } = scene;
  if (tiers.length === 0) return order.quantity;
  const leverage = order.side === 2 ? setting.leverageShort : setting.leverageLong;
  const last = tiers.findLast(({ maxLeverage }) => maxLeverage >= leverage);
  if (last === undefined) return ZERO;
  const size = (quantity: Amount, price: Amount): bigint =>
    last.unit === 'contracts' ? quantity : notionalUp(price, quantity, instrument.contractValue);
  const held = signedQuantity(positionMet(order, scene) ?? { side: 0, quantity: ZERO });
  const own = held > 0n === order.buys ? size(magnitude(held), mark) : 0n;
  // An order against the position closes it first, at the mark; what waits beside it counts whole.
  const against = orderParts(order, scene).closing;
  const waiting = scene.orders
    .filter(({ side, buys, reduceOnly }) => !reduceOnly && side === order.side && buys === order.buys)
    .reduce((sum, other) => sum + size(other.quantity, reckonedPrice(other, scene)), 0n);
  const price = reckonedPrice(order, scene);
  const room = last.cap - own - waiting + size(against, mark) - size(against, price);
  if (room <= 0n) return ZERO;
  if (last.unit === 'contracts') return room as Amount;
  const scale = 10n ** 36n;
  return ((room * scale) / (price * instrument.contractValue)) as Amount;
}

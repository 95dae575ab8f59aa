import { type Amount, formatAmount } from '../amount.ts';
import type { Instrument } from '../instrument.ts';
import { ORDER_TYPE } from '../order.ts';
import { type OrderFaultName, orderFaults } from './checks.ts';
import type { OrderMarket, OrderRequest } from './order-request.ts';

/** How many orders a scaled order is, least and most. */
export const SCALED_COUNT = { least: 2, most: 20 } as const;
/** Skews go from minus this to this. */
export const SCALED_SKEW_MAX = 3;

/** One size in several orders, at prices evenly from one to another. */
export interface ScaledOrder {
  /** Price of the first order. */
  readonly from: Amount;
  /** Price of the last one: above or below the first. */
  readonly to: Amount;
  /** How many orders, 2 to 20. */
  readonly count: number;
  /**
   * How sizes grow on the way, -3 to 3: at 0 all are alike, at `n` the last order is `n + 1` times as large as the first, at
   * `-n` the first so many times as large as the last.
   */
  readonly skew: number;
  /** The size of all of them together: base coins, or contracts where the venue counts those. */
  readonly quantity: Amount;
}

/** One of its orders. */
export interface ScaledPart {
  readonly price: Amount;
  readonly quantity: Amount;
}

type Steps = Pick<Instrument, 'tickSize' | 'lotSize'>;

/**
 * The orders that a scaled order is, from its first price to its last. Ends on the tick and a size on the lot are asked for
 * by `scaledFault`; sizes are lots that make up the whole exactly.
 */
export function scaledParts(asked: ScaledOrder, { tickSize, lotSize }: Steps): readonly ScaledPart[] {
  const sizes = lotsOf(asked, asked.quantity / lotSize);
  const first = asked.from / tickSize;
  const way = asked.to / tickSize - first;
  const gaps = BigInt(asked.count - 1);
  return sizes.map((lots, at) => {
    const gone = (magnitudeOf(way) * BigInt(at) * 2n + gaps) / (gaps * 2n);
    const ticks = way < 0n ? first - gone : first + gone;
    return { price: (ticks * tickSize) as Amount, quantity: (lots * lotSize) as Amount };
  });
}

/** Shares out lots by weight: what is left over by cutting goes to those that lost most by it, so that sizes stay in order. */
function lotsOf({ count, skew }: ScaledOrder, lots: bigint): readonly bigint[] {
  const steepness = BigInt(Math.abs(skew));
  const weights = Array.from({ length: count }, (_, at) => {
    const place = BigInt(skew < 0 ? count - 1 - at : at);
    return BigInt(count - 1) + steepness * place;
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  const cut = weights.map((weight) => (lots * weight) / all);
  const left = Number(lots - cut.reduce((sum, part) => sum + part, 0n));
  const lost = weights.map((weight, at) => ({ at, lost: (lots * weight) % all }));
  const larger = lost
    .toSorted((one, other) => (one.lost === other.lost ? one.at - other.at : one.lost > other.lost ? -1 : 1))
    .slice(0, left);
  const grown = new Set(larger.map(({ at }) => at));
  return cut.map((part, at) => (grown.has(at) ? part + 1n : part));
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** What is wrong with a scaled order, at the value it concerns. */
export interface ScaledFault {
  readonly name: OrderFaultName | 'field-invalid';
  readonly field?: 'from' | 'to' | 'count' | 'quantity';
  /** What would be right. */
  readonly allowed?: readonly string[];
  /** Which of its orders breaks the rule, 1 the first; absent where it is the whole. */
  readonly part?: number;
}

/** What all of its orders have in common. */
export type ScaledTerms = Pick<OrderRequest, 'instrument' | 'side' | 'timeInForce'>;

/**
 * The first thing that is wrong with a scaled order; `undefined` for a sound one: every order of it keeps the rules of an order
 * by itself.
 * @param ignored rules that do not hold for it: what closes has no smallest value.
 */
export function scaledFault(
  asked: ScaledOrder,
  terms: ScaledTerms,
  market: OrderMarket,
  ignored: readonly OrderFaultName[] = [],
): ScaledFault | undefined {
  const { instrument } = terms;
  const whole = ofEnds(asked, instrument) ?? ofSize(asked, instrument);
  if (whole !== undefined) return whole;
  for (const [at, part] of scaledParts(asked, instrument).entries()) {
    const request = { ...terms, type: ORDER_TYPE.LIMIT, ...part };
    const [fault] = orderFaults(request, market).filter(({ name }) => !ignored.includes(name));
    if (fault === undefined) continue;
    const { name, allowed } = fault;
    const field = fault.field === undefined ? {} : { field: fieldOf(fault.field, at) };
    return { name, ...field, ...(allowed === undefined ? {} : { allowed }), part: at + 1 };
  }
  return undefined;
}

function fieldOf(field: string, at: number): 'from' | 'to' | 'quantity' {
  if (field !== 'price') return 'quantity';
  return at === 0 ? 'from' : 'to';
}

function ofEnds({ from, to, count }: ScaledOrder, { tickSize }: Steps): ScaledFault | undefined {
  const step = [formatAmount(tickSize)];
  if (from % tickSize !== 0n) return { name: 'price-step', field: 'from', allowed: step };
  if (to % tickSize !== 0n) return { name: 'price-step', field: 'to', allowed: step };
  const apart = magnitudeOf(to - from) / tickSize;
  if (apart === 0n) return { name: 'field-invalid', field: 'to', allowed: [`not ${formatAmount(from)}`] };
  // Two orders never have one price.
  return apart < BigInt(count - 1)
    ? { name: 'field-invalid', field: 'count', allowed: [`2 – ${apart + 1n}`] }
    : undefined;
}

function ofSize({ quantity, count }: ScaledOrder, { lotSize }: Steps): ScaledFault | undefined {
  if (quantity % lotSize !== 0n)
    return { name: 'quantity-step', field: 'quantity', allowed: [formatAmount(lotSize)] };
  const lots = quantity / lotSize;
  if (lots >= BigInt(count)) return undefined;
  const least = formatAmount((lotSize * BigInt(count)) as Amount);
  return { name: 'quantity-range', field: 'quantity', allowed: [`≥ ${least}`] };
}

import { type Lots, type Ticks, toNumberForDisplay } from '@crossbook/domain';
import { icebergParts, SPOT_LIMITS } from '../../conditional-terms.ts';
import type { NewSimOrder, SimRefusal } from '../../exchange.ts';
import { rises } from '../state/order-lists.ts';
import { baseOf, type Terms } from '../state/terms.ts';

/** What is wrong with an order's iceberg, its way back or the price it waits for; `undefined` when nothing is. */
export function waitingRefusal(order: NewSimOrder, terms: Terms): SimRefusal | undefined {
  const { visible, trigger } = order;
  if (visible !== undefined) {
    const refusal = icebergRefusal(visible, order.quantity ?? (0 as Lots), terms);
    if (refusal !== undefined) return refusal;
  }
  const { price, trailingBips: bips, trailingTicks } = trigger ?? {};
  if (price !== undefined) {
    const whole = Number.isSafeInteger(price) && price >= 1 && price <= terms.ticksMax;
    if (!whole || BigInt(price) * terms.facts.tickSize < terms.facts.minPrice) return 'PRICE_FILTER';
  }
  if (trailingTicks !== undefined && (bips !== undefined || !isDistance(trailingTicks, terms)))
    return 'TRAILING_DELTA';
  if (bips === undefined) return undefined;
  const most = terms.facts.maxTrailingBips ?? SPOT_LIMITS.trailingBipsMax;
  const inside = bips >= SPOT_LIMITS.trailingBipsMin && bips <= most;
  return inside ? undefined : 'TRAILING_DELTA';
}

function isDistance(ticks: Ticks, { ticksMax }: Terms): boolean {
  return Number.isSafeInteger(ticks) && ticks >= 1 && ticks <= ticksMax;
}

function icebergRefusal(visible: Lots, quantity: Lots, terms: Terms): SimRefusal | undefined {
  if (!Number.isSafeInteger(visible) || baseOf(terms, visible) < terms.facts.minQty) return 'LOT_SIZE';
  if (visible > quantity) return 'ICEBERG_EXCEEDS';
  return icebergParts(quantity, visible) > SPOT_LIMITS.icebergPartsMax ? 'ICEBERG_PARTS' : undefined;
}

/** Whether the price that an order waits for is there already. @param last the price of the last trade. */
export function wouldTrigger({ side, trigger }: NewSimOrder, last: Ticks): boolean {
  if (trigger?.price === undefined) return false;
  return rises({ side, trigger }) ? trigger.price <= last : trigger.price >= last;
}

/**
 * Whether the prices of a pair lie as they must: one above the price and one below.
 * @param last the price of the last trade; absent: the pair comes later, and only the two are held against each other.
 */
export function pairIsParted(pair: readonly NewSimOrder[], last: Ticks | undefined): boolean {
  const above = pair.filter(liesAbove);
  const below = pair.filter((order) => !liesAbove(order));
  if (above.length !== 1 || below.length !== 1) return false;
  const high = above.map(levelOf).find((level) => level !== undefined);
  const low = below.map(levelOf).find((level) => level !== undefined);
  if (high !== undefined && low !== undefined && high <= low) return false;
  if (last === undefined) return true;
  return (high === undefined || high > last) && (low === undefined || low < last);
}

/** Whether an order of a pair is the one whose price lies above. */
export function liesAbove({ side, trigger }: NewSimOrder): boolean {
  return trigger === undefined ? side === 'SELL' : rises({ side, trigger });
}

function levelOf({ price, trigger }: NewSimOrder): Ticks | undefined {
  return trigger === undefined ? price : trigger.price;
}

/** A price in quote as the nearest whole tick, at least one. */
export function nearestTick(price: number, { facts }: Terms): Ticks {
  return Math.max(1, Math.round(price / toNumberForDisplay(facts.tickSize))) as Ticks;
}

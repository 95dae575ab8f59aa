import { ok, plus, type Result, refused, type Ticks, ZERO } from '@crossbook/domain';
import { backOf, type SimTrigger, type WaitingChange } from '../../conditional-terms.ts';
import type { SimOrder, SimOrderId, SimRefusal } from '../../exchange.ts';
import { heldAlone, heldTogether } from '../state/order-lists.ts';
import { isWaiting, reservationOf } from '../state/terms.ts';
import { pairIsParted, wouldTrigger } from './conditional-checks.ts';
import { type CheckedAgainst, filterRefusal, needOf } from './order-checks.ts';

/** Changes of orders that wait for a price: which orders they then are, and what stands against it. */

function triggerAfter(trigger: SimTrigger, { trigger: price, back }: WaitingChange): SimTrigger {
  const { trailingBips: _, trailingTicks: __, ...rest } = trigger;
  const then = back ?? backOf(trigger);
  const trails =
    then === undefined ? {} : 'bips' in then ? { trailingBips: then.bips } : { trailingTicks: then.ticks };
  return { ...rest, ...trails, ...(price === undefined ? {} : { price }) };
}

/** What the order sends: at market without a price, at a limit with one. */
function sentAfter(order: SimOrder, { price, quantity }: WaitingChange): SimOrder {
  const { price: before, ...rest } = order;
  const counted = quantity === undefined ? rest : { ...rest, quantity };
  if (price === 'MARKET') return { ...counted, kind: 'MARKET', timeInForce: 'IOC' };
  if (price !== undefined) return { ...counted, kind: 'LIMIT', timeInForce: 'GTC', price };
  return before === undefined ? counted : { ...counted, price: before };
}

function afterChange(order: SimOrder, change: WaitingChange, last: Ticks): SimOrder {
  const { trigger } = order;
  if (trigger === undefined) return order;
  const { trailing, ...sent } = sentAfter(order, change);
  const after = { ...sent, trigger: triggerAfter(trigger, change) };
  // From a new price on it follows once that is reached; else whoever followed begins anew with the price of now.
  const follows = trailing !== undefined && change.trigger === undefined;
  return follows ? { ...after, trailing: { since: trailing.since, best: last } } : after;
}

/** By which prices they then lock, where they do before they fire. */
function withHolds(orders: readonly SimOrder[], last: Ticks, ticksMax: number): SimOrder[] {
  const plain = orders.map(({ heldAt: _, ...order }): SimOrder => order);
  const at = { last, ticksMax };
  const held = plain.length > 1 ? heldTogether(plain, at) : plain.map((order) => heldAlone(order, at));
  return plain.map((order, place) => ({ ...order, ...held[place] }));
}

/**
 * The orders as they are after their changes, or why not.
 * @param orders that are changed, and what waits in one pair with them.
 */
export function changedWaiting(
  orders: readonly SimOrder[],
  changes: ReadonlyMap<SimOrderId, WaitingChange>,
  against: CheckedAgainst,
): Result<readonly SimOrder[], SimRefusal> {
  // What waits for its list waits for no price yet.
  const waits = orders.every(
    (order) => isWaiting(order) && order.status === 'NEW' && order.trigger !== undefined,
  );
  if (!waits) return refused('UNKNOWN_ORDER');
  const { terms, state } = against;
  const last = against.last();
  const changed = orders.map((order) => afterChange(order, changes.get(order.orderId) ?? {}, last));
  const after = withHolds(changed, last, terms.ticksMax);
  for (const order of after) {
    const refusal = filterRefusal(order, against);
    if (refusal !== undefined) return refused(refusal);
  }
  if (after.some(({ quantity }) => quantity !== after[0]?.quantity)) return refused('LOT_SIZE');
  if (after.length > 1 && !pairIsParted(after, last)) return refused('LIST_PRICES');
  if (after.some((order) => order.trailing === undefined && wouldTrigger(order, last)))
    return refused('WOULD_TRIGGER');
  const held = orders.map((order) => reservationOf(terms, order).amount).reduce(plus, ZERO);
  const short = after.some((order) => {
    const asset = order.side === 'BUY' ? terms.facts.quote : terms.facts.base;
    return needOf(order, against) > plus(state.spendable(order.account, asset), held);
  });
  return short ? refused('INSUFFICIENT_BALANCE') : ok(after);
}

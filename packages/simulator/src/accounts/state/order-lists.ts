import type { Lots, Ticks } from '@crossbook/domain';
import { backOf, type SimTrigger } from '../../conditional-terms.ts';
import type {
  AccountNumber,
  NewSimOrder,
  SimFill,
  SimOrder,
  SimOrderId,
  WaitingFacts,
} from '../../exchange.ts';
import type { SimOrderList } from '../../order-list-port.ts';
import type { Trigger } from '../../triggers/trigger.ts';
import { isOpen, type Terms } from './terms.ts';

const BIPS = 10_000n;

/** Whether what is pending behind a working order is placed now: it is filled or, where that follows it, over with a part. */
export function bringsPending({ list, status, executed }: SimOrder): boolean {
  if (list?.role !== 'WORKING') return false;
  return status === 'FILLED' || (list.follows === true && !isOpen(status) && executed > 0);
}

/** Where the fills of an order are found. */
interface FillsOfOrders {
  readonly history: {
    fillsOfOrder(...of: readonly [AccountNumber, string, SimOrderId]): readonly Pick<SimFill, 'fee'>[];
  };
}

/** What is pending behind a working order, with the sizes that it is placed with: of a purchase less the fees of its fills. */
export function pendingBehind(
  { account, symbol, orderId, list, side, executed }: SimOrder,
  mates: readonly SimOrder[],
  { state, terms }: { readonly state: FillsOfOrders; readonly terms: Terms },
): SimOrder[] {
  const pending = mates.filter(({ status }) => status === 'PENDING_NEW');
  if (list?.follows !== true) return pending;
  const fees = state.history.fillsOfOrder(account, symbol, orderId).reduce((sum, { fee }) => sum + fee, 0n);
  const { lotSize } = terms.facts;
  const paid = side === 'BUY' ? Number((fees + lotSize - 1n) / lotSize) : 0;
  return pending.map((order) => ({ ...order, quantity: (executed - paid) as Lots }));
}

/** The list that some orders are; `undefined` where none of them is kept any more. @param orders all of one list. */
function listOf(orders: readonly SimOrder[]): SimOrderList | undefined {
  const [first] = orders;
  if (first?.list === undefined) return undefined;
  const { listId, clientId, contingency, since } = first.list;
  const open = orders.some((order) => isOpen(order.status));
  const { account, symbol } = first;
  const named = [...orders].sort((a, b) => a.orderId - b.orderId);
  return { account, symbol, listId, clientId, contingency, open, since, orders: named };
}

/** All lists among some orders, oldest first. */
export function listsOf(orders: readonly SimOrder[]): SimOrderList[] {
  const byId = new Map<number, SimOrder[]>();
  for (const order of orders) {
    if (order.list === undefined) continue;
    const others = byId.get(order.list.listId);
    if (others === undefined) byId.set(order.list.listId, [order]);
    else others.push(order);
  }
  const lists = [...byId.values()].flatMap((of) => listOf(of) ?? []);
  return lists.sort((a, b) => a.listId - b.listId);
}

/** Whether a conditional order fires, or begins to trail, when the price has risen to its own. */
export function rises(order: { readonly side: 'BUY' | 'SELL'; readonly trigger: SimTrigger }): boolean {
  return (order.side === 'BUY') === (order.trigger.purpose === 'STOP');
}

/** What a waiting order is watched for now: the price that it names, or the way back from the best one. */
export function watchedTrigger(order: SimOrder): Trigger | undefined {
  const { trigger, trailing, side } = order;
  if (trigger === undefined || order.status !== 'NEW' || order.workingSince !== undefined) return undefined;
  const back = backOf(trigger);
  if (trailing !== undefined && back !== undefined) {
    return {
      at: 'TRAIL',
      by: 'LAST',
      direction: side === 'BUY' ? 'RISE' : 'FALL',
      back,
      best: trailing.best,
    };
  }
  if (trigger.price === undefined) return undefined;
  const direction = rises({ side, trigger }) ? 'RISE' : 'FALL';
  return { at: 'PRICE', by: 'LAST', direction, price: trigger.price };
}

/** The price by which an order without one of its own locks: the worst at which it can fire. */
function heldPrice(order: NewSimOrder, last: Ticks, ticksMax: number): Ticks {
  const { trigger } = order;
  const from = BigInt(trigger?.price ?? last);
  const buys = order.side === 'BUY';
  const bips = buys ? BigInt(trigger?.trailingBips ?? 0) : 0n;
  const distance = buys ? BigInt(trigger?.trailingTicks ?? 0) : 0n;
  const worst = (from * (BIPS + bips) + BIPS - 1n) / BIPS + distance;
  return Number(worst > BigInt(ticksMax) ? BigInt(ticksMax) : worst) as Ticks;
}

/** The market as a conditional order is placed in it. */
export interface PlacedAt {
  readonly last: Ticks;
  readonly ticksMax: number;
}

/** By which price an order that is placed alone, or works alone in its list, locks. */
export function heldAlone(order: NewSimOrder, { last, ticksMax }: PlacedAt): Pick<WaitingFacts, 'heldAt'> {
  const needsOne = order.trigger !== undefined && order.price === undefined;
  return needsOne ? { heldAt: heldPrice(order, last, ticksMax) } : {};
}

/** The same for a pair, of which the dearer locks for both. */
export function heldTogether(pair: readonly NewSimOrder[], at: PlacedAt): Pick<WaitingFacts, 'heldAt'>[] {
  const prices = pair.map((order) => order.price ?? heldPrice(order, at.last, at.ticksMax));
  const dearest = prices.indexOf(Math.max(...prices) as Ticks);
  return pair.map((order, place) => (place === dearest ? heldAlone(order, at) : { heldAt: 0 as Ticks }));
}

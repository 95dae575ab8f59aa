import { AMOUNT_ONE, type Lots, type Ticks } from '@crossbook/domain';
import { isOpen } from '../../accounts/state/terms.ts';
import type { PerpConditional, WaitingConditional } from '../../perp-conditionals.ts';
import type { PerpOrder, StopLeg } from '../../perp-exchange.ts';
import { ended } from '../../triggers/conditional-order.ts';
import { coinsOf } from '../margin/exposure.ts';
import type { AccountStats } from './account-stats.ts';
import {
  attachStops,
  type ConditionalParts,
  type ConditionalStep,
  closerOf,
  type FillParts,
  grown,
  stopTrigger,
  waitingLeg,
} from './attached-stops.ts';

/**
 * Several take profits of one order, each for a part of it, and the stop loss for what they leave. Fills go to the targets in
 * the order in which they were named, each until it has its part; the stop is for all that is filled.
 */

/** One of them. */
interface SplitLeg {
  readonly purpose: 'STOP' | 'TAKE_PROFIT';
  readonly leg: StopLeg;
  readonly lots: number;
  readonly clientId: string | undefined;
  readonly target?: number;
  readonly atCost?: true;
}

/**
 * Legs for what a fill brought: those that wait grow, where one fired or rests another follows. One target that rests is
 * treated as several of which there is one. @param order after the fill.
 */
function protectSplit(step: ConditionalStep, parts: FillParts, order: PerpOrder, lots: Lots): void {
  if (order.attached === undefined) return;
  const { takeProfit, stopLoss, stopAtCost, clientId, ...attached } = order.attached;
  const whole =
    takeProfit === undefined ? [] : [{ leg: takeProfit, lots: order.quantity, clientId: undefined }];
  const { targets = whole } = attached;
  const before = order.executed - lots;
  let from = 0;
  for (const [target, part] of targets.entries()) {
    const to = from + part.lots;
    const more = Math.min(order.executed, to) - Math.max(before, from);
    const purpose = 'TAKE_PROFIT';
    const { leg, clientId: name } = part;
    if (more > 0) protect(step, parts, order, { purpose, leg, lots: more, clientId: name, target });
    from = to;
  }
  if (stopLoss === undefined) return;
  const atCost = stopAtCost === undefined ? {} : { atCost: stopAtCost };
  protect(step, parts, order, { purpose: 'STOP', leg: stopLoss, lots, clientId, ...atCost });
}

function protect(
  step: ConditionalStep,
  { contracts, habits, price }: FillParts,
  order: PerpOrder,
  { purpose, leg, lots, clientId: name, target, atCost }: SplitLeg,
): void {
  const own = contracts.conditionals
    .ofParent(order)
    .filter((one) => one.purpose === purpose && one.attached?.target === target);
  const waiting = own.find((one) => one.state === 'WAITING');
  if (waiting !== undefined) {
    grown(step, waiting, lots);
    return;
  }
  // What its member has taken away stays away.
  if (own.some((one) => one.state === 'CANCELLED' && one.cause === 'MEMBER')) return;
  const algoId = contracts.conditionals.nextId;
  const first = leg.rests === undefined ? name : leg.rests.clientId;
  const clientId = (own.length === 0 ? first : undefined) ?? `stop-${algoId}`;
  const trigger = stopTrigger(leg, purpose, { side: closerOf(order).side, price });
  const terms = { purpose, trigger, limit: leg.limit };
  const made = waitingLeg(step, order, { ...terms, algoId, clientId, lots: lots as Lots });
  const ends = habits.attachedEnds ? ({ position: 'PART' } as const) : {};
  const place = {
    ...ends,
    ...(target === undefined ? {} : { target }),
    ...(atCost === undefined ? {} : { atCost }),
    ...(leg.rests === undefined ? {} : { rests: true as const }),
  };
  step.conditional({ ...made, attached: { ...made.attached, ...place } }, 'NEW');
}

/** The others of its parent. */
function others(
  { contracts }: Pick<ConditionalParts, 'contracts'>,
  { attached, sends, algoId: own }: PerpConditional,
): readonly PerpConditional[] {
  if (attached?.parentId === undefined) return [];
  const orderId = attached.parentId as PerpOrder['orderId'];
  const all = contracts.conditionals.ofParent({ account: sends.account, symbol: sends.symbol, orderId });
  return all.filter(({ algoId }) => algoId !== own);
}

/** Those of them that wait. */
function beside(parts: Pick<ConditionalParts, 'contracts'>, fired: PerpConditional): WaitingConditional[] {
  return others(parts, fired).filter((one) => one.state === 'WAITING');
}

/** The orders of targets that rest: they end with a stop that fires, as those that wait do. */
export function restingBeside(
  parts: Pick<ConditionalParts, 'contracts'>,
  fired: PerpConditional,
): readonly PerpOrder[] {
  if (fired.purpose !== 'STOP') return [];
  const { account, symbol } = fired.sends;
  return others(parts, fired).flatMap((one) => {
    if (one.state !== 'TRIGGERED' || one.attached?.rests !== true) return [];
    const orderId = one.childId as PerpOrder['orderId'];
    const order = parts.contracts.history.find(account, symbol, { orderId });
    return order !== undefined && isOpen(order.status) ? [order] : [];
  });
}

/** The targets that end with a stop that fires: it sells all that they would have sold. */
export function targetsBeside(
  parts: Pick<ConditionalParts, 'contracts'>,
  fired: PerpConditional,
): WaitingConditional[] {
  if (fired.purpose !== 'STOP') return [];
  return beside(parts, fired).filter(({ attached }) => attached?.target !== undefined);
}

/** What the stop beside a target is looked at by. */
type StopParts = Pick<ConditionalParts, 'contracts'> & { readonly stats: Pick<AccountStats, 'contract'> };

/**
 * A target has sent its order, or what rests of it was filled: the stop beside it is for what is left, and with the first of them
 * goes to the cost. @param lots that it takes.
 */
export function takeFromStop(
  step: ConditionalStep,
  parts: StopParts,
  fired: PerpConditional,
  lots: number,
): void {
  if (fired.attached?.target === undefined) return;
  const stop = beside(parts, fired).find(({ purpose }) => purpose === 'STOP');
  if (stop === undefined) return;
  const left = Number(stop.sends.quantity) - lots;
  if (left <= 0) {
    step.conditional(ended(stop, { state: 'CANCELLED', cause: 'SIBLING' }, step.time), 'CANCELLED');
    return;
  }
  const { atCost, ...attached } = stop.attached ?? {};
  const price = atCost === undefined ? undefined : costOf(parts, fired);
  const trigger =
    price === undefined || stop.trigger.at !== 'PRICE' ? stop.trigger : { ...stop.trigger, price };
  const sends = { ...stop.sends, quantity: left as Lots };
  step.conditional({ ...stop, attached, trigger, sends, updatedAt: step.time }, 'AMENDED');
}

/** The average price of the order that a leg protects; `undefined` where that is forgotten. */
function costOf(parts: StopParts, { attached, sends }: PerpConditional): Ticks | undefined {
  const orderId = attached?.parentId as PerpOrder['orderId'] | undefined;
  if (orderId === undefined) return undefined;
  const parent = parts.contracts.history.find(sends.account, sends.symbol, { orderId });
  return parent === undefined || parent.executed === 0 ? undefined : averageTicks(parts, parent);
}

/** The average price of what an order has filled, on the nearest tick. */
function averageTicks(
  { stats }: Pick<StopParts, 'stats'>,
  { symbol, executed, executedQuote }: PerpOrder,
): Ticks {
  const contract = stats.contract(symbol);
  const step = coinsOf(contract, executed) * contract.tickSize;
  return Number((executedQuote * AMOUNT_ONE + step / 2n) / step) as Ticks;
}

/**
 * What an order brings along follows its fills: with each of them or, where the venue places it once, when the order is over; targets
 * of parts then only where it has filled wholly. @param fill the one that it has just met; none where it ends without.
 */
export function protectOrder(
  step: ConditionalStep,
  parts: ConditionalParts & StopParts,
  order: PerpOrder,
  fill?: { readonly lots: Lots; readonly price: Ticks },
): void {
  const { targets, takeProfit } = order.attached ?? {};
  const split = targets !== undefined || takeProfit?.rests !== undefined;
  const protects = split ? protectSplit : attachStops;
  if (!parts.habits.attachedOnce) {
    if (fill !== undefined) protects(step, { ...parts, price: fill.price }, order, fill.lots);
    return;
  }
  const waits = isOpen(order.status) || (targets !== undefined && order.status !== 'FILLED');
  if (waits || order.executed === 0) return;
  protects(step, { ...parts, price: averageTicks(parts, order) }, order, order.executed);
}

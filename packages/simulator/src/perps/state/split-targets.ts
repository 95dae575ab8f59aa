import type { Lots, Ticks } from '@crossbook/domain';
import type { Terms } from '../../accounts/state/terms.ts';
import type { PerpConditional, WaitingConditional } from '../../perp-conditionals.ts';
import type { PerpOrder, StopLeg } from '../../perp-exchange.ts';
import { ended } from '../../triggers/conditional-order.ts';
import { type ConditionalParts, type ConditionalStep, grown, waitingLeg } from './attached-stops.ts';

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

/** Legs for what a fill brought: those that wait grow, where one fired another follows. @param order after the fill. */
export function protectSplit(
  step: ConditionalStep,
  parts: ConditionalParts,
  order: PerpOrder,
  lots: Lots,
): void {
  const { targets = [], stopLoss, stopAtCost, clientId } = order.attached ?? {};
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
  { contracts, habits }: ConditionalParts,
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
  const clientId = (own.length === 0 ? name : undefined) ?? `stop-${algoId}`;
  const made = waitingLeg(step, order, { algoId, clientId, purpose, leg, lots: lots as Lots });
  const ends = habits.attachedEnds ? ({ position: 'PART' } as const) : {};
  const place = {
    ...ends,
    ...(target === undefined ? {} : { target }),
    ...(atCost === undefined ? {} : { atCost }),
  };
  step.conditional({ ...made, attached: { ...made.attached, ...place } }, 'NEW');
}

/** The others of its parent that wait. */
function beside(
  { contracts }: Pick<ConditionalParts, 'contracts'>,
  fired: PerpConditional,
): WaitingConditional[] {
  const { attached, sends } = fired;
  if (attached?.parentId === undefined) return [];
  const orderId = attached.parentId as PerpOrder['orderId'];
  return contracts.conditionals
    .ofParent({ account: sends.account, symbol: sends.symbol, orderId })
    .filter((one) => one.state === 'WAITING')
    .filter(({ algoId }) => algoId !== fired.algoId);
}

/** The targets that end with a stop that fires: it sells all that they would have sold. */
export function targetsBeside(
  parts: Pick<ConditionalParts, 'contracts'>,
  fired: PerpConditional,
): WaitingConditional[] {
  if (fired.purpose !== 'STOP') return [];
  return beside(parts, fired).filter(({ attached }) => attached?.target !== undefined);
}

/** A target has sent its order: the stop beside it is for what is left, and with the first of them goes to the cost. */
export function takeFromStop(
  step: ConditionalStep,
  parts: Pick<ConditionalParts, 'contracts'>,
  fired: PerpConditional,
  terms: Terms,
): void {
  if (fired.attached?.target === undefined) return;
  const stop = beside(parts, fired).find(({ purpose }) => purpose === 'STOP');
  if (stop === undefined) return;
  const left = Number(stop.sends.quantity) - Number(fired.sends.quantity);
  if (left <= 0) {
    step.conditional(ended(stop, { state: 'CANCELLED', cause: 'SIBLING' }, step.time), 'CANCELLED');
    return;
  }
  const { atCost, ...attached } = stop.attached ?? {};
  const price = atCost === undefined ? undefined : averageTicks(parts, fired, terms);
  const trigger =
    price === undefined || stop.trigger.at !== 'PRICE' ? stop.trigger : { ...stop.trigger, price };
  const sends = { ...stop.sends, quantity: left as Lots };
  step.conditional({ ...stop, attached, trigger, sends, updatedAt: step.time }, 'AMENDED');
}

/** The average price of the order that a leg protects, on the nearest tick; `undefined` where that is forgotten. */
function averageTicks(
  { contracts }: Pick<ConditionalParts, 'contracts'>,
  { attached, sends }: PerpConditional,
  { quotePerStep }: Terms,
): Ticks | undefined {
  const orderId = attached?.parentId as PerpOrder['orderId'] | undefined;
  if (orderId === undefined) return undefined;
  const parent = contracts.history.find(sends.account, sends.symbol, { orderId });
  if (parent === undefined || parent.executed === 0) return undefined;
  const step = BigInt(parent.executed) * quotePerStep;
  return Number((parent.executedQuote + step / 2n) / step) as Ticks;
}

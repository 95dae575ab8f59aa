import { ok, type Result, refused, type Ticks } from '@crossbook/domain';
import { backOf, type SimTrigger, type WaitingChange } from '../../../conditional-terms.ts';
import type { AccountNumber, NewSimOrder, SimOrder, SimOrderId, SimRefusal } from '../../../exchange.ts';
import type { ConditionalChange, NewConditionalLeg } from '../../../perp-conditionals.ts';
import type { ConditionalTerms } from '../../../triggers/conditional-order.ts';
import { firingPrice, isReached, type Trigger } from '../../../triggers/trigger.ts';
import type { OrderUpdate } from '../../wire/order-update.ts';
import { reachedError } from '../algos/algo-errors.ts';
import { algoClOrdIdOf, kindOfAlgo } from '../algos/algo-ids.ts';
import type { AlgoAdapter, AlgoLeg, AlgoSends, AlgoSlice, AskedAlgo } from '../algos/algo-legs.ts';
import type { AlgoEvent } from '../algos/algo-rows.ts';
import { icebergOf, slicesPrefix } from '../algos/iceberg-ids.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, type OkxError, parameterError, refusalError } from '../errors.ts';
import { ordIdOf, splitOrdId } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { SEARCHED_MAX } from '../orders/order-adapter.ts';
import { sizeRefusal } from '../orders/order-words.ts';
import { attachedTo, LEG_MARKS, lastTicks, withAttached } from './attached.ts';

/**
 * Algo orders on pairs: the core's orders that wait. One keeps its number when it works, so that `algoId` and `ordId` of
 * what it sends are made of the same one. They lock nothing before they fire.
 */

/** Numbers of algo orders on pairs are those of their orders, told apart by their length and beginning. */
const ALGO_ID = /^8([0-9]{19})$/;
const DIGITS = 19;
const OWN_ID_LENGTH = 20;

function triggerOf({ side, trailing }: SimOrder, trigger: SimTrigger): Trigger {
  const buys = side === 'BUY';
  const back = backOf(trigger);
  if (back === undefined) {
    const rises = buys === (trigger.purpose === 'STOP');
    const price = trigger.price ?? (0 as never);
    return { at: 'PRICE', by: 'LAST', direction: rises ? 'RISE' : 'FALL', price };
  }
  return {
    ...{ at: 'TRAIL', by: 'LAST', direction: buys ? 'RISE' : 'FALL', back },
    ...(trigger.price === undefined ? {} : { activation: trigger.price }),
    ...(trailing === undefined ? {} : { best: trailing.best }),
  };
}

/** The orders of a pair of which one fires, behind the order that they wait for; that one is none of them. */
function pairOf({ list }: SimOrder): readonly SimOrderId[] {
  if (list === undefined || list.role === 'WORKING') return [];
  return list.contingency === 'OTO' ? list.orderIds.slice(1) : list.orderIds;
}

/** Which of several fires: the first that was named. */
function groupOf(order: SimOrder): number | undefined {
  const pair = pairOf(order);
  return pair.length > 1 ? pair[0] : undefined;
}

/** An order of a pair as a leg; `undefined` for one that never waited for a price, or does not wait yet. */
function legOf(order: SimOrder): AlgoLeg | undefined {
  const { trigger, account, symbol, side, clientId, price, quantity, quoteQuantity } = order;
  if (trigger === undefined || order.status === 'PENDING_NEW') return undefined;
  const group = groupOf(order);
  const sends: AlgoSends = {
    ...{ account, symbol, side, clientId },
    ...(price === undefined ? {} : { price }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(quoteQuantity === undefined ? {} : { quoteQuantity }),
  };
  const terms: ConditionalTerms<AlgoSends> = {
    ...{ algoId: order.orderId, clientId, sends },
    purpose: backOf(trigger) === undefined ? trigger.purpose : 'TRAILING',
    trigger: triggerOf(order, trigger),
    ...(group === undefined ? {} : { group }),
    createdAt: order.createdAt,
    updatedAt: order.workingSince ?? order.updatedAt,
  };
  return withState(terms, order);
}

function withState(
  terms: ConditionalTerms<AlgoSends>,
  { workingSince, status, orderId, expiry, updatedAt }: SimOrder,
): AlgoLeg {
  const { trigger } = terms;
  const firedPrice = trigger.at === 'PRICE' ? trigger.price : (firingPrice(trigger) ?? 0);
  if (workingSince !== undefined)
    return { ...terms, state: 'TRIGGERED', firedAt: workingSince, firedPrice, childId: orderId };
  if (status === 'NEW') return { ...terms, state: 'WAITING' };
  if (expiry === 'REFUSED')
    return {
      ...{ ...terms, state: 'REFUSED', firedAt: updatedAt, firedPrice },
      refusal: 'INSUFFICIENT_BALANCE',
    };
  return { ...terms, state: 'CANCELLED', cause: expiry === 'OTHER_LEG' ? 'SIBLING' : 'MEMBER' };
}

/** Whether an order waits, or ended while it did: it is no order of the ordinary calls. */
export function neverWorked({ trigger, workingSince }: SimOrder): boolean {
  return trigger !== undefined && workingSince === undefined;
}

/** `algoId` of the order, or of the pair that it belongs to. */
export function spotAlgoId(listed: Listed, orderId: number): string {
  return `8${ordIdOf(listed, orderId as SimOrderId).padStart(DIGITS, '0')}`;
}

/** What an order that an algo order sent says of it. */
export function sentByFields(listed: Listed, order: SimOrder): object {
  const iceberg = icebergOf(order.clientId);
  if (iceberg !== undefined)
    return { algoId: spotAlgoId(listed, iceberg.algoId), algoClOrdId: iceberg.algoClOrdId };
  const leg = legOf(order);
  if (leg === undefined) return {};
  return { algoId: spotAlgoId(listed, leg.group ?? leg.algoId), algoClOrdId: algoClOrdIdOf(leg) };
}

const CAUSES: Partial<Record<OrderUpdate['cause'], AlgoEvent['cause']>> = {
  NEW: 'NEW',
  REPLACED: 'AMENDED',
  CANCELED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
};

/** What an event of an order says of its algo order; `undefined` where that is over, or is none. */
export function algoEventOf(desk: Desk, { cause, order }: OrderUpdate): AlgoEvent | undefined {
  const [leg] = legs(desk, [order]);
  if (leg === undefined) return undefined;
  if (cause === 'TRIGGERED') return { cause, order: leg };
  const known = leg.state === 'REFUSED' ? 'REFUSED' : CAUSES[cause];
  return known !== undefined && neverWorked(order) ? { cause: known, order: leg } : undefined;
}

function askedOrder({ purpose, trigger, sends }: NewConditionalLeg, asked: AskedAlgo): NewSimOrder {
  const { account, symbol, side, kind, timeInForce, price, quantity, clientId, selfTradePrevention } = sends;
  const paired = asked.legs.length > 1 ? LEG_MARKS[purpose] : '';
  const waits: SimTrigger = {
    // One that trails begins where the price has come towards its side.
    ...{ purpose: purpose === 'STOP' ? 'STOP' : 'TAKE_PROFIT', fundedWhenFired: true },
    ...(trigger.at === 'PRICE' ? { price: trigger.price } : trailingOf(trigger)),
  };
  const { quoteQuantity } = asked;
  return {
    ...{ account, symbol, side, kind, timeInForce, selfTradePrevention, trigger: waits },
    ...(price === undefined ? {} : { price }),
    ...(quoteQuantity === undefined ? { quantity: quantity as never } : { quoteQuantity }),
    clientId: `${clientId}${paired}`,
  };
}

function trailingOf({ back, activation }: Extract<Trigger, { readonly at: 'TRAIL' }>): Partial<SimTrigger> {
  return {
    ...('bips' in back ? { trailingBips: back.bips } : { trailingTicks: back.ticks }),
    ...(activation === undefined ? {} : { price: activation }),
  };
}

/** OKX's words for a refusal of the core. @param legs as they were asked for. */
function algoError(
  refusal: SimRefusal,
  legs: readonly Pick<NewConditionalLeg, 'purpose' | 'trigger' | 'sends'>[],
  listed: Listed,
): OkxError {
  const facts = factsOf(listed);
  switch (refusal) {
    case 'WOULD_TRIGGER':
    case 'LIST_PRICES': {
      const last = lastTicks(listed);
      const reached = legs.find(({ trigger }) => trigger.at === 'TRAIL' || isReached(trigger, last));
      return reached === undefined ? ERRORS.algoPrice : reachedError(reached);
    }
    case 'PRICE_FILTER':
      return ERRORS.algoPrice;
    case 'DUPLICATE_CLIENT_ID':
      return ERRORS.duplicateAlgoId;
    case 'LOT_SIZE': {
      const quantity = legs[0]?.sends.quantity;
      return typeof quantity === 'number' ? sizeRefusal({ quantity }, facts) : ERRORS.tooSmall;
    }
    default:
      return refusalError(refusal, legs[0]?.sends.side === 'BUY' ? facts.quote : facts.base);
  }
}

async function placeAll(
  desk: Desk,
  asked: AskedAlgo,
  orders: readonly NewSimOrder[],
  listed: Listed,
): Promise<Result<SimOrder, SimRefusal>> {
  const [first] = orders;
  if (first === undefined) throw new Error('invariant broken: an algo order has a leg');
  const { clientId, attached } = asked.legs[0].sends;
  if (orders.length === 1 && attached === undefined) {
    const placed = await desk.venue.spot.place(first);
    return placed.ok ? ok(placed.value.order) : placed;
  }
  const { account, symbol } = first;
  const random = desk.randomText(OWN_ID_LENGTH);
  const list =
    attached === undefined
      ? { account, symbol, clientId, others: orders }
      : withAttached(first, attached, { facts: factsOf(listed), last: lastTicks(listed), random });
  const placed = await desk.venue.spot.placeList(list);
  if (!placed.ok) return placed;
  const [report] = placed.value;
  if (report === undefined) throw new Error('invariant broken: a list has orders');
  return ok(report.order);
}

function waitingChange({ trigger, back, activation, price, quantity }: ConditionalChange): WaitingChange {
  const reached = trigger ?? activation;
  return {
    ...(reached === undefined ? {} : { trigger: reached }),
    ...(back === undefined ? {} : { back }),
    ...(price === undefined ? {} : { price }),
    ...(quantity === undefined ? {} : { quantity }),
  };
}

/** What is not changed of a trigger order that has something attached: that, and the size that it has too. */
function fixedError({ sends }: AlgoLeg, { attached, quantity }: ConditionalChange): OkxError | undefined {
  if (attached !== undefined) return parameterError('attachAlgoOrds');
  return sends.attached !== undefined && quantity !== undefined ? parameterError('newSz') : undefined;
}

function orderOf(desk: Desk, { algoId, sends }: AlgoLeg): SimOrder | undefined {
  const orderId = algoId as SimOrderId;
  return desk.venue.spot.order(sends.account as AccountNumber, sends.symbol, { orderId });
}

/** Whether it waits for a price, or has: what comes with an order does once that is over, for what it has filled. */
function isPlaced(desk: Desk, { account, symbol, list }: SimOrder): boolean {
  const [orderId] = list?.role === 'PENDING' ? list.orderIds : [];
  const working = orderId && desk.venue.spot.order(account, symbol, { orderId });
  return working === undefined || working.executed > 0;
}

function legs(desk: Desk, orders: readonly SimOrder[]): AlgoLeg[] {
  return orders
    .filter((order) => isPlaced(desk, order))
    .flatMap((order) => {
      const leg = legOf(order);
      if (leg === undefined) return [];
      const attached = attachedTo(desk, order);
      return [attached === undefined ? leg : { ...leg, sends: { ...leg.sends, attached } }];
    });
}

/** Algo orders on pairs. */
export const SPOT_ALGOS: AlgoAdapter = {
  async place(desk, listed, asked) {
    const orders = asked.legs.map((leg) => askedOrder(leg, asked));
    const placed = await placeAll(desk, asked, orders, listed);
    if (!placed.ok) return refused(algoError(placed.code, asked.legs, listed));
    const leg = legOf(placed.value);
    if (leg === undefined) throw new Error('invariant broken: what was placed waits');
    return ok(leg);
  },
  async amend(desk, order, changes) {
    const [first] = order.legs;
    const account = first.sends.account as AccountNumber;
    if ([...changes.values()].some(({ by }) => by !== undefined && by !== 'LAST'))
      return ERRORS.onlyLastPrice;
    const wrong = [...changes.values()].map((change) => fixedError(first, change)).find(Boolean);
    if (wrong !== undefined) return wrong;
    const all = order.legs.map((leg) => [leg.algoId as SimOrderId, changes.get(leg) ?? {}] as const);
    const asked = new Map(all.map(([orderId, change]) => [orderId, waitingChange(change)]));
    const done = await desk.venue.spot.amendWaiting(account, first.sends.symbol, asked);
    if (done.ok) return undefined;
    if (done.code === 'UNKNOWN_ORDER') return ERRORS.amendNotThere;
    return algoError(
      done.code,
      order.legs.map((leg) => changedLeg(leg, changes.get(leg))),
      order.listed,
    );
  },
  async cancel(desk, { algoId, sends }) {
    const orderId = algoId as SimOrderId;
    return (await desk.venue.spot.cancel(sends.account as AccountNumber, sends.symbol, { orderId })).ok;
  },
  waiting: (desk, account) => legs(desk, desk.venue.spot.openOrders(account).filter(neverWorked)),
  history: (desk, account, startTime) =>
    desk.listing
      .ofType('SPOT')
      .flatMap(({ instId }) =>
        legs(desk, desk.venue.spot.orders(account, instId, { startTime, limit: SEARCHED_MAX })),
      ),
  byId(desk, account, id) {
    const split = splitOrdId(ALGO_ID.exec(id)?.[1] ?? '');
    const listed = split === undefined ? undefined : desk.listing.findCode(split.code);
    if (split === undefined || listed?.part !== 'spot') return undefined;
    const order = desk.venue.spot.order(account, listed.instId, { orderId: split.orderId });
    const [leg] = order === undefined ? [] : legs(desk, [order]);
    return leg?.group === undefined || leg.group === leg.algoId ? leg : undefined;
  },
  byClientId(desk, account, clientId) {
    const names = kindOfAlgo({ clientId }) === 'oco' ? [`${clientId}${LEG_MARKS.TAKE_PROFIT}`] : [clientId];
    const found = desk.listing
      .ofType('SPOT')
      .flatMap(({ instId }) =>
        names.map((name) => desk.venue.spot.order(account, instId, { clientId: name })),
      )
      .flatMap((order) => (order === undefined ? [] : legs(desk, [order])));
    return found.sort((left, right) => right.createdAt - left.createdAt).at(0);
  },
  legsOf(desk, leg) {
    const order = orderOf(desk, leg);
    if (order === undefined) return [leg];
    const pair = pairOf(order);
    const mates = (pair.length > 0 ? pair : [order.orderId]).flatMap((orderId) => {
      const mate = orderOf(desk, { ...leg, algoId: orderId });
      return mate === undefined ? [] : legs(desk, [mate]);
    });
    const [first, ...others] = mates;
    return first === undefined ? [legOf(order) ?? leg] : [first, ...others];
  },
  idOf: (listed, { group, algoId }) => spotAlgoId(listed, group ?? algoId),
  childOf(desk, listed, leg) {
    const order = 'childId' in leg ? orderOf(desk, leg) : undefined;
    return order && { ...leg.sends, ordId: ordIdOf(listed, order.orderId) };
  },
  termsOf(_desk, { sends: { price, quantity, side } }) {
    const counted = quantity === undefined ? 'quote_ccy' : 'base_ccy';
    const tgtCcy = price === undefined && side === 'BUY' ? counted : '';
    return { tdMode: 'cash', posSide: 'net', reduceOnly: false, tgtCcy, lever: '' };
  },
  slices: (desk, _listed, leg) => {
    const { account, symbol } = leg.sends;
    const page = { startTime: leg.createdAt, limit: SEARCHED_MAX };
    return desk.venue.spot
      .orders(account as AccountNumber, symbol, page)
      .filter(({ clientId }) => clientId.startsWith(slicesPrefix(leg)))
      .map(sliceOf);
  },
  slice(desk, { sends: { account, symbol } }, clientId) {
    const order = desk.venue.spot.order(account as AccountNumber, symbol, { clientId });
    return order && sliceOf(order);
  },
  async sendSlice(desk, { sends }, asked) {
    const { symbol, side } = sends;
    const account = sends.account as AccountNumber;
    const placed = await desk.venue.spot.place({
      ...{ account, symbol, side, ...asked, kind: 'LIMIT', timeInForce: 'GTC' },
      selfTradePrevention: 'EXPIRE_MAKER',
    });
    return placed.ok ? asked.clientId : undefined;
  },
  async cancelSlice(desk, { sends: { account, symbol } }, { orderId }) {
    await desk.venue.spot.cancel(account as AccountNumber, symbol, { orderId });
  },
  failCode: (refusal) => refusalError(refusal as SimRefusal, '').code,
};

function sliceOf({ clientId, orderId, price, executed, status }: SimOrder): AlgoSlice {
  const open = status === 'NEW' || status === 'PARTIALLY_FILLED';
  return { clientId, orderId, price: price ?? (0 as Ticks), executed, open };
}

/** A leg as a change would make it, for the words of its refusal. */
function changedLeg(
  leg: AlgoLeg,
  change: ConditionalChange | undefined,
): Pick<NewConditionalLeg, 'purpose' | 'trigger' | 'sends'> {
  const { trigger: before, purpose } = leg;
  const price = change?.trigger;
  const trigger = before.at === 'PRICE' && price !== undefined ? { ...before, price } : before;
  const quantity = change?.quantity ?? leg.sends.quantity;
  return { purpose, trigger, sends: { ...leg.sends, quantity } as NewConditionalLeg['sends'] };
}

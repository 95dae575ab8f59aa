import { type Amount, type Lots, plus, type Ticks, toNumberForDisplay, ZERO } from '@crossbook/domain';
import { SPOT_LIMITS } from '../../conditional-terms.ts';
import type { MarketFacts, NewSimOrder, SimOrder, SimRefusal } from '../../exchange.ts';
import type { MatchingEngine } from '../../matching/engine.ts';
import type { EngineOrder } from '../../matching/engine-order.ts';
import type { NewSimOrderList } from '../../order-list-port.ts';
import type { MemberState } from '../state/member-state.ts';
import { heldAlone } from '../state/order-lists.ts';
import { baseOf, quoteOf, reservationOf, type Terms } from '../state/terms.ts';
import { pairIsParted, waitingRefusal, wouldTrigger } from './conditional-checks.ts';

/** What the checks look at besides the order. */
export interface CheckedAgainst extends PlacedAgainst {
  readonly status: MarketFacts['status'];
  /** 5-minute average price, in quote. */
  readonly averagePrice: number;
}

/** What an order that passed its filters is held against when its time comes. */
export interface PlacedAgainst {
  readonly terms: Terms;
  readonly engine: MatchingEngine;
  readonly state: MemberState;
  /** The price of the last trade. */
  readonly last: () => Ticks;
}

/** The order in the engine's terms. Only for orders whose price and quantities have passed the filters. */
export function engineOrderOf(terms: Terms, order: NewSimOrder): EngineOrder {
  return {
    account: order.account,
    side: order.side,
    kind: order.kind,
    timeInForce: order.timeInForce,
    price: order.kind === 'MARKET' ? (0 as Ticks) : (order.price ?? (0 as Ticks)),
    quantity: order.quantity ?? (0 as Lots),
    budget: order.quoteQuantity === undefined ? 0 : budgetOf(terms, order.quoteQuantity),
    selfTradePrevention: order.selfTradePrevention,
    ...(order.whenTaking === undefined ? {} : { whenTaking: order.whenTaking }),
    ...(order.visible === undefined ? {} : { visible: order.visible }),
  };
}

/** The first reason against an order, in the order of `SimRefusal`; `undefined` when there is none. */
export function refusalOf(order: NewSimOrder, against: CheckedAgainst): SimRefusal | undefined {
  if (against.status !== 'TRADING') return 'MARKET_CLOSED';
  return (
    filterRefusal(order, against) ??
    roomRefusal([order], against) ??
    idRefusal([order], against) ??
    placingRefusal([order], against)
  );
}

/** The first reason against a list. What is pending in it needs no funds yet. */
export function listRefusalOf(list: NewSimOrderList, against: CheckedAgainst): SimRefusal | undefined {
  if (against.status !== 'TRADING') return 'MARKET_CLOSED';
  const { account, symbol, working, others, clientId } = list;
  const orders = working === undefined ? others : [working, ...others];
  for (const order of orders) {
    const refusal = filterRefusal(order, against);
    if (refusal !== undefined) return refusal;
  }
  const lists = against.state.openLists(account);
  const ofMarket = lists.filter((one) => one.symbol === symbol);
  const most = against.terms.facts.maxOrderLists ?? SPOT_LIMITS.orderListsMax;
  if (ofMarket.length >= most) return 'MAX_NUM_ORDER_LISTS';
  const full = roomRefusal(orders, against) ?? idRefusal(orders, against);
  if (full !== undefined) return full;
  if (lists.some((one) => one.clientId === clientId)) return 'DUPLICATE_CLIENT_ID';
  const last = working === undefined ? against.last() : undefined;
  if (others.length === 2 && !pairIsParted(others, last)) return 'LIST_PRICES';
  return placingRefusal(working === undefined ? others : [working], against);
}

/** What stands against placing orders now that passed their filters: one order, or a pair that locks once. */
export function placingRefusal(
  orders: readonly NewSimOrder[],
  against: PlacedAgainst,
): SimRefusal | undefined {
  const { state, terms, engine } = against;
  const last = orders.some(({ trigger }) => trigger !== undefined) ? against.last() : (0 as Ticks);
  if (orders.some((order) => wouldTrigger(order, last))) return 'WOULD_TRIGGER';
  for (const order of orders) {
    const asset = order.side === 'BUY' ? terms.facts.quote : terms.facts.base;
    if (needOf(order, against) > state.spendable(order.account, asset)) return 'INSUFFICIENT_BALANCE';
  }
  const takers = orders.some(
    (order) =>
      order.kind === 'LIMIT_MAKER' &&
      order.trigger === undefined &&
      order.whenTaking !== 'EXPIRE' &&
      takes(order, engine),
  );
  return takers ? 'WOULD_TAKE' : undefined;
}

/** The same of orders that waited for their list: the size of those that follow is known only now. */
export function pendingRefusal(orders: readonly SimOrder[], against: PlacedAgainst): SimRefusal | undefined {
  const small = orders.map((order) =>
    order.list?.follows === true ? quantityRefusal(order, against.terms) : undefined,
  );
  return small.find((refusal) => refusal !== undefined) ?? placingRefusal(orders, against);
}

/**
 * Whether a conditional order whose price came cannot be paid: one that buys at market and slipped, or one that locked
 * nothing until now. @param orders it, and what locks for both.
 */
export function unfunded(
  [order, ...mates]: readonly [SimOrder, ...SimOrder[]],
  against: PlacedAgainst,
): boolean {
  const { trigger, ...now } = order;
  const covered = order.side === 'SELL' || order.kind !== 'MARKET';
  if (covered && trigger?.fundedWhenFired !== true) return false;
  const { terms, state } = against;
  const locked = [order, ...mates].map((one) => reservationOf(terms, one).amount).reduce(plus, ZERO);
  const asset = order.side === 'BUY' ? terms.facts.quote : terms.facts.base;
  return needOf(now, against) > plus(state.spendable(order.account, asset), locked);
}

/** What is wrong with an order by itself. */
export function filterRefusal(order: NewSimOrder, against: CheckedAgainst): SimRefusal | undefined {
  return (
    priceRefusal(order, against.terms) ??
    quantityRefusal(order, against.terms) ??
    notionalRefusal(order, against) ??
    percentPriceRefusal(order, against) ??
    waitingRefusal(order, against.terms)
  );
}

/** The first reason against lowering an open order; `quantity` counts what is executed already. */
export function amendRefusalOf(
  order: SimOrder,
  to: { readonly quantity: Lots; readonly newClientId: string | undefined },
  terms: Terms,
  state: MemberState,
): SimRefusal | undefined {
  const { quantity, newClientId } = to;
  const lowers =
    Number.isSafeInteger(quantity) && quantity > order.executed && quantity < (order.quantity ?? 0);
  if (!lowers || baseOf(terms, quantity) < terms.facts.minQty) return 'LOT_SIZE';
  if (order.price !== undefined && quoteOf(terms, order.price, quantity) < terms.facts.minNotional) {
    return 'NOTIONAL';
  }
  const taken =
    newClientId !== undefined &&
    newClientId !== order.clientId &&
    state.history.hasOpenClientId(order.account, order.symbol, newClientId);
  return taken ? 'DUPLICATE_CLIENT_ID' : undefined;
}

/** The first reason against giving an open order another price or quantity (in all); a post-only one must not take. */
export function replaceRefusalOf(
  order: SimOrder,
  to: { readonly price: Ticks; readonly quantity: Lots },
  against: CheckedAgainst,
): SimRefusal | undefined {
  const { terms, state, engine } = against;
  const asked: NewSimOrder = { ...order, ...to };
  const filter =
    priceRefusal(asked, terms) ??
    quantityRefusal(asked, terms) ??
    notionalRefusal(asked, against) ??
    percentPriceRefusal(asked, against);
  if (filter !== undefined) return filter;
  if (to.quantity <= order.executed) return 'LOT_SIZE';
  const { asset, amount: held } = reservationOf(terms, order);
  const need = needOf({ ...asked, quantity: (to.quantity - order.executed) as Lots }, against);
  if (need > plus(state.spendable(order.account, asset), held)) return 'INSUFFICIENT_BALANCE';
  return order.kind === 'LIMIT_MAKER' && takes(asked, engine) ? 'WOULD_TAKE' : undefined;
}

function priceRefusal(order: NewSimOrder, { facts, ticksMax }: Terms): SimRefusal | undefined {
  if (order.kind === 'MARKET') return order.price === undefined ? undefined : 'PRICE_FILTER';
  const { price } = order;
  if (price === undefined || !isStepCount(price) || price > ticksMax) return 'PRICE_FILTER';
  return BigInt(price) * facts.tickSize < facts.minPrice ? 'PRICE_FILTER' : undefined;
}

function quantityRefusal(order: NewSimOrder, terms: Terms): SimRefusal | undefined {
  const { quantity, quoteQuantity } = order;
  if ((quantity === undefined) === (quoteQuantity === undefined)) return 'LOT_SIZE';
  if (quantity === undefined) return order.kind === 'MARKET' ? undefined : 'LOT_SIZE';
  if (!isStepCount(quantity)) return 'LOT_SIZE';
  const base = baseOf(terms, quantity);
  if (base < terms.facts.minQty || base > terms.facts.maxQty) return 'LOT_SIZE';
  return order.kind === 'MARKET' && base > terms.facts.maxMarketQty ? 'MARKET_LOT_SIZE' : undefined;
}

function notionalRefusal(
  order: NewSimOrder,
  { terms, averagePrice }: CheckedAgainst,
): SimRefusal | undefined {
  const { minNotional, maxNotional } = terms.facts;
  const { price, quantity, quoteQuantity } = order;
  if (quoteQuantity !== undefined) {
    const budget = budgetOf(terms, quoteQuantity);
    return quoteQuantity < minNotional || !isStepCount(budget) ? 'NOTIONAL' : undefined;
  }
  if (price !== undefined && quantity !== undefined) {
    const notional = quoteOf(terms, price, quantity);
    return notional < minNotional || notional > maxNotional ? 'NOTIONAL' : undefined;
  }
  // Market orders by quantity are valued at the average price, and only the minimum applies to them (applyMaxToMarket false).
  const value = toNumberForDisplay(baseOf(terms, quantity ?? (0 as Lots))) * averagePrice;
  return value < toNumberForDisplay(minNotional) ? 'NOTIONAL' : undefined;
}

function percentPriceRefusal(
  order: NewSimOrder,
  { terms, averagePrice }: CheckedAgainst,
): SimRefusal | undefined {
  if (order.price === undefined) return undefined;
  const { facts } = terms;
  const price = order.price * toNumberForDisplay(facts.tickSize);
  const [up, down] =
    order.side === 'BUY'
      ? [facts.bidMultiplierUp, facts.bidMultiplierDown]
      : [facts.askMultiplierUp, facts.askMultiplierDown];
  const inside =
    price <= averagePrice * toNumberForDisplay(up) && price >= averagePrice * toNumberForDisplay(down);
  return inside ? undefined : 'PERCENT_PRICE_BY_SIDE';
}

/** Whether so many more orders of one account may rest or wait. */
function roomRefusal(
  orders: readonly NewSimOrder[],
  { terms, state, engine }: CheckedAgainst,
): SimRefusal | undefined {
  const [first] = orders;
  if (first === undefined) return undefined;
  const { account, symbol } = first;
  const mayRest = orders.filter(
    ({ kind, timeInForce, trigger }) =>
      trigger !== undefined ||
      orders.length > 1 ||
      kind === 'LIMIT_MAKER' ||
      (kind === 'LIMIT' && timeInForce === 'GTC'),
  ).length;
  const open = state.history.openCount(account, symbol);
  if (mayRest > 0 && (open + mayRest > terms.facts.maxOpenOrders || !engine.hasRoom)) return 'MAX_NUM_ORDERS';
  const conditional = orders.filter(({ trigger }) => trigger !== undefined).length;
  if (conditional === 0) return undefined;
  const waiting = state.history.open(account, symbol).filter(({ trigger }) => trigger !== undefined).length;
  const most = terms.facts.maxConditionalOrders ?? SPOT_LIMITS.conditionalOrdersMax;
  return waiting + conditional > most ? 'MAX_NUM_ALGO_ORDERS' : undefined;
}

function idRefusal(orders: readonly NewSimOrder[], { state }: CheckedAgainst): SimRefusal | undefined {
  const taken = orders.some(
    ({ account, symbol, clientId }, at) =>
      orders.findIndex((other) => other.clientId === clientId) < at ||
      state.history.hasOpenClientId(account, symbol, clientId),
  );
  return taken ? 'DUPLICATE_CLIENT_ID' : undefined;
}

/** Whether an order with a price would take at once. */
function takes(order: Pick<NewSimOrder, 'side' | 'price'>, engine: MatchingEngine): boolean {
  const best = order.side === 'BUY' ? engine.bestAsk : engine.bestBid;
  const price = order.price ?? 0;
  return best >= 0 && (order.side === 'BUY' ? price >= best : price <= best);
}

/** The most that placing the order can take from its account, before fees (which are taken from what arrives). */
export function needOf(order: NewSimOrder, { terms, engine, last }: PlacedAgainst): Amount {
  const { quantity, quoteQuantity } = order;
  if (order.trigger?.fundedWhenFired === true) return ZERO;
  const price =
    order.price ??
    (order.trigger === undefined
      ? undefined
      : heldAlone(order, { last: last(), ticksMax: terms.ticksMax }).heldAt);
  if (order.side === 'BUY') {
    if (quoteQuantity !== undefined) return quoteQuantity;
    if (price !== undefined && quantity !== undefined) return quoteOf(terms, price, quantity);
    const { notional } = engine.preview(engineOrderOf(terms, order));
    return (notional * terms.quotePerStep) as Amount;
  }
  if (quantity !== undefined) return baseOf(terms, quantity);
  const { executed } = engine.preview(engineOrderOf(terms, order));
  return executed === 0 ? ZERO : baseOf(terms, executed);
}

/** A quote amount in ticks × lots, rounded down; not a step count when it is too small or too large to be counted. */
function budgetOf(terms: Terms, quoteQuantity: Amount): number {
  return Number(quoteQuantity / terms.quotePerStep);
}

function isStepCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

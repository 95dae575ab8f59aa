import { type Amount, type Lots, plus, type Ticks, toNumberForDisplay, ZERO } from '@crossbook/domain';
import type { MarketFacts, NewSimOrder, SimOrder, SimRefusal } from '../exchange.ts';
import type { MatchingEngine } from '../matching/engine.ts';
import type { EngineOrder } from '../matching/engine-order.ts';
import type { MemberState } from './member-state.ts';
import { baseOf, quoteOf, reservationOf, type Terms } from './terms.ts';

/** What the checks look at besides the order. */
export interface CheckedAgainst {
  readonly terms: Terms;
  readonly status: MarketFacts['status'];
  readonly engine: MatchingEngine;
  readonly state: MemberState;
  /** 5-minute average price, in quote. */
  readonly averagePrice: number;
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
  };
}

/** The first reason against an order, in the order of `SimRefusal`; `undefined` when there is none. */
export function refusalOf(order: NewSimOrder, against: CheckedAgainst): SimRefusal | undefined {
  if (against.status !== 'TRADING') return 'MARKET_CLOSED';
  return (
    priceRefusal(order, against.terms) ??
    quantityRefusal(order, against.terms) ??
    notionalRefusal(order, against) ??
    percentPriceRefusal(order, against) ??
    accountRefusal(order, against)
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

function accountRefusal(order: NewSimOrder, against: CheckedAgainst): SimRefusal | undefined {
  const { terms, state, engine } = against;
  const { account, symbol } = order;
  const mayRest = order.kind === 'LIMIT_MAKER' || (order.kind === 'LIMIT' && order.timeInForce === 'GTC');
  const full = state.history.openCount(account, symbol) >= terms.facts.maxOpenOrders || !engine.hasRoom;
  if (mayRest && full) return 'MAX_NUM_ORDERS';
  if (state.history.hasOpenClientId(account, symbol, order.clientId)) return 'DUPLICATE_CLIENT_ID';
  const asset = order.side === 'BUY' ? terms.facts.quote : terms.facts.base;
  if (needOf(order, against) > state.spendable(account, asset)) return 'INSUFFICIENT_BALANCE';
  return order.kind === 'LIMIT_MAKER' && order.whenTaking !== 'EXPIRE' && takes(order, engine)
    ? 'WOULD_TAKE'
    : undefined;
}

/** Whether an order with a price would take at once. */
function takes(order: Pick<NewSimOrder, 'side' | 'price'>, engine: MatchingEngine): boolean {
  const best = order.side === 'BUY' ? engine.bestAsk : engine.bestBid;
  const price = order.price ?? 0;
  return best >= 0 && (order.side === 'BUY' ? price >= best : price <= best);
}

/** The most that placing the order can take from its account, before fees (which are taken from what arrives). */
function needOf(order: NewSimOrder, { terms, engine }: CheckedAgainst): Amount {
  const { price, quantity, quoteQuantity } = order;
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

import {
  type Amount,
  type Lots,
  ok,
  type Result,
  refused,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import type { MarketFacts, NewSimOrder, SimOrder, SimRefusal } from '../../../exchange.ts';
import { type Answer, accountOf, type Caller, type Desk, type Run, reply } from '../endpoint.ts';
import { type BybitError, badNumber, ERRORS, missing, REFUSALS } from '../errors.ts';
import { readOrderChoice } from '../order-choice.ts';
import { isEnded } from '../order-lists.ts';
import type { ParamReader } from '../params.ts';
import { isDormant, withAttached } from './attached.ts';
import { findByLinkId, findOrder } from './find-order.ts';
import {
  ORDER_FILTERS,
  type OrderDraft,
  type OrderFilter,
  readOrderDraft,
  refusalError,
  toSimOrder,
} from './order-draft.ts';
import { filterOf, waits } from './order-shapes.ts';
import { countSteps, PRICE_STEPS, QUANTITY_STEPS } from './steps.ts';

const LINK_ID_LETTERS = 19;

function named(desk: Desk, order: SimOrder): { readonly orderId: string; readonly orderLinkId: string } {
  return {
    orderId: desk.numbers.spot.orderId(order.symbol, order.orderId),
    orderLinkId: order.clientId,
  };
}

/** Places an order. What comes back only acknowledges it; how it stands is told by the stream and the lists. */
async function placeOne(desk: Desk, caller: Caller, draft: OrderDraft): Promise<Answer> {
  const { market } = draft;
  if (market === undefined) return refused(ERRORS.orderSymbol);
  const account = accountOf(caller);
  const clientId = draft.linkId ?? desk.randomText(LINK_ID_LETTERS);
  // A client's id is used once, and not again when its order has ended. Between here and the core nothing else runs.
  if (findByLinkId(desk, account, clientId) !== undefined) return refused(ERRORS.duplicateLinkId);
  // A market asleep tells its last price once it is looked at.
  if (draft.waits !== undefined) desk.venue.spot.depth(market.symbol, 2);
  const [last] = draft.waits === undefined ? [] : desk.venue.spot.trades(market.symbol, { limit: 1 });
  const order = toSimOrder(draft, market, { account, clientId, last: last?.price });
  if (!order.ok) return order;
  const placed = await placeWith(desk, order.value, draft);
  if (placed.ok) return reply(named(desk, placed.value));
  const { code } = placed;
  const average = desk.venue.spot.averagePrice(market.symbol);
  return refused(typeof code === 'string' ? refusalError(code, draft, market, average) : code);
}

/** Places an order, with its take profit and stop loss where it has some. */
async function placeWith(
  desk: Desk,
  order: NewSimOrder,
  { attached, market }: Pick<OrderDraft, 'attached' | 'market'>,
): Promise<Result<SimOrder, SimRefusal | BybitError>> {
  if (attached.length === 0 || market === undefined) {
    const placed = await desk.venue.spot.place(order);
    return placed.ok ? ok(placed.value.order) : placed;
  }
  const names = attached.map(() => desk.randomText(LINK_ID_LETTERS));
  const list = withAttached(order, attached, { facts: market, names });
  if (!list.ok) return list;
  const placed = await desk.venue.spot.placeList(list.value);
  if (!placed.ok) return placed;
  const [report] = placed.value;
  if (report === undefined) throw new Error('invariant broken: a list has orders');
  return ok(report.order);
}

/** Reads and places one order; batches do so for each of theirs. */
export function place(reader: ParamReader, desk: Desk): Run {
  const draft = readOrderDraft(reader, desk);
  return (caller) => placeOne(desk, caller, draft);
}

/** Which kind of orders is meant: plain ones, unless it says so (order/cancel-order, 2026-07-24). */
function readFilter(reader: ParamReader): OrderFilter {
  return reader.choice('orderFilter', ORDER_FILTERS, ERRORS.badOrderFilter) ?? 'Order';
}

/** Cancels one order. One that has ended is no longer there, as it is unknown. */
export function cancel(reader: ParamReader, desk: Desk): Run {
  const market = reader.market(desk.venue.spot.markets, ERRORS.orderSymbol);
  const choice = readOrderChoice(reader, true);
  const filter = readFilter(reader);
  return async (caller) => {
    if (market === undefined) return refused(ERRORS.orderSymbol);
    const account = accountOf(caller);
    const order = findOrder(desk, account, market, choice);
    if (order === undefined || isEnded(order) || filterOf(order) !== filter)
      return refused(ERRORS.noSuchOrder);
    const { orderId } = order;
    const cancelled = await desk.venue.spot.cancel(account, market.symbol, { orderId });
    return cancelled.ok ? reply(named(desk, order)) : refused(REFUSALS[cancelled.code]);
  };
}

/** Cancels what is open, in one market or of one coin. */
export function cancelAll(reader: ParamReader, desk: Desk): Run {
  const market = reader.optionalMarket(desk.venue.spot.markets, ERRORS.orderSymbol);
  const baseCoin = reader.text('baseCoin');
  const filter = readFilter(reader);
  return async (caller) => {
    const account = accountOf(caller);
    const isMeant = (one: MarketFacts | undefined) => baseCoin === undefined || one?.base === baseCoin;
    const list: object[] = [];
    for (const order of desk.venue.spot.openOrders(account, market?.symbol)) {
      if (isDormant(desk, order)) continue;
      if (!isMeant(desk.venue.spot.markets.get(order.symbol)) || filterOf(order) !== filter) continue;
      const { orderId } = order;
      const cancelled = await desk.venue.spot.cancel(account, order.symbol, { orderId });
      // An order that filled while the others were being cancelled is simply not in the list.
      if (cancelled.ok) list.push(named(desk, order));
    }
    return reply({ list, success: '1' });
  };
}

/** What an amend asks for; what it leaves out stays as it is. */
interface Change {
  readonly price: Amount | undefined;
  readonly quantity: Amount | undefined;
  /** Of one that waits. */
  readonly trigger: Amount | undefined;
}

/** Changes one that waits for its price. What counts quote coin keeps its size, what goes out at market has no price. */
async function amendWaiting(
  desk: Desk,
  market: MarketFacts,
  order: SimOrder,
  change: Change,
): Promise<Answer> {
  const { account, symbol, orderId, side, kind, quoteQuantity } = order;
  if (quoteQuantity !== undefined && change.quantity !== undefined) return refused(ERRORS.notSupported);
  const price = countSteps(kind === 'MARKET' ? undefined : change.price, market.tickSize, PRICE_STEPS);
  if (!price.ok) return price;
  const quantity = countSteps(change.quantity, market.lotSize, QUANTITY_STEPS);
  if (!quantity.ok) return quantity;
  const trigger = countSteps(change.trigger, market.tickSize, PRICE_STEPS);
  if (!trigger.ok) return trigger;
  const to = {
    ...(price.value === undefined ? {} : { price: price.value as Ticks }),
    ...(quantity.value === undefined ? {} : { quantity: quantity.value as Lots }),
    ...(trigger.value === undefined ? {} : { trigger: trigger.value as Ticks }),
  };
  const before = { price: order.price, quantity: order.quantity, trigger: order.trigger?.price };
  const after = { ...before, ...to };
  const same = after.price === before.price && after.quantity === before.quantity;
  if (same && after.trigger === before.trigger) return refused(ERRORS.unchanged);
  const amended = await desk.venue.spot.amendWaiting(account, symbol, new Map([[orderId, to]]));
  if (amended.ok) return reply(named(desk, order));
  const format = { side, quoteQuantity, price: change.price, quantity: change.quantity };
  return refused(refusalError(amended.code, format, market, desk.venue.spot.averagePrice(symbol)));
}

/** Changes price, quantity or both of an open order under its own ids. */
async function amendTo(desk: Desk, market: MarketFacts, order: SimOrder, change: Change): Promise<Answer> {
  const price = countSteps(change.price, market.tickSize, PRICE_STEPS);
  if (!price.ok) return price;
  const quantity = countSteps(change.quantity, market.lotSize, QUANTITY_STEPS);
  if (!quantity.ok) return quantity;
  const ticks = (price.value ?? order.price) as Ticks;
  const lots = (quantity.value ?? order.quantity) as Lots;
  if (ticks === order.price && lots === order.quantity) return refused(ERRORS.unchanged);
  const { account, symbol, orderId, side } = order;
  const changed = { price: ticks, quantity: lots };
  const amended = await desk.venue.spot.amend(account, symbol, { orderId }, changed);
  if (amended.ok) return reply(named(desk, order));
  const format = {
    side,
    price: stepsToAmount(ticks, market.tickSize),
    quantity: stepsToAmount(lots, market.lotSize),
    quoteQuantity: undefined,
  };
  return refused(refusalError(amended.code, format, market, desk.venue.spot.averagePrice(symbol)));
}

/** Reads and carries out an amend. */
export function amend(reader: ParamReader, desk: Desk): Run {
  const market = reader.market(desk.venue.spot.markets, ERRORS.orderSymbol);
  const choice = readOrderChoice(reader, true);
  const quantity = reader.decimal('qty', badNumber('qty'));
  const price = reader.decimal('price', badNumber('price'));
  const trigger = reader.decimal('triggerPrice', badNumber('triggerPrice'));
  if (quantity === undefined && price === undefined && trigger === undefined)
    reader.refuse(missing('qty or price'));
  if (trigger === 0n) reader.refuse(badNumber('triggerPrice'));
  if (quantity === 0n) reader.refuse(badNumber('qty'));
  if (price === 0n) reader.refuse(badNumber('price'));
  for (const name of ['takeProfit', 'stopLoss']) {
    if (reader.has(name)) reader.refuse(ERRORS.notSupported);
  }
  return async (caller) => {
    if (market === undefined) return refused(ERRORS.orderSymbol);
    const order = findOrder(desk, accountOf(caller), market, choice);
    if (order === undefined || isEnded(order)) return refused(ERRORS.noSuchOrder);
    const change = { price, quantity, trigger };
    // Its take profit and stop loss are for what it was placed for.
    if (quantity !== undefined && order.list?.role === 'WORKING') return refused(ERRORS.notSupported);
    if (waits(order)) return await amendWaiting(desk, market, order, change);
    return trigger === undefined ? await amendTo(desk, market, order, change) : refused(ERRORS.notSupported);
  };
}

import { ok, refused, toNumberForDisplay } from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { NewPerpOrder, PerpFill, PerpOrder } from '../../../perp-exchange.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, type OkxError } from '../errors.ts';
import { billIdOf, ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { type FillEntry, type OrderAdapter, type OrderEntry, SEARCHED_MAX } from '../orders/order-adapter.ts';
import { sizeRefusal, stateWord, typeWord } from '../orders/order-words.ts';
import { perpError } from './errors.ts';
import { readContractDraft } from './order-draft.ts';
import { contractFillRow, contractOrderRow } from './order-shapes.ts';

function orderEntry(desk: Desk, listed: Listed, order: PerpOrder): OrderEntry {
  return {
    time: order.createdAt,
    id: BigInt(ordIdOf(listed, order.orderId)),
    state: stateWord(order.status),
    ordType: typeWord(order),
    unfilled: order.executed === 0,
    updatedAt: order.updatedAt,
    row: () => contractOrderRow(desk, listed, order),
  };
}

function fillEntry(desk: Desk, listed: Listed, fill: PerpFill): FillEntry {
  return {
    time: fill.time,
    id: BigInt(billIdOf(listed, fill)),
    row: () => contractFillRow(desk, listed, fill),
  };
}

/** Which leg of what is attached lies on the wrong side, of the order's price or of the mark. */
function attachedError(desk: Desk, order: NewPerpOrder, facts: MarketFacts): OkxError {
  const { attached, price, side, symbol } = order;
  const tick = toNumberForDisplay(facts.tickSize);
  const from = price ?? desk.venue.perps.stats(symbol).mark / tick;
  const profit = attached?.takeProfit?.trigger;
  const buys = side === 'BUY';
  if (profit !== undefined && (buys ? profit <= from : profit >= from))
    return buys ? ERRORS.attachedProfitLow : ERRORS.attachedProfitHigh;
  return buys ? ERRORS.attachedLossHigh : ERRORS.attachedLossLow;
}

/** Orders on contracts. */
export const CONTRACT_ORDERS: OrderAdapter = {
  async place(desk, reader, place) {
    const draft = readContractDraft(desk, reader, place);
    if (!draft.ok) return draft;
    const { order, tag } = draft.value;
    desk.orderNotes.noteTag(order, tag);
    const placed = await desk.venue.perps.placePerp(order);
    if (placed.ok) return ok(ordIdOf(place.listed, placed.value.order.orderId));
    if (placed.code === 'ATTACHED_PRICE') return refused(attachedError(desk, order, factsOf(place.listed)));
    const sized = placed.code === 'LOT_SIZE';
    return refused(sized ? sizeRefusal(order, factsOf(place.listed)) : perpError(placed.code));
  },
  find(desk, { account, listed }, ref) {
    const order = desk.venue.perps.perpOrder(account, listed.instId, ref);
    return order === undefined ? undefined : { account, listed, order };
  },
  async cancel(desk, { account, listed, order }) {
    return (await desk.venue.perps.cancelPerp(account, listed.instId, { orderId: order.orderId })).ok;
  },
  async amend(desk, { account, listed, order: { orderId } }, change) {
    const done = await desk.venue.perps.amendPerp(account, listed.instId, { orderId }, change);
    if (done.ok) return ok(true);
    if (done.code === 'UNKNOWN_ORDER') return refused('ENDED');
    if (done.code === 'INSUFFICIENT_MARGIN') return refused(ERRORS.amendFunds);
    return refused(done.code === 'LOT_SIZE' ? sizeRefusal(change, factsOf(listed)) : perpError(done.code));
  },
  entry(desk, { account, listed }, ref) {
    const order = desk.venue.perps.perpOrder(account, listed.instId, ref);
    return order === undefined ? undefined : orderEntry(desk, listed, order);
  },
  open: (desk, { account, listed }) =>
    desk.venue.perps.openPerpOrders(account, listed.instId).map((order) => orderEntry(desk, listed, order)),
  orders: (desk, { account, listed }, since) =>
    desk.venue.perps
      .perpOrders(account, { symbol: listed.instId, startTime: since, limit: SEARCHED_MAX })
      .map((order) => orderEntry(desk, listed, order)),
  fills: (desk, { account, listed }, { since, ...of }) =>
    desk.venue.perps
      .perpFills(account, { symbol: listed.instId, startTime: since, limit: SEARCHED_MAX, ...of })
      .map((fill) => fillEntry(desk, listed, fill)),
  fillOf(desk, { account, listed }, tradeId) {
    const page = { symbol: listed.instId, fromId: tradeId, limit: 1 };
    const [fill] = desk.venue.perps.perpFills(account, page);
    return fill?.tradeId === tradeId ? fillEntry(desk, listed, fill) : undefined;
  },
};

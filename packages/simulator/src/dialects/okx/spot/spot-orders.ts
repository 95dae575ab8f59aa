import { ok, refused } from '@crossbook/domain';
import type { MarketFacts, SimFill, SimOrder } from '../../../exchange.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, refusalError } from '../errors.ts';
import { billIdOf, ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { type FillEntry, type OrderEntry, type OrderRoom, SEARCHED_MAX } from '../order-room.ts';
import { sizeRefusal } from '../order-words.ts';
import { readOrderDraft } from './order-draft.ts';
import { fillRow, orderRow, ordTypeOf, stateOf } from './order-shapes.ts';

/** The asset that an order spends. */
function spentBy(order: Pick<SimOrder, 'side'>, facts: MarketFacts): string {
  return order.side === 'BUY' ? facts.quote : facts.base;
}

function orderEntry(desk: Desk, listed: Listed, order: SimOrder): OrderEntry {
  return {
    time: order.createdAt,
    id: BigInt(ordIdOf(listed, order.orderId)),
    state: stateOf(order),
    ordType: ordTypeOf(order),
    unfilled: order.executed === 0,
    updatedAt: order.updatedAt,
    row: () => orderRow(desk, listed, order),
  };
}

function fillEntry(desk: Desk, listed: Listed, fill: SimFill): FillEntry {
  return { time: fill.time, id: BigInt(billIdOf(listed, fill)), row: () => fillRow(desk, listed, fill) };
}

/** Orders on pairs. */
export const SPOT_ORDERS: OrderRoom = {
  async place(desk, reader, place) {
    const draft = readOrderDraft(desk, reader, place);
    if (!draft.ok) return draft;
    const { order, tag } = draft.value;
    desk.orderNotes.noteTag(order, tag);
    const placed = await desk.venue.spot.place(order);
    if (placed.ok) return ok(ordIdOf(place.listed, placed.value.order.orderId));
    const facts = factsOf(place.listed);
    const sized = placed.code === 'LOT_SIZE';
    return refused(sized ? sizeRefusal(order, facts) : refusalError(placed.code, spentBy(order, facts)));
  },
  find(desk, { account, listed }, ref) {
    const order = desk.venue.spot.order(account, listed.instId, ref);
    return order === undefined ? undefined : { account, listed, order };
  },
  async cancel(desk, { account, listed, order }) {
    return (await desk.venue.spot.cancel(account, listed.instId, { orderId: order.orderId })).ok;
  },
  async amend(desk, { account, listed, order: { orderId } }, change) {
    const facts = factsOf(listed);
    const done = await desk.venue.spot.amend(account, listed.instId, { orderId }, change);
    if (done.ok) return ok(true);
    if (done.code === 'UNKNOWN_ORDER') return refused('ENDED');
    if (done.code === 'INSUFFICIENT_BALANCE') return refused(ERRORS.amendFunds);
    return refused(done.code === 'LOT_SIZE' ? sizeRefusal(change, facts) : refusalError(done.code, ''));
  },
  entry(desk, { account, listed }, ref) {
    const order = desk.venue.spot.order(account, listed.instId, ref);
    return order === undefined ? undefined : orderEntry(desk, listed, order);
  },
  open: (desk, { account, listed }) =>
    desk.venue.spot.openOrders(account, listed.instId).map((order) => orderEntry(desk, listed, order)),
  orders: (desk, { account, listed }, since) =>
    desk.venue.spot
      .orders(account, listed.instId, { startTime: since, limit: SEARCHED_MAX })
      .map((order) => orderEntry(desk, listed, order)),
  fills: (desk, { account, listed }, { since, ...of }) =>
    desk.venue.spot
      .fills(account, listed.instId, { startTime: since, limit: SEARCHED_MAX, ...of })
      .map((fill) => fillEntry(desk, listed, fill)),
  fillOf(desk, { account, listed }, tradeId) {
    const [fill] = desk.venue.spot.fills(account, listed.instId, { fromId: tradeId, limit: 1 });
    return fill?.tradeId === tradeId ? fillEntry(desk, listed, fill) : undefined;
  },
};

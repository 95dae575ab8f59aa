import { ok, type Result, refused, toNumberForDisplay } from '@crossbook/domain';
import type { MarketFacts } from '../../../exchange.ts';
import type { AttachedStops, NewPerpOrder, PerpFill, PerpOrder } from '../../../perp-exchange.ts';
import { changedStops, fitsSize } from '../algos/attached-entries.ts';
import { attachedSideError } from '../algos/stop-legs.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, type OkxError, parameterError } from '../errors.ts';
import { billIdOf, ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import {
  type FillEntry,
  type OrderAdapter,
  type OrderChange,
  type OrderEntry,
  SEARCHED_MAX,
} from '../orders/order-adapter.ts';
import { sizeRefusal, stateWord, typeWord } from '../orders/order-words.ts';
import { perpError } from './errors.ts';
import { readContractDraft } from './order-draft.ts';
import { contractFillRow, contractOrderRow } from './order-shapes.ts';
import { attachedIds } from './stop-rows.ts';

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
function attachedError(
  desk: Desk,
  order: Pick<PerpOrder, 'side' | 'symbol'> & Pick<NewPerpOrder, 'attached' | 'price'>,
  facts: MarketFacts,
): OkxError {
  const { attached, price, side, symbol } = order;
  const from = price ?? desk.venue.perps.stats(symbol).mark / toNumberForDisplay(facts.tickSize);
  const wrong = attached && attachedSideError(side, attached, from);
  return wrong ?? parameterError('attachAlgoOrds');
}

/** What is attached to an order as a change leaves it; nothing of it is alive before the first fill, and nothing left after. */
function stopsAfter(
  order: PerpOrder,
  { attached: bags, quantity = order.quantity }: OrderChange,
  facts: MarketFacts,
): Result<AttachedStops | 'NONE' | undefined, OkxError> {
  const { attached } = order;
  if (bags !== undefined && attached !== undefined && order.executed > 0)
    return refused(ERRORS.attachedNotThere);
  const after =
    bags === undefined ? ok(attached) : changedStops(bags, attached, { facts, ids: attachedIds(order) });
  if (!after.ok || after.value === undefined || after.value === 'NONE') return after;
  return fitsSize(after.value, quantity) ? after : refused(ERRORS.splitSum);
}

/** What is delivered is a bill alone, no order and no trade. */
const isListed = ({ origin }: Pick<PerpOrder | PerpFill, 'origin'>): boolean => origin !== 'DELISTING';

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
  async amend(desk, { account, listed, order: { orderId } }, asked) {
    const order = desk.venue.perps.perpOrder(account, listed.instId, { orderId });
    if (order === undefined) return refused('ENDED');
    const after = stopsAfter(order, asked, factsOf(listed));
    if (!after.ok) return after;
    const { attached: bags, ...terms } = asked;
    const stops = bags === undefined || after.value === undefined ? {} : { attached: after.value };
    const change = { ...terms, ...stops };
    const done = await desk.venue.perps.amendPerp(account, listed.instId, { orderId }, change);
    if (done.ok) return ok(true);
    if (done.code === 'UNKNOWN_ORDER') return refused('ENDED');
    if (done.code === 'ATTACHED_PRICE' && after.value !== undefined && after.value !== 'NONE') {
      const wanted = { ...order, ...terms, attached: after.value };
      return refused(attachedError(desk, wanted, factsOf(listed)));
    }
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
      .filter(isListed)
      .map((order) => orderEntry(desk, listed, order)),
  fills: (desk, { account, listed }, { since, ...of }) =>
    desk.venue.perps
      .perpFills(account, { symbol: listed.instId, startTime: since, limit: SEARCHED_MAX, ...of })
      .filter(isListed)
      .map((fill) => fillEntry(desk, listed, fill)),
  fillOf(desk, { account, listed }, tradeId) {
    const page = { symbol: listed.instId, fromId: tradeId, limit: 1 };
    const [fill] = desk.venue.perps.perpFills(account, page);
    return fill?.tradeId === tradeId ? fillEntry(desk, listed, fill) : undefined;
  },
};

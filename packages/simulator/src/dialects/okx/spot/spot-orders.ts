import { ok, type Result, refused } from '@crossbook/domain';
import type {
  AccountNumber,
  MarketFacts,
  NewSimOrder,
  OrderRef,
  SimFill,
  SimOrder,
  SimOrderReport,
  SimRefusal,
} from '../../../exchange.ts';
import type { AttachedStops } from '../../../perp-exchange.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, parameterError, refusalError } from '../errors.ts';
import { billIdOf, ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { type FillEntry, type OrderAdapter, type OrderEntry, SEARCHED_MAX } from '../orders/order-adapter.ts';
import { sizeRefusal, stateWord, typeWord } from '../orders/order-words.ts';
import { neverWorked } from './algo-adapter.ts';
import { attachedError, lastTicks, withAttached } from './attached.ts';
import { readOrderDraft } from './order-draft.ts';
import { fillRow, orderRow } from './order-shapes.ts';

const OWN_ID_LENGTH = 20;

/** The asset that an order spends. */
function spentBy(order: Pick<SimOrder, 'side'>, facts: MarketFacts): string {
  return order.side === 'BUY' ? facts.quote : facts.base;
}

function orderEntry(desk: Desk, listed: Listed, order: SimOrder): OrderEntry {
  return {
    time: order.createdAt,
    id: BigInt(ordIdOf(listed, order.orderId)),
    state: stateWord(order.status),
    ordType: typeWord(order),
    unfilled: order.executed === 0,
    updatedAt: order.updatedAt,
    row: () => orderRow(desk, listed, order),
  };
}

function fillEntry(desk: Desk, listed: Listed, fill: SimFill): FillEntry {
  return { time: fill.time, id: BigInt(billIdOf(listed, fill)), row: () => fillRow(desk, listed, fill) };
}

/** An order that rests or has; one that waits for a price is an algo order. */
function workingOrder(
  desk: Desk,
  { instId }: Listed,
  { account, ref }: { readonly account: AccountNumber; readonly ref: OrderRef },
): SimOrder | undefined {
  const order = desk.venue.spot.order(account, instId, ref);
  return order === undefined || neverWorked(order) ? undefined : order;
}

/** Places an order and what comes with it. */
async function placeWith(
  desk: Desk,
  order: NewSimOrder,
  brings: Pick<Parameters<typeof withAttached>[2], 'facts' | 'last'> & { readonly attached: AttachedStops },
): Promise<Result<SimOrderReport, SimRefusal>> {
  const random = desk.randomText(OWN_ID_LENGTH);
  const placed = await desk.venue.spot.placeList(withAttached(order, brings.attached, { ...brings, random }));
  if (!placed.ok) return placed;
  const [report] = placed.value;
  if (report === undefined) throw new Error('invariant broken: a list has orders');
  return ok(report);
}

/** Orders on pairs. */
export const SPOT_ORDERS: OrderAdapter = {
  async place(desk, reader, place) {
    const draft = readOrderDraft(desk, reader, place);
    if (!draft.ok) return draft;
    const { order, tag, attached } = draft.value;
    const facts = factsOf(place.listed);
    const last = lastTicks(place.listed);
    const wrong = attached && attachedError(order, attached, order.price ?? last);
    if (wrong !== undefined) return refused(wrong);
    desk.orderNotes.noteTag(order, tag);
    const placed = await (attached === undefined
      ? desk.venue.spot.place(order)
      : placeWith(desk, order, { attached, facts, last }));
    if (placed.ok) return ok(ordIdOf(place.listed, placed.value.order.orderId));
    const sized = placed.code === 'LOT_SIZE';
    return refused(sized ? sizeRefusal(order, facts) : refusalError(placed.code, spentBy(order, facts)));
  },
  find(desk, { account, listed }, ref) {
    const order = workingOrder(desk, listed, { account, ref });
    return order === undefined ? undefined : { account, listed, order };
  },
  async cancel(desk, { account, listed, order }) {
    return (await desk.venue.spot.cancel(account, listed.instId, { orderId: order.orderId })).ok;
  },
  async amend(desk, { account, listed, order: { orderId } }, { attached, ...change }) {
    const facts = factsOf(listed);
    if (attached !== undefined) return refused(parameterError('attachAlgoOrds'));
    const done = await desk.venue.spot.amend(account, listed.instId, { orderId }, change);
    if (done.ok) return ok(true);
    if (done.code === 'UNKNOWN_ORDER') return refused('ENDED');
    if (done.code === 'INSUFFICIENT_BALANCE') return refused(ERRORS.amendFunds);
    return refused(done.code === 'LOT_SIZE' ? sizeRefusal(change, facts) : refusalError(done.code, ''));
  },
  entry(desk, { account, listed }, ref) {
    const order = workingOrder(desk, listed, { account, ref });
    return order === undefined ? undefined : orderEntry(desk, listed, order);
  },
  open: (desk, { account, listed }) =>
    desk.venue.spot
      .openOrders(account, listed.instId)
      .filter((order) => !neverWorked(order))
      .map((order) => orderEntry(desk, listed, order)),
  orders: (desk, { account, listed }, since) =>
    desk.venue.spot
      .orders(account, listed.instId, { startTime: since, limit: SEARCHED_MAX })
      .filter((order) => !neverWorked(order))
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

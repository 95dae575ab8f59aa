import {
  type Amount,
  isFinal,
  ORDER_STATUS,
  type OrderId,
  plus,
  type VenueFill,
  type VenueOrderState,
  ZERO,
} from '@crossbook/domain';
import { announce } from '../booking/announce.ts';
import { bookFills } from '../booking/book-fills.ts';
import { commitWithRows, storedFill } from '../booking/booked-rows.ts';
import { endOfHold } from '../booking/settle.ts';
import type { OrderProgress, StoredFill, StoredOrder } from '../order.ts';
import { advance } from '../order-progress.ts';
import type { TradingDeps } from '../ports.ts';
import { COUNTDOWN_REASON } from '../venue-refusal.ts';

/** An update of one order from its venue: an answer, a stream event, or a lookup. */
export interface OrderUpdate {
  readonly state: VenueOrderState;
  readonly fills: readonly VenueFill[];
  /** True when state and fills were both read from the venue just now: then a final state ends the order whatever came before. */
  readonly barrier: boolean;
}

/** The order after the update, and whether the venue knows of more than we have booked. */
export interface UpdateOutcome {
  readonly order: StoredOrder;
  readonly needsLookup: boolean;
}

/** An order as its lane holds it: the row as it was written or read last, and the fills that are booked. */
export interface CarriedOrder {
  readonly order: StoredOrder;
  readonly booked: readonly StoredFill[];
}

/**
 * Reads an order and books updates of it. Must run in the order's lane.
 * @param missing is told where there is no such order; by default that is an incident.
 */
export async function onVenueEvent(
  deps: TradingDeps,
  id: OrderId,
  update: OrderUpdate,
  missing = (): undefined => unknownOrder(deps, id, update),
): Promise<UpdateOutcome | undefined> {
  const order = await deps.orders.byId(id);
  if (order === undefined) return missing();
  return bookUpdate(deps, { order, booked: await deps.orders.fillsOfOrder(id) }, update);
}

function unknownOrder(deps: TradingDeps, id: OrderId, update: OrderUpdate): undefined {
  deps.log.incident('an update of an order we do not know', { id, symbol: update.state.symbol });
}

/**
 * Books an update of an order that the lane holds, without reading it again. Fills already booked are skipped by the
 * venue's trade id, so late, repeated and reordered updates are harmless (invariant I12).
 */
export async function bookUpdate(
  deps: TradingDeps,
  { order, booked }: CarriedOrder,
  update: OrderUpdate,
): Promise<UpdateOutcome | undefined> {
  if (order.symbol !== update.state.symbol) return unknownOrder(deps, order.id, update);
  const fresh = freshFills(update.fills, booked);
  const next = nextProgress(order, update, [...booked, ...fresh]);
  if (next.incident)
    deps.log.incident('a finished order came back', { id: order.id, status: update.state.status });
  if (fresh.length === 0 && !changed(order, next.progress)) return { order, needsLookup: next.needsLookup };
  const after: StoredOrder = defined({ ...order, ...next.progress, updatedAt: deps.clock() });
  deps.crash('before-post');
  await bookFills(deps, { order, after, fresh, booked });
  deps.crash('after-post');
  announce(
    deps,
    after,
    fresh.map((fill) => storedFill(order, fill)),
  );
  return { order: after, needsLookup: next.needsLookup };
}

function freshFills(fills: readonly VenueFill[], booked: readonly StoredFill[]): readonly VenueFill[] {
  const known = new Set<string>(booked.map((fill) => fill.tradeId));
  const byId = new Map(fills.filter((fill) => !known.has(fill.tradeId)).map((fill) => [fill.tradeId, fill]));
  return [...byId.values()].sort(
    // Ids of equal length sort as text whatever a venue makes them of; shorter numbers come first.
    (left, right) =>
      left.time - right.time ||
      left.tradeId.length - right.tradeId.length ||
      (left.tradeId < right.tradeId ? -1 : 1),
  );
}

interface NextProgress {
  readonly progress: OrderProgress;
  readonly needsLookup: boolean;
  readonly incident: boolean;
}

/** @param fills every fill there is: what counts is what is or will be booked, not what an older row says. */
function nextProgress(
  order: StoredOrder,
  update: OrderUpdate,
  fills: readonly (Pick<VenueFill, 'quantity' | 'quoteQuantity'> & {
    readonly contract?: Pick<NonNullable<VenueFill['contract']>, 'realisedPnl'>;
  })[],
): NextProgress {
  const cumQuantity = fills.reduce((sum, fill) => plus(sum, fill.quantity), ZERO);
  const cumQuote = fills.reduce((sum, fill) => plus(sum, fill.quoteQuantity), ZERO);
  const realisedPnl =
    order.contract === undefined
      ? undefined
      : fills.reduce((sum, fill) => plus(sum, fill.contract?.realisedPnl ?? ZERO), ZERO);
  const reported = greater(update.state.cumulativeQuantity, cumQuantity);
  const { status, incident } = advance(order, { status: update.state.status, cumulativeQuantity: reported });
  const complete = reported === cumQuantity;
  const settled =
    (order.settled ||
      // What it ended with is read first where a change of its terms is under way.
      (complete && order.amendment === undefined && isFinal(status) && provesTheEnd(update, cumQuantity))) &&
    !incident;
  const unknown = status === ORDER_STATUS.UNKNOWN;
  const progress: OrderProgress = {
    ...{ status, settled, cumQuantity, cumQuote, realisedPnl },
    // What was read from the venue just now and is still alive has survived its cancel.
    cancelPending: order.cancelPending && !isFinal(status) && !update.barrier,
    lookups: unknown ? order.lookups : 0,
    venueOrderId: update.state.venueOrderId,
    reason: order.reason ?? (update.state.endedBy === 'countdown' ? COUNTDOWN_REASON : undefined),
    deadlineAt: order.deadlineAt,
    firstLookupAt: unknown ? order.firstLookupAt : undefined,
  };
  const needsLookup = incident || !complete || (isFinal(status) && !settled);
  return { progress, needsLookup, incident };
}

/**
 * Whether nothing more can come after this update, provided all it tells of is booked. Executed quantity only grows to
 * that of the venue's final message, so a final message whose figure is booked to the unit ends the order; so does a
 * final state behind the barrier. News of an earlier moment, such as a late event or a lagging lookup of an order known
 * to be over, proves nothing: fills may be missing between it and the end.
 */
function provesTheEnd({ state, barrier }: OrderUpdate, booked: Amount): boolean {
  return isFinal(state.status) && (barrier || state.cumulativeQuantity === booked);
}

function greater(left: Amount, right: Amount): Amount {
  return left > right ? left : right;
}

function changed(order: StoredOrder, progress: OrderProgress): boolean {
  return (
    order.status !== progress.status ||
    order.settled !== progress.settled ||
    order.cancelPending !== progress.cancelPending ||
    order.cumQuantity !== progress.cumQuantity ||
    order.venueOrderId !== progress.venueOrderId
  );
}

/** Drops keys whose value is undefined, so that "absent" is spelt one way. */
export function defined(
  order: StoredOrder | (Omit<StoredOrder, keyof OrderProgress> & OrderProgress),
): StoredOrder {
  return Object.fromEntries(
    Object.entries(order).filter(([, value]) => value !== undefined),
  ) as unknown as StoredOrder;
}

/** Writes progress that moved no money, such as "outcome unknown" or "cancel asked for". Must run in the order's lane. */
export async function recordProgress(
  deps: TradingDeps,
  order: StoredOrder,
  change: Partial<OrderProgress>,
): Promise<StoredOrder> {
  const after = defined({ ...order, ...change, updatedAt: deps.clock() });
  const ends = after.settled && !order.settled ? endOfHold(order) : [];
  const committed = await commitWithRows(deps, {
    commands: ends,
    writes: [deps.orders.progress(after)],
  });
  if (!committed.ok) throw new Error(`order ${order.id}: progress refused: ${committed.code}`);
  announce(deps, after, []);
  return after;
}

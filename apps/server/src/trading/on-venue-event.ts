import {
  type Amount,
  isFinal,
  ORDER_STATUS,
  type OrderId,
  type OrderStatus,
  plus,
  type VenueFill,
  type VenueOrderState,
} from '@crossbook/domain';
import type { LedgerUnit } from '@crossbook/ledger';
import { announce } from './announce.ts';
import type { OrderProgress, StoredFill, StoredOrder } from './order.ts';
import { advance } from './order-progress.ts';
import type { TradingDeps } from './ports.ts';
import { fillCommands, nextSource, type PaidFrom, releaseCommand } from './settle.ts';

/** News of one order from its venue: an answer, a stream event, or a look-up. */
export interface OrderNews {
  readonly state: VenueOrderState;
  readonly fills: readonly VenueFill[];
  /** True when state and fills were both read from the venue just now: the barrier that lets a cancelled order settle. */
  readonly barrier: boolean;
}

/** The order after the news, and whether the venue knows of more than we have booked. */
export interface NewsOutcome {
  readonly order: StoredOrder;
  readonly needsLook: boolean;
}

/**
 * Books news of an order. Must run in the order's lane. Fills already booked are skipped by the venue's trade id, so late,
 * repeated and reordered news is harmless (invariant I12).
 */
export async function onVenueEvent(
  deps: TradingDeps,
  id: OrderId,
  news: OrderNews,
): Promise<NewsOutcome | undefined> {
  const order = await deps.orders.byId(id);
  if (order === undefined || order.symbol !== news.state.symbol) {
    deps.log.incident('news of an order we do not know', { id, symbol: news.state.symbol });
    return undefined;
  }
  const booked = new Set((await deps.orders.fillsOfOrder(id)).map((fill) => fill.tradeId));
  const fresh = freshFills(news.fills, booked);
  const next = nextProgress(order, news, fresh);
  if (next.incident) deps.log.incident('a finished order came back', { id, status: news.state.status });
  if (fresh.length === 0 && !changed(order, next.progress)) return { order, needsLook: next.needsLook };
  const after: StoredOrder = defined({ ...order, ...next.progress, updatedAt: deps.clock() });
  deps.crash('before-post');
  await book(deps, order, after, fresh);
  deps.crash('after-post');
  await announce(
    deps,
    after,
    fresh.map((fill) => storedFill(order, fill)),
  );
  return { order: after, needsLook: next.needsLook };
}

function freshFills(fills: readonly VenueFill[], booked: ReadonlySet<string>): readonly VenueFill[] {
  const byId = new Map(fills.filter((fill) => !booked.has(fill.tradeId)).map((fill) => [fill.tradeId, fill]));
  return [...byId.values()].sort(
    (left, right) => left.time - right.time || Number(left.tradeId) - Number(right.tradeId),
  );
}

interface NextProgress {
  readonly progress: OrderProgress;
  readonly needsLook: boolean;
  readonly incident: boolean;
}

function nextProgress(order: StoredOrder, news: OrderNews, fresh: readonly VenueFill[]): NextProgress {
  const cumQuantity = fresh.reduce((sum, fill) => plus(sum, fill.quantity), order.cumQuantity);
  const cumQuote = fresh.reduce((sum, fill) => plus(sum, fill.quoteQuantity), order.cumQuote);
  const told = greater(news.state.cumulativeQuantity, cumQuantity);
  const { status, incident } = advance(order, { status: news.state.status, cumulativeQuantity: told });
  const complete = told === cumQuantity;
  const settled = order.settled || mayRest(status, complete, news.barrier);
  const progress: OrderProgress = {
    status,
    settled: settled && !incident,
    cumQuantity,
    cumQuote,
    cancelPending: order.cancelPending && !isFinal(status),
    looks: status === ORDER_STATUS.UNKNOWN ? order.looks : 0,
    venueOrderId: news.state.venueOrderId,
    reason: order.reason,
    fenceClosesAt: order.fenceClosesAt,
    firstLookAt: status === ORDER_STATUS.UNKNOWN ? order.firstLookAt : undefined,
  };
  const needsLook = incident || !complete || (isFinal(status) && !progress.settled);
  return { progress, needsLook, incident };
}

/** Whether nothing more can come: a filled order with all its fills, a cancelled one behind the barrier. */
function mayRest(status: OrderStatus, complete: boolean, barrier: boolean): boolean {
  if (!complete) return false;
  if (status === ORDER_STATUS.FILLED || status === ORDER_STATUS.REJECT) return true;
  return status === ORDER_STATUS.CANCELLED && barrier;
}

function greater(left: Amount, right: Amount): Amount {
  return left > right ? left : right;
}

function changed(order: StoredOrder, progress: OrderProgress): boolean {
  return (
    order.status !== progress.status ||
    order.settled !== progress.settled ||
    order.cancelPending !== progress.cancelPending ||
    order.venueOrderId !== progress.venueOrderId
  );
}

/** One transaction for all of it; when a hold turns out too small, fill by fill from the next source. */
async function book(
  deps: TradingDeps,
  order: StoredOrder,
  after: StoredOrder,
  fills: readonly VenueFill[],
): Promise<void> {
  const ends = after.settled && !order.settled ? [releaseCommand(order)] : [];
  const progress = deps.orders.progress(after);
  const whole: LedgerUnit = {
    commands: [...fills.flatMap((fill) => fillCommands(order, fill, 'held')), ...ends],
    writes: [...fills.map((fill) => deps.orders.fill(storedFill(order, fill))), progress],
  };
  const committed = await commitWithRows(deps, whole);
  if (committed.ok) return;
  deps.log.incident('a fill did not fit its hold', { id: order.id, refusal: committed.code });
  for (const fill of fills) await bookAlone(deps, order, fill);
  const rest = await commitWithRows(deps, { commands: ends, writes: [progress] });
  if (!rest.ok) throw new Error(`order ${order.id}: progress refused: ${rest.code}`);
}

/** A unit whose movements had all happened before writes no rows of its own; the order's row must be written even then. */
async function commitWithRows(
  deps: TradingDeps,
  unit: LedgerUnit,
): ReturnType<TradingDeps['ledger']['commit']> {
  const committed = await deps.ledger.commit(unit);
  if (!committed.ok || !committed.value.replayed || unit.writes === undefined) return committed;
  return deps.ledger.commit({ commands: [], writes: unit.writes });
}

async function bookAlone(deps: TradingDeps, order: StoredOrder, fill: VenueFill): Promise<void> {
  let source: PaidFrom | undefined = 'held';
  while (source !== undefined) {
    const committed = await deps.ledger.commit({
      commands: fillCommands(order, fill, source),
      writes: [deps.orders.fill(storedFill(order, fill))],
    });
    if (committed.ok) return;
    const next: PaidFrom | undefined = nextSource(source, committed.code);
    if (next === undefined) throw new Error(`fill ${fill.tradeId} of ${order.id}: ${committed.code}`);
    source = next;
  }
}

function storedFill(order: StoredOrder, fill: VenueFill): StoredFill {
  const { tradeId, price, quantity, quoteQuantity, fee, feeAsset, maker, time } = fill;
  const { id: orderId, user, platform, symbolType, symbol, side } = order;
  return {
    ...{ tradeId, orderId, user, platform, symbolType, symbol, side },
    ...{ price, quantity, quoteQuantity, fee, feeAsset, maker, time },
  };
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
  const ends = after.settled && !order.settled ? [releaseCommand(order)] : [];
  const committed = await commitWithRows(deps, {
    commands: ends,
    writes: [deps.orders.progress(after)],
  });
  if (!committed.ok) throw new Error(`order ${order.id}: progress refused: ${committed.code}`);
  await announce(deps, after, []);
  return after;
}

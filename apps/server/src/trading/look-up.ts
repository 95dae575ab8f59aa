import {
  type Instrument,
  isFinal,
  type Millis,
  ORDER_STATUS,
  type OrderId,
  venueClientId,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { VenueCredentials } from '@crossbook/venues/trading';
import { onVenueEvent, recordProgress } from './on-venue-event.ts';
import type { StoredOrder } from './order.ts';
import type { TradingDeps, VenueDesk } from './ports.ts';

/** Proof of absence (money-and-security.md 1.5): at least this many looks over at least this long, fence closed. */
export interface AbsenceProof {
  readonly looksMin: number;
  readonly spanMillisMin: number;
}

/** The rule in production. */
export const ABSENCE_PROOF: AbsenceProof = { looksMin: 5, spanMillisMin: 60_000 };

/** Looks that may miss an order the venue had acknowledged: what it answers from may lag behind what it did. */
const LAGGING_LOOKS_MAX = 2;
/** Orders around one whose absence is to be proved; a member with more of them waits for a person. */
const ORDERS_AROUND_MAX = 200;

/** What a look-up came to. `done` needs no further look. */
export type LookOutcome = 'done' | 'again';

/** Where an order lives. */
interface Whereabouts {
  readonly desk: VenueDesk;
  readonly credentials: VenueCredentials;
  readonly instrument: Instrument;
}

/**
 * Asks the venue what became of an order and books the answer. Must run in the order's lane. Money stays held until the
 * venue proves either outcome: found, or provably never there.
 */
export async function lookUp(deps: TradingDeps, id: OrderId, proof: AbsenceProof): Promise<LookOutcome> {
  const order = await deps.orders.byId(id);
  if (order === undefined || order.settled) return 'done';
  const where = await whereabouts(deps, order);
  if (where === undefined) return 'again';
  const found = await where.desk.trading.find(where.credentials, where.instrument, venueClientId(id));
  if (found.outcome === 'unknown') return 'again';
  if (found.outcome === 'not-found') return absent(deps, order, where, proof);
  const { venueOrderId } = found.value;
  const fills = await where.desk.trading.fillsOfOrder(where.credentials, where.instrument, venueOrderId);
  if (!fills.ok) return 'again';
  const booked = await onVenueEvent(deps, id, { state: found.value, fills: fills.value, barrier: true });
  return booked === undefined || booked.needsLook ? 'again' : 'done';
}

async function whereabouts(deps: TradingDeps, order: StoredOrder): Promise<Whereabouts | undefined> {
  const desk = deps.venue(order.platform);
  const instrument = deps.market.instrument(order.platform, order.symbolType, order.symbol);
  const account = await deps.accounts.find(order.user, order.platform);
  if (desk === undefined || instrument === undefined || account.state !== 'ready') return undefined;
  return { desk, instrument, credentials: account.credentials };
}

async function absent(
  deps: TradingDeps,
  order: StoredOrder,
  where: Whereabouts,
  proof: AbsenceProof,
): Promise<LookOutcome> {
  const now = deps.clock();
  const firstLookAt = order.firstLookAt ?? now;
  const looks = order.looks + 1;
  const seen = { looks, firstLookAt };
  const often = looks >= proof.looksMin && now - firstLookAt >= proof.spanMillisMin;
  if (order.venueOrderId !== undefined) {
    if (often && (await provedForgotten(deps, order, where))) {
      await recordProgress(deps, order, { ...seen, status: ORDER_STATUS.CANCELLED, settled: true });
      return 'done';
    }
    const forgettable = now - order.createdAt >= where.desk.trading.forgetsUnfilledMillis;
    await acknowledgedButAbsent(deps, order, { ...seen, quiet: forgettable && !often });
    return 'again';
  }
  if (order.fenceClosesAt === undefined) {
    // Whoever sent it never told how it went. Nobody is sending now: its lane is ours.
    const fenceClosesAt = (now + venueProfile(order.platform).trading.orderDeadlineMillis) as Millis;
    await recordProgress(deps, order, { ...seen, status: ORDER_STATUS.UNKNOWN, fenceClosesAt });
    return 'again';
  }
  if (often && now > order.fenceClosesAt && (await provedAbsent(deps, order, where))) {
    await recordProgress(deps, order, { ...seen, status: ORDER_STATUS.FAIL, settled: true });
    return 'done';
  }
  await recordProgress(deps, order, { ...seen, status: ORDER_STATUS.UNKNOWN });
  return 'again';
}

/**
 * Whether an order that the venue had acknowledged has ended without a fill so long ago that the venue no longer knows
 * it: old enough for that, nothing of it booked, no fill of it there, not listed as open, and nothing to cancel.
 */
async function provedForgotten(deps: TradingDeps, order: StoredOrder, where: Whereabouts): Promise<boolean> {
  const { desk, credentials, instrument } = where;
  const { venueOrderId } = order;
  if (venueOrderId === undefined || order.cumQuantity > 0n) return false;
  // How an order ended in any other way the venue remembers for months, and told us.
  if (order.status === ORDER_STATUS.FILLED) return false;
  if (deps.clock() - order.createdAt < desk.trading.forgetsUnfilledMillis) return false;
  const cancelled = await desk.trading.cancel(credentials, instrument, venueClientId(order.id));
  if (cancelled.outcome !== 'gone') return false;
  const open = await desk.trading.openOrders(credentials, [instrument]);
  if (!open.ok || open.value.some((state) => state.venueOrderId === venueOrderId)) return false;
  const fills = await desk.trading.fillsOfOrder(credentials, instrument, venueOrderId);
  if (!fills.ok || fills.value.length > 0) return false;
  // By time too: a list by order may show a few days only (Bybit: seven), and the order may have filled before.
  const since = await desk.trading.fillsSince(credentials, instrument, sinceOf(order));
  return since.ok && since.value.every((fill) => fill.venueOrderId !== venueOrderId);
}

/** An order that the venue had acknowledged cannot be unknown to it yet: that is for a person, not for a rule. */
async function acknowledgedButAbsent(
  deps: TradingDeps,
  order: StoredOrder,
  { looks, firstLookAt, quiet }: { looks: number; firstLookAt: Millis; quiet: boolean },
): Promise<void> {
  const lagging = looks <= LAGGING_LOOKS_MAX;
  if (!lagging && !quiet) deps.log.incident('an acknowledged order is gone', { id: order.id });
  // How it ended was told by the venue itself; only what is still to be booked is missing.
  const status = lagging || isFinal(order.status) ? order.status : ORDER_STATUS.UNKNOWN;
  await recordProgress(deps, order, { looks, firstLookAt, status });
}

/** The last two proofs: cancelling finds nothing, and no fill since then belongs to an order we do not know. */
async function provedAbsent(deps: TradingDeps, order: StoredOrder, where: Whereabouts): Promise<boolean> {
  const { desk, credentials, instrument } = where;
  const cancelled = await desk.trading.cancel(credentials, instrument, venueClientId(order.id));
  if (cancelled.outcome !== 'gone') return false;
  const fills = await desk.trading.fillsSince(credentials, instrument, sinceOf(order));
  if (!fills.ok) return false;
  const known = new Set((await ordersAround(deps, order)).map((other) => other.venueOrderId));
  return fills.value.every((fill) => known.has(fill.venueOrderId));
}

/** No fill of the order can be older. */
function sinceOf(order: StoredOrder): Millis {
  return (order.createdAt - 1_000) as Millis;
}

async function ordersAround(deps: TradingDeps, order: StoredOrder): Promise<readonly StoredOrder[]> {
  const page = await deps.orders.history(order.user, order.platform, {
    symbol: order.symbol,
    limit: ORDERS_AROUND_MAX,
  });
  return page.rows;
}

import {
  type Instrument,
  isFinal,
  type Millis,
  ORDER_STATUS,
  type OrderId,
  venueClientId,
} from '@crossbook/domain';
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

/**
 * A request whose sender is gone may still arrive for this long: the venue's window and a margin for clocks. Used where
 * no outcome told when its fence closes, because the process died or could not write it down.
 */
export const LOST_FENCE_MILLIS = 15_000;
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
  if (order.venueOrderId !== undefined) {
    await acknowledgedButAbsent(deps, order, { looks, firstLookAt });
    return 'again';
  }
  if (order.fenceClosesAt === undefined) {
    // Whoever sent it never told how it went. Nobody is sending now: its lane is ours.
    const fenceClosesAt = (now + LOST_FENCE_MILLIS) as Millis;
    await recordProgress(deps, order, { status: ORDER_STATUS.UNKNOWN, fenceClosesAt, looks, firstLookAt });
    return 'again';
  }
  const provable =
    now > order.fenceClosesAt && looks >= proof.looksMin && now - firstLookAt >= proof.spanMillisMin;
  if (provable && (await provedAbsent(deps, order, where))) {
    await recordProgress(deps, order, { status: ORDER_STATUS.FAIL, settled: true, looks, firstLookAt });
    return 'done';
  }
  await recordProgress(deps, order, { status: ORDER_STATUS.UNKNOWN, looks, firstLookAt });
  return 'again';
}

/** An order that the venue had acknowledged cannot be unknown to it: that is for a person, not for a rule. */
async function acknowledgedButAbsent(
  deps: TradingDeps,
  order: StoredOrder,
  seen: { readonly looks: number; readonly firstLookAt: Millis },
): Promise<void> {
  const lagging = seen.looks <= LAGGING_LOOKS_MAX;
  if (!lagging) deps.log.incident('an acknowledged order is gone', { id: order.id });
  // How it ended was told by the venue itself; only what is still to be booked is missing.
  const status = lagging || isFinal(order.status) ? order.status : ORDER_STATUS.UNKNOWN;
  await recordProgress(deps, order, { ...seen, status });
}

/** The last two proofs: cancelling finds nothing, and no fill since then belongs to an order we do not know. */
async function provedAbsent(deps: TradingDeps, order: StoredOrder, where: Whereabouts): Promise<boolean> {
  const { desk, credentials, instrument } = where;
  const cancelled = await desk.trading.cancel(credentials, instrument, venueClientId(order.id));
  if (cancelled.outcome !== 'gone') return false;
  const fills = await desk.trading.fillsSince(credentials, instrument, (order.createdAt - 1_000) as Millis);
  if (!fills.ok) return false;
  const known = new Set((await ordersAround(deps, order)).map((other) => other.venueOrderId));
  return fills.value.every((fill) => known.has(fill.venueOrderId));
}

async function ordersAround(deps: TradingDeps, order: StoredOrder): Promise<readonly StoredOrder[]> {
  const page = await deps.orders.history(order.user, order.platform, {
    symbol: order.symbol,
    limit: ORDERS_AROUND_MAX,
  });
  return page.rows;
}

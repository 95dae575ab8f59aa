import { type Instrument, type Millis, ORDER_STATUS, type VenueOrderState } from '@crossbook/domain';
import type {
  CancelOutcome,
  FindOutcome,
  OrderName,
  OrderTerms,
  VenueCredentials,
  VenueOrderCalls,
  VenueTrading,
} from '@crossbook/venues/trading';
import type { IntentFinding } from '../../intents/intent.ts';
import { clientIdAtVenue, isNameless, type StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import type { OrderProof } from './order-proof.ts';

/** Orders of unexplained fills that are asked about in one lookup; with more of them nothing is proved this time. */
const STRANGERS_ASKED_MAX = 50;

/** Where an order lives, and the venue as its asker asks it: a lookup's own cancel is no member's. */
export interface Whereabouts {
  readonly venue: VenueOrderCalls;
  readonly findTerms: VenueTrading['findTerms'];
  readonly amend: VenueTrading['amend'];
  readonly forgetsUnfilledMillis: number;
  readonly credentials: VenueCredentials;
  readonly instrument: Instrument;
}

/** What the venue knows of an order: state and fills, both read just now. */
export async function findOrder(deps: TradingDeps, order: StoredOrder): Promise<IntentFinding<OrderProof>> {
  const where = await whereabouts(deps, order, 'lookup');
  if (where === undefined) return { outcome: 'unknown', why: 'the instrument or the account is not there' };
  const { venue, credentials, instrument } = where;
  const askedAt = deps.clock();
  const found = await whatItIs(order, where);
  if (found.outcome === 'unknown') return found;
  if (found.outcome === 'not-found') return { outcome: 'absent' };
  const { state, terms } = found.value;
  const fills = await venue.fillsOfOrder(credentials, instrument, state.venueOrderId);
  if (!fills.ok) return { outcome: 'unknown', why: `its fills cannot be read: ${fills.code}` };
  const update = { state, fills: fills.value, barrier: true };
  return {
    outcome: 'proved',
    proof: terms === undefined ? { update } : { update, terms: { ...terms, askedAt } },
  };
}

/** How it stands, and while a change of it is under way what it asks for. */
async function whatItIs(
  order: StoredOrder,
  where: Whereabouts,
): Promise<FindOutcome<{ state: VenueOrderState; terms?: Omit<OrderTerms, 'state'> }>> {
  if (order.amendment === undefined) {
    const found = await findAtVenue(where, order);
    return found.outcome === 'found' ? { outcome: 'found', value: { state: found.value } } : found;
  }
  const { findTerms, credentials, instrument } = where;
  const found = await findTerms(credentials, instrument, clientIdAtVenue(order));
  if (found.outcome !== 'found') return found;
  const { state, ...terms } = found.value;
  return { outcome: 'found', value: { state, terms } };
}

/**
 * What proves how an order stands that the venue does not find by our id: never taken, taken and forgotten, or there all
 * the same. `undefined`: nothing is proved.
 */
export async function absenceOf(deps: TradingDeps, order: StoredOrder): Promise<OrderProof | undefined> {
  const where = await whereabouts(deps, order, 'lookup');
  if (where === undefined) return undefined;
  if (order.venueOrderId === undefined) return provedAbsent(deps, order, where);
  return (await provedForgotten(deps, order, where)) ? { absent: 'cancelled' } : undefined;
}

/** Where the venue can be asked about an order; `undefined` when it cannot. */
export async function whereabouts(
  deps: TradingDeps,
  order: StoredOrder,
  asker: 'cancel' | 'lookup',
): Promise<Whereabouts | undefined> {
  const desk = deps.venue(order.platform);
  const instrument = deps.market.instrument(order.platform, order.symbolType, order.symbol);
  const account = await deps.accounts.find(order.user, order.platform);
  if (desk === undefined || instrument === undefined || account.state !== 'ready') return undefined;
  const { trading } = desk;
  const { forgetsUnfilledMillis } = trading;
  return {
    venue: trading.asking(asker),
    findTerms: trading.findTerms,
    amend: trading.amend,
    forgetsUnfilledMillis,
    instrument,
    credentials: account.credentials,
  };
}

/**
 * Our id of an order, or, where it has none, the venue's: what the venue made of an algo order may have no name of ours there
 * (any at OKX, an attached leg at Bybit).
 */
export function nameAtVenue(order: StoredOrder): OrderName {
  const { venueOrderId } = order;
  return isNameless(order) && venueOrderId !== undefined
    ? { venueOrderId }
    : { clientId: clientIdAtVenue(order) };
}

/** Asks the venue for an order. */
export function findAtVenue(
  {
    venue,
    credentials,
    instrument,
  }: Pick<Whereabouts, 'credentials' | 'instrument'> & {
    readonly venue: Pick<VenueOrderCalls, 'find' | 'findByVenueId'>;
  },
  order: StoredOrder,
): Promise<FindOutcome<VenueOrderState>> {
  const name = nameAtVenue(order);
  return 'clientId' in name
    ? venue.find(credentials, instrument, name.clientId)
    : venue.findByVenueId(credentials, instrument, name.venueOrderId);
}

/** Asks the venue to cancel an order. */
export function cancelAtVenue(
  { venue, credentials, instrument }: Whereabouts,
  order: StoredOrder,
): Promise<CancelOutcome> {
  const name = nameAtVenue(order);
  return 'clientId' in name
    ? venue.cancel(credentials, instrument, name.clientId)
    : venue.cancelByVenueId(credentials, instrument, name.venueOrderId);
}

/**
 * Whether an order that the venue had acknowledged has ended without a fill so long ago that the venue no longer knows
 * it: old enough for that, nothing of it booked, no fill of it there, not listed as open, and nothing to cancel.
 */
async function provedForgotten(deps: TradingDeps, order: StoredOrder, where: Whereabouts): Promise<boolean> {
  const { venue, credentials, instrument } = where;
  const { venueOrderId } = order;
  if (venueOrderId === undefined || order.cumQuantity > 0n) return false;
  // Any other end the venue remembers for months, and has reported.
  if (order.status === ORDER_STATUS.FILLED) return false;
  if (deps.clock() - order.createdAt < where.forgetsUnfilledMillis) return false;
  const cancelled = await cancelAtVenue(where, order);
  if (cancelled.outcome !== 'gone') return false;
  const open = await venue.openOrders(credentials, [instrument]);
  if (!open.ok || open.value.some((state) => state.venueOrderId === venueOrderId)) return false;
  const fills = await venue.fillsOfOrder(credentials, instrument, venueOrderId);
  if (!fills.ok || fills.value.length > 0) return false;
  // By time too: a list by order may show a few days only (Bybit: seven), and the order may have filled before.
  const since = await venue.fillsSince(credentials, instrument, sinceOf(order));
  return since.ok && since.value.every((fill) => fill.venueOrderId !== venueOrderId);
}

/**
 * The last two proofs: cancelling finds nothing, and every fill since then belongs to another order. A fill is tied to its
 * order by the venue's order id: ours are known by it, of any other the venue is asked whose it is.
 */
async function provedAbsent(
  deps: TradingDeps,
  order: StoredOrder,
  where: Whereabouts,
): Promise<OrderProof | undefined> {
  const { venue, credentials, instrument } = where;
  const ours = clientIdAtVenue(order);
  const cancelled = await cancelAtVenue(where, order);
  if (cancelled.outcome !== 'gone') return undefined;
  const fills = await venue.fillsSince(credentials, instrument, sinceOf(order));
  if (!fills.ok) return undefined;
  const ids = [...new Set(fills.value.map((fill) => fill.venueOrderId))];
  const known = await deps.orders.knownVenueIds(order, ids);
  const strangers = ids.filter((id) => !known.has(id));
  if (strangers.length > STRANGERS_ASKED_MAX) return undefined;
  for (const venueOrderId of strangers) {
    const found = await venue.findByVenueId(credentials, instrument, venueOrderId);
    if (found.outcome !== 'found') return undefined;
    if (found.value.clientId !== ours) continue;
    // It is there after all: only by our id the venue does not find it any more.
    const own = fills.value.filter((fill) => fill.venueOrderId === venueOrderId);
    return { update: { state: found.value, fills: own, barrier: true } };
  }
  return { absent: 'failed' };
}

/** No fill of the order can be older. */
function sinceOf(order: StoredOrder): Millis {
  return (order.createdAt - 1_000) as Millis;
}

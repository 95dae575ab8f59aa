import { hash } from 'node:crypto';
import {
  type CallAnswer,
  type CallRequest,
  type CallResponse,
  type MemberCaller,
  type OrderRow,
  type Refusal,
  refusalText,
} from '@crossbook/contract';
import {
  formatAmount,
  type Instrument,
  type Millis,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderFault,
  type OrderId,
  type Platform,
  parseOrderId,
  platformOfType,
  type ScaledPart,
  scaledFault,
  scaledParts,
  type UserId,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { orderRow } from '../order-rows.ts';
import { type Refused, refusal } from '../ports.ts';
import { reportedRefusal } from '../venue-refusal.ts';
import { type PlaceOne, type Placing, payloadHash } from './place-order.ts';
import { OPEN_ORDERS_MAX } from './risk-checks.ts';
import { GatheredPlacements } from './send.ts';

type ScaledRequest = CallRequest<'x/trade/PlaceScaled'>;
type ScaledRow = CallResponse<'x/trade/PlaceScaled'>[number];

/** How each of its orders is placed. */
export interface ScaledMeans {
  readonly place: PlaceOne;
  /** Rules that do not hold for its orders. */
  readonly ignored: readonly OrderFault['name'][];
}

/** From the request's arrival: what has not had its turn by then is not sent, for whoever clicked expects none that late. */
const SCALED_MILLIS_MAX = 10_000;

/**
 * A scaled order: ordinary orders, each under an id made of the request's, sent as many at a time as the exchange takes by one
 * call. The hub keeps nothing else of it, so that a repeat answers for what there is and sends what is missing, and a restart
 * sends nothing.
 *
 * The first order that is neither taken nor refused by the exchange ends it: what comes after would meet the same, or add to
 * what is not known. Where that is the first of all, nothing was sent and the whole is refused.
 */
export async function placeScaled(
  placing: Placing,
  caller: MemberCaller,
  request: ScaledRequest,
  { place, ignored }: ScaledMeans,
): Promise<CallAnswer<ScaledRow[]>> {
  const found = partsOf(placing, request, ignored);
  if (!found.ok) return found;
  const { instrument, parts } = found;
  const children = parts.map((part, at) => ({ ...part, id: scaledId(caller.user, request.clientId, at) }));
  const crowded = await roomFor(placing, { instrument, user: caller.user, children });
  if (crowded !== undefined) return refusal(crowded);
  const scaled = { placing, caller, request, place };
  const rows: ScaledRow[] = [];
  let stopped: Refusal | undefined;
  for (const group of groupsOf(instrument, children)) {
    const begun = stopped === undefined ? await placeGroup(scaled, group) : { placed: [], stopped };
    for (const [at, { id, price, quantity }] of group.entries()) {
      const placed = begun.placed[at];
      stopped ??= placed === undefined ? begun.stopped : undefined;
      const became =
        placed === undefined
          ? await unsent(placing, caller, id, stopped ?? { error: 'outcome-unknown' })
          : await outcomeOf(placing, caller, id, placed);
      if (rows.length === 0 && placed?.ok === false && became.outcome === 'refused' && became.order === null)
        return placed;
      stopped ??= stopAfter(became, caller);
      rows.push({ orderId: id, price: formatAmount(price), quantity: formatAmount(quantity), ...became });
    }
  }
  return { ok: true, value: rows };
}

interface Scaled {
  readonly placing: Placing;
  readonly caller: MemberCaller;
  readonly request: ScaledRequest;
  readonly place: ScaledMeans['place'];
}

interface PlacedGroup {
  readonly placed: readonly CallAnswer<OrderRow>[];
  /** Why those behind were not begun. */
  readonly stopped: Refusal | undefined;
}

/**
 * Writes and holds those of a group one after the other, so that money which does not reach for all reaches for the first of
 * them, and sends together what is held by then.
 */
async function placeGroup(
  { placing, caller, request, place }: Scaled,
  group: readonly Child[],
): Promise<PlacedGroup> {
  const together = new GatheredPlacements(placing.deps);
  const begun: Promise<CallAnswer<OrderRow>>[] = [];
  let stopped: Refusal | undefined;
  try {
    for (const child of group) {
      stopped = tooLate(placing, caller.now);
      if (stopped !== undefined) break;
      const now = placing.deps.clock();
      const order = together.begin((ask) => place({ ...caller, now }, childRequest(request, child), ask));
      begun.push(order.placed);
      if (await order.waits) continue;
      // What is over before the exchange was asked may end it.
      stopped = stopAfter(await outcomeOf(placing, caller, child.id, await order.placed), caller);
      if (stopped !== undefined) break;
    }
  } finally {
    together.send(caller.now, SCALED_MILLIS_MAX);
    await Promise.allSettled(begun);
  }
  return { placed: await Promise.all(begun), stopped };
}

/**
 * Orders of one call at most, whatever the exchange takes: if its answer is lost, so many are looked up, and places for other
 * members' lookups are left.
 */
const PLACED_AT_ONCE_MAX = 10;

/** As many as the exchange places by one call. */
function groupsOf({ platform, symbolType }: Instrument, children: readonly Child[]): readonly Child[][] {
  const size = Math.min(PLACED_AT_ONCE_MAX, venueProfile(platform).trading.placesAtOnce[symbolType]);
  const groups = Math.ceil(children.length / size);
  return Array.from({ length: groups }, (_group, at) => children.slice(at * size, (at + 1) * size));
}

/** Why nothing is sent after an order that became this; `undefined` where the next one has its turn. */
function stopAfter({ outcome, order, reason }: Became, { language }: MemberCaller): Refusal | undefined {
  if (outcome === 'placed' || (outcome === 'refused' && order !== null)) return undefined;
  return { error: 'scaled-stopped', given: reason ?? refusalText({ error: 'outcome-unknown' }, language) };
}

/** The id of one order of a scaled one: the same for the same member, request and place, and for nothing else. */
export function scaledId(user: UserId, clientId: OrderId, at: number): OrderId {
  const hex = hash('sha256', `scaled ${user} ${clientId} ${at}`);
  // The time that begins the request's id stays in front, so that these lie beside each other in an index.
  const text = `${clientId.slice(0, 14)}8${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
  const id = parseOrderId(text);
  if (id === undefined) throw new Error(`no id of an order: ${text}`);
  return id;
}

type Parts =
  | { readonly ok: true; readonly instrument: Instrument; readonly parts: readonly ScaledPart[] }
  | Refused;

/** What it comes to, or the first thing that is wrong with it. */
function partsOf({ deps }: Placing, request: ScaledRequest, ignored: ScaledMeans['ignored']): Parts {
  const { platformType, tinstType, symbol } = request;
  const platform = platformOfType(platformType)?.platform as Platform;
  const instrument = deps.market.instrument(platform, tinstType === 2 ? 'SWAP' : 'SPOT', symbol);
  if (instrument === undefined || deps.venue(platform) === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: symbol });
  const { spot, contracts } = venueProfile(platform).trading;
  const offer = tinstType === 2 ? { ...spot, ...contracts } : spot;
  const terms = { instrument, side: request.side, timeInForce: request.timeInForce };
  // No rule of an order that has a price asks for the market's.
  const market = { offer, bestBid: undefined, bestAsk: undefined, priceStale: true };
  // A halt is for each order to meet: one that is there already is told all the same.
  const fault = scaledFault(request, terms, market, [...ignored, 'symbol-halted']);
  if (fault === undefined) return { ok: true, instrument, parts: scaledParts(request, instrument) };
  const { name, field, allowed = [], part } = fault;
  const of = part === undefined ? '' : ` (order ${part} of ${request.count})`;
  return refusal({
    error: name,
    ...(field === undefined ? {} : { field }),
    ...(allowed.length === 0 ? {} : { allowed: `${allowed.join(' and ')}${of}` }),
  });
}

/** Whether the member may have so many more open orders: asked before the first is sent. */
async function roomFor(
  { deps }: Placing,
  { instrument, user, children }: Crowd,
): Promise<Refusal | undefined> {
  const { platform, symbol, symbolType } = instrument;
  const [first] = children;
  if (first === undefined) return undefined;
  const { others, giveBack } = await deps.openOrders.take({
    ...{ id: first.id, user, platform, symbol, symbolType },
  });
  giveBack();
  if (others + children.length <= OPEN_ORDERS_MAX) return undefined;
  // A repeat counts its own orders among those that are open.
  if ((await deps.orders.byId(first.id)) !== undefined) return undefined;
  return { error: 'too-many-open-orders', allowed: String(OPEN_ORDERS_MAX) };
}

interface Child extends ScaledPart {
  readonly id: OrderId;
}

interface Crowd {
  readonly instrument: Instrument;
  readonly user: UserId;
  readonly children: readonly Child[];
}

/** One of the orders. Its payload holds the whole request: the same id never means another order. */
function childRequest(request: ScaledRequest, { id, price, quantity }: Child) {
  const { platformType, tinstType, symbol, side, timeInForce } = request;
  const { effect, reduceOnly, marginMode, leverage } = request;
  return {
    ...{ platformType, tinstType, symbol, side, timeInForce, price, quantity, clientId: id },
    orderType: ORDER_TYPE.LIMIT,
    ...(effect === undefined ? {} : { effect }),
    ...(reduceOnly === undefined ? {} : { reduceOnly }),
    ...(marginMode === undefined ? {} : { marginMode }),
    ...(leverage === undefined ? {} : { leverage }),
    scaled: payloadHash(request),
  };
}

/** What became of one order. Refused by the exchange it has a row; refused by us there is none, and it may be sent again. */
async function outcomeOf(
  placing: Placing,
  caller: MemberCaller,
  id: OrderId,
  placed: CallAnswer<OrderRow>,
): Promise<Became> {
  if (placed.ok) return becameOf(placed.value);
  const reported = reportedRefusal(placed.code, caller);
  if (placed.code.error === 'outcome-unknown') return { outcome: 'unknown', order: null, ...reported };
  const known = placed.code.error === 'client-id-reused' ? undefined : await ownOrder(placing, caller, id);
  return { outcome: 'refused', order: known ?? null, ...reported };
}

/** An order whose turn never came. It may be there from an earlier request all the same. */
async function unsent(placing: Placing, caller: MemberCaller, id: OrderId, why: Refusal): Promise<Became> {
  const known = await ownOrder(placing, caller, id);
  if (known !== undefined) return becameOf(known);
  return { outcome: 'refused', order: null, ...reportedRefusal(why, caller) };
}

async function ownOrder(
  { deps }: Placing,
  { user }: MemberCaller,
  id: OrderId,
): Promise<OrderRow | undefined> {
  const order = await deps.orders.byId(id);
  return order?.user === user ? orderRow(order) : undefined;
}

type Became = Pick<ScaledRow, 'outcome' | 'order' | 'reason' | 'venueCode'>;

const NOT_TAKEN: ReadonlySet<number> = new Set([ORDER_STATUS.REJECT, ORDER_STATUS.FAIL]);

function becameOf(order: OrderRow): Became {
  const unknown = order.status === ORDER_STATUS.UNKNOWN;
  const outcome = unknown ? 'unknown' : NOT_TAKEN.has(order.status) ? 'refused' : 'placed';
  return { outcome, order, reason: order.reason, venueCode: order.refusal?.venueCode ?? null };
}

function tooLate({ deps }: Placing, arrivedAt: Millis): Refusal | undefined {
  const age = deps.clock() - arrivedAt;
  if (age <= SCALED_MILLIS_MAX) return undefined;
  return { error: 'order-too-old', given: String(age), allowed: String(SCALED_MILLIS_MAX) };
}

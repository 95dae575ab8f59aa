import { createHash } from 'node:crypto';
import type { CallAnswer, CallRequest, MemberCaller, OrderRow, Refusal } from '@crossbook/contract';
import {
  type Instrument,
  type Lanes,
  ORDER_STATUS,
  type Platform,
  platformOfType,
  type Side,
  type TimeInForce,
  uuidV7,
} from '@crossbook/domain';
import type { VenueCredentials } from '@crossbook/venues/trading';
import { onVenueEvent, recordProgress } from './on-venue-event.ts';
import type { OrderDraft, ReservedOrder, StoredOrder } from './order.ts';
import { orderRow } from './order-rows.ts';
import { type AccountOwner, type Refused, refusal, type TradingDeps, type VenueDesk } from './ports.ts';
import { earlierOrder, reserve } from './reserve.ts';
import { type RiskFacts, riskChecked } from './risk-checks.ts';
import { send } from './send.ts';
import { reasonOfRefusal, refusalOfReason } from './venue-refusal.ts';

type PlaceRequest = CallRequest<'connextrade/PlaceOrder'>;

/** What placing needs besides the ports. */
export interface Placing {
  readonly deps: TradingDeps;
  readonly lanes: Lanes;
  /** Makes sure the member's fills are heard. */
  readonly listen: (order: StoredOrder) => Promise<void>;
  /** Asks for a look-up soon: the outcome is not certain. */
  readonly lookSoon: (order: StoredOrder) => void;
  /** Why the member's figures at the platform are not trusted at the moment. */
  readonly doubtful: (owner: AccountOwner) => string | undefined;
}

const NOT_TRADED: Refusal = {
  error: 'field-invalid',
  field: 'tinstType',
  allowed: '1 (spot); perpetuals are not traded yet',
};

/** The life of an order up to its first answer: Draft -> Checked -> Reserved -> Sent. Every `if` of it is here. */
export async function placeOrder(
  placing: Placing,
  caller: MemberCaller,
  request: PlaceRequest,
): Promise<CallAnswer<OrderRow>> {
  const { deps } = placing;
  const platform = platformOfType(request.platformType)?.platform as Platform;
  const desk = deps.venue(platform);
  if (desk === undefined)
    return refusal({ error: 'symbol-unknown', field: 'platformType', given: request.symbol });

  const wish = wishOf(deps, caller, request);
  // What this request asked for before it gets again, whatever has become of the market since.
  if (request.clientId !== undefined && (await deps.orders.byId(wish.id)) !== undefined) {
    return answerOf(await earlierOrder(deps, wish));
  }

  // Perpetuals are listed and watched; that "there is no instrument" would be untrue.
  if (request.tinstType !== 1) return refusal(NOT_TRADED);
  const instrument = deps.market.instrument(platform, 'SPOT', request.symbol);
  if (instrument === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: request.symbol });

  const halted = deps.moneyGate();
  if (halted !== undefined) return refusal(halted);
  const draft: OrderDraft = { ...wish, instrument };
  const checked = await checkRisk(placing, desk, draft);
  if (!checked.ok) return checked;

  const account = await deps.accounts.find(caller.user, platform);
  if (account.state !== 'ready') return refusal({ error: 'balance-insufficient' });

  return placing.lanes.run(draft.id, async () => {
    const reserved = await reserve(deps, checked.value);
    if (!reserved.ok || !reserved.fresh) return answerOf(reserved);
    try {
      return await sent(placing, desk, { ...account, order: reserved.order, instrument: draft.instrument });
    } catch (error) {
      // The money is held and the order may be at the venue: its outcome is unknown, whatever went wrong here.
      deps.log.note('an order stopped half way', { id: draft.id, error: String(error) });
      placing.lookSoon(reserved.order);
      return { ok: true, value: orderRow({ ...reserved.order, status: ORDER_STATUS.UNKNOWN }) };
    }
  });
}

/** Sends a reserved order and books the answer. */
async function sent(
  placing: Placing,
  desk: VenueDesk,
  sending: {
    readonly order: ReservedOrder;
    readonly instrument: Instrument;
    readonly credentials: VenueCredentials;
  },
): Promise<CallAnswer<OrderRow>> {
  const { deps } = placing;
  const { order } = sending;
  await placing.listen(order);
  const outcome = await send(deps, desk, sending.credentials, sending);
  if (outcome.outcome === 'refused') return rejected(deps, order, reasonOfRefusal(outcome));
  if (outcome.outcome === 'unknown') {
    const { fenceClosesAt } = outcome;
    const unknown = await recordProgress(deps, order, { status: ORDER_STATUS.UNKNOWN, fenceClosesAt });
    placing.lookSoon(unknown);
    return { ok: true, value: orderRow(unknown) };
  }
  const news = { state: outcome.state, fills: outcome.fills, barrier: false };
  const booked = await onVenueEvent(deps, order.id, news);
  // What a venue has only taken may have met something at once; the stream tells first, and the look is then over soon.
  if (booked?.needsLook !== false || outcome.receiptOnly === true) placing.lookSoon(order);
  return { ok: true, value: orderRow(booked?.order ?? order) };
}

function answerOf(
  reservation: { readonly ok: true; readonly order: StoredOrder } | Refused,
): CallAnswer<OrderRow> {
  if (!reservation.ok) return reservation;
  // The same request gets the same answer: what the venue refused then is refused now.
  const { order } = reservation;
  return order.status === ORDER_STATUS.REJECT
    ? refusal(refusalOfReason(order.reason))
    : { ok: true, value: orderRow(order) };
}

/** A definitive refusal: the hold is void, and the member is told why. */
async function rejected(
  deps: TradingDeps,
  order: ReservedOrder,
  reason: string,
): Promise<CallAnswer<OrderRow>> {
  await recordProgress(deps, order, { status: ORDER_STATUS.REJECT, settled: true, reason });
  return refusal(refusalOfReason(reason));
}

/** The risk checks; only an order that nothing else speaks against, and that rests on the price, waits for a book. */
async function checkRisk(
  placing: Placing,
  desk: VenueDesk,
  draft: OrderDraft,
): Promise<ReturnType<typeof riskChecked>> {
  const { deps } = placing;
  const { platform } = desk;
  const { symbol } = draft.instrument;
  const open = await deps.orders.openOf(draft.user, platform, symbol);
  const facts: RiskFacts = {
    platformName: desk.name,
    platformState: desk.state,
    halted: placing.doubtful({ user: draft.user, platform }),
    now: deps.clock(),
    best: undefined,
    openOrders: open.length,
  };
  const checked = riskChecked(draft, facts);
  if (checked.ok || checked.code.error !== 'price-stale') return checked;
  const best = await deps.market.best(platform, symbol);
  return riskChecked(draft, { ...facts, best, now: deps.clock() });
}

function wishOf(
  deps: TradingDeps,
  caller: MemberCaller,
  request: PlaceRequest,
): Omit<OrderDraft, 'instrument'> {
  const { price, quantity, quoteQuantity } = request;
  const createdAt = deps.clock();
  return {
    id: request.clientId ?? uuidV7(createdAt, deps.random(10)),
    user: caller.user,
    side: request.side satisfies Side,
    type: request.orderType,
    timeInForce: request.timeInForce satisfies TimeInForce,
    ...(price === undefined ? {} : { price }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(quoteQuantity === undefined ? {} : { quoteQuantity }),
    payloadHash: payloadHash(request),
    createdAt,
  };
}

/** Equal for equal wishes, whatever the order of the fields; the id itself is not part of it. */
function payloadHash(request: PlaceRequest): string {
  const { clientId: _id, ...wish } = request;
  const parts = Object.entries(wish)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort();
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

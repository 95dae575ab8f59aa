import {
  type CallAnswer,
  type CallRequest,
  type CallResponse,
  type MemberCaller,
  type OrderRow,
  refusalText,
} from '@crossbook/contract';
import {
  type Amount,
  type Instrument,
  isFinal,
  minus,
  ORDER_TYPE,
  type OrderTargets,
  orderFaults,
  type PlatformType,
  PRICE_AGE_MILLIS_MAX,
  platformOfType,
  plus,
  SIDE,
  TIME_IN_FORCE,
  ZERO,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { type AmendedTerms, type ContractPart, icebergOf, type StoredOrder } from '../order.ts';
import { orderRow } from '../order-rows.ts';
import { type Refused, refusal, type TradingDeps, tradeBar } from '../ports.ts';
import { onlyTargets, partsBetween, targetFields } from '../targets.ts';
import { amendOrder } from './amend-order.ts';
import { costAt } from './amendment.ts';
import { cancelOrder } from './cancel-order.ts';
import type { Placing } from './place-order.ts';
import { faultRefusal } from './risk-checks.ts';
import { targetsRefusal } from './target-checks.ts';

type ReplaceRequest = CallRequest<'connextrade/ReplaceOrder'>;
type PlaceRequest = CallRequest<'connextrade/PlaceOrder'>;

/** What changing an order needs besides what all orders need. */
export interface Replacing {
  readonly place: (caller: MemberCaller, request: PlaceRequest) => Promise<CallAnswer<OrderRow>>;
  /** What a change of an order on a contract holds besides, or why it may not be. */
  readonly changeTerms: (
    order: StoredOrder & { readonly contract: ContractPart },
    to: { readonly to: AmendedTerms; readonly instrument: Instrument },
  ) => Promise<{ readonly ok: true; readonly more: Amount } | Refused>;
  /** An order on a contract has other terms at the venue. */
  readonly acknowledged: (order: StoredOrder) => void;
}

type Answer = CallAnswer<CallResponse<'connextrade/ReplaceOrder'>>;

/**
 * Changes price or quantity of an open limit order: under its own id where the venue can, which keeps its place in the queue
 * as far as the venue does; else it is cancelled, and once that is certain an order of the rest is placed. The answer says
 * which of both happened.
 */
export async function replaceOrder(
  placing: Placing,
  caller: MemberCaller,
  request: ReplaceRequest,
  replacing: Replacing,
): Promise<Answer> {
  const { deps, lanes } = placing;
  const { orderId, platformType } = request;
  const order = await deps.orders.byId(orderId);
  const platform = platformOfType(platformType)?.platform;
  if (order === undefined || order.user !== caller.user || order.platform !== platform)
    return refusal({ error: 'order-unknown', field: 'orderId' });
  if (isFinal(order.status)) return refusal({ error: 'order-final', field: 'orderId' });
  // More or another price would be no part of it any more.
  if (icebergOf(order) !== undefined) return refusal({ error: 'iceberg-part', field: 'orderId' });
  const to = await wantedOf(deps, order, request);
  if (!to.ok) return to;
  const room = await mayChange(placing, replacing, { order, ...to });
  if (!room.ok) return room;
  if (await wouldTake(deps, order, to.price)) return refusal({ error: 'post-only-crosses', field: 'price' });
  if (venueProfile(platform).trading.amends[order.symbolType]) {
    const { price, quantity } = to;
    const change = { from: order, to: { price, quantity }, more: room.more };
    const amended = await lanes.run(orderId, () => amendOrder(placing, orderId, change));
    if (!amended.ok) return amended;
    if (amended.outcome !== 'replace') {
      if (order.contract !== undefined) replacing.acknowledged(amended.order);
      return { ok: true, value: { outcome: amended.outcome, order: orderRow(amended.order), reason: null } };
    }
  }
  const lacks = order.contract === undefined ? await lacksMoney(deps, order, to) : undefined;
  return lacks ?? placeAnew(placing, caller, { request, to, place: replacing.place });
}

/**
 * The order is cancelled and another of the rest placed. What fills meanwhile counts against the new quantity. The two steps
 * are told apart: nothing new is sent while the cancel is not confirmed, and where the new order is refused the answer says
 * that the old one is gone.
 */
async function placeAnew(
  placing: Placing,
  caller: MemberCaller,
  {
    request,
    to,
    place,
  }: { readonly request: ReplaceRequest; readonly to: Wanted } & Pick<Replacing, 'place'>,
): Promise<Answer> {
  const { deps } = placing;
  const { orderId, platformType } = request;
  const cancelled = await cancelOrder(placing, caller, { platformType, orderId });
  if (!cancelled.ok) return cancelled;
  const after = await deps.orders.byId(orderId);
  const answer = (
    outcome: CallResponse<'connextrade/ReplaceOrder'>['outcome'],
    row: OrderRow,
    reason: string | null = null,
  ) => ({ ok: true, value: { outcome, order: row, reason } }) as const;
  // It may have filled, or still rest: a lookup tells, and nothing new is sent.
  if (after?.settled !== true || !isFinal(after.status)) return answer('pending', cancelled.value);
  const rest = minus(to.quantity, after.cumQuantity);
  if (rest <= 0n) return answer('cancelled-only', orderRow(after), 'so much had been executed already');
  // What protects the order protects the one in its place.
  const targets = await deps.algos.targets.byOrder(orderId);
  const asked = placeRequest(after, platformType, { ...request, ...to, rest });
  const left = targets && targetsOfRest(onlyTargets(targets), after, to);
  const placed = await place(caller, { ...asked, ...targetFields(left) });
  if (placed.ok) return answer('replaced', placed.value);
  return answer('cancelled-only', orderRow(after), refusalText(placed.code, caller.language));
}

/** Of several take-profits the first are for what has filled already. */
function targetsOfRest(
  { takeProfits, ...targets }: OrderTargets,
  { cumQuantity: from }: StoredOrder,
  { quantity: to, instrument }: Wanted,
): OrderTargets {
  const rest = takeProfits && partsBetween(takeProfits, { from, to, least: instrument.minQty });
  const [first, second] = rest ?? [];
  if (rest === undefined || first === undefined) return targets;
  return second === undefined
    ? { ...targets, takeProfit: { trigger: first.trigger } }
    : { ...targets, takeProfits: rest };
}

/** What must hold of account and platform before anything is touched, as for a new order. */
async function mayChange(
  { deps, doubtful }: Placing,
  { changeTerms }: Replacing,
  {
    order,
    instrument,
    ...to
  }: { readonly order: StoredOrder; readonly instrument: Instrument } & AmendedTerms,
): Promise<{ readonly ok: true; readonly more: Amount } | Refused> {
  const { contract, user, platform } = order;
  if (contract !== undefined) return changeTerms({ ...order, contract }, { to, instrument });
  const barred = await tradeBar(deps, user, order.side === SIDE.BUY);
  if (barred !== undefined) return refusal(barred);
  const desk = deps.venue(platform);
  if (desk?.state !== 'live') return refusal({ error: 'platform-coming-soon', given: desk?.name ?? '' });
  if (doubtful({ user, platform }) !== undefined) return refusal({ error: 'trading-halted' });
  return { ok: true, more: ZERO };
}

/**
 * Whether an order that may only rest would be filled at its new price. Exchanges end such an order instead of leaving it where
 * it was (Binance, Modify Order), and what is cancelled first is gone anyway: none is asked. Without prices of now the exchange
 * decides.
 */
async function wouldTake(
  { market, clock }: TradingDeps,
  { platform, symbolType, symbol, side, timeInForce }: StoredOrder,
  price: Amount,
): Promise<boolean> {
  if (timeInForce !== TIME_IN_FORCE.POST_ONLY) return false;
  const best = await market.best(platform, symbolType, symbol);
  if (best === undefined || clock() - best.receivedAt > PRICE_AGE_MILLIS_MAX) return false;
  return side === SIDE.BUY ? price >= best.ask : price <= best.bid;
}

/** Whether a pair's order can be paid for by its new terms once the old ones hold nothing any more. */
async function lacksMoney(
  deps: TradingDeps,
  order: StoredOrder,
  to: AmendedTerms,
): Promise<Refused | undefined> {
  const { user, platform, holdAsset, holdAmount } = order;
  const cost = costAt(order, to);
  if (cost <= holdAmount) return undefined;
  const wallet = await deps.ledger.tradingBalances(user, platform);
  const free = wallet.find(({ asset }) => asset === holdAsset)?.available ?? ZERO;
  return plus(free, holdAmount) >= cost ? undefined : refusal({ error: 'balance-insufficient' });
}

const QUANTITY_OF_PARTS = 'the quantity of its take-profits, or cancel it and place another';

interface Wanted extends AmendedTerms {
  readonly ok: true;
  readonly instrument: Instrument;
}

/** The new values, held against the rules before the old order is touched. */
async function wantedOf(
  deps: TradingDeps,
  order: StoredOrder,
  request: ReplaceRequest,
): Promise<Wanted | Refused> {
  const price = request.price ?? order.price;
  const quantity = request.quantity ?? order.quantity;
  const instrument = deps.market.instrument(order.platform, order.symbolType, order.symbol);
  if (price === undefined || quantity === undefined || order.type !== ORDER_TYPE.LIMIT)
    return refusal({ error: 'order-combination', allowed: 'only limit orders are changed' });
  if (price === order.price && quantity === order.quantity)
    return refusal({ error: 'order-combination', allowed: 'something to change' });
  if (instrument === undefined)
    return refusal({ error: 'symbol-unknown', field: 'orderId', given: order.symbol });
  const { side, type, timeInForce, visible } = order;
  const { spot, contracts } = venueProfile(order.platform).trading;
  const offer = instrument.symbolType === 'SPOT' ? spot : { ...spot, ...contracts };
  const market = { offer, bestBid: undefined, bestAsk: undefined, priceStale: false };
  const iceberg = visible === undefined ? {} : { visible };
  const asked = { instrument, side, type, timeInForce, price, quantity, ...iceberg };
  const [fault] = orderFaults(asked, market);
  if (fault !== undefined) return refusal(faultRefusal(fault));
  const targets = await deps.algos.targets.byOrder(order.id);
  if (targets?.takeProfits !== undefined && quantity !== order.quantity)
    return refusal({ error: 'order-combination', field: 'quantity', allowed: QUANTITY_OF_PARTS });
  const wrong =
    targets === undefined
      ? undefined
      : await targetsRefusal(deps, { ...order, instrument, price, quantity, targets }, false);
  return wrong === undefined ? { ok: true, price, quantity, instrument } : refusal(wrong);
}

function placeRequest(
  { symbol, symbolType, side, timeInForce, visible, contract }: StoredOrder,
  platformType: PlatformType,
  {
    price,
    rest,
    clientId,
  }: { readonly price: Amount; readonly rest: Amount; readonly clientId?: ReplaceRequest['clientId'] },
): PlaceRequest {
  return {
    ...{ platformType, tinstType: symbolType === 'SWAP' ? 2 : 1, symbol, side, orderType: 1 },
    ...{ timeInForce, price, quantity: rest },
    // A rest that is less than one part has nothing to hide.
    ...(visible === undefined || visible >= rest ? {} : { visibleQuantity: visible }),
    ...(contract === undefined
      ? {}
      : {
          ...{ effect: contract.side, reduceOnly: contract.reduceOnly },
          ...{ marginMode: contract.marginMode, leverage: contract.leverage },
        }),
    ...(clientId === undefined ? {} : { clientId }),
  };
}

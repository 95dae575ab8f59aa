import type { CallAnswer, CallRequest, MemberCaller, OrderRow, ReverseRow } from '@crossbook/contract';
import {
  type Amount,
  ORDER_TYPE,
  type OrderId,
  type Platform,
  POSITION_SIDE,
  parseAmount,
  platformFacts,
  platformOfType,
  SIDE,
  TIME_IN_FORCE,
  type VenuePosition,
} from '@crossbook/domain';
import type { StoredOrder } from '../order.ts';
import { placeOrder } from '../orders/place-order.ts';
import { scaledId } from '../orders/place-scaled.ts';
import { refusal } from '../ports.ts';
import { closeOne, closeRow, heldOf, heldPosition, rowOfOrder } from './close-position.ts';
import { type ContractPlacing, placeContract } from './place-contract.ts';
import { isOfPosition } from './position-rows.ts';

type Request = CallRequest<'x/trade/ReversePosition'>;

/**
 * Turns a position around at market: how much it is, the venue says at the moment of sending, never a screen. One-way: one
 * order of twice that. Hedge: the leg is closed, and then as much of the other one is opened; where that is refused,
 * nothing is tried again.
 */
export async function reversePosition(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: Request,
): Promise<CallAnswer<ReverseRow>> {
  const { deps } = contracts.placing;
  const platform = platformOfType(request.platformType)?.platform as Platform;
  if (deps.market.instrument(platform, 'SWAP', request.symbol) === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: request.symbol });
  const { clientId } = request;
  const again = clientId === undefined ? undefined : await deps.orders.byId(clientId);
  if (again !== undefined) {
    const turns = again.side !== request.side && again.type === ORDER_TYPE.MARKET;
    if (!turns || !isOfPosition(again, { user: caller.user, platform }, request))
      return refusal({ error: 'client-id-reused', field: 'clientId' });
    return { ok: true, value: await turnedBefore(contracts, caller, again) };
  }
  const found = await heldPosition(contracts, { user: caller.user, platform }, request);
  if (!found.ok) return found;
  const { position } = found;
  // What has turned around by itself is not what the member looked at.
  if (heldOf(position).short !== (request.side === SIDE.SELL)) return refusal({ error: 'position-none' });
  const turn = { position, leverage: request.leverage };
  const value =
    position.side === POSITION_SIDE.NET
      ? await flip(contracts, caller, { ...turn, clientId })
      : await swapLegs(contracts, caller, { ...turn, clientId });
  return { ok: true, value };
}

/**
 * The same request again gets what became of it, and sends nothing. Where the first one closed a leg and no order of the
 * other one is known, it may have ended between the two: that is unknown, and the list of positions says how it stands.
 */
async function turnedBefore(
  { placing }: ContractPlacing,
  caller: MemberCaller,
  first: StoredOrder,
): Promise<ReverseRow> {
  const closed = rowOfOrder(first, caller);
  if (first.contract?.side === POSITION_SIDE.NET || closed.outcome !== 'sent')
    return { ...closed, half: false };
  const second = await placing.deps.orders.byId(otherLegId(caller, first.id));
  if (second === undefined) return { ...closed, outcome: 'unknown', order: null, half: false };
  const { effect, marginMode } = closed;
  const opened = { ...rowOfOrder(second, caller), effect, marginMode };
  return { ...opened, half: opened.outcome !== 'sent' };
}

/** The id of the order that opens the other leg follows from that of the one that closes. */
function otherLegId({ user }: MemberCaller, closing: OrderId): OrderId {
  return scaledId(user, closing, 1);
}

interface Turn {
  readonly position: VenuePosition;
  readonly leverage: number;
  readonly clientId: OrderId | undefined;
}

/** One order of twice what is held. */
async function flip(
  contracts: ContractPlacing,
  caller: MemberCaller,
  { position, leverage, clientId }: Turn,
): Promise<ReverseRow> {
  const quantity = (heldOf(position).held * 2n) as Amount;
  const placed = await open(contracts, caller, { position, leverage, quantity, clientId });
  return { ...closeRow(position.platform, { ...position, caller }, placed), half: false };
}

/** One leg closed, and then as much of the other one opened. */
async function swapLegs(
  contracts: ContractPlacing,
  caller: MemberCaller,
  { position, leverage, clientId }: Turn,
): Promise<ReverseRow> {
  const wanted = clientId === undefined ? {} : { clientId };
  const closed = await closeOne(contracts, caller, { position, wanted });
  if (closed.outcome !== 'sent') return { ...closed, half: false };
  const quantity = parseAmount(closed.order?.quantity ?? '') ?? heldOf(position).held;
  const second = clientId === undefined ? undefined : otherLegId(caller, clientId);
  const placed = await open(contracts, caller, { position, leverage, quantity, clientId: second });
  const opened = closeRow(position.platform, { ...position, caller }, placed);
  return { ...opened, half: opened.outcome !== 'sent' };
}

/** A market order on the other side: of the same position in one-way mode, of the other leg in hedge mode. */
function open(
  contracts: ContractPlacing,
  caller: MemberCaller,
  { position, leverage, quantity, clientId }: Turn & { readonly quantity: Amount },
): Promise<CallAnswer<OrderRow>> {
  const { short } = heldOf(position);
  const other = short ? POSITION_SIDE.LONG : POSITION_SIDE.SHORT;
  const request = {
    tinstType: 2,
    platformType: platformFacts(position.platform).platformType,
    ...{ symbol: position.symbol, side: short ? SIDE.BUY : SIDE.SELL, quantity },
    effect: position.side === POSITION_SIDE.NET ? POSITION_SIDE.NET : other,
    ...{ marginMode: position.marginMode, leverage, reduceOnly: false },
    ...{ orderType: ORDER_TYPE.MARKET, timeInForce: TIME_IN_FORCE.GTC },
    ...(clientId === undefined ? {} : { clientId }),
  } as const;
  return placeOrder(contracts.placing, caller, request, (asked) => placeContract(contracts, asked));
}

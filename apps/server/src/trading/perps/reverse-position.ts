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
import type { AccountOwner } from '../account-pages.ts';
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
  const owner = { user: caller.user, platform };
  const again = await askedBefore(contracts, { caller, owner, request });
  if (again !== undefined) return again;
  const found = await positionSeen(contracts, owner, request);
  // The same request beside this one may have turned it meanwhile.
  if (!found.ok) return (await askedBefore(contracts, { caller, owner, request })) ?? found;
  const { position } = found;
  const turn = { position, leverage: request.leverage };
  const value =
    position.side === POSITION_SIDE.NET
      ? await flip(contracts, caller, { ...turn, clientId })
      : await swapLegs(contracts, caller, { ...turn, clientId });
  return { ok: true, value };
}

/** What has turned around by itself is not what the member looked at. */
async function positionSeen(
  contracts: ContractPlacing,
  owner: AccountOwner,
  request: Request,
): ReturnType<typeof heldPosition> {
  const found = await heldPosition(contracts, owner, request);
  const same = !found.ok || heldOf(found.position).short === (request.side === SIDE.SELL);
  return same ? found : refusal({ error: 'position-none' });
}

/** What became of the same request; another one under its id is refused. */
async function askedBefore(
  contracts: ContractPlacing,
  {
    caller,
    owner,
    request,
  }: { readonly caller: MemberCaller; readonly owner: AccountOwner; readonly request: Request },
): Promise<CallAnswer<ReverseRow> | undefined> {
  const { clientId, side } = request;
  const again = clientId === undefined ? undefined : await contracts.placing.deps.orders.byId(clientId);
  if (again === undefined) return undefined;
  const turns = again.side !== side && again.type === ORDER_TYPE.MARKET;
  if (!turns || !isOfPosition(again, owner, request))
    return refusal({ error: 'client-id-reused', field: 'clientId' });
  return { ok: true, value: await turnedBefore(contracts, caller, again) };
}

/**
 * What became of both orders; nothing is sent. Where the first one closed a leg and no order of the
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
  return placeOrder(contracts.placing, caller, request, {
    placeNew: (asked) => placeContract(contracts, asked),
  });
}

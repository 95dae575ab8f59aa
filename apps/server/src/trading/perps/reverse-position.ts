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
import { orderAnswer } from '../order-rows.ts';
import { placeOrder } from '../orders/place-order.ts';
import { refusal } from '../ports.ts';
import { closeOne, closeRow, heldOf, heldPosition } from './close-position.ts';
import { type ContractPlacing, placeContract } from './place-contract.ts';

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
    // The same request again gets its order: what came after it is in the list of orders.
    if (again.user !== caller.user || again.symbol !== request.symbol || again.contract === undefined)
      return refusal({ error: 'client-id-reused', field: 'clientId' });
    const { side, marginMode } = again.contract;
    const key = { symbol: again.symbol, side, marginMode, caller };
    return { ok: true, value: { ...closeRow(platform, key, orderAnswer(again)), half: false } };
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
  const placed = await open(contracts, caller, { position, leverage, quantity, clientId: undefined });
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

import type {
  CallAnswer,
  CallRequest,
  CallResponse,
  CloseRow,
  MemberCaller,
  OrderRow,
  Refusal,
} from '@crossbook/contract';
import {
  type Amount,
  lesser,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderId,
  PLATFORMS,
  type Platform,
  POSITION_SIDE,
  platformFacts,
  platformOfType,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type TimeInForce,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import type { AccountOwner } from '../account-pages.ts';
import type { StoredOrder } from '../order.ts';
import { orderAnswer } from '../order-rows.ts';
import { placeOrder } from '../orders/place-order.ts';
import { type Refused, refusal } from '../ports.ts';
import { reportedRefusal } from '../venue-refusal.ts';
import { away } from './contract-accounts.ts';
import { type ContractPlacing, placeContract } from './place-contract.ts';
import { isOfPosition, MODE_OF_SEVERAL, type NamedPosition, positionNamed } from './position-rows.ts';

/** How much of a position is closed, and for what; absent is all of it, at market. */
interface Wanted {
  readonly quantity?: Amount;
  readonly price?: Amount;
  readonly timeInForce?: TimeInForce;
  readonly clientId?: OrderId;
}

/**
 * Closes a position, or a part of it: what "all of it" is, the venue says at the moment of sending. It always goes out as
 * an order that can only make the position smaller.
 */
export async function closePosition(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/ClosePosition'>,
): Promise<CallAnswer<CloseRow>> {
  const { deps } = contracts.placing;
  const platform = platformOfType(request.platformType)?.platform as Platform;
  if (deps.market.instrument(platform, 'SWAP', request.symbol) === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: request.symbol });
  const { quantity, price, timeInForce, clientId } = request;
  const owner = { user: caller.user, platform };
  const again = await closedBefore(contracts, { caller, owner, request });
  if (again !== undefined) return again;
  const found = await heldPosition(contracts, owner, request);
  // The same request beside this one may have closed it meanwhile.
  if (!found.ok) return (await closedBefore(contracts, { caller, owner, request })) ?? found;
  const { position } = found;
  const wanted: Wanted = {
    ...(timeInForce === undefined ? {} : { timeInForce }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(price === undefined ? {} : { price }),
    ...(clientId === undefined ? {} : { clientId }),
  };
  return { ok: true, value: await closeOne(contracts, caller, { position, wanted }) };
}

/** The same request again gets its order, whatever has become of the position since; another one is refused. */
async function closedBefore(
  { placing }: ContractPlacing,
  {
    caller,
    owner,
    request,
  }: {
    readonly caller: MemberCaller;
    readonly owner: AccountOwner;
    readonly request: CallRequest<'connextrade/ClosePosition'>;
  },
): Promise<CallAnswer<CloseRow> | undefined> {
  const { clientId, price, quantity, timeInForce = TIME_IN_FORCE.GTC } = request;
  const again = clientId === undefined ? undefined : await placing.deps.orders.byId(clientId);
  if (again === undefined) return undefined;
  const { contract } = again;
  const closes = contract?.reduceOnly === true && again.price === price && again.timeInForce === timeInForce;
  // More than there was is cut to it; less than was closed is another request.
  const sized = quantity === undefined || (again.quantity ?? ZERO) <= quantity;
  if (!closes || !sized || !isOfPosition(again, owner, request))
    return refusal({ error: 'client-id-reused', field: 'clientId' });
  return { ok: true, value: rowOfOrder(again, caller) };
}

/** Closes every position at market, one after the other; what became of each is told. */
export async function closeAll(
  contracts: ContractPlacing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/ClosePositionAll'>,
): Promise<CallAnswer<CallResponse<'connextrade/ClosePositionAll'>>> {
  const { deps } = contracts.placing;
  const asked = PLATFORMS.filter(
    ({ platform, platformType }) =>
      (request.platformType === undefined || request.platformType === platformType) &&
      deps.venue(platform)?.trading.contracts !== undefined,
  );
  const rows: CloseRow[] = [];
  let unread: Refusal | undefined;
  for (const { platform } of asked) {
    const owner = { user: caller.user, platform };
    const found = await openPositions(contracts, owner);
    if (!found.ok) {
      unread = found.code;
      continue;
    }
    for (const position of found.positions) {
      if (request.symbol !== undefined && position.symbol !== request.symbol) continue;
      rows.push(await closeOne(contracts, caller, { position, wanted: {} }));
    }
  }
  return rows.length === 0 && unread !== undefined ? refusal(unread) : { ok: true, value: rows };
}

/** The position that a request means, as the venue states it now. */
export async function heldPosition(
  contracts: ContractPlacing,
  owner: AccountOwner,
  named: NamedPosition,
): Promise<{ readonly ok: true; readonly position: VenuePosition } | Refused> {
  const found = await openPositions(contracts, owner);
  if (!found.ok) return found;
  const position = positionNamed(found.positions, named);
  if (position === 'several') return refusal(MODE_OF_SEVERAL);
  return position === undefined ? refusal({ error: 'position-none' }) : { ok: true, position };
}

/** What became of an order about a position, as it is stored. */
export function rowOfOrder(order: StoredOrder, caller: MemberCaller): CloseRow {
  const { side = 0, marginMode = 'cross' } = order.contract ?? {};
  const { platform, symbol } = order;
  return closeRow(platform, { symbol, side, marginMode, caller }, orderAnswer(order));
}

/** How much is held, and which way. */
export function heldOf({ quantity, side }: VenuePosition): {
  readonly held: Amount;
  readonly short: boolean;
} {
  const short = side === POSITION_SIDE.SHORT || (side === POSITION_SIDE.NET && quantity < 0n);
  return { held: quantity < 0n ? minus(ZERO, quantity) : quantity, short };
}

/** Positions as the venue states them now; none where there is no account. */
async function openPositions(
  { accounts, stated }: ContractPlacing,
  owner: AccountOwner,
): Promise<{ readonly ok: true; readonly positions: readonly VenuePosition[] } | Refused> {
  const standing = await accounts.standing(owner);
  if (standing.state === 'away') return refusal(away(owner.platform));
  if (standing.state === 'none') return { ok: true, positions: [] };
  const read = await stated.read(standing.account, 'close');
  if (!read.ok) return refusal(away(owner.platform, read));
  return { ok: true, positions: read.value.positions.filter(({ quantity }) => quantity !== 0n) };
}

/** Closes one, by an order that can only make it smaller. */
export async function closeOne(
  contracts: ContractPlacing,
  caller: MemberCaller,
  { position, wanted }: { readonly position: VenuePosition; readonly wanted: Wanted },
): Promise<CloseRow> {
  const { held, short } = heldOf(position);
  const quantity = wanted.quantity === undefined ? held : lesser(wanted.quantity, held);
  const { platform } = position;
  const { platformType } = platformFacts(platform);
  const side: Side = short ? SIDE.BUY : SIDE.SELL;
  const request = {
    tinstType: 2,
    ...{ platformType, symbol: position.symbol, side, quantity },
    ...{ effect: position.side, marginMode: position.marginMode },
    reduceOnly: position.side === POSITION_SIDE.NET,
    orderType: wanted.price === undefined ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT,
    timeInForce: wanted.timeInForce ?? TIME_IN_FORCE.GTC,
    ...(wanted.price === undefined ? {} : { price: wanted.price }),
    ...(wanted.clientId === undefined ? {} : { clientId: wanted.clientId }),
  } as const;
  const placed = await placeOrder(contracts.placing, caller, request, {
    placeNew: (asked) => placeContract(contracts, asked),
  });
  return closeRow(platform, { ...position, caller }, placed);
}

/** What became of an order about a position, by its answer. */
export function closeRow(
  exchange: Platform,
  {
    symbol,
    side,
    marginMode,
    caller,
  }: Pick<VenuePosition, 'symbol' | 'side' | 'marginMode'> & { readonly caller: MemberCaller },
  placed: CallAnswer<OrderRow>,
): CloseRow {
  const at = { exchange, symbol, effect: side, marginMode };
  if (placed.ok) {
    const unknown = placed.value.status === ORDER_STATUS.UNKNOWN;
    return {
      ...at,
      outcome: unknown ? 'unknown' : 'sent',
      order: placed.value,
      reason: null,
      venueCode: null,
    };
  }
  const outcome = placed.code.error === 'outcome-unknown' ? 'unknown' : 'refused';
  return { ...at, outcome, order: null, ...reportedRefusal(placed.code, caller) };
}

import {
  type CallAnswer,
  type CallRequest,
  type CallResponse,
  type CloseRow,
  type MemberCaller,
  type OrderRow,
  type Refusal,
  refusalText,
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
import { orderAnswer } from '../order-rows.ts';
import { placeOrder } from '../orders/place-order.ts';
import { refusal } from '../ports.ts';
import { away } from './contract-accounts.ts';
import { type ContractPlacing, placeContract } from './place-contract.ts';

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
  const again = clientId === undefined ? undefined : await deps.orders.byId(clientId);
  if (again !== undefined) {
    // The same request again gets its order, whatever has become of the position since.
    const same =
      again.user === caller.user &&
      again.symbol === request.symbol &&
      again.contract?.side === request.effect;
    if (!same) return refusal({ error: 'client-id-reused', field: 'clientId' });
    const key = { symbol: again.symbol, side: request.effect, caller };
    return { ok: true, value: closeRow(platform, key, orderAnswer(again)) };
  }
  const found = await openPositions(contracts, { user: caller.user, platform });
  if (!found.ok) return found;
  const position = found.positions.find(
    ({ symbol, side, marginMode }) =>
      symbol === request.symbol &&
      side === request.effect &&
      (request.marginMode === undefined || marginMode === request.marginMode),
  );
  if (position === undefined) return refusal({ error: 'position-none' });
  const wanted: Wanted = {
    ...(timeInForce === undefined ? {} : { timeInForce }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(price === undefined ? {} : { price }),
    ...(clientId === undefined ? {} : { clientId }),
  };
  return { ok: true, value: await closeOne(contracts, caller, { position, wanted }) };
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
    if ((await contracts.accounts.find(owner)) === undefined) continue;
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

/** Positions as the venue states them now. */
async function openPositions(
  { accounts, stated }: ContractPlacing,
  owner: AccountOwner,
): Promise<
  | { readonly ok: true; readonly positions: readonly VenuePosition[] }
  | { readonly ok: false; readonly code: Refusal }
> {
  const account = await accounts.find(owner);
  if (account === undefined) return refusal(away(owner.platform));
  const read = await stated.read(account, 'close');
  if (!read.ok) return refusal(away(owner.platform, read));
  return { ok: true, positions: read.value.positions.filter(({ quantity }) => quantity !== 0n) };
}

async function closeOne(
  contracts: ContractPlacing,
  caller: MemberCaller,
  { position, wanted }: { readonly position: VenuePosition; readonly wanted: Wanted },
): Promise<CloseRow> {
  const held = position.quantity < 0n ? minus(ZERO, position.quantity) : position.quantity;
  const short =
    position.side === POSITION_SIDE.SHORT || (position.side === POSITION_SIDE.NET && position.quantity < 0n);
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
  const placed = await placeOrder(contracts.placing, caller, request, (asked) =>
    placeContract(contracts, asked),
  );
  return closeRow(platform, { ...position, caller }, placed);
}

function closeRow(
  exchange: Platform,
  { symbol, side, caller }: Pick<VenuePosition, 'symbol' | 'side'> & { readonly caller: MemberCaller },
  placed: CallAnswer<OrderRow>,
): CloseRow {
  const at = { exchange, symbol, effect: side };
  if (placed.ok) {
    const unknown = placed.value.status === ORDER_STATUS.UNKNOWN;
    return { ...at, outcome: unknown ? 'unknown' : 'sent', order: placed.value, reason: null };
  }
  const outcome = placed.code.error === 'outcome-unknown' ? 'unknown' : 'refused';
  return { ...at, outcome, order: null, reason: refusalText(placed.code, caller.language) };
}

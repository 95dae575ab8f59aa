import type {
  CallAnswer,
  CallRequest,
  CallResponse,
  MemberCaller,
  OrderRow,
  PastOrderRow,
} from '@crossbook/contract';
import {
  formatAmount,
  type OrderId,
  type Platform,
  type PlatformType,
  parseOrderId,
  platformOfType,
  type SymbolType,
  type VenueOrderId,
} from '@crossbook/domain';
import type { AccountOwner, PageRequest, StoredPage } from '../account-pages.ts';
import type { StoredOrder } from '../order.ts';
import { fillRow, orderRow } from '../order-rows.ts';
import type { TradingDeps } from '../ports.ts';

function platformOf(platformType: PlatformType): Platform {
  return platformOfType(platformType)?.platform ?? 1;
}

/** Several orders have the id that was given: at Binance each instrument counts its own. */
export const ID_OF_SEVERAL = {
  error: 'field-invalid',
  field: 'orderId',
  allowed: 'our own id, for the exchange has several orders of this one',
} as const;

/**
 * The order that a member means by our id or by the exchange's. An id of Bybit's has the looks of ours, so that one which is
 * no order of the member's here is looked for there.
 * @param among which of several come first: one of those that are meant is it, whatever else has the id.
 */
export async function orderNamed(
  { orders }: Pick<TradingDeps, 'orders'>,
  owner: AccountOwner,
  { id, among }: { readonly id: string; readonly among: (order: StoredOrder) => boolean },
): Promise<StoredOrder | 'several' | undefined> {
  const ours = parseOrderId(id);
  const named = ours === undefined ? undefined : await orders.byId(ours);
  if (named?.user === owner.user && named.platform === owner.platform) return named;
  const theirs = await orders.ofVenueId(owner, id as VenueOrderId);
  const meant = theirs.filter(among);
  return meant.length > 1 ? 'several' : (meant[0] ?? theirs[0]);
}

function pageRequest(request: { readonly limit: number; readonly cursor?: string | undefined }): PageRequest {
  return request.cursor === undefined
    ? { limit: request.limit }
    : { limit: request.limit, cursor: request.cursor };
}

/** Which instruments are asked for. */
function marketOf(request: {
  readonly symbol?: string | undefined;
  readonly tinstType?: 1 | 2 | undefined;
}): {
  readonly symbol?: string;
  readonly symbolType?: SymbolType;
} {
  const { symbol, tinstType } = request;
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(tinstType === undefined ? {} : { symbolType: tinstType === 1 ? 'SPOT' : 'SWAP' }),
  };
}

/** CurOrderList: the member's live orders, newest first. */
export async function openOrderRows(
  deps: TradingDeps,
  caller: MemberCaller,
  request: CallRequest<'connextrade/CurOrderList'>,
): Promise<CallAnswer<OrderRow[]>> {
  const orders = await deps.orders.openOf(caller.user, platformOf(request.platformType), marketOf(request));
  return { ok: true, value: orders.map(orderRow) };
}

/** A page of a history as its owner sees it: the orders with what their fills cost. */
export async function pastOrders(
  { orders }: Pick<TradingDeps, 'orders'>,
  page: StoredPage<StoredOrder>,
): Promise<{ rows: PastOrderRow[]; next?: string }> {
  const filled = page.rows.filter(({ cumQuantity }) => cumQuantity > 0n).map(({ id }) => id);
  const paid = filled.length === 0 ? undefined : await orders.feesOf(filled);
  const rows = page.rows.map((order): PastOrderRow => {
    const fees = paid?.get(order.id) ?? [];
    return {
      ...orderRow(order),
      fees:
        fees === 'too-many'
          ? null
          : fees.map(({ asset, amount }) => ({ asset, amount: formatAmount(amount) })),
    };
  });
  return page.next === undefined ? { rows } : { rows, next: page.next };
}

/** OrderHistory: one platform's orders of any status, newest first, a page at a time (decision 0030.18). */
export async function orderPage(
  deps: TradingDeps,
  caller: MemberCaller,
  request: CallRequest<'connextrade/OrderHistory'>,
): Promise<CallAnswer<CallResponse<'connextrade/OrderHistory'>>> {
  const orderRequest = { ...pageRequest(request), ...marketOf(request) };
  const page = await deps.orders.history(caller.user, platformOf(request.platformType), orderRequest);
  return { ok: true, value: await pastOrders(deps, page) };
}

/** Fills of one platform, newest first, a page at a time. */
export async function fillPage(
  deps: TradingDeps,
  caller: MemberCaller,
  request: CallRequest<'x/trade/Fills'>,
): Promise<CallAnswer<CallResponse<'x/trade/Fills'>>> {
  const ofOrder = request.orderId === undefined ? {} : { orderId: request.orderId as OrderId };
  const orderRequest = { ...pageRequest(request), ...marketOf(request), ...ofOrder };
  const page = await deps.orders.fills(caller.user, platformOf(request.platformType), orderRequest);
  const rows = page.rows.map(fillRow);
  return { ok: true, value: page.next === undefined ? { rows } : { rows, next: page.next } };
}

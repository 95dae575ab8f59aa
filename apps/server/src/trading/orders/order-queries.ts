import type { CallAnswer, CallRequest, CallResponse, MemberCaller, OrderRow } from '@crossbook/contract';
import {
  type OrderId,
  type Platform,
  type PlatformType,
  platformOfType,
  type SymbolType,
} from '@crossbook/domain';
import type { PageRequest } from '../account-pages.ts';
import { fillRow, orderRow } from '../order-rows.ts';
import type { TradingDeps } from '../ports.ts';

function platformOf(platformType: PlatformType): Platform {
  return platformOfType(platformType)?.platform ?? 1;
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

/** OrderHistory: one platform's orders of any status, newest first, a page at a time (decision 0030.18). */
export async function orderPage(
  deps: TradingDeps,
  caller: MemberCaller,
  request: CallRequest<'connextrade/OrderHistory'>,
): Promise<CallAnswer<CallResponse<'connextrade/OrderHistory'>>> {
  const orderRequest = { ...pageRequest(request), ...marketOf(request) };
  const page = await deps.orders.history(caller.user, platformOf(request.platformType), orderRequest);
  const rows = page.rows.map(orderRow);
  return { ok: true, value: page.next === undefined ? { rows } : { rows, next: page.next } };
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

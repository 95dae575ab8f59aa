import type { CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import {
  formatAmount,
  type Millis,
  minus,
  PLATFORMS,
  parseOrderId,
  platformOfType,
  plus,
  type VenueOrderId,
  ZERO,
} from '@crossbook/domain';
import type { OrderFilter } from '../contract-store.ts';
import { orderRow } from '../order-rows.ts';
import type { Placing } from '../orders/place-order.ts';
import { refusal } from '../ports.ts';

type FilterRequest = CallRequest<'connextrade/v2/OrderHistorySubTotal'>;

function filterOf(caller: MemberCaller, request: FilterRequest): OrderFilter {
  const { platformType, tinstType, symbol, side, status, begin, end } = request;
  const platform = platformType === undefined ? undefined : platformOfType(platformType)?.platform;
  return {
    user: caller.user,
    ...(platform === undefined ? {} : { platform }),
    ...(tinstType === undefined ? {} : { symbolType: tinstType === 1 ? 'SPOT' : 'SWAP' }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(side === undefined ? {} : { side }),
    ...(status === undefined ? {} : { status }),
    ...(begin === undefined ? {} : { begin: begin as Millis }),
    ...(end === undefined ? {} : { end: end as Millis }),
  };
}

/** v2/OrderHistory: orders of all platforms by a filter. */
export async function filteredOrders(
  { deps }: Placing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/v2/OrderHistory'>,
): Promise<CallAnswer<CallResponse<'connextrade/v2/OrderHistory'>>> {
  const { limit, cursor } = request;
  const page = await deps.contracts.orders(filterOf(caller, request), {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const rows = page.rows.map(orderRow);
  return { ok: true, value: page.next === undefined ? { rows } : { rows, next: page.next } };
}

/** Sums of the same orders. */
export async function orderSums(
  { deps }: Placing,
  caller: MemberCaller,
  request: FilterRequest,
): Promise<CallAnswer<CallResponse<'connextrade/v2/OrderHistorySubTotal'>>> {
  const { orders, filled, cumQuote, realisedPnl, fees } = await deps.contracts.totals(
    filterOf(caller, request),
  );
  return {
    ok: true,
    value: {
      ...{ orders, filled, cumQuote: formatAmount(cumQuote), realisedPnl: formatAmount(realisedPnl) },
      fees: fees.map(({ asset, amount }) => ({ asset, amount: formatAmount(amount) })),
    },
  };
}

/** GetOrderRpnl: what an order on a contract realised. */
export async function orderRpnl(
  { deps }: Placing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/GetOrderRpnl'>,
): Promise<CallAnswer<CallResponse<'connextrade/GetOrderRpnl'>>> {
  const platform = platformOfType(request.platformType)?.platform ?? 1;
  const ours = parseOrderId(request.orderId);
  const order =
    ours === undefined
      ? await deps.orders.byVenueId({ user: caller.user, platform }, request.orderId as VenueOrderId, 'SWAP')
      : await deps.orders.byId(ours);
  if (order?.user !== caller.user || order.platform !== platform || order.contract === undefined)
    return refusal({ error: 'order-unknown', field: 'orderId' });
  const fills = await deps.orders.fillsOfOrder(order.id);
  const realised = fills.reduce((sum, fill) => plus(sum, fill.contract?.realisedPnl ?? ZERO), ZERO);
  const fees = fills
    .filter(({ feeAsset }) => feeAsset === order.quote)
    .reduce((sum, { fee }) => plus(sum, fee), ZERO);
  return {
    ok: true,
    value: {
      orderId: order.id,
      realisedPnl: formatAmount(realised),
      fees: formatAmount(fees),
      net: formatAmount(minus(realised, fees)),
    },
  };
}

/** GetRpnl: what contracts realised in a time, and equity now with what open positions would realise. */
export async function realisedOf(
  { deps }: Placing,
  caller: MemberCaller,
  request: CallRequest<'connexfunding/GetRpnl'>,
): Promise<CallAnswer<CallResponse<'connexfunding/GetRpnl'>>> {
  const { begin, end } = request;
  const total = await deps.contracts.realised(caller.user, begin as Millis, end as Millis);
  const wallets = await deps.equity(caller);
  const open = await Promise.all(
    PLATFORMS.map(({ platform }) => deps.contracts.stated({ user: caller.user, platform })),
  );
  const unrealised = open
    .flat()
    .filter(({ quantity }) => quantity !== 0n)
    .reduce((sum, { unrealisedPnl }) => plus(sum, unrealisedPnl), ZERO);
  return {
    ok: true,
    value: { totalRpnl: formatAmount(total), equity: formatAmount(plus(wallets, unrealised)) },
  };
}

import type { CallAnswer, CallRequest, CallResponse, MemberCaller, Refusal } from '@crossbook/contract';
import {
  formatAmount,
  type Millis,
  minus,
  ORDER_STATUS,
  PLATFORMS,
  platformFacts,
  platformOfType,
  plus,
  ZERO,
} from '@crossbook/domain';
import type { OrderFilter } from '../contract-store.ts';
import type { StoredOrder } from '../order.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { ID_OF_SEVERAL, orderNamed, pastOrders } from '../orders/order-queries.ts';
import type { Placing } from '../orders/place-order.ts';
import { refusal } from '../ports.ts';
import { reportedRefusal } from '../venue-refusal.ts';

/** So many orders of an exchange are asked for at once: fewer than one member may have waiting there. */
const CANCELS_AT_ONCE = 8;
/** What could not be asked for by then is left to the next press: somebody waits for the answer. */
const CANCEL_ALL_MILLIS_MAX = 10_000;

/** What an exchange itself refuses is asked for so often, and so far apart. */
const TRIES_MAX = 3;
const TRY_AGAIN_MILLIS = 1_000;

/** What contracts are settled in, and equity is told in. */
const SETTLED_IN = 'USDT';

type CancelRow = CallResponse<'connextrade/CancelAll'>[number];

/**
 * CancelAll: every open order that is meant is asked to end; what became of each is told. Exchanges side by side, and the
 * orders of each as fast as it lets us ask.
 */
export async function cancelAll(
  placing: Placing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/CancelAll'>,
): Promise<CallAnswer<CallResponse<'connextrade/CancelAll'>>> {
  const { platformType, tinstType, symbol } = request;
  const asked = PLATFORMS.filter(
    (facts) => platformType === undefined || facts.platformType === platformType,
  );
  const only = {
    ...(symbol === undefined ? {} : { symbol }),
    ...(tinstType === undefined
      ? {}
      : { symbolType: tinstType === 1 ? ('SPOT' as const) : ('SWAP' as const) }),
  };
  const endsAt = placing.deps.clock() + CANCEL_ALL_MILLIS_MAX;
  const rows = await Promise.all(
    asked.map(async ({ platform }) => {
      const open = await placing.deps.orders.openOf(caller.user, platform, only);
      return fewAtOnce(open, (order) => cancelOne(placing, caller, { order, endsAt }));
    }),
  );
  return { ok: true, value: rows.flat() };
}

/** Asks for one to end; again where there was no room for the question, as long as there is time. */
async function cancelOne(
  placing: Placing,
  caller: MemberCaller,
  { order: { id, platform }, endsAt }: { readonly order: StoredOrder; readonly endsAt: number },
): Promise<CancelRow> {
  const { platformType } = platformFacts(platform);
  for (let tries = 1; ; tries += 1) {
    const cancelled = await cancelOrder(placing, caller, { platformType, orderId: id });
    if (cancelled.ok) {
      const outcome = cancelled.value.status === ORDER_STATUS.CANCELLED ? 'cancelled' : 'pending';
      return { orderId: id, outcome, order: cancelled.value, reason: null, venueCode: null };
    }
    const waitMillis = againAfter(cancelled.code, tries);
    if (waitMillis === undefined || placing.deps.clock() + waitMillis >= endsAt) {
      return { orderId: id, outcome: 'refused', order: null, ...reportedRefusal(cancelled.code, caller) };
    }
    await new Promise<void>((resolve) => placing.deps.timers.after(waitMillis, resolve));
  }
}

/** How long until it may be asked again; `undefined` where that would change nothing. */
function againAfter({ error, allowed }: Refusal, tries: number): number | undefined {
  if (error === 'venue-budget') return Number(allowed) * 1_000;
  // The exchange may have counted more in its second than we did in ours.
  return error === 'venue-refused' && tries < TRIES_MAX ? TRY_AGAIN_MILLIS : undefined;
}

/** Works on all, a few at a time, and keeps their order. */
async function fewAtOnce<Item, Outcome>(
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = items.entries();
  const one = async (): Promise<void> => {
    for (const [at, item] of waiting) outcomes[at] = await work(item);
  };
  await Promise.all(Array.from({ length: CANCELS_AT_ONCE }, one));
  return outcomes;
}

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
  return { ok: true, value: await pastOrders(deps, page) };
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
  const asked = { id: request.orderId, among: ({ contract }: StoredOrder) => contract !== undefined };
  const order = await orderNamed(deps, { user: caller.user, platform }, asked);
  if (order === 'several') return refusal(ID_OF_SEVERAL);
  if (order?.contract === undefined) return refusal({ error: 'order-unknown', field: 'orderId' });
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
  // What a wallet is short of at its exchange, which no wallet here can show.
  const owed = await Promise.all(
    PLATFORMS.map(({ platform }) => deps.contracts.debts({ user: caller.user, platform })),
  );
  const debts = owed
    .flatMap((of) => [...of])
    .filter(([asset]) => asset === SETTLED_IN)
    .reduce((sum, [, debt]) => plus(sum, debt), ZERO);
  const equity = minus(plus(wallets, unrealised), debts);
  return { ok: true, value: { totalRpnl: formatAmount(total), equity: formatAmount(equity) } };
}

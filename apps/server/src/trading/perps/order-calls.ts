import type {
  CallAnswer,
  CallRequest,
  CallResponse,
  MemberCaller,
  OrderRow,
  Refusal,
} from '@crossbook/contract';
import {
  formatAmount,
  type Millis,
  minus,
  ORDER_STATUS,
  PLATFORMS,
  type Platform,
  platformFacts,
  platformOfType,
  plus,
  ZERO,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { CancelOutcome } from '@crossbook/venues/trading';
import type { OrderFilter } from '../contract-store.ts';
import { fewAtOnce } from '../few-at-once.ts';
import type { StoredOrder } from '../order.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { cancelAtVenue, nameAtVenue, type Whereabouts } from '../orders/lookup.ts';
import { ID_OF_SEVERAL, orderNamed, pastOrders } from '../orders/order-queries.ts';
import type { Placing } from '../orders/place-order.ts';
import { refusal } from '../ports.ts';
import { reportedRefusal } from '../venue-refusal.ts';

/** So many calls, and orders in them, are under way at an exchange: fewer than one member may have waiting there. */
const UNDER_WAY_MAX = { calls: 8, orders: 40 };
/** What could not be asked for by then is left to the next press: somebody waits for the answer. */
const CANCEL_ALL_MILLIS_MAX = 10_000;
/** Cancels that go together wait so long for the next one; what is held up for longer goes later. */
const GATHER_MILLIS_MAX = 500;

/** What an exchange itself refuses is asked for so often, and so far apart. */
const TRIES_MAX = 3;
const TRY_AGAIN_MILLIS = 1_000;

/** What contracts are settled in, and equity is told in. */
const SETTLED_IN = 'USDT';

type CancelRow = CallResponse<'connextrade/CancelAll'>[number];

/**
 * CancelAll: every open order that is meant is asked to end; what became of each is told. Exchanges side by side, the orders
 * of each as fast as it lets us ask, and as many of one market by one call as it takes.
 */
export async function cancelAll(
  placing: Placing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/CancelAll'>,
): Promise<CallAnswer<CallResponse<'connextrade/CancelAll'>>> {
  const { platformType, tinstType, symbol, orderIds } = request;
  const named = orderIds === undefined ? undefined : new Set<string>(orderIds);
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
      const all = await placing.deps.orders.openOf(caller.user, platform, only);
      const open = named === undefined ? all : all.filter(({ id }) => named.delete(id));
      const groups = groupsOf(platform, open);
      const largest = Math.max(1, ...groups.map(({ length }) => length));
      const atOnce = Math.min(UNDER_WAY_MAX.calls, Math.max(1, Math.floor(UNDER_WAY_MAX.orders / largest)));
      return fewAtOnce(groups, atOnce, (orders) => cancelGroup(placing, caller, { orders, endsAt }));
    }),
  );
  const over = [...(named ?? [])].map((id) =>
    rowOf(caller, id, refusal({ error: 'order-final', field: 'orderIds' })),
  );
  return { ok: true, value: [...rows.flat(2), ...over] };
}

/** Orders of one market each, as many as the exchange cancels by one call. */
function groupsOf(platform: Platform, orders: readonly StoredOrder[]): readonly (readonly StoredOrder[])[] {
  const { cancelsAtOnce } = venueProfile(platform).trading;
  const markets = Map.groupBy(orders, ({ symbolType, symbol }) => `${symbolType} ${symbol}`);
  return [...markets.values()].flatMap((ofMarket) => {
    const size = cancelsAtOnce[ofMarket[0]?.symbolType ?? 'SPOT'];
    const groups = Math.ceil(ofMarket.length / size);
    return Array.from({ length: groups }, (_group, at) => ofMarket.slice(at * size, (at + 1) * size));
  });
}

/** Asks for those of a group to end; again where there was no room for the question, as long as there is time. */
async function cancelGroup(
  placing: Placing,
  caller: MemberCaller,
  { orders, endsAt }: { readonly orders: readonly StoredOrder[]; readonly endsAt: number },
): Promise<readonly CancelRow[]> {
  const rows: CancelRow[] = [];
  let left = orders;
  for (let tries = 1; left.length > 0; tries += 1) {
    const together = new GatheredCancels(placing, left.length);
    const answers = await Promise.all(
      left.map(async (order) => ({ order, cancelled: await together.cancel(caller, order) })),
    );
    const again: StoredOrder[] = [];
    let waitMillis = 0;
    for (const { order, cancelled } of answers) {
      const millis = cancelled.ok ? undefined : againAfter(cancelled.code, tries);
      if (millis === undefined || placing.deps.clock() + millis >= endsAt)
        rows.push(rowOf(caller, order.id, cancelled));
      else {
        again.push(order);
        waitMillis = Math.max(waitMillis, millis);
      }
    }
    left = again;
    if (left.length > 0) await new Promise<void>((resolve) => placing.deps.timers.after(waitMillis, resolve));
  }
  return rows;
}

function rowOf(caller: MemberCaller, orderId: string, cancelled: CallAnswer<OrderRow>): CancelRow {
  if (!cancelled.ok)
    return { orderId, outcome: 'refused', order: null, ...reportedRefusal(cancelled.code, caller) };
  const outcome = cancelled.value.status === ORDER_STATUS.CANCELLED ? 'cancelled' : 'pending';
  return { orderId, outcome, order: cancelled.value, reason: null, venueCode: null };
}

interface ReadyCancel {
  readonly where: Whereabouts;
  readonly order: StoredOrder;
  answer(outcome: Promise<CancelOutcome>): void;
}

/**
 * Cancels of one market that go to the exchange by one call: each does by itself what a cancel does, and waits for the others
 * before the exchange is asked. Who is held up goes with those that come later.
 */
class GatheredCancels {
  readonly #placing: Placing;
  #ready: ReadyCancel[] = [];
  #missing: number;
  #cancelTimer: () => void = () => undefined;

  constructor(placing: Placing, size: number) {
    this.#placing = placing;
    this.#missing = size;
  }

  /** Cancels one of them. */
  async cancel(caller: MemberCaller, { id, platform }: StoredOrder): Promise<CallAnswer<OrderRow>> {
    const { platformType } = platformFacts(platform);
    let asked = false;
    const ask = (where: Whereabouts, order: StoredOrder): Promise<CancelOutcome> => {
      asked = true;
      return new Promise((answer) => {
        this.#ready.push({ where, order, answer });
        this.#arrived();
      });
    };
    try {
      return await cancelOrder(this.#placing, caller, { platformType, orderId: id }, ask);
    } finally {
      if (!asked) this.#arrived();
    }
  }

  #arrived(): void {
    this.#missing -= 1;
    this.#cancelTimer();
    if (this.#missing === 0) this.#send();
    else this.#cancelTimer = this.#placing.deps.timers.after(GATHER_MILLIS_MAX, () => this.#send());
  }

  #send(): void {
    const together = this.#ready;
    this.#ready = [];
    const [first, ...others] = together;
    if (first === undefined) return;
    const { where, order, answer } = first;
    if (others.length === 0) {
      answer(cancelAtVenue(where, order));
      return;
    }
    const names = together.map((one) => nameAtVenue(one.order));
    const outcomes = where.venue.cancelSeveral(where.credentials, where.instrument, names);
    for (const [at, one] of together.entries())
      one.answer(outcomes.then((all) => all[at] ?? { outcome: 'unknown', why: 'no answer about it' }));
  }
}

/** How long until it may be asked again; `undefined` where that would change nothing. */
function againAfter({ error, allowed }: Refusal, tries: number): number | undefined {
  if (error === 'venue-budget') return Number(allowed) * 1_000;
  // The exchange may have counted more in its second than we did in ours.
  return error === 'venue-refused' && tries < TRIES_MAX ? TRY_AGAIN_MILLIS : undefined;
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

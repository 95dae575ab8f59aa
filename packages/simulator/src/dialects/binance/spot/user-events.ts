import type { Amount, Millis } from '@crossbook/domain';
import type { ExchangeListener, SimBalance, SimOrder } from '../../../exchange.ts';
import type { OrderUpdate } from '../../wire/order-update.ts';
import type { Desk } from '../endpoint.ts';
import type { MarketFormatBook } from '../format.ts';
import { formatDecimal, ZERO_TEXT } from '../format.ts';
import { listStatus } from './order-list-shapes.ts';
import { expiryReason, isWorking, listIdOf, timeInForce, typeWord, workingTime } from './order-shapes.ts';

/** The client ids of a report: `c` is the order's, or the cancel's; `C` is then the order's. */
function clientIds(update: OrderUpdate, oldClientId: string | undefined): { c: string; C: string } {
  const { order } = update;
  if (update.cause === 'CANCELED') return { c: update.cancelClientId ?? order.clientId, C: order.clientId };
  if (update.cause === 'REPLACED') return { c: order.clientId, C: oldClientId ?? order.clientId };
  return { c: order.clientId, C: '' };
}

/** `executionReport`. */
function executionReport(
  book: MarketFormatBook,
  update: OrderUpdate,
  at: { readonly now: Millis; readonly executionId: number; readonly oldClientId: string | undefined },
): object {
  const { order, fill, cause } = update;
  const format = book.of(order.symbol);
  const ids = clientIds(update, at.oldClientId);
  return {
    e: 'executionReport',
    E: at.now,
    s: order.symbol,
    c: ids.c,
    S: order.side,
    o: typeWord(order),
    f: timeInForce(order),
    q: format.size(order.quantity ?? order.executed),
    p: order.price === undefined ? ZERO_TEXT : format.price(order.price),
    P: order.trigger?.price === undefined ? ZERO_TEXT : format.price(order.trigger.price),
    F: order.visible === undefined ? ZERO_TEXT : format.size(order.visible),
    g: listIdOf(order),
    C: ids.C,
    // One that fires is reported as new again, now working.
    x: cause === 'TRIGGERED' ? 'NEW' : cause,
    X: order.status,
    r: 'NONE',
    i: order.orderId,
    l: fill === undefined ? ZERO_TEXT : format.size(fill.quantity),
    z: format.size(order.executed),
    L: fill === undefined ? ZERO_TEXT : format.price(fill.price),
    n: fill === undefined ? '0' : formatDecimal(fill.fee),
    N: fill === undefined ? null : fill.feeAsset,
    T: fill?.time ?? order.updatedAt,
    t: fill?.tradeId ?? -1,
    I: at.executionId,
    w: isWorking(order),
    m: fill?.maker ?? false,
    M: fill !== undefined,
    O: order.createdAt,
    Z: formatDecimal(order.executedQuote),
    Y: fill === undefined ? ZERO_TEXT : formatDecimal(fill.quoteQuantity),
    Q: order.quoteQuantity === undefined ? ZERO_TEXT : formatDecimal(order.quoteQuantity),
    ...(workingTime(order) === -1 ? {} : { W: workingTime(order) }),
    V: order.selfTradePrevention,
    ...conditionalFields(order),
  };
}

/** What only some reports have (Conditional Fields in Execution Report, user-data-stream.md). */
function conditionalFields(order: SimOrder): object {
  const { trigger, trailing } = order;
  const reason = expiryReason(order);
  return {
    ...(trigger?.trailingBips === undefined ? {} : { d: trigger.trailingBips, D: trailing?.since ?? -1 }),
    ...(reason === undefined ? {} : { eR: reason }),
  };
}

/** `outboundAccountPosition`: the assets that may have changed. */
function accountPosition(now: Millis, balances: readonly SimBalance[]): object {
  return {
    e: 'outboundAccountPosition',
    E: now,
    u: now,
    B: balances.map(({ asset, free, locked }) => ({
      a: asset,
      f: formatDecimal(free),
      l: formatDecimal(locked),
    })),
  };
}

/** `balanceUpdate`: a deposit, withdrawal or transfer. */
function balanceUpdate(now: Millis, delta: { asset: string; amount: Amount }): object {
  return { e: 'balanceUpdate', E: now, a: delta.asset, d: formatDecimal(delta.amount), T: now };
}

/** Puts what happens on accounts into Binance's words, for those who listen. */
export function userEvents(desk: Pick<Desk, 'exchange' | 'format' | 'userStreams'>): ExchangeListener {
  const { exchange, format, userStreams } = desk;
  return {
    onOrder: (update) => {
      const executionId = userStreams.nextExecutionId();
      const { account, orderId } = update.order;
      if (!userStreams.isHeard(account)) return;
      const oldClientId = userStreams.oldClientId(orderId);
      userStreams.tell(
        account,
        executionReport(format, update, { now: exchange.now(), executionId, oldClientId }),
      );
    },
    onOrderList: ({ cause, orders }) => {
      const account = orders[0]?.account;
      if (account !== undefined && userStreams.isHeard(account))
        userStreams.tell(account, listStatus(orders, cause, exchange.now()));
    },
    onBalances: (account, balances, delta) => {
      if (!userStreams.isHeard(account)) return;
      const now = exchange.now();
      if (delta !== undefined) userStreams.tell(account, balanceUpdate(now, delta));
      if (balances.length > 0) userStreams.tell(account, accountPosition(now, balances));
    },
  };
}

import {
  type Amount,
  formatAmount,
  isFinal,
  type Millis,
  minus,
  ORDER_STATUS,
  plus,
  SIDE,
  type VenueFill,
  type VenueOrderId,
  type VenueTradeId,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import { onVenueEvent, recordProgress } from './on-venue-event.ts';
import type { OperatorAnswer, OperatorRequest } from './operator-store.ts';
import type { StoredOrder } from './order.ts';
import { orderEvidence } from './order-intent.ts';
import type { TradingDeps } from './ports.ts';
import { costOf, restOfHold } from './settle.ts';

/** What an asset stands at, in the ledger or at the venue. */
interface Figures {
  readonly total: Amount;
  readonly free: Amount;
}

/**
 * Ends an order on an operator's word. In the order's lane. Refused with real money, while a rule can still decide, and
 * where the member would afterwards have more than lies in the account at the venue.
 */
export async function resolveOrder(
  deps: TradingDeps,
  request: OperatorRequest,
  realMoney: boolean,
): Promise<OperatorAnswer> {
  const order = await deps.orders.byId(request.orderId);
  if (order === undefined) return { outcome: 'refused', answer: 'there is no such order', evidence: {} };
  const known = { order: orderEvidence(order) };
  const refused = (answer: string, more = {}): OperatorAnswer => {
    return { outcome: 'refused', answer, evidence: { ...known, ...more } };
  };
  if (realMoney) return refused('with real money two people must sign, and that is not possible yet');
  const mark = `operator request ${request.id}`;
  // Ended by this very request, and stopped before the answer was written.
  if (order.settled && order.reason?.startsWith(mark) === true)
    return { outcome: 'done', answer: 'the order has ended', evidence: known };
  if (order.settled) return refused('the order has ended already');
  const undecided = await ruleMayDecide(deps, order);
  if (undecided !== undefined) return refused(undecided);
  const balances = await figuresOf(deps, order);
  if (balances === undefined) return refused('the balances at the exchange cannot be read');
  const fill = fillOf(request, order, deps.clock());
  const beyond = beyondTheVenue(order, fill, balances);
  const seen = { balances: textOf(balances) };
  if (beyond !== undefined) return refused(beyond, seen);
  const reason = `${mark}: ${request.reason}`;
  if (fill !== undefined) await bookFill(deps, order, fill);
  await end(deps, await current(deps, order), reason);
  return { outcome: 'done', answer: 'the order has ended', evidence: { ...known, ...seen } };
}

async function current(deps: TradingDeps, order: StoredOrder): Promise<StoredOrder> {
  return (await deps.orders.byId(order.id)) ?? order;
}

/** Why the order's own rules, not a person, decide about it now; `undefined` when they cannot. */
async function ruleMayDecide(deps: TradingDeps, order: StoredOrder): Promise<string | undefined> {
  if (order.status !== ORDER_STATUS.UNKNOWN && !isFinal(order.status)) return 'its outcome is not in doubt';
  const { fenceClosesAt, venueOrderId } = order;
  if (venueOrderId === undefined && (fenceClosesAt === undefined || deps.clock() <= fenceClosesAt))
    return 'a request of it may still arrive at the exchange';
  if (await deps.transferMoving(order)) return 'a transfer to or from this exchange is under way';
  const others = await deps.orders.unsettledOf(order);
  const moving = others.filter(({ id, status }) => id !== order.id && status === ORDER_STATUS.NEW);
  if (moving.length > 0) return 'another order is being sent';
  const desk = deps.venue(order.platform);
  const account = await deps.accounts.find(order.user, order.platform);
  const instrument = deps.market.instrument(order.platform, order.symbolType, order.symbol);
  if (desk === undefined || account.state !== 'ready') return 'the exchange cannot be asked';
  // Not listed any more: nobody can ask for the order, and the balances alone decide.
  if (instrument === undefined) return undefined;
  const found = await desk.trading.find(account.credentials, instrument, venueClientId(order.id));
  if (found.outcome === 'found') return 'the exchange knows the order: it settles by itself';
  return found.outcome === 'unknown' ? `the exchange gave no clear answer: ${found.why}` : undefined;
}

/** Ledger and venue, by asset of the order. */
type Both = ReadonlyMap<string, { readonly ledger: Figures; readonly venue: Figures }>;

async function figuresOf(deps: TradingDeps, order: StoredOrder): Promise<Both | undefined> {
  const account = await deps.accounts.find(order.user, order.platform);
  const desk = deps.venue(order.platform);
  if (account.state !== 'ready' || desk === undefined) return undefined;
  const read = await desk.trading.balances(account.credentials);
  if (!read.ok) return undefined;
  const wallet = await deps.ledger.tradingBalances(order.user, order.platform);
  const both = [order.base, order.quote].map((asset) => {
    const ours = wallet.find((row) => row.asset === asset);
    const theirs = read.value.find((row) => row.asset === asset);
    const free = theirs?.free ?? ZERO;
    const venue = { total: plus(free, theirs?.locked ?? ZERO), free };
    return [asset, { ledger: { total: ours?.total ?? ZERO, free: ours?.available ?? ZERO }, venue }] as const;
  });
  return new Map(both);
}

function textOf(both: Both): Readonly<Record<string, unknown>> {
  const text = ({ total, free }: Figures) => ({ total: formatAmount(total), free: formatAmount(free) });
  return Object.fromEntries(
    [...both].map(([asset, { ledger, venue }]) => [asset, { ledger: text(ledger), venue: text(venue) }]),
  );
}

function fillOf(request: OperatorRequest, order: StoredOrder, time: Millis): VenueFill | undefined {
  if (request.filled === undefined) return undefined;
  const { quantity, quoteQuantity } = request.filled;
  return {
    ...{ quantity, quoteQuantity, time, fee: ZERO, feeAsset: order.quote, maker: false },
    price: ((quoteQuantity * 10n ** 18n) / quantity) as Amount,
    tradeId: `operator ${request.id}` as VenueTradeId,
    venueOrderId: venueIdOf(order),
  };
}

function venueIdOf(order: StoredOrder): VenueOrderId {
  return order.venueOrderId ?? (`unknown ${order.id}` as VenueOrderId);
}

/** Why the member would have more than the account at the venue; `undefined` when it covers everything. */
function beyondTheVenue(order: StoredOrder, fill: VenueFill | undefined, both: Both): string | undefined {
  const cost = fill === undefined ? ZERO : costOf(order, fill);
  const held = restOfHold(order, [{ quantity: order.cumQuantity, quoteQuantity: order.cumQuote }]);
  if (cost > held) return 'it would cost more than is held for it';
  if (fill !== undefined && order.quantity !== undefined)
    if (plus(order.cumQuantity, fill.quantity) > order.quantity) return 'that is more than was ordered';
  const [paid, got] = order.side === SIDE.BUY ? [order.quote, order.base] : [order.base, order.quote];
  const arrived = order.side === SIDE.BUY ? fill?.quantity : fill?.quoteQuantity;
  const after = (asset: string) => {
    const { ledger } = both.get(asset) ?? { ledger: { total: ZERO, free: ZERO } };
    if (asset === paid)
      return { total: minus(ledger.total, cost), free: plus(ledger.free, minus(held, cost)) };
    const more = asset === got ? (arrived ?? ZERO) : ZERO;
    return { total: plus(ledger.total, more), free: plus(ledger.free, more) };
  };
  for (const [asset, { venue }] of both) {
    const { total, free } = after(asset);
    if (venue.total < total || venue.free < free)
      return `the account at the exchange has less ${asset} than the member would have`;
  }
  return undefined;
}

/** What the order executed, as far as a person could find out; booked like any fill. */
async function bookFill(deps: TradingDeps, order: StoredOrder, fill: VenueFill): Promise<void> {
  await onVenueEvent(deps, order.id, {
    state: {
      ...{ clientId: venueClientId(order.id), venueOrderId: venueIdOf(order), symbol: order.symbol },
      ...{ status: ORDER_STATUS.PARTIALLY_FILLED, time: fill.time },
      cumulativeQuantity: plus(order.cumQuantity, fill.quantity),
      cumulativeQuote: plus(order.cumQuote, fill.quoteQuantity),
    },
    fills: [fill],
    barrier: false,
  });
}

async function end(deps: TradingDeps, order: StoredOrder, reason: string): Promise<void> {
  const { FAIL, FILLED, CANCELLED } = ORDER_STATUS;
  const traded = order.cumQuantity > 0n || order.venueOrderId !== undefined;
  const whole = order.cumQuantity === order.quantity ? FILLED : CANCELLED;
  const status = isFinal(order.status) ? order.status : traded ? whole : FAIL;
  await recordProgress(deps, order, { status, settled: true, reason });
}

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
  ZERO,
} from '@crossbook/domain';
import type { CompanionWrite, LedgerCommand } from '@crossbook/ledger';
import { announce } from '../booking/announce.ts';
import { commitWithRows, storedFill } from '../booking/booked-rows.ts';
import { costOf, endOfHold, fillCommands, paymentByRule, restOfHold } from '../booking/settle.ts';
import type { OperatorAnswer, OperatorRequest } from '../operator-store.ts';
import type { StoredOrder } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { findAtVenue } from './lookup.ts';
import { orderEvidence } from './order-intent.ts';

/** What an asset stands at, in the ledger or at the venue. */
interface Stats {
  readonly total: Amount;
  readonly free: Amount;
}

/** What a request comes to: the answer, and how its order ends where it does. */
interface Decision {
  readonly answer: OperatorAnswer;
  readonly ends?: Ending;
}

interface Ending {
  readonly order: StoredOrder;
  readonly after: StoredOrder;
  readonly fill?: VenueFill;
}

/**
 * Ends an order on an operator's word, or refuses to. In the order's lane. With real money only what two people signed is
 * done. Refused while a rule can still decide, and where the member would afterwards have more than lies in the account at the venue. The order's end, its money
 * and the audit row are one unit of the ledger: whatever breaks, there are all of them or none.
 * @throws Error when the unit was not written, as far as anybody knows; a request that still waits is decided again.
 */
export async function resolveOrder(deps: TradingDeps, request: OperatorRequest): Promise<OperatorAnswer> {
  const { answer, ends } = await decided(deps, request);
  const commands = ends === undefined ? [] : endCommands(ends);
  const rows = ends === undefined ? [] : endRows(deps, ends);
  const audit = deps.operator.store.answered(request, answer, deps.clock());
  deps.crash('before-post');
  const committed = await commitWithRows(deps, { commands, writes: [...rows, audit] });
  if (!committed.ok) throw new Error(`operator request ${request.id}: ${committed.code}`);
  deps.crash('after-post');
  if (ends !== undefined) {
    const { order, after, fill } = ends;
    announce(deps, after, fill === undefined ? [] : [storedFill(order, fill)]);
  }
  return answer;
}

async function decided(deps: TradingDeps, request: OperatorRequest): Promise<Decision> {
  const refused = (answer: string, evidence = {}): Decision => {
    return { answer: { outcome: 'refused', answer, evidence } };
  };
  const order = await deps.orders.byId(request.orderId);
  const known = order === undefined ? {} : { order: orderEvidence(order) };
  if (deps.operator.realMoney && !request.signedByTwo)
    return refused(
      'with real money two people must sign: ask for it at /admin, on the page of incidents',
      known,
    );
  if (order === undefined) return refused('there is no such order');
  // A contract moves no asset of its own, which every rule below relies on.
  if (order.contract !== undefined)
    return refused('an order on a contract is not resolved by hand: the exchange lists what it moved', known);
  if (order.settled) return refused('the order has ended already', known);
  // What was asked for is beyond what was booked then: booked meanwhile, it would count twice.
  const { seen } = request;
  if (seen !== undefined && (seen.quantity !== order.cumQuantity || seen.quoteQuantity !== order.cumQuote))
    return refused('more of it was booked since this was asked for: look again', known);
  const undecided = await ruleMayDecide(deps, order);
  if (undecided !== undefined) return refused(undecided, known);
  const balances = await balancesOf(deps, order);
  if (balances === undefined) return refused('the balances at the exchange cannot be read', known);
  const fill = fillOf(request, order, deps.clock());
  const beyond = beyondTheVenue(order, fill, balances);
  const evidence = { ...known, balances: textOf(balances) };
  if (beyond !== undefined) return refused(beyond, evidence);
  const ending = { order, after: endOf(deps, request, { order, fill }) };
  return {
    answer: { outcome: 'done', answer: 'the order has ended', evidence },
    ends: fill === undefined ? ending : { ...ending, fill },
  };
}

/** Why the order's own rules, not a person, decide about it now; `undefined` when they cannot. */
async function ruleMayDecide(deps: TradingDeps, order: StoredOrder): Promise<string | undefined> {
  if (order.status !== ORDER_STATUS.UNKNOWN && !isFinal(order.status)) return 'its outcome is not in doubt';
  const { deadlineAt, venueOrderId } = order;
  if (venueOrderId === undefined && (deadlineAt === undefined || deps.clock() <= deadlineAt))
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
  const found = await findAtVenue({ ...account, venue: desk.trading, instrument }, order);
  if (found.outcome === 'found') return 'the exchange knows the order: it settles by itself';
  return found.outcome === 'unknown' ? `the exchange gave no clear answer: ${found.why}` : undefined;
}

/** Ledger and venue, by asset of the order. */
type Both = ReadonlyMap<string, { readonly ledger: Stats; readonly venue: Stats }>;

async function balancesOf(deps: TradingDeps, order: StoredOrder): Promise<Both | undefined> {
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
  const text = ({ total, free }: Stats) => ({ total: formatAmount(total), free: formatAmount(free) });
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
  const held = heldFor(order);
  if (cost > held) return 'it would cost more than is held for it';
  if (fill !== undefined && order.quantity !== undefined)
    if (plus(order.cumQuantity, fill.quantity) > order.quantity) return 'that is more than was ordered';
  const [paid, got] = order.side === SIDE.BUY ? [order.quote, order.base] : [order.base, order.quote];
  const arrived = order.side === SIDE.BUY ? fill?.quantity : fill?.quoteQuantity;
  // A shared hold is ended by its algo order.
  const freed = order.sharesHold === true ? ZERO : minus(held, cost);
  const after = (asset: string) => {
    const { ledger } = both.get(asset) ?? { ledger: { total: ZERO, free: ZERO } };
    if (asset === paid) return { total: minus(ledger.total, cost), free: plus(ledger.free, freed) };
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

/** The order as it stands once it has ended, with what a person could find out of what it executed. */
function endOf(
  deps: TradingDeps,
  request: OperatorRequest,
  { order, fill }: { readonly order: StoredOrder; readonly fill: VenueFill | undefined },
): StoredOrder {
  const { FAIL, FILLED, CANCELLED } = ORDER_STATUS;
  const cumQuantity = plus(order.cumQuantity, fill?.quantity ?? ZERO);
  const cumQuote = plus(order.cumQuote, fill?.quoteQuantity ?? ZERO);
  const traded = cumQuantity > 0n || order.venueOrderId !== undefined;
  const whole = cumQuantity === order.quantity ? FILLED : CANCELLED;
  const status = isFinal(order.status) ? order.status : traded ? whole : FAIL;
  const ended = { status, settled: true, cancelPending: false, cumQuantity, cumQuote };
  const reason = `operator request ${request.id}: ${request.reason}`;
  return { ...order, ...ended, reason, updatedAt: deps.clock() };
}

/** What it executed is booked like any fill, out of the hold alone: more than that is refused before. */
function endCommands({ order, fill }: Ending): readonly LedgerCommand[] {
  if (fill === undefined) return endOfHold(order);
  const payment = paymentByRule(costOf(order, fill), heldFor(order));
  return [...fillCommands(order, fill, payment), ...endOfHold(order)];
}

function endRows({ orders }: TradingDeps, { order, after, fill }: Ending): readonly CompanionWrite[] {
  const progress = orders.progress(after);
  return fill === undefined ? [progress] : [orders.fill(storedFill(order, fill)), progress];
}

/** What is still held for an order, as far as its fills are booked. */
function heldFor(order: StoredOrder): Amount {
  return restOfHold(order, [{ quantity: order.cumQuantity, quoteQuantity: order.cumQuote }]);
}

import {
  AMOUNT_ONE,
  type Amount,
  type Lots,
  ok,
  type Result,
  refused,
  stepsToAmount,
  type Ticks,
} from '@crossbook/domain';
import { baseOf, quoteOf } from '../accounts/state/terms.ts';
import type {
  BandEdges,
  NewPerpOrder,
  PerpOrder,
  PerpRefusal,
  PerpSetting,
  SimPositionKey,
} from '../perp-exchange.ts';
import { isFull, isLeg } from './conditional-checks.ts';
import type { MarginRules, OrderView } from './margin/rules.ts';
import type { AccountStats } from './state/account-stats.ts';
import { legsOf } from './state/attached-stops.ts';
import { closesOnly } from './state/closing-orders.ts';
import type { ContractDesk, TakenOrder } from './state/contract-desk.ts';
import type { ContractState } from './state/contract-state.ts';
import { closableLots, positionKeyOf } from './state/reduce-only.ts';
import { leverageOf, settingOf } from './state/settings.ts';
import type { VenueHabits } from './state/venue-habits.ts';

/** What the checks look at besides the order. */
export interface CheckParts {
  readonly contracts: ContractState;
  readonly stats: AccountStats;
  readonly rules: MarginRules;
  readonly habits: VenueHabits;
}

/** An order's place: the position it changes, and as what. */
interface Placed {
  readonly setting: PerpSetting;
  readonly key: SimPositionKey;
  readonly desk: ContractDesk;
  /** The order that this one stands for, when it is amended. */
  readonly instead?: PerpOrder;
}

/** The first reason against an order, in the order in which the venues look; or the order as it is taken. */
export function takenOrder(
  order: NewPerpOrder,
  desk: ContractDesk,
  parts: CheckParts,
): Result<TakenOrder, PerpRefusal> {
  if (desk.status !== 'TRADING') return refused('MARKET_CLOSED');
  const { contracts, habits } = parts;
  const setting = settingOf(contracts.settings, habits, order.account, order);
  const { marginMode } = setting;
  if ((setting.positionMode === 'HEDGE') === (order.positionSide === 'BOTH')) {
    return refused('POSITION_SIDE_MISMATCH');
  }
  const key = positionKeyOf({ ...order, marginMode });
  const closable = closableLots(contracts, key, order.side);
  const whole = order.quantity === 'WHOLE';
  // In hedge mode side and leg decide alone; a leg that is opened reduces nothing.
  const opens = order.positionSide !== 'BOTH' && !closesOnly(order);
  if (opens && order.reduceOnly && habits.largeClose === 'CUT') return refused('REDUCE_ONLY_WOULD_GROW');
  const reduceOnly = (order.reduceOnly || whole) && !opens;
  if (whole && closable === 0) return refused('REDUCE_ONLY_NOTHING');
  const quantity = (order.quantity === 'WHOLE' ? closable : order.quantity) as Lots;
  const leverage = leverageOf(setting, order.positionSide, order.side === 'BUY');
  const taken: TakenOrder = { ...order, quantity, reduceOnly, marginMode, leverage, origin: 'MEMBER' };
  const place = { setting, key, desk };
  const filter = filterRefusal(taken, desk, { parts, whole });
  if (filter !== undefined) return refused(filter);
  if (!bracketFits(taken, desk, parts.stats)) return refused('ATTACHED_PRICE');
  const account = accountRefusal(taken, place, parts);
  if (account !== undefined) return refused(account);
  const sized = closing(taken, place, parts);
  if (!sized.ok) return sized;
  const margin = marginRefusal(sized.value, place, parts);
  if (margin !== undefined) return refused(margin);
  const takes = order.kind === 'LIMIT_MAKER' && order.whenTaking !== 'EXPIRE' && wouldTake(order, desk);
  return takes ? refused('WOULD_TAKE') : sized;
}

/** The same for an open order that gets another price or quantity (in all). */
export function amendedOrder(
  order: PerpOrder,
  to: { readonly price: Ticks; readonly quantity: Lots },
  desk: ContractDesk,
  parts: CheckParts,
): Result<TakenOrder, PerpRefusal> {
  if (desk.status !== 'TRADING') return refused('MARKET_CLOSED');
  const { fillable: _, ...rest } = order;
  const asked: TakenOrder = { ...rest, ...to };
  const filter = filterRefusal(asked, desk, { parts, whole: false });
  if (filter !== undefined) return refused(filter);
  if (to.quantity <= order.executed) return refused('LOT_SIZE');
  const left = { ...asked, quantity: (to.quantity - order.executed) as Lots };
  const setting = settingOf(parts.contracts.settings, parts.habits, order.account, order);
  const place = { setting, key: positionKeyOf(order), desk, instead: order };
  const sized = closing(left, place, parts);
  if (!sized.ok) return sized;
  const margin = marginRefusal(sized.value, place, parts);
  if (margin !== undefined) return refused(margin);
  if (order.kind === 'LIMIT_MAKER' && wouldTake(asked, desk)) return refused('WOULD_TAKE');
  const { fillable } = sized.value;
  const quantity = (sized.value.quantity + order.executed) as Lots;
  return ok({
    ...asked,
    quantity,
    ...(fillable === undefined ? {} : { fillable: (fillable + order.executed) as Lots }),
  });
}

/** What protects an order's position lies beyond the order's own price, on either side. */
export function bracketFits(
  { attached, side, price }: TakenOrder,
  desk: ContractDesk,
  stats: AccountStats,
): boolean {
  if (attached === undefined) return true;
  const from = price ?? Number(stats.mark(desk.facts.symbol)) / Number(desk.facts.tickSize);
  return legsOf(attached).every(({ purpose, leg }) => {
    const rises = (purpose === 'TAKE_PROFIT') === (side === 'BUY');
    return isLeg(leg, desk, { rises, from });
  });
}

function isStepCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function filterRefusal(
  order: TakenOrder,
  { terms, facts }: ContractDesk,
  { parts, whole }: { readonly parts: CheckParts; readonly whole: boolean },
): PerpRefusal | undefined {
  const { price, quantity, kind } = order;
  if ((kind === 'MARKET') !== (price === undefined)) return 'PRICE_FILTER';
  if (price !== undefined && (!isStepCount(price) || price > terms.ticksMax)) return 'PRICE_FILTER';
  if (price !== undefined && stepsToAmount(price, facts.tickSize) < facts.minPrice) return 'PRICE_FILTER';
  if (!isStepCount(quantity)) return 'LOT_SIZE';
  const size = baseOf(terms, quantity);
  if (!whole && (size < facts.minQty || size > facts.maxQty)) return 'LOT_SIZE';
  if (!whole && kind === 'MARKET' && size > facts.maxMarketQty) return 'MARKET_LOT_SIZE';
  const mark = parts.stats.mark(facts.symbol);
  const markTicks = Math.max(1, Number(mark / facts.tickSize)) as Ticks;
  const value = quoteOf(terms, price ?? markTicks, quantity);
  // A position may always be made smaller, however little it is worth.
  if (!closesOnly(order) && value < facts.minNotional) return 'NOTIONAL';
  return price === undefined
    ? undefined
    : bandRefusal(order.side, stepsToAmount(price, facts.tickSize), { facts, mark });
}

/** PERCENT_PRICE of contracts: around the mark. */
function bandRefusal(
  side: 'BUY' | 'SELL',
  price: Amount,
  { facts, mark }: { readonly facts: ContractDesk['facts']; readonly mark: Amount },
): PerpRefusal | undefined {
  const [up, down] =
    side === 'BUY'
      ? [facts.bidMultiplierUp, facts.bidMultiplierDown]
      : [facts.askMultiplierUp, facts.askMultiplierDown];
  const scaled = price * AMOUNT_ONE;
  return scaled <= mark * up && scaled >= mark * down ? undefined : 'PRICE_BAND';
}

/** Where the band ends that buys and sells are held against now. */
export function bandEdges({ facts }: ContractDesk, stats: Pick<AccountStats, 'mark'>): BandEdges {
  const { bidMultiplierUp, askMultiplierDown, tickSize } = facts;
  const mark = stats.mark(facts.symbol);
  const step = tickSize * AMOUNT_ONE;
  const lowest = mark * askMultiplierDown;
  return {
    highestBuy: Number((mark * bidMultiplierUp) / step) as Ticks,
    lowestSell: Number((lowest + step - 1n) / step) as Ticks,
  };
}

function accountRefusal(order: TakenOrder, { desk }: Placed, parts: CheckParts): PerpRefusal | undefined {
  const { history } = parts.contracts;
  const { account, symbol } = order;
  const mayRest = order.kind === 'LIMIT_MAKER' || (order.kind === 'LIMIT' && order.timeInForce === 'GTC');
  const full = history.openCount(account, symbol) >= desk.facts.maxOpenOrders || !desk.engine.hasRoom;
  if (mayRest && full) return 'MAX_NUM_ORDERS';
  const { attached } = order;
  const onPosition = parts.habits.attachedEnds;
  if (attached?.extent === 'PART' && isFull(parts, { account, symbol, onPosition }, legsOf(attached).length))
    return 'MAX_NUM_ORDERS';
  return history.hasOpenClientId(account, symbol, order.clientId) ? 'DUPLICATE_CLIENT_ID' : undefined;
}

/** Sizes an order that may only close to its position, or refuses it. */
function closing(order: TakenOrder, place: Placed, parts: CheckParts): Result<TakenOrder, PerpRefusal> {
  if (!closesOnly(order)) return ok(order);
  const { contracts, habits } = parts;
  const closable = closableLots(contracts, place.key, order.side);
  if (closable === 0) return refused('REDUCE_ONLY_NOTHING');
  if (order.positionSide !== 'BOTH' && habits.largeClose !== 'CUT') {
    const others = habits.largeClose === 'REFUSE_SUM' ? restingClosers(order, place, contracts) : 0;
    return order.quantity + others > closable ? refused('CLOSE_TOO_LARGE') : ok(order);
  }
  if (order.quantity <= closable) return ok(order);
  const size = closable as Lots;
  return ok(habits.excess === 'CUT' ? { ...order, quantity: size } : { ...order, fillable: size });
}

function restingClosers(order: TakenOrder, { instead }: Placed, contracts: ContractState): number {
  return contracts.history
    .open(order.account, order.symbol)
    .filter(
      (one) =>
        one.positionSide === order.positionSide &&
        one.marginMode === order.marginMode &&
        closesOnly(one) &&
        one.orderId !== instead?.orderId,
    )
    .reduce((sum, one) => sum + one.quantity - one.executed, 0);
}

function marginRefusal(order: TakenOrder, place: Placed, parts: CheckParts): PerpRefusal | undefined {
  if (closesOnly(order)) return undefined;
  const view = orderView(order, parts);
  const account = parts.stats.account(order.account, place.instead);
  if (!parts.rules.fitsTier(view, account)) return 'TIER_EXCEEDED';
  return parts.rules.cost(view, account) > parts.rules.available(account) ? 'INSUFFICIENT_MARGIN' : undefined;
}

function orderView(order: TakenOrder, { stats }: CheckParts): OrderView {
  const { price, ...rest } = order;
  return stats.orderView(price === undefined ? rest : { ...rest, price }, order.quantity);
}

/** Whether an order with a price would take at once. */
function wouldTake(order: Pick<TakenOrder, 'side' | 'price'>, { engine }: ContractDesk): boolean {
  const best = order.side === 'BUY' ? engine.bestAsk : engine.bestBid;
  const price = order.price ?? 0;
  return best >= 0 && (order.side === 'BUY' ? price >= best : price <= best);
}

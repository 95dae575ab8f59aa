import { type Amount, type Lots, type Millis, ok, type Result, refused, type Ticks } from '@crossbook/domain';
import type { AccountNumber } from '../../../../exchange.ts';
import type { PerpOrder } from '../../../../perp-exchange.ts';
import type { PerpFacts } from '../../../../venue.ts';
import { type Answer, accountOf, type Caller, type Endpoint, type Prepared } from '../../endpoint.ts';
import { type BinanceError, ERRORS, invalidData, mandatory } from '../../errors.ts';
import { BY_ID, type OrderChoice, orderRef, readOrderChoice } from '../../order-choice.ts';
import type { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract } from '../desk.ts';
import { FUTURES_ERRORS, perpRefusalError } from '../errors.ts';
import { BOTH_DOORS, BY_REST, memberEndpoint, ORDERING } from '../member-endpoint.ts';
import {
  orderRefusal,
  PRICE_WORDS,
  readFuturesDraft,
  readSide,
  SIZE_WORDS,
  stepsOf,
  toPerpOrder,
} from './order-draft.ts';
import { acknowledgedOrder, commandedOrder, limitPrice } from './order-shapes.ts';

/** The answer to a call that cancels all. */
export const ALL_CANCELLED = { code: 200, msg: 'The operation of cancel all open order is done.' };

/** The order meant; `undefined` when there is none or its two names disagree. */
export function findPerpOrder(
  desk: FuturesDesk,
  caller: Caller,
  symbol: string,
  choice: OrderChoice,
): PerpOrder | undefined {
  const order = desk.perps.perpOrder(accountOf(caller), symbol, orderRef(choice));
  if (order === undefined || order.symbol !== symbol) return undefined;
  return choice.clientId === undefined || order.clientId === choice.clientId ? order : undefined;
}

/** A new order, read; also one of a batch. */
export function preparePlace(reader: ParamReader, desk: FuturesDesk): Prepared {
  const draft = readFuturesDraft(reader, desk);
  return {
    weight: 0,
    run: async (caller) => {
      const order = toPerpOrder(draft, desk, accountOf(caller));
      if (!order.ok) return order;
      const placed = await desk.perps.placePerp(order.value);
      if (!placed.ok)
        return refused(
          orderRefusal(placed.code, { ...order.value, quantity: order.value.quantity as Lots }, desk),
        );
      const shape = draft.responseType === 'ACK' ? acknowledgedOrder : commandedOrder;
      return ok(shape(desk, placed.value.order));
    },
  };
}

function prepareTest(reader: ParamReader, desk: FuturesDesk): Prepared {
  const draft = readFuturesDraft(reader, desk);
  return {
    weight: 1,
    run: (caller) => {
      const order = toPerpOrder(draft, desk, accountOf(caller));
      if (!order.ok) return order;
      const checked = desk.perps.checkPerp(order.value);
      return checked.ok
        ? ok({})
        : refused(
            orderRefusal(checked.code, { ...order.value, quantity: order.value.quantity as Lots }, desk),
          );
    },
  };
}

/** A cancel, read. */
export function prepareCancel(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const choice = readOrderChoice(reader, BY_ID);
  return {
    weight: 1,
    run: (caller) =>
      contract === undefined ? refused(ERRORS.badSymbol) : cancelOne(desk, caller, contract.symbol, choice),
  };
}

/** Cancels one order of an account. */
export async function cancelOne(
  desk: FuturesDesk,
  caller: Caller,
  symbol: string,
  choice: OrderChoice,
): Promise<Answer> {
  const order = findPerpOrder(desk, caller, symbol, choice);
  if (order === undefined) return refused(ERRORS.unknownOrder);
  const done = await desk.perps.cancelPerp(accountOf(caller), symbol, { orderId: order.orderId });
  return done.ok ? ok(commandedOrder(desk, done.value.order)) : refused(perpRefusalError(done.code));
}

/** All that is open of a contract, one by one. */
async function cancelOpen(desk: FuturesDesk, account: AccountNumber, symbol: string): Promise<void> {
  for (const { orderId } of desk.perps.openPerpOrders(account, symbol)) {
    // An order that filled while the others were being cancelled needs no cancel.
    await desk.perps.cancelPerp(account, symbol, { orderId });
  }
}

/** Cancels all that is open of a contract unless it is asked for again in time (futures documents, "Auto-Cancel All Open Orders"). */
function prepareCountdown(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const countdown = reader.integer('countdownTime', { min: 0 });
  if (countdown === undefined) reader.refuse(mandatory('countdownTime'));
  return {
    weight: 10,
    run: (caller) => {
      if (contract === undefined || countdown === undefined) return refused(ERRORS.badSymbol);
      const { symbol } = contract;
      const account = accountOf(caller);
      const triggerTime = (desk.perps.now() + countdown) as Millis;
      const run = () => cancelOpen(desk, account, symbol);
      if (countdown === 0) desk.cancelTimers.clear({ account, part: symbol });
      else desk.cancelTimers.set({ account, part: symbol, triggerTime, run });
      return ok({ symbol, countdownTime: String(countdown) });
    },
  };
}

function prepareCancelAll(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  return {
    weight: 1,
    run: async (caller) => {
      if (contract === undefined) return refused(ERRORS.badSymbol);
      await cancelOpen(desk, accountOf(caller), contract.symbol);
      return ok(ALL_CANCELLED);
    },
  };
}

/**
 * A change of an open order, read; also one of a batch. It weighs nothing, and whatever it changes puts the order at the end
 * of its queue ("Modify Order", 2026-06).
 */
export function prepareAmend(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const choice = readOrderChoice(reader, BY_ID);
  const side = readSide(reader);
  const quantity = reader.decimal('quantity');
  if (quantity === undefined) reader.refuse(mandatory('quantity'));
  const price = reader.decimal('price');
  if (price === undefined) reader.refuse(mandatory('price'));
  return {
    weight: 0,
    run: async (caller) => {
      if (contract === undefined || quantity === undefined || price === undefined) {
        return refused(ERRORS.badSymbol);
      }
      const order = findPerpOrder(desk, caller, contract.symbol, choice);
      if (order === undefined) return refused(ERRORS.noSuchOrder);
      if (order.side !== side) return refused(invalidData('side'));
      const change = changeOf(order, contract, { price, quantity });
      return change.ok ? await amendTo(desk, order, change.value) : change;
    },
  };
}

interface Change {
  readonly price: Ticks;
  readonly quantity: Lots;
}

function changeOf(
  order: PerpOrder,
  contract: PerpFacts,
  asked: { readonly price: Amount; readonly quantity: Amount },
): Result<Change, BinanceError> {
  if (order.kind === 'MARKET') return refused(FUTURES_ERRORS.amendsLimitOnly);
  const lots = stepsOf(asked.quantity, contract.lotSize, SIZE_WORDS);
  if (!lots.ok) return lots;
  const ticks = stepsOf(asked.price, contract.tickSize, PRICE_WORDS);
  if (!ticks.ok) return ticks;
  const same = lots.value === order.quantity && ticks.value === order.price;
  if (same) return refused(FUTURES_ERRORS.amendsNothing);
  return ok({ price: ticks.value as Ticks, quantity: lots.value as Lots });
}

/** What "Modify Order" says cancels the order: a size that has filled already, a post-only order whose new price would take. */
function cancels(desk: FuturesDesk, before: PerpOrder, { price, quantity }: Change): boolean {
  if (before.executed > 0 && quantity <= before.executed) return true;
  if (before.kind !== 'LIMIT_MAKER') return false;
  const { bids, asks } = desk.perps.depth(before.symbol, 1);
  const best = (before.side === 'BUY' ? asks : bids)[0]?.[0];
  return best !== undefined && (before.side === 'BUY' ? price >= best : price <= best);
}

async function amendTo(desk: FuturesDesk, before: PerpOrder, change: Change): Promise<Answer> {
  const { account, symbol, orderId } = before;
  if (cancels(desk, before, change)) {
    const done = await desk.perps.cancelPerp(account, symbol, { orderId });
    return done.ok ? ok(commandedOrder(desk, done.value.order)) : refused(ERRORS.noSuchOrder);
  }
  const amended = await desk.perps.amendPerp(account, symbol, { orderId }, change);
  if (!amended.ok) {
    if (amended.code === 'UNKNOWN_ORDER') return refused(ERRORS.noSuchOrder);
    if (amended.code === 'UNCHANGED') return refused(FUTURES_ERRORS.amendsNothing);
    return refused(orderRefusal(amended.code, { ...before, ...change }, desk));
  }
  const { order } = amended.value;
  const size = desk.format.of(symbol).size;
  const count = desk.notes.amendments.of(account).filter((note) => note.orderId === orderId).length + 1;
  desk.notes.amendments.add(account, {
    amendmentId: desk.notes.nextAmendmentId(),
    symbol,
    pair: symbol,
    orderId,
    clientOrderId: order.clientId,
    time: order.updatedAt,
    amendment: {
      price: { before: limitPrice(desk, before), after: limitPrice(desk, { ...before, ...change }) },
      origQty: { before: size(before.quantity), after: size(change.quantity) },
      count,
    },
  });
  return ok(commandedOrder(desk, order));
}

/** Placing, changing and cancelling one order, or all of a contract. */
export const ORDER_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(ORDERING, 'order.place POST /fapi/v1/order', preparePlace),
  memberEndpoint(BY_REST, 'order.test POST /fapi/v1/order/test', prepareTest),
  memberEndpoint(BOTH_DOORS, 'order.cancel DELETE /fapi/v1/order', prepareCancel),
  memberEndpoint(ORDERING, 'order.modify PUT /fapi/v1/order', prepareAmend),
  memberEndpoint(BY_REST, 'openOrders.cancelAll DELETE /fapi/v1/allOpenOrders', prepareCancelAll),
  memberEndpoint(BY_REST, 'openOrders.countdown POST /fapi/v1/countdownCancelAll', prepareCountdown),
];

import { type Amount, type Lots, refused, type Ticks } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpOrder } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { type Answer, accountOf, type Caller, type Desk, type Run, reply } from '../endpoint.ts';
import { ERRORS, missing } from '../errors.ts';
import { linearContracts } from '../market/instruments.ts';
import { readOrderChoice } from '../order-choice.ts';
import { isEnded, readNarrowed, refuseUnnarrowed } from '../order-lists.ts';
import type { ParamReader } from '../params.ts';
import { findContractOrder } from './find-order.ts';
import { linkIdOf, NO_LINK_ID } from './link-ids.ts';
import {
  type ContractDraft,
  lotsOf,
  orderRefusal,
  readContractDraft,
  ticksOf,
  toPerpOrder,
} from './order-draft.ts';
import { LINEAR, notHere } from './refusals.ts';
import { readTraded } from './traded.ts';

const LINK_ID_LETTERS = 19;

function named(desk: Desk, order: PerpOrder): { readonly orderId: string; readonly orderLinkId: string } {
  return {
    orderId: desk.numbers.linear.orderId(order.symbol, order.orderId),
    orderLinkId: linkIdOf(order),
  };
}

/** Places an order. What comes back only acknowledges it; how it stands is told by the stream and the lists. */
async function placeOne(desk: Desk, caller: Caller, draft: ContractDraft): Promise<Answer> {
  const { contract, linkId } = draft;
  if (contract === undefined) return refused(ERRORS.badSymbol);
  const account = accountOf(caller);
  const clientId = linkId ?? NO_LINK_ID + desk.randomText(LINK_ID_LETTERS);
  // A client's id is used once, and not again when its order has ended. Between here and the core nothing else runs.
  const known =
    linkId !== undefined &&
    findContractOrder(desk, account, undefined, { orderId: undefined, orderLinkId: linkId }) !== undefined;
  if (known) return refused(LINEAR.duplicateLinkId);
  const order = toPerpOrder(draft, contract, { account, clientId });
  if (!order.ok) return order;
  const placed = await desk.venue.perps.placePerp(order.value);
  if (placed.ok) return reply(named(desk, placed.value.order));
  return refused(orderRefusal(placed.code, order.value.quantity, contract));
}

/** Reads and places one order. */
export function placeContractOrder(reader: ParamReader, desk: Desk): Run {
  const draft = readContractDraft(reader, desk);
  return (caller) => placeOne(desk, caller, draft);
}

/** Cancels one order. One that has ended is no longer there, as it is unknown. */
export function cancelContractOrder(reader: ParamReader, desk: Desk): Run {
  const contract = readTraded(reader, desk);
  const choice = readOrderChoice(reader, true);
  return async (caller) => {
    const account = accountOf(caller);
    const order = findContractOrder(desk, account, contract, choice);
    if (order === undefined || isEnded(order)) return refused(LINEAR.noSuchOrder);
    const { symbol, orderId } = order;
    const cancelled = await desk.venue.perps.cancelPerp(account, symbol, { orderId });
    return cancelled.ok ? reply(named(desk, order)) : refused(LINEAR.noSuchOrder);
  };
}

/** Cancels what is open of one contract, of one coin, or of all that settle in one. */
export function cancelAllContractOrders(reader: ParamReader, desk: Desk): Run {
  const narrowed = readNarrowed(reader, 'linear', linearContracts(desk));
  refuseUnnarrowed(reader, 'linear');
  const filter = reader.text('orderFilter') ?? 'Order';
  return async (caller) => {
    const account = accountOf(caller);
    const wanted = new Set(filter === 'Order' || filter === 'OpenOrder' ? narrowed.symbols() : []);
    const list: object[] = [];
    for (const order of openOrders(desk, account, wanted)) {
      const { symbol, orderId } = order;
      const cancelled = await desk.venue.perps.cancelPerp(account, symbol, { orderId });
      // An order that filled while the others were being cancelled is simply not in the list.
      if (cancelled.ok) list.push(named(desk, order));
    }
    return reply({ list, success: '1' });
  };
}

function openOrders(desk: Desk, account: AccountNumber, wanted: ReadonlySet<string>): readonly PerpOrder[] {
  return desk.venue.perps.openPerpOrders(account).filter(({ symbol }) => wanted.has(symbol));
}

/** What an amend asks for; what it leaves out stays as it is. */
interface Change {
  readonly price: Amount | undefined;
  readonly quantity: Amount | undefined;
}

async function amendTo(desk: Desk, contract: PerpFacts, order: PerpOrder, change: Change): Promise<Answer> {
  const price = ticksOf(change.price, contract);
  if (!price.ok) return price;
  const quantity = lotsOf(change.quantity, contract);
  if (!quantity.ok) return quantity;
  const to = {
    price: (price.value ?? order.price ?? 0) as Ticks,
    quantity: (quantity.value ?? order.quantity) as Lots,
  };
  if (to.price === order.price && to.quantity === order.quantity) return refused(ERRORS.unchanged);
  if (to.quantity <= order.executed) return refused(LINEAR.belowFilled);
  const { account, symbol, orderId } = order;
  const amended = await desk.venue.perps.amendPerp(account, symbol, { orderId }, to);
  if (amended.ok) return reply(named(desk, order));
  if (amended.code === 'UNKNOWN_ORDER') return refused(LINEAR.noOrderToAmend);
  return refused(orderRefusal(amended.code, to.quantity, contract));
}

/** Changes price, quantity (in all, executed part included) or both of an open order under its own ids. */
export function amendContractOrder(reader: ParamReader, desk: Desk): Run {
  const contract = readTraded(reader, desk);
  const choice = readOrderChoice(reader, true);
  const quantity = reader.decimal('qty', LINEAR.badQuantity);
  const price = reader.decimal('price', LINEAR.badPrice);
  if (quantity === 0n) reader.refuse(LINEAR.badQuantity);
  if (price === 0n) reader.refuse(LINEAR.badPrice);
  for (const name of ['triggerPrice', 'takeProfit', 'stopLoss', 'tpLimitPrice', 'slLimitPrice'])
    if (reader.has(name)) reader.refuse(notHere(name));
  if (quantity === undefined && price === undefined) reader.refuse(missing('qty or price'));
  return async (caller) => {
    if (contract === undefined) return refused(ERRORS.badSymbol);
    const order = findContractOrder(desk, accountOf(caller), contract, choice);
    if (order === undefined || isEnded(order)) return refused(LINEAR.noOrderToAmend);
    return await amendTo(desk, contract, order, { price, quantity });
  };
}

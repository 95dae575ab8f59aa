import { refused, type Ticks } from '@crossbook/domain';
import type { NewPerpOrder } from '../../../perp-exchange.ts';
import type { PriceTrigger } from '../../../triggers/trigger.ts';
import type { PerpFacts } from '../../../venue.ts';
import { type Answer, accountOf, type Caller, type Desk, type Run, reply } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { linearContracts } from '../market/instruments.ts';
import { readOrderChoice } from '../order-choice.ts';
import { isEnded, readNarrowed, refuseUnnarrowed } from '../order-lists.ts';
import type { ParamReader } from '../params.ts';
import { type ContractOrder, coreIdOf, ownConditional, unfiredOf } from './contract-order.ts';
import { findContractOrder } from './find-order.ts';
import { CLOSES, linkIdOf, NO_LINK_ID } from './link-ids.ts';
import { type ContractDraft, orderRefusal, readContractDraft, toPerpOrder } from './order-draft.ts';
import { LINEAR_ORDERS } from './order-queries.ts';
import { limitedPrice } from './price-limits.ts';
import { LINEAR } from './refusals.ts';
import { type TriggerDraft, ticksOf } from './stop-params.ts';
import { stopRefusal } from './stop-refusals.ts';
import { contractFilterOf, stopOrderType } from './stop-words.ts';
import { readTraded } from './traded.ts';

const LINK_ID_LETTERS = 19;

/** What answers name an order by. */
export function named(
  desk: Desk,
  order: ContractOrder,
): { readonly orderId: string; readonly orderLinkId: string } {
  return {
    orderId: desk.numbers.linear.orderId(order.symbol, order.orderId),
    orderLinkId: linkIdOf(order),
  };
}

/** Places an order. What comes back only acknowledges it; how it stands is told by the stream and the lists. */
async function placeOne(desk: Desk, caller: Caller, draft: ContractDraft): Promise<Answer> {
  const { contract, linkId, waits } = draft;
  if (contract === undefined) return refused(ERRORS.badSymbol);
  const account = accountOf(caller);
  const clientId = linkId ?? NO_LINK_ID + desk.randomText(LINK_ID_LETTERS);
  // A client's id is used once, and not again when its order has ended. Between here and the core nothing else runs.
  const known =
    linkId !== undefined &&
    findContractOrder(desk, account, undefined, { orderId: undefined, orderLinkId: linkId }) !== undefined;
  if (known) return refused(LINEAR.duplicateLinkId);
  const closes = waits !== undefined && draft.closes;
  const order = toPerpOrder(draft, contract, { account, clientId: closes ? clientId + CLOSES : clientId });
  if (!order.ok) return order;
  if (waits !== undefined) return await placeStop(desk, order.value, contract, waits);
  const { price } = order.value;
  const limited = price === undefined ? {} : { price: limitedPrice(desk, order.value, price) };
  const placed = await desk.venue.perps.placePerp({ ...order.value, ...limited });
  if (placed.ok) return reply(named(desk, placed.value.order));
  return refused(orderRefusal(placed.code, order.value.quantity, contract));
}

async function placeStop(
  desk: Desk,
  sends: NewPerpOrder,
  contract: PerpFacts,
  waits: TriggerDraft,
): Promise<Answer> {
  const price = ticksOf(waits.price, contract);
  if (!price.ok) return price;
  const { by, direction } = waits;
  const trigger: PriceTrigger = { at: 'PRICE', by, direction, price: price.value ?? (0 as Ticks) };
  const placed = await desk.venue.perps.conditionals.place({ legs: [{ purpose: 'STOP', trigger, sends }] });
  const [stop] = placed.ok ? placed.value : [];
  if (stop !== undefined) return reply(named(desk, ownConditional(desk, stop)));
  return placed.ok
    ? refused(ERRORS.internal)
    : refused(stopRefusal(desk, placed.code, { ...sends, trigger }));
}

/** Reads and places one order. */
export function placeContractOrder(reader: ParamReader, desk: Desk): Run {
  const draft = readContractDraft(reader, desk);
  return (caller) => placeOne(desk, caller, draft);
}

/** Cancels an order that is open. @returns whether it was. */
async function cancelOne(desk: Desk, order: ContractOrder): Promise<boolean> {
  const { perps } = desk.venue;
  const { account, symbol } = order;
  const stop = unfiredOf(order);
  if (stop === undefined) return (await perps.cancelPerp(account, symbol, { orderId: coreIdOf(order) })).ok;
  return (await perps.conditionals.cancel(account, stop)).ok;
}

/** Cancels one order. One that has ended is no longer there, as it is unknown. */
export function cancelContractOrder(reader: ParamReader, desk: Desk): Run {
  const contract = readTraded(reader, desk);
  const choice = readOrderChoice(reader, true);
  return async (caller) => {
    const order = findContractOrder(desk, accountOf(caller), contract, choice);
    if (order === undefined || isEnded(order)) return refused(LINEAR.noSuchOrder);
    return (await cancelOne(desk, order)) ? reply(named(desk, order)) : refused(LINEAR.noSuchOrder);
  };
}

/** Which orders are meant: all, those in the market, those that wait, or of these such as a member placed. */
function readFilter(reader: ParamReader): (order: ContractOrder) => boolean {
  const filter = reader.text('orderFilter');
  const placed = reader.text('stopOrderType') === 'Stop';
  return (order) => {
    if (filter === undefined) return true;
    if (filter !== 'StopOrder') return contractFilterOf(order) === 'Order';
    const stop = unfiredOf(order);
    return stop !== undefined && (!placed || stopOrderType(stop) === 'Stop');
  };
}

/** Cancels what is open of one contract, of one coin, or of all that settle in one. */
export function cancelAllContractOrders(reader: ParamReader, desk: Desk): Run {
  const narrowed = readNarrowed(reader, 'linear', linearContracts(desk));
  refuseUnnarrowed(reader, 'linear');
  const isMeant = readFilter(reader);
  return async (caller) => {
    const wanted = new Set(narrowed.symbols());
    const list: object[] = [];
    for (const order of LINEAR_ORDERS.open(desk, accountOf(caller))) {
      if (!wanted.has(order.symbol) || !isMeant(order)) continue;
      // An order that filled while the others were being cancelled is simply not in the list.
      if (await cancelOne(desk, order)) list.push(named(desk, order));
    }
    return reply({ list, success: '1' });
  };
}

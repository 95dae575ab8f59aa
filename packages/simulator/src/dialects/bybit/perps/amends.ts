import { type Amount, type Lots, ok, type Result, refused, type Ticks } from '@crossbook/domain';
import type { ConditionalChange, PerpConditional } from '../../../perp-conditionals.ts';
import type { AttachedStops, StopLeg } from '../../../perp-exchange.ts';
import type { PriceKind } from '../../../triggers/trigger.ts';
import type { PerpFacts } from '../../../venue.ts';
import { type Answer, accountOf, type Desk, type Run, reply } from '../endpoint.ts';
import { type BybitError, ERRORS, invalid, missing } from '../errors.ts';
import { readOrderChoice } from '../order-choice.ts';
import { isEnded } from '../order-lists.ts';
import type { ParamReader } from '../params.ts';
import { type ContractOrder, coreIdOf, unfiredOf } from './contract-order.ts';
import { findContractOrder } from './find-order.ts';
import { lotsOf, orderRefusal } from './order-draft.ts';
import { named } from './orders.ts';
import { limitedPrice } from './price-limits.ts';
import { LINEAR } from './refusals.ts';
import { readExtent, readPriceKind, ticksOf } from './stop-params.ts';
import { stopRefusal } from './stop-refusals.ts';
import { readTraded } from './traded.ts';

/** What an amend asks for; what it leaves out stays as it is. */
interface Change {
  readonly price: Amount | undefined;
  readonly quantity: Amount | undefined;
  readonly trigger: Amount | undefined;
  readonly by: PriceKind | undefined;
  readonly stops: StopsDraft;
}

/** What changes of an order's legs. */
interface StopsDraft {
  readonly extent: AttachedStops['extent'] | undefined;
  readonly takeProfit: LegChange | undefined;
  readonly stopLoss: LegChange | undefined;
}

/** What changes of a leg; a trigger of 0 takes it away. The limit price is of one that has a limit already. */
interface LegChange {
  readonly trigger: Amount | undefined;
  readonly by: PriceKind | undefined;
  readonly limit: Amount | undefined;
}

/** The same in the core's own steps. */
interface Counted {
  readonly price?: Ticks;
  readonly quantity?: Lots;
  readonly trigger?: Ticks;
}

/** What an order protects its position with after an amend; `undefined` where that stays. */
function stopsAfter(
  { attached }: ContractOrder,
  draft: StopsDraft,
  contract: PerpFacts,
): Result<AttachedStops | 'NONE' | undefined, BybitError> {
  const { extent = attached?.extent ?? 'WHOLE', takeProfit, stopLoss } = draft;
  if (takeProfit === undefined && stopLoss === undefined) return ok(undefined);
  let stops: AttachedStops = { ...attached, extent };
  for (const [name, change] of [
    ['takeProfit', takeProfit],
    ['stopLoss', stopLoss],
  ] as const) {
    if (change === undefined) continue;
    const { [name]: before, ...others } = stops;
    const leg = legAfter(before, change, contract);
    if (!leg.ok) return leg;
    stops = leg.value === undefined ? others : { ...others, [name]: leg.value };
  }
  return ok(stops.takeProfit === undefined && stops.stopLoss === undefined ? 'NONE' : stops);
}

function legAfter(
  before: StopLeg | undefined,
  change: LegChange,
  contract: PerpFacts,
): Result<StopLeg | undefined, BybitError> {
  const trigger = ticksOf(change.trigger, contract);
  if (!trigger.ok) return trigger;
  const limit = ticksOf(change.limit, contract);
  if (!limit.ok) return limit;
  const at = trigger.value ?? before?.trigger;
  if (at === undefined || at === 0) return ok(undefined);
  const leg = { trigger: at, by: change.by ?? before?.by ?? 'LAST' };
  return ok(before?.limit === undefined ? leg : { ...leg, limit: limit.value ?? before.limit });
}

/** Changes price, quantity (in all, executed part included) or both of an order in the market. */
async function amendOrder(
  desk: Desk,
  contract: PerpFacts,
  order: ContractOrder,
  { stops, ...change }: Counted & { readonly stops: StopsDraft },
): Promise<Answer> {
  const attached = stopsAfter(order, stops, contract);
  if (!attached.ok) return attached;
  const asked = change.price === undefined ? undefined : limitedPrice(desk, order, change.price);
  const to = {
    price: asked ?? order.price ?? (0 as Ticks),
    quantity: change.quantity ?? order.quantity,
  };
  const same = to.price === order.price && to.quantity === order.quantity;
  if (same && attached.value === undefined) return refused(ERRORS.unchanged);
  if (attached.value !== undefined && order.executed > 0) return refused(LINEAR.stopsOfPartlyFilled);
  if (to.quantity <= order.executed) return refused(LINEAR.belowFilled);
  const { account, symbol } = order;
  const changed = attached.value === undefined ? to : { ...to, attached: attached.value };
  const amended = await desk.venue.perps.amendPerp(account, symbol, { orderId: coreIdOf(order) }, changed);
  if (amended.ok) return reply(named(desk, order));
  if (amended.code === 'UNKNOWN_ORDER') return refused(LINEAR.noOrderToAmend);
  return refused(orderRefusal(amended.code, to.quantity, contract));
}

/** Changes one that waits. */
async function amendStop(
  desk: Desk,
  order: ContractOrder,
  stop: PerpConditional,
  change: ConditionalChange,
): Promise<Answer> {
  const { trigger, sends } = stop;
  const asked = { price: sends.price, quantity: sends.quantity, by: trigger.by, ...change };
  const price = trigger.at === 'PRICE' ? trigger.price : undefined;
  const same = (change.trigger ?? price) === price && asked.by === trigger.by;
  if (same && asked.price === sends.price && asked.quantity === sends.quantity)
    return refused(ERRORS.unchanged);
  const amended = await desk.venue.perps.conditionals.amend(order.account, stop, change);
  if (amended.ok) return reply(named(desk, order));
  if (amended.code === 'UNKNOWN_ORDER') return refused(LINEAR.noOrderToAmend);
  const to = trigger.at === 'PRICE' ? { ...trigger, price: change.trigger ?? trigger.price } : trigger;
  const { symbol } = order;
  return refused(
    stopRefusal(desk, amended.code, { symbol, quantity: asked.quantity, trigger: { ...to, by: asked.by } }),
  );
}

function readLegChange(
  reader: ParamReader,
  name: 'takeProfit' | 'stopLoss',
  prefix: 'tp' | 'sl',
): LegChange | undefined {
  const by = `${prefix}TriggerBy`;
  const change: LegChange = {
    trigger: reader.decimal(name, invalid(name)),
    by: reader.has(by) ? readPriceKind(reader, by) : undefined,
    limit: reader.decimal(`${prefix}LimitPrice`, invalid(`${prefix}LimitPrice`)),
  };
  return Object.values(change).every((one) => one === undefined) ? undefined : change;
}

function readChange(reader: ParamReader): Change {
  const quantity = reader.decimal('qty', LINEAR.badQuantity);
  const price = reader.decimal('price', LINEAR.badPrice);
  const trigger = reader.decimal('triggerPrice', LINEAR.triggerPrice);
  if (quantity === 0n) reader.refuse(LINEAR.badQuantity);
  if (price === 0n) reader.refuse(LINEAR.badPrice);
  if (trigger === 0n) reader.refuse(LINEAR.triggerPrice);
  const by = reader.has('triggerBy') ? readPriceKind(reader, 'triggerBy') : undefined;
  const extent = reader.has('tpslMode') ? readExtent(reader) : undefined;
  const stops: StopsDraft = {
    extent,
    takeProfit: readLegChange(reader, 'takeProfit', 'tp'),
    stopLoss: readLegChange(reader, 'stopLoss', 'sl'),
  };
  const change = { price, quantity, trigger, by, stops };
  const named = [price, quantity, trigger, by, stops.takeProfit, stops.stopLoss];
  if (named.every((one) => one === undefined)) reader.refuse(missing('qty or price'));
  return change;
}

/** Changes an open order under its own ids. */
export function amendContractOrder(reader: ParamReader, desk: Desk): Run {
  const contract = readTraded(reader, desk);
  const choice = readOrderChoice(reader, true);
  const change = readChange(reader);
  return async (caller) => {
    if (contract === undefined) return refused(ERRORS.badSymbol);
    const order = findContractOrder(desk, accountOf(caller), contract, choice);
    if (order === undefined || isEnded(order)) return refused(LINEAR.noOrderToAmend);
    const price = ticksOf(change.price, contract);
    if (!price.ok) return price;
    const quantity = lotsOf(change.quantity, contract);
    if (!quantity.ok) return quantity;
    const trigger = ticksOf(change.trigger, contract);
    if (!trigger.ok) return trigger;
    const counted: Counted = {
      ...(price.value === undefined ? {} : { price: price.value }),
      ...(quantity.value === undefined ? {} : { quantity: quantity.value }),
      ...(trigger.value === undefined ? {} : { trigger: trigger.value }),
    };
    const stop = unfiredOf(order);
    const { stops } = change;
    if (stop === undefined) return await amendOrder(desk, contract, order, { ...counted, stops });
    if (stops.takeProfit !== undefined || stops.stopLoss !== undefined) return refused(LINEAR.stopsOfStop);
    return await amendStop(desk, order, stop, {
      ...counted,
      ...(change.by === undefined ? {} : { by: change.by }),
    });
  };
}

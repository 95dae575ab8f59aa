import { type Amount, type Lots, ok, type Result, refused, type Ticks } from '@crossbook/domain';
import type { MarketFacts, NewSimOrder, SimOrder } from '../../../exchange.ts';
import type { NewSimOrderList } from '../../../order-list-port.ts';
import type { Desk } from '../endpoint.ts';
import { type BybitError, badNumber, ERRORS, invalid, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { countSteps, PRICE_STEPS } from './steps.ts';

/**
 * Take profit and stop loss of a limit order of a pair (order/create-order, "Spot Limit order", 2026-07-24): orders of the other
 * side, which the venue places with their money locked once the limit order has filled whole. Of two one ends the other.
 */

type Purpose = 'TAKE_PROFIT' | 'STOP';

/** One leg as read. */
interface LegDraft {
  readonly purpose: Purpose;
  readonly trigger: Amount;
  /** Sends a limit order at this price; absent: a market order. */
  readonly limit: Amount | undefined;
}

/** What comes with an order; none is nothing. */
export type AttachedDraft = readonly LegDraft[];

const LEGS = [
  ['TAKE_PROFIT', 'takeProfit', 'tpLimitPrice', 'tpOrderType'],
  ['STOP', 'stopLoss', 'slLimitPrice', 'slOrderType'],
] as const;

/** Reads what comes with an order. @param allowed whether it is a limit order that waits for nothing. */
export function readAttached(reader: ParamReader, allowed: boolean): AttachedDraft {
  return LEGS.flatMap(([purpose, name, limitName, typeName]): LegDraft[] => {
    const trigger = reader.decimal(name, badNumber(name));
    const limit = reader.decimal(limitName, badNumber(limitName));
    const type = reader.choice(typeName, ['Market', 'Limit']);
    if (trigger === undefined && limit === undefined) return [];
    if (!allowed) reader.refuse(ERRORS.notSupported);
    if (trigger === undefined) reader.refuse(missing(name));
    if (trigger === 0n) reader.refuse(badNumber(name));
    if (limit === 0n) reader.refuse(badNumber(limitName));
    if (type === 'Limit' && limit === undefined) reader.refuse(missing(limitName));
    if (type === 'Market' && limit !== undefined) reader.refuse(invalid(typeName));
    return trigger === undefined ? [] : [{ purpose, trigger, limit }];
  });
}

/** What a purchase brings is less its fee, and so is what its legs sell. */
function lessFee(quantity: Lots, { takerFee, makerFee }: MarketFacts): Lots {
  const rate = takerFee > makerFee ? takerFee : makerFee;
  const fee = (BigInt(quantity) * rate + 10n ** 18n - 1n) / 10n ** 18n;
  return (quantity - Number(fee)) as Lots;
}

/** The order with what comes with it, as the core takes them, or what is wrong with a leg. @param names of the legs. */
export function withAttached(
  order: NewSimOrder,
  legs: AttachedDraft,
  { facts, names }: { readonly facts: MarketFacts; readonly names: readonly string[] },
): Result<NewSimOrderList, BybitError> {
  const { account, symbol, clientId, selfTradePrevention, price = 0 } = order;
  const buys = order.side === 'BUY';
  const filled = order.quantity ?? (0 as Lots);
  const others: NewSimOrder[] = [];
  for (const [place, { purpose, trigger: at, limit: sent }] of legs.entries()) {
    const trigger = countSteps(at, facts.tickSize, PRICE_STEPS);
    if (!trigger.ok) return trigger;
    const limit = countSteps(sent, facts.tickSize, PRICE_STEPS);
    if (!limit.ok) return limit;
    const above = (purpose === 'TAKE_PROFIT') === buys;
    const ticks = trigger.value as Ticks;
    if (above ? ticks <= price : ticks >= price)
      return refused(invalid(purpose === 'STOP' ? 'stopLoss' : 'takeProfit'));
    others.push({
      ...{ account, symbol, selfTradePrevention, side: buys ? 'SELL' : 'BUY', clientId: names[place] ?? '' },
      quantity: buys ? lessFee(filled, facts) : filled,
      ...(limit.value === undefined
        ? { kind: 'MARKET', timeInForce: 'IOC' }
        : { kind: 'LIMIT', timeInForce: 'GTC', price: limit.value as Ticks }),
      trigger: { purpose, price: ticks },
    });
  }
  return ok({ account, symbol, clientId, working: order, others });
}

/** Whether an order is a leg that has not come alive, or never did: nobody is told of it. */
export function isDormant(desk: Desk, { list, account, symbol }: SimOrder): boolean {
  const [orderId] = list?.role === 'PENDING' ? list.orderIds : [];
  const working = orderId && desk.venue.spot.order(account, symbol, { orderId });
  return working !== undefined && working.status !== 'FILLED';
}

/** What came with a limit order, by its purpose. */
export function attachedTo(
  desk: Desk,
  { list, account, symbol }: SimOrder,
): Readonly<Partial<Record<Purpose, SimOrder>>> {
  if (list?.role !== 'WORKING') return {};
  const legs = list.orderIds
    .slice(1)
    .flatMap((orderId) => desk.venue.spot.order(account, symbol, { orderId }) ?? []);
  return Object.fromEntries(legs.map((leg) => [leg.trigger?.purpose, leg]));
}

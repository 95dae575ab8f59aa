import { type Amount, type Lots, toNumberForDisplay } from '@crossbook/domain';
import type { MarketFacts, NewSimOrder, SimOrder } from '../../../exchange.ts';
import type { NewSimOrderList } from '../../../order-list-port.ts';
import type { AttachedStops, StopLeg } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import { algoClientId } from '../algos/algo-ids.ts';
import { entryFields } from '../algos/algo-rows.ts';
import { entriesOf } from '../algos/attached-entries.ts';
import { attachedSideError } from '../algos/stop-legs.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, type OkxError } from '../errors.ts';
import { ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';

/**
 * What comes with an order of a pair (`attachAlgoOrds`), or with the one that a trigger order sends: algo orders of the other
 * side, which the venue places once the order is over, for what it has filled (announcement of 2026-07-01). What a purchase brings is
 * less its fee, and so is what they sell.
 */

/** The legs of a pair have ids of their own; what follows the kind says which. */
export const LEG_MARKS = { TAKE_PROFIT: 'tp', STOP: 'sl', TRAILING: '' } as const;

/** What is wrong with the triggers, against the price that the order has or takes. */
export function attachedError(
  { side }: Pick<NewSimOrder, 'side'>,
  stops: AttachedStops,
  from: number,
): OkxError | undefined {
  const { takeProfit, stopLoss } = stops;
  if ([takeProfit, stopLoss].some((leg) => leg !== undefined && leg.by !== 'LAST'))
    return ERRORS.onlyLastPrice;
  return attachedSideError(side, stops, from);
}

/** The last price, in ticks. */
export function lastTicks(listed: Listed): number {
  return listed.markets.ticker(listed.instId).last / toNumberForDisplay(factsOf(listed).tickSize);
}

/** About how much so much money buys: the legs are for what it has bought. */
function boughtFor(money: Amount, last: number, { tickSize, lotSize }: MarketFacts): Lots {
  const price = BigInt(Math.max(1, Math.round(last))) * tickSize;
  return Number((money * 10n ** 18n) / price / lotSize) as Lots;
}

/** The order with what comes with it, as the core takes them. */
export function withAttached(
  order: NewSimOrder,
  attached: AttachedStops,
  {
    facts,
    random,
    last,
  }: { readonly facts: MarketFacts; readonly random: string /** In ticks. */; readonly last: number },
): NewSimOrderList {
  const { account, symbol, clientId, selfTradePrevention } = order;
  const { takeProfit, stopLoss } = attached;
  const paired = takeProfit !== undefined && stopLoss !== undefined;
  const name = attached.clientId ?? algoClientId(paired ? 'oco' : 'conditional', '', random);
  const buys = order.side === 'BUY';
  const filled = order.quantity ?? boughtFor(order.quoteQuantity ?? (0n as Amount), last, facts);
  const leg = (purpose: 'TAKE_PROFIT' | 'STOP', { trigger, limit }: StopLeg): NewSimOrder => ({
    ...{ account, symbol, selfTradePrevention, side: buys ? 'SELL' : 'BUY' },
    quantity: filled,
    ...(limit === undefined
      ? { kind: 'MARKET', timeInForce: 'IOC' }
      : { kind: 'LIMIT', timeInForce: 'GTC', price: limit }),
    clientId: `${name}${paired ? LEG_MARKS[purpose] : ''}`,
    trigger: { purpose, price: trigger, fundedWhenFired: true },
  });
  const others = [
    ...(takeProfit === undefined ? [] : [leg('TAKE_PROFIT', takeProfit)]),
    ...(stopLoss === undefined ? [] : [leg('STOP', stopLoss)]),
  ];
  return { account, symbol, clientId, working: order, others, follows: true };
}

/** Numbers of what is attached are those of its order, told apart by their length and beginning. */
const DIGITS = 19;

/** What comes with an order, as it was asked for. */
export function attachedTo(desk: Desk, order: SimOrder): AttachedStops | undefined {
  const { list, account, symbol } = order;
  if (list?.role !== 'WORKING') return undefined;
  const others = list.orderIds
    .slice(1)
    .flatMap((orderId) => desk.venue.spot.order(account, symbol, { orderId }) ?? []);
  const [first] = others;
  if (first === undefined) return undefined;
  const leg = (purpose: 'TAKE_PROFIT' | 'STOP'): StopLeg | undefined => {
    const { trigger, price: limit } = others.find((one) => one.trigger?.purpose === purpose) ?? {};
    if (trigger?.price === undefined) return undefined;
    return { by: 'LAST', trigger: trigger.price, ...(limit === undefined ? {} : { limit }) };
  };
  const [takeProfit, stopLoss] = [leg('TAKE_PROFIT'), leg('STOP')];
  return {
    ...{ extent: 'PART', clientId: first.clientId },
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
  };
}

/** `attachAlgoOrds` of an order. */
export function attachedRows(desk: Desk, listed: Listed, order: SimOrder): readonly object[] {
  const attached = attachedTo(desk, order);
  if (attached === undefined) return [];
  return entriesOf(attached).map((entry) => ({
    amendPxOnTriggerType: '0',
    attachAlgoId: `7${ordIdOf(listed, order.orderId).padStart(DIGITS, '0')}`,
    ...fields('failCode failReason sz', ''),
    ...entryFields(listed, entry),
    tpOrdKind: 'condition',
  }));
}

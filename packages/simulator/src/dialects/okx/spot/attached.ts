import type { Lots } from '@crossbook/domain';
import type { MarketFacts, NewSimOrder, SimOrder } from '../../../exchange.ts';
import type { NewSimOrderList } from '../../../order-list-port.ts';
import type { AttachedStops, StopLeg } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import { algoClientId, algoClOrdIdOf } from '../algos/algo-ids.ts';
import { priceText, sentText } from '../algos/algo-rows.ts';
import { attachedSideError } from '../algos/stop-legs.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, type OkxError } from '../errors.ts';
import { ordIdOf } from '../ids.ts';
import type { Listed } from '../listing.ts';
import { LEG_MARKS } from './algo-adapter.ts';

/**
 * What comes with an order of a pair (`attachAlgoOrds`): algo orders of the other side, which the venue places once the
 * order has filled whole. What a purchase brings is less its fee, and so is what they sell.
 */

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

function lessFee(quantity: Lots, { takerFee }: MarketFacts): Lots {
  const fee = (BigInt(quantity) * takerFee + 10n ** 18n - 1n) / 10n ** 18n;
  return (quantity - Number(fee)) as Lots;
}

/** The order with what comes with it, as the core takes them. */
export function withAttached(
  order: NewSimOrder,
  attached: AttachedStops,
  { facts, random }: { readonly facts: MarketFacts; readonly random: string },
): NewSimOrderList {
  const { account, symbol, clientId, selfTradePrevention } = order;
  const { takeProfit, stopLoss } = attached;
  const paired = takeProfit !== undefined && stopLoss !== undefined;
  const name = attached.clientId ?? algoClientId(paired ? 'oco' : 'conditional', '', random);
  const buys = order.side === 'BUY';
  const filled = order.quantity ?? (0 as Lots);
  const leg = (purpose: 'TAKE_PROFIT' | 'STOP', { trigger, limit }: StopLeg): NewSimOrder => ({
    ...{ account, symbol, selfTradePrevention, side: buys ? 'SELL' : 'BUY' },
    quantity: buys ? lessFee(filled, facts) : filled,
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
  return { account, symbol, clientId, working: order, others };
}

/** Numbers of what is attached are those of its order, told apart by their length and beginning. */
const DIGITS = 19;

/** `attachAlgoOrds` of an order. */
export function attachedRows(desk: Desk, listed: Listed, order: SimOrder): readonly object[] {
  const { list, account, symbol, orderId } = order;
  if (list?.role !== 'WORKING') return [];
  const others = list.orderIds
    .slice(1)
    .flatMap((id) => desk.venue.spot.order(account, symbol, { orderId: id }) ?? []);
  const [first] = others;
  if (first === undefined) return [];
  const leg = (purpose: 'TAKE_PROFIT' | 'STOP', prefix: 'tp' | 'sl') => {
    const found = others.find(({ trigger }) => trigger?.purpose === purpose);
    const price = found?.trigger?.price;
    return {
      [`${prefix}TriggerPx`]: price === undefined ? '' : priceText(listed, price),
      [`${prefix}TriggerPxType`]: price === undefined ? '' : 'last',
      [`${prefix}OrdPx`]: found === undefined ? '' : sentText(listed, found.price),
    };
  };
  return [
    {
      amendPxOnTriggerType: '0',
      attachAlgoClOrdId: algoClOrdIdOf(first),
      attachAlgoId: `7${ordIdOf(listed, orderId).padStart(DIGITS, '0')}`,
      ...fields('failCode failReason sz', ''),
      ...{ ...leg('STOP', 'sl'), ...leg('TAKE_PROFIT', 'tp') },
      tpOrdKind: 'condition',
    },
  ];
}

import { formatAmount, stepsToAmount, type Ticks } from '@crossbook/domain';
import type { PerpConditional } from '../../../perp-conditionals.ts';
import type { AttachedStops, StopLeg } from '../../../perp-exchange.ts';
import type { PriceKind } from '../../../triggers/trigger.ts';
import type { PerpFacts } from '../../../venue.ts';
import type { Desk } from '../endpoint.ts';
import { type ContractOrder, unfiredOf } from './contract-order.ts';
import { CLOSES, linkIdOf } from './link-ids.ts';

/** Bybit's words about orders that wait for a price (enum; order/open-order; 2026-07-24). */

/** `triggerBy`. */
export const TRIGGER_WORDS: Readonly<Record<PriceKind, string>> = {
  LAST: 'LastPrice',
  MARK: 'MarkPrice',
  INDEX: 'IndexPrice',
};

const PURPOSES = { TAKE_PROFIT: 'TakeProfit', STOP: 'StopLoss', TRAILING: 'TrailingStop' } as const;

/** `stopOrderType`: what its member placed is a stop, whatever it is for. */
export function stopOrderType({ purpose, attached }: PerpConditional): string {
  if (attached === undefined) return 'Stop';
  const partial = attached.position !== 'WHOLE' && purpose !== 'TRAILING';
  return partial ? `Partial${PURPOSES[purpose]}` : PURPOSES[purpose];
}

/** `createType`. */
export function stopCreateType(stop: PerpConditional): string {
  return stop.attached === undefined ? 'CreateByStopOrder' : `CreateBy${stopOrderType(stop)}`;
}

/** `orderStatus` of one that is not in the market. */
export function unfiredStatus({ state }: PerpConditional): string {
  if (state === 'WAITING') return 'Untriggered';
  if (state === 'TRIGGERING') return 'Triggered';
  return state === 'REFUSED' ? 'Rejected' : 'Deactivated';
}

/** `cancelType` of one that ended before it fired. */
export function unfiredCancelType(stop: PerpConditional): string {
  if (stop.state !== 'CANCELLED' && stop.state !== 'EXPIRED') return 'UNKNOWN';
  if (stop.cause === 'MEMBER') return 'CancelByUser';
  if (stop.cause === 'POSITION') return 'CancelByTpSlTsClear';
  return stop.purpose === 'TAKE_PROFIT'
    ? 'CancelByOCOTpCanceledBySlTriggered'
    : 'CancelByOCOSlCanceledByTpTriggered';
}

/** A price as rows have it; empty for none. */
export function priceText(price: Ticks | undefined, contract: PerpFacts): string {
  return price === undefined ? '' : formatAmount(stepsToAmount(price, contract.tickSize));
}

/** What an order says of the price that it waits for, and of the order that it came with. */
export function stopFields(desk: Desk, order: ContractOrder, contract: PerpFacts): object {
  const { stop, reduceOnly } = order;
  if (stop === undefined) return { ...NO_STOP, reduceOnly, ...attachedFields(order.attached, contract) };
  const { attached, trigger, clientId } = stop;
  const closes = attached !== undefined;
  const common = {
    stopOrderType: stopOrderType(stop),
    // Of a trailing one that from which it follows (websocket/private/order).
    triggerPrice:
      trigger.at === 'PRICE' ? priceText(trigger.price, contract) : priceText(trigger.activation, contract),
    triggerDirection: trigger.direction === 'RISE' ? 1 : 2,
    triggerBy: TRIGGER_WORDS[trigger.by],
    reduceOnly: reduceOnly || closes,
    closeOnTrigger: closes || clientId.endsWith(CLOSES),
    parentOrderLinkId: parentLinkId(desk, stop),
    ...attachedFields(order.attached, contract),
  };
  return closes ? { ...common, tpslMode: attached.position === 'WHOLE' ? 'Full' : 'Partial' } : common;
}

const NO_STOP = {
  ...{ stopOrderType: '', triggerPrice: '', triggerDirection: 0, triggerBy: '' },
  ...{ closeOnTrigger: false, parentOrderLinkId: '' },
};

/** The client's id of the order whose fills it protects. */
function parentLinkId({ venue }: Desk, { attached, sends }: PerpConditional): string {
  if (attached?.parentId === undefined) return '';
  const { account, symbol } = sends;
  const orderId = attached.parentId as ContractOrder['orderId'];
  const parent = venue.perps.perpOrder(account, symbol, { orderId });
  return parent === undefined ? '' : linkIdOf(parent);
}

function attachedFields(attached: AttachedStops | undefined, contract: PerpFacts): object {
  const { takeProfit, stopLoss } = attached ?? {};
  const by = (leg: StopLeg | undefined) => (leg === undefined ? '' : TRIGGER_WORDS[leg.by]);
  return {
    takeProfit: priceText(takeProfit?.trigger, contract),
    stopLoss: priceText(stopLoss?.trigger, contract),
    tpTriggerBy: by(takeProfit),
    slTriggerBy: by(stopLoss),
    tpLimitPrice: priceText(takeProfit?.limit, contract),
    slLimitPrice: priceText(stopLoss?.limit, contract),
    tpslMode: attached === undefined ? '' : attached.extent === 'WHOLE' ? 'Full' : 'Partial',
  };
}

/** `orderFilter`: what waits is apart from what is in the market; of what is over, everything that has waited. */
export function contractFilterOf(order: ContractOrder): string {
  const open = order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';
  const waited = open ? unfiredOf(order) : order.stop;
  return waited === undefined ? 'Order' : 'StopOrder';
}

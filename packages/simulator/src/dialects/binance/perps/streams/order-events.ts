import type { Millis } from '@crossbook/domain';
import type { PerpFill, PerpOrder, PerpOrderEvent } from '../../../../perp-exchange.ts';
import { money } from '../format.ts';
import {
  averagePrice,
  clientIdOf,
  fillPrice,
  limitPrice,
  type ShapeDesk,
  timeInForceOf,
  typeOf,
} from '../orders/order-shapes.ts';

/** What happened, in the venue's words; what the venue does by itself is calculated, not traded. */
function executionType({ cause, fill, order }: PerpOrderEvent): string {
  if (fill !== undefined) return order.origin === 'MEMBER' ? 'TRADE' : 'CALCULATED';
  if (cause === 'REPLACED') return 'AMENDMENT';
  return cause === 'NEW' || cause === 'CANCELED' ? cause : 'EXPIRED';
}

/** Why it expired (`er`): 1 and 3 self-trade, 2 rest of an IOC, 4 reduce-only knocked out, 5 account liquidated, 7 delisted. */
function expiryReason({ endReason, timeInForce }: PerpOrder): string {
  switch (endReason) {
    case 'SELF_TRADE':
      return timeInForce === 'IOC' ? '3' : '1';
    case 'IOC':
      return '2';
    case 'REDUCE_ONLY':
      return '4';
    case 'LIQUIDATION':
    case 'ADL':
      return '5';
    case 'DELISTED':
      return '7';
    default:
      return '0';
  }
}

/** `ORDER_TRADE_UPDATE`. */
export function orderTradeUpdate(desk: ShapeDesk, event: PerpOrderEvent, now: Millis): object {
  const { order, fill } = event;
  const format = desk.format.of(order.symbol);
  const time = fill?.time ?? order.updatedAt;
  return {
    e: 'ORDER_TRADE_UPDATE',
    E: now,
    T: time,
    o: {
      s: order.symbol,
      c: clientIdOf(order),
      S: order.side,
      o: typeOf(order),
      f: timeInForceOf(order),
      q: format.size(order.quantity),
      p: limitPrice(desk, order),
      ap: averagePrice(desk, order),
      sp: '0',
      x: executionType(event),
      X: order.status,
      i: order.orderId,
      l: fill === undefined ? '0' : format.size(fill.quantity),
      z: format.size(order.executed),
      L: fill === undefined ? '0' : fillPrice(desk, fill),
      ...(fill === undefined ? {} : { n: money(fill.fee), N: 'USDT' }),
      T: time,
      t: fill?.tradeId ?? 0,
      b: '0',
      a: '0',
      m: fill?.maker ?? false,
      R: order.reduceOnly,
      wt: 'CONTRACT_PRICE',
      ot: typeOf(order),
      ps: order.positionSide,
      cp: false,
      rp: fill === undefined ? '0' : money(fill.realisedPnl),
      pP: false,
      si: 0,
      ss: 0,
      V: order.selfTradePrevention,
      pm: 'NONE',
      gtd: 0,
      er: expiryReason(order),
    },
  };
}

/** `TRADE_LITE`: a fill in few words, before all else of it. */
export function tradeLite(desk: ShapeDesk, order: PerpOrder, fill: PerpFill, now: Millis): object {
  const format = desk.format.of(order.symbol);
  return {
    e: 'TRADE_LITE',
    E: now,
    T: fill.time,
    s: order.symbol,
    q: format.size(order.quantity),
    p: limitPrice(desk, order),
    m: fill.maker,
    c: clientIdOf(order),
    S: order.side,
    L: fillPrice(desk, fill),
    l: format.size(fill.quantity),
    t: fill.tradeId,
    i: order.orderId,
  };
}

import type { SimFill, SimOrder } from '../../../exchange.ts';
import type { PerpFill, PerpOrder } from '../../../perp-exchange.ts';
import type { Desk } from '../desk.ts';
import { billIdOf, clOrdIdOf, ordIdOf } from '../ids.ts';
import type { Listed } from '../listing.ts';
import { ORDER_EMPTY_FIELDS, PREVENTION_WORDS, stateWord, typeWord } from './order-words.ts';

/** What rows of orders and fills say in the same words of pairs and of contracts. */

/** Fields of an order that REST and the channel share. */
export function orderFields(desk: Desk, listed: Listed, order: SimOrder | PerpOrder): object {
  return {
    ...ORDER_EMPTY_FIELDS,
    accFillSz: listed.format.quantity(order.executed),
    cTime: String(order.createdAt),
    clOrdId: clOrdIdOf(order),
    instId: listed.instId,
    isTpLimit: 'false',
    linkedAlgoOrd: { algoId: '' },
    ordId: ordIdOf(listed, order.orderId),
    ordType: typeWord(order),
    px: order.price === undefined ? '' : listed.format.price(order.price),
    rebate: '0',
    side: order.side.toLowerCase(),
    state: stateWord(order.status),
    stpMode: PREVENTION_WORDS[order.selfTradePrevention],
    tag: desk.orderNotes.tagOf(order),
    uTime: String(order.updatedAt),
  };
}

/** The part of an order's row that tells of one fill; empty without. @param price of the fill, as text. */
export function lastFill(listed: Listed, fill: SimFill | PerpFill | undefined, price: string): object {
  if (fill === undefined) return { fillPx: '', fillSz: '0', fillTime: '', tradeId: '' };
  return { fillPx: price, ...fillParts(listed, fill) };
}

function fillParts(listed: Listed, fill: SimFill | PerpFill): object {
  return {
    fillSz: listed.format.quantity(fill.quantity),
    fillTime: String(fill.time),
    tradeId: String(fill.tradeId),
  };
}

/** What the channel's row of an order adds to it: how a change of it ended, and whose side the fill was. */
export function pushFields(
  desk: Desk,
  order: SimOrder | PerpOrder,
  { fill, amended }: { readonly fill: SimFill | PerpFill | undefined; readonly amended: boolean },
): object {
  return {
    amendResult: amended ? '0' : '',
    code: '0',
    execType: fill === undefined ? '' : execType(fill),
    msg: '',
    reqId: amended ? desk.orderNotes.amendmentOf(order) : '',
  };
}

function execType({ maker }: SimFill | PerpFill): string {
  return maker ? 'M' : 'T';
}

/** Fields of one row of `fills`. @param order missing where the history has forgotten it. */
export function fillFields(
  desk: Desk,
  listed: Listed,
  fill: SimFill | PerpFill,
  order: SimOrder | PerpOrder | undefined,
): object {
  return {
    ...fillParts(listed, fill),
    billId: billIdOf(listed, fill),
    clOrdId: order === undefined ? '' : clOrdIdOf(order),
    execType: execType(fill),
    instId: listed.instId,
    ordId: ordIdOf(listed, fill.orderId),
    side: fill.side.toLowerCase(),
    tag: order === undefined ? '' : desk.orderNotes.tagOf(order),
    ts: String(fill.time),
  };
}

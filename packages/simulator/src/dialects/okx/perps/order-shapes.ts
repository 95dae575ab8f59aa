import { type Amount, divDown, formatAmount, stepsToAmount, ZERO } from '@crossbook/domain';
import type { PerpFill, PerpOrder, PerpOrderEvent } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../desk.ts';
import { formatCharge, formatFloat } from '../format.ts';
import { ordIdOf } from '../ids.ts';
import { type Listed, MARGIN_ASSET } from '../listing.ts';
import { fillFields, lastFill, orderFields, pushFields } from '../orders/order-fields.ts';
import { cancelledBy, stateWord } from '../orders/order-words.ts';
import { attachedRows, sentByFields } from './stop-rows.ts';
import { charged, mgnModeOf, posSideOf } from './words.ts';

/** Orders and fills of contracts: the fields are those of pairs, with what a position adds to them. */

/** Why an order ended that its owner did not end (OKX v5 guide, `cancelSource` of "Order channel", 2026-06). */
const ENDINGS: Readonly<Record<NonNullable<PerpOrder['endReason']>, readonly [string, string]>> = {
  IOC: ['14', 'IOC order was partially canceled because it was not filled at once'],
  SELF_TRADE: ['32', 'Order canceled due to self trade prevention'],
  REDUCE_ONLY: ['17', 'Reduce-only order canceled: the position has become too small for it'],
  LIQUIDATION: ['3', 'Order was canceled: liquidation'],
  ADL: ['6', 'Order was canceled: auto-deleveraging'],
  DELISTED: ['7', 'Order was canceled: the contract was delivered'],
  POST_ONLY: ['31', 'The post-only order would take liquidity'],
  MARGIN: ['3', 'Order was canceled: positions need its margin, a liquidation is near'],
  FUNDING: ['9', 'Order was canceled: what funding left is not enough for it'],
};
const NOT_FILLED_AT_ONCE = ['13', 'FOK order was canceled because it was not filled at once'] as const;

function cancelSourceOf(desk: Desk, listed: Listed, order: PerpOrder): object {
  const named = ([cancelSource, cancelSourceReason]: readonly [string, string]) => ({
    cancelSource,
    cancelSourceReason,
  });
  if (stateWord(order.status) !== 'canceled') return named(['', '']);
  if (order.endReason === undefined) return named(cancelledBy(desk, ordIdOf(listed, order.orderId)));
  if (order.endReason === 'IOC' && order.timeInForce === 'FOK') return named(NOT_FILLED_AT_ONCE);
  return named(ENDINGS[order.endReason]);
}

/** Whether a forced order was the last of its position: the same step ended that by a liquidation. */
function endedPosition(
  desk: Desk,
  order: Pick<PerpOrder, KeyField | 'account' | 'symbol'>,
  at: number,
): boolean {
  const { account, symbol, positionSide, marginMode } = order;
  const span = { startTime: at, endTime: at } as { startTime: never; endTime: never };
  return desk.venue.perps
    .closedPositions(account, { symbol, ...span, limit: 10 })
    .some((closed) => closed.side === positionSide && closed.marginMode === marginMode);
}
type KeyField = 'positionSide' | 'marginMode';

/** Whose hand it is, as `category` tells it. */
function categoryOf(desk: Desk, order: PerpOrder): string {
  if (order.origin === 'MEMBER') return 'normal';
  if (order.origin === 'ADL') return 'adl';
  return endedPosition(desk, order, order.updatedAt) ? 'full_liquidation' : 'partial_liquidation';
}

/** Base coins of some lots. */
function coinsOf(contract: PerpFacts, lots: number): Amount {
  const contracts = stepsToAmount(lots, contract.lotSize);
  return ((contracts * contract.contractValue) / 10n ** 18n) as Amount;
}

function averagePrice(order: PerpOrder, contract: PerpFacts): string {
  if (order.executed === 0) return '';
  return formatAmount(divDown(order.executedQuote, coinsOf(contract, order.executed)));
}

function fillsOf(desk: Desk, { account, symbol, orderId, executed }: PerpOrder): readonly PerpFill[] {
  if (executed === 0) return [];
  return desk.venue.perps.perpFills(account, { symbol, orderId, limit: Number.MAX_SAFE_INTEGER });
}

function contractOf(listed: Listed): PerpFacts {
  if (listed.contract === undefined) throw new Error(`invariant broken: ${listed.instId} is a contract`);
  return listed.contract;
}

function sharedRow(
  desk: Desk,
  listed: Listed,
  order: PerpOrder,
  fill: PerpFill | undefined,
): Record<string, unknown> {
  return {
    ...orderFields(desk, listed, order),
    ...sentByFields(desk, order),
    attachAlgoOrds: attachedRows(listed, order),
    avgPx: averagePrice(order, contractOf(listed)),
    ...cancelSourceOf(desk, listed, order),
    category: categoryOf(desk, order),
    ccy: '',
    fee: charged(order.fee),
    feeCcy: MARGIN_ASSET,
    ...lastFill(listed, fill, fill === undefined ? '' : formatAmount(fill.exactPrice)),
    instType: listed.instType,
    lever: String(order.leverage),
    pnl: formatAmount(order.realisedPnl),
    posSide: posSideOf(order.positionSide),
    rebateCcy: MARGIN_ASSET,
    reduceOnly: String(order.reduceOnly && order.positionSide === 'BOTH'),
    sz: listed.format.quantity(order.quantity),
    tdMode: mgnModeOf(order.marginMode),
    tgtCcy: '',
    tradeQuoteCcy: '',
  };
}

/** An order as queries and lists tell it: with its last fill. */
export function contractOrderRow(desk: Desk, listed: Listed, order: PerpOrder): object {
  return sharedRow(desk, listed, order, fillsOf(desk, order).at(-1));
}

/** One row of the `orders` channel: the order after the event, and the fill only where the event is one. */
export function contractOrderPush(desk: Desk, listed: Listed, event: PerpOrderEvent): object {
  const { order, fill, cause } = event;
  const amended = cause === 'REPLACED';
  const contract = contractOf(listed);
  const value = (price: Amount): string =>
    formatAmount(((coinsOf(contract, order.quantity) * price) / 10n ** 18n) as Amount);
  const price = order.price === undefined ? ZERO : stepsToAmount(order.price, contract.tickSize);
  return {
    ...pushFields(desk, order, { fill, amended }),
    ...sharedRow(desk, listed, order, fill),
    // An order that the venue cuts to its position has no request behind it.
    amendSource: amended ? (desk.orderNotes.isAmended(order) ? '1' : '2') : '',
    fillFee: fill === undefined ? '0' : charged(fill.fee),
    fillFeeCcy: fill === undefined ? '' : MARGIN_ASSET,
    fillNotionalUsd: fill === undefined ? '' : formatAmount(order.executedQuote),
    fillPnl: fill === undefined ? '0' : formatAmount(fill.realisedPnl),
    lastPx: formatFloat(desk.venue.perps.ticker(order.symbol).last),
    notionalUsd: value(price),
  };
}

/** First sub-types of a bill by whose hand it was: for legs (long, then short) and for net mode (buy, then sell). */
const SUB_TYPES = {
  normal: { leg: 3, net: 1 },
  partial_liquidation: { leg: 100, net: 102 },
  full_liquidation: { leg: 104, net: 106 },
  adl: { leg: 125, net: 127 },
} as const;

/** `subType` of a trade: what it did, and by whose hand (OKX v5 guide, "Bills details"). */
export function tradeSubType(desk: Desk, fill: PerpFill): string {
  const { side, positionSide, origin } = fill;
  if (origin === 'DELISTING') return side === 'SELL' ? '112' : '113';
  const forced = origin === 'LIQUIDATION' || origin === 'TAKEOVER';
  const full = forced && endedPosition(desk, fill, fill.time);
  const hand = full
    ? 'full_liquidation'
    : forced
      ? 'partial_liquidation'
      : origin === 'ADL'
        ? 'adl'
        : 'normal';
  const { leg, net } = SUB_TYPES[hand];
  if (positionSide === 'BOTH') return String(net + (side === 'BUY' ? 0 : 1));
  const short = positionSide === 'SHORT' ? 1 : 0;
  const closes = (positionSide === 'LONG') === (side === 'SELL');
  return String(leg + short + (hand === 'normal' && closes ? 2 : 0));
}

/** One row of `fills`. */
export function contractFillRow(desk: Desk, listed: Listed, fill: PerpFill): object {
  const { account, symbol, orderId } = fill;
  const order = desk.venue.perps.perpOrder(account, symbol, { orderId });
  const contract = contractOf(listed);
  const { mark, index } = desk.venue.perps.stats(symbol);
  return {
    ...fillFields(desk, listed, fill, order),
    fee: charged(fill.fee),
    feeCcy: MARGIN_ASSET,
    feeRate: formatCharge(fill.maker ? contract.makerFee : contract.takerFee),
    ...fields('fillFwdPx fillMarkVol fillPxUsd fillPxVol', ''),
    fillIdxPx: listed.format.displayPrice(index),
    fillMarkPx: listed.format.displayPrice(mark),
    fillPnl: formatAmount(fill.realisedPnl),
    fillPx: formatAmount(fill.exactPrice),
    instType: listed.instType,
    posSide: posSideOf(fill.positionSide),
    subType: tradeSubType(desk, fill),
    tradeQuoteCcy: '',
  };
}

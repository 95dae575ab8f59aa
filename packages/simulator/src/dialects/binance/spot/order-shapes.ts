import { stepsToAmount, type Ticks } from '@crossbook/domain';
import type { SimExpiry } from '../../../conditional-terms.ts';
import type { MarketFacts, SimFill, SimOrder } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import { formatDecimal, ZERO_TEXT } from '../format.ts';
import type { OrderType } from './order-leg.ts';

/** How much of a new order's story the answer tells (newOrderRespType). */
export type ResponseType = 'ACK' | 'RESULT' | 'FULL';

/** Figures of an order that every shape repeats. */
export interface OrderTexts {
  readonly price: string;
  readonly quantity: string;
  readonly executed: string;
  readonly executedQuote: string;
  readonly quoteQuantity: string;
}

/** A market order by quote amount shows as its quantity what it bought, as Binance does. */
export function orderTexts(desk: Desk, order: SimOrder): OrderTexts {
  const format = desk.format.of(order.symbol);
  return {
    price: order.price === undefined ? ZERO_TEXT : format.price(order.price),
    quantity: format.size(order.quantity ?? order.executed),
    executed: format.size(order.executed),
    executedQuote: formatDecimal(order.executedQuote),
    quoteQuantity: order.quoteQuantity === undefined ? ZERO_TEXT : formatDecimal(order.quoteQuantity),
  };
}

/** Market and post-only orders are shown as GTC. */
export function timeInForce(order: SimOrder): string {
  return order.kind === 'LIMIT' ? order.timeInForce : 'GTC';
}

/** `type` of an order. */
export function typeWord({ kind, trigger }: SimOrder): OrderType {
  if (trigger === undefined) return kind;
  const word = trigger.purpose === 'STOP' ? 'STOP_LOSS' : 'TAKE_PROFIT';
  return kind === 'MARKET' ? word : `${word}_LIMIT`;
}

/** `workingTime`: since when it is in the book, -1 while it waits. */
export function workingTime({ workingSince, trigger, list, createdAt }: SimOrder): number {
  const waited = trigger !== undefined || list?.role === 'PENDING';
  return workingSince ?? (waited ? -1 : createdAt);
}

/** Whether the order rests in the book. */
export function isWorking(order: SimOrder): boolean {
  const open = order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';
  return order.kind !== 'MARKET' && open && workingTime(order) !== -1;
}

/** `orderListId`. */
export function listIdOf({ list }: SimOrder): number {
  return list?.listId ?? -1;
}

/** Why the venue ended an order that waited (Order Expiry Reason, user-data-stream.md). */
export function expiryReason({ expiry }: SimOrder): string | undefined {
  return expiry === undefined ? undefined : EXPIRY_REASONS[expiry];
}

const EXPIRY_REASONS: Readonly<Record<SimExpiry, string>> = {
  OTHER_LEG: 'OCO_TRIGGER',
  WORKING_ORDER: 'OTO_PHASE_ONE_EXPIRED',
  REFUSED: 'REJECTED',
};

/** What only some orders have (Conditional fields in Order Responses, rest-api.md). */
function conditionalFields(desk: Desk, order: SimOrder): object {
  const { trigger, trailing, visible } = order;
  const format = desk.format.of(order.symbol);
  const reason = expiryReason(order);
  return {
    ...(trigger === undefined ? {} : { stopPrice: priceText(desk, order, trigger.price) }),
    ...(trigger?.trailingBips === undefined
      ? {}
      : { trailingDelta: trigger.trailingBips, trailingTime: trailing?.since ?? -1 }),
    ...(visible === undefined ? {} : { icebergQty: format.size(visible) }),
    ...(reason === undefined ? {} : { expiryReason: reason }),
  };
}

function priceText(desk: Desk, { symbol }: SimOrder, price: Ticks | undefined): string {
  return price === undefined ? ZERO_TEXT : desk.format.of(symbol).price(price);
}

/** What an order is and where it stands, in every answer. */
function state(desk: Desk, order: SimOrder): object {
  return {
    status: order.status,
    timeInForce: timeInForce(order),
    type: typeWord(order),
    side: order.side,
    ...conditionalFields(desk, order),
  };
}

/** The same with its figures under the names that all answers but that to an amend give them. */
function standing(desk: Desk, order: SimOrder): object {
  const texts = orderTexts(desk, order);
  return {
    price: texts.price,
    origQty: texts.quantity,
    executedQty: texts.executed,
    origQuoteOrderQty: texts.quoteQuantity,
    cummulativeQuoteQty: texts.executedQuote,
    ...state(desk, order),
  };
}

function fillLine(desk: Desk, fill: SimFill): object {
  const format = desk.format.of(fill.symbol);
  return {
    price: format.price(fill.price),
    qty: format.size(fill.quantity),
    commission: formatDecimal(fill.fee),
    commissionAsset: fill.feeAsset,
    tradeId: fill.tradeId,
  };
}

/** The answer to a new order. */
export function placedOrder(
  desk: Desk,
  report: { readonly order: SimOrder; readonly fills: readonly SimFill[] },
  type: ResponseType,
): object {
  const { order, fills } = report;
  const acknowledged = {
    symbol: order.symbol,
    orderId: order.orderId,
    orderListId: listIdOf(order),
    clientOrderId: order.clientId,
    transactTime: order.updatedAt,
  };
  if (type === 'ACK') return acknowledged;
  const result = {
    ...acknowledged,
    ...standing(desk, order),
    workingTime: workingTime(order),
  };
  const mode = { selfTradePreventionMode: order.selfTradePrevention };
  if (type === 'RESULT') return { ...result, ...mode };
  return { ...result, fills: fills.map((fill) => fillLine(desk, fill)), ...mode };
}

/** The answer to a cancel: `clientOrderId` is the cancel's own, `origClientOrderId` the order's. */
export function cancelledOrder(desk: Desk, order: SimOrder, cancelClientId: string): object {
  return {
    symbol: order.symbol,
    origClientOrderId: order.clientId,
    orderId: order.orderId,
    orderListId: listIdOf(order),
    clientOrderId: cancelClientId,
    transactTime: order.updatedAt,
    ...standing(desk, order),
    selfTradePreventionMode: order.selfTradePrevention,
  };
}

/** An order as the queries show it. */
export function queriedOrder(desk: Desk, order: SimOrder): object {
  return {
    symbol: order.symbol,
    orderId: order.orderId,
    orderListId: listIdOf(order),
    clientOrderId: order.clientId,
    stopPrice: ZERO_TEXT,
    icebergQty: ZERO_TEXT,
    ...standing(desk, order),
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: workingTime(order) !== -1,
    workingTime: workingTime(order),
    selfTradePreventionMode: order.selfTradePrevention,
  };
}

/** The answer to an amend: Binance's names differ here from every other call (`qty`, `cumulativeQuoteQty`). */
export function amendedOrder(
  desk: Desk,
  order: SimOrder,
  before: { readonly clientId: string },
  executionId: number,
): object {
  const texts = orderTexts(desk, order);
  return {
    transactTime: order.updatedAt,
    executionId,
    amendedOrder: {
      symbol: order.symbol,
      orderId: order.orderId,
      orderListId: listIdOf(order),
      origClientOrderId: before.clientId,
      clientOrderId: order.clientId,
      price: texts.price,
      qty: texts.quantity,
      executedQty: texts.executed,
      preventedQty: ZERO_TEXT,
      quoteOrderQty: texts.quoteQuantity,
      cumulativeQuoteQty: texts.executedQuote,
      ...state(desk, order),
      workingTime: workingTime(order),
      selfTradePreventionMode: order.selfTradePrevention,
    },
  };
}

/** One line of /myTrades. */
export function ownTrade(desk: Desk, fill: SimFill, market: MarketFacts): object {
  const format = desk.format.of(market.symbol);
  return {
    symbol: fill.symbol,
    id: fill.tradeId,
    orderId: fill.orderId,
    orderListId: -1,
    price: format.price(fill.price),
    qty: format.size(fill.quantity),
    quoteQty: formatDecimal(fill.quoteQuantity),
    commission: formatDecimal(fill.fee),
    commissionAsset: fill.feeAsset,
    time: fill.time,
    isBuyer: fill.side === 'BUY',
    isMaker: fill.maker,
    isBestMatch: true,
  };
}

/** Commission rates of a test order (computeCommissionRates). */
export function commissionRates(market: MarketFacts): object {
  const none = { maker: ZERO_TEXT, taker: ZERO_TEXT };
  return {
    standardCommissionForOrder: {
      maker: formatDecimal(market.makerFee),
      taker: formatDecimal(market.takerFee),
    },
    specialCommissionForOrder: none,
    taxCommissionForOrder: none,
    discount: {
      enabledForAccount: false,
      enabledForSymbol: false,
      discountAsset: 'BNB',
      discount: formatDecimal(stepsToAmount(0, market.tickSize)),
    },
  };
}

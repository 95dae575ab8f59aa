import { stepsToAmount } from '@crossbook/domain';
import type { MarketFacts, SimFill, SimOrder } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import { formatDecimal, ZERO_TEXT } from '../format.ts';

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

/** Whether the order rests in the book. */
export function isWorking(order: SimOrder): boolean {
  return order.kind !== 'MARKET' && (order.status === 'NEW' || order.status === 'PARTIALLY_FILLED');
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
    orderListId: -1,
    clientOrderId: order.clientId,
    transactTime: order.updatedAt,
  };
  if (type === 'ACK') return acknowledged;
  const texts = orderTexts(desk, order);
  const result = {
    ...acknowledged,
    price: texts.price,
    origQty: texts.quantity,
    executedQty: texts.executed,
    origQuoteOrderQty: texts.quoteQuantity,
    cummulativeQuoteQty: texts.executedQuote,
    status: order.status,
    timeInForce: timeInForce(order),
    type: order.kind,
    side: order.side,
    workingTime: order.createdAt,
  };
  const mode = { selfTradePreventionMode: order.selfTradePrevention };
  if (type === 'RESULT') return { ...result, ...mode };
  return { ...result, fills: fills.map((fill) => fillLine(desk, fill)), ...mode };
}

/** The answer to a cancel: `clientOrderId` is the cancel's own, `origClientOrderId` the order's. */
export function cancelledOrder(desk: Desk, order: SimOrder, cancelClientId: string): object {
  const texts = orderTexts(desk, order);
  return {
    symbol: order.symbol,
    origClientOrderId: order.clientId,
    orderId: order.orderId,
    orderListId: -1,
    clientOrderId: cancelClientId,
    transactTime: order.updatedAt,
    price: texts.price,
    origQty: texts.quantity,
    executedQty: texts.executed,
    origQuoteOrderQty: texts.quoteQuantity,
    cummulativeQuoteQty: texts.executedQuote,
    status: order.status,
    timeInForce: timeInForce(order),
    type: order.kind,
    side: order.side,
    selfTradePreventionMode: order.selfTradePrevention,
  };
}

/** An order as the queries show it. */
export function queriedOrder(desk: Desk, order: SimOrder): object {
  const texts = orderTexts(desk, order);
  return {
    symbol: order.symbol,
    orderId: order.orderId,
    orderListId: -1,
    clientOrderId: order.clientId,
    price: texts.price,
    origQty: texts.quantity,
    executedQty: texts.executed,
    cummulativeQuoteQty: texts.executedQuote,
    status: order.status,
    timeInForce: timeInForce(order),
    type: order.kind,
    side: order.side,
    stopPrice: ZERO_TEXT,
    icebergQty: ZERO_TEXT,
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: true,
    workingTime: order.createdAt,
    origQuoteOrderQty: texts.quoteQuantity,
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
      orderListId: -1,
      origClientOrderId: before.clientId,
      clientOrderId: order.clientId,
      price: texts.price,
      qty: texts.quantity,
      executedQty: texts.executed,
      preventedQty: ZERO_TEXT,
      quoteOrderQty: texts.quoteQuantity,
      cumulativeQuoteQty: texts.executedQuote,
      status: order.status,
      timeInForce: timeInForce(order),
      type: order.kind,
      side: order.side,
      workingTime: order.createdAt,
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

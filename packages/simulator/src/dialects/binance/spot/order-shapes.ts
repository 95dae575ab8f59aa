import { stepsToAmount } from '@crossbook/domain';
import type { MarketFacts, SimFill, SimOrder } from '../../../exchange.ts';
import type { Desk } from '../endpoint.ts';
import { figure, ZERO_FIGURE } from '../figures.ts';

/** How much of a new order's story the answer tells (newOrderRespType). */
export type ResponseType = 'ACK' | 'RESULT' | 'FULL';

/** Figures of an order that every shape repeats. */
export interface OrderFigures {
  readonly price: string;
  readonly quantity: string;
  readonly executed: string;
  readonly executedQuote: string;
  readonly quoteQuantity: string;
}

/** A market order by quote amount shows as its quantity what it bought, as Binance does. */
export function orderFigures(desk: Desk, order: SimOrder): OrderFigures {
  const figures = desk.figures.of(order.symbol);
  return {
    price: order.price === undefined ? ZERO_FIGURE : figures.price(order.price),
    quantity: figures.size(order.quantity ?? order.executed),
    executed: figures.size(order.executed),
    executedQuote: figure(order.executedQuote),
    quoteQuantity: order.quoteQuantity === undefined ? ZERO_FIGURE : figure(order.quoteQuantity),
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
  const figures = desk.figures.of(fill.symbol);
  return {
    price: figures.price(fill.price),
    qty: figures.size(fill.quantity),
    commission: figure(fill.fee),
    commissionAsset: fill.feeAsset,
    tradeId: fill.tradeId,
  };
}

/** The answer to a new order (wire.md 1.3). */
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
  const figures = orderFigures(desk, order);
  const result = {
    ...acknowledged,
    price: figures.price,
    origQty: figures.quantity,
    executedQty: figures.executed,
    origQuoteOrderQty: figures.quoteQuantity,
    cummulativeQuoteQty: figures.executedQuote,
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
  const figures = orderFigures(desk, order);
  return {
    symbol: order.symbol,
    origClientOrderId: order.clientId,
    orderId: order.orderId,
    orderListId: -1,
    clientOrderId: cancelClientId,
    transactTime: order.updatedAt,
    price: figures.price,
    origQty: figures.quantity,
    executedQty: figures.executed,
    origQuoteOrderQty: figures.quoteQuantity,
    cummulativeQuoteQty: figures.executedQuote,
    status: order.status,
    timeInForce: timeInForce(order),
    type: order.kind,
    side: order.side,
    selfTradePreventionMode: order.selfTradePrevention,
  };
}

/** An order as the queries show it. */
export function queriedOrder(desk: Desk, order: SimOrder): object {
  const figures = orderFigures(desk, order);
  return {
    symbol: order.symbol,
    orderId: order.orderId,
    orderListId: -1,
    clientOrderId: order.clientId,
    price: figures.price,
    origQty: figures.quantity,
    executedQty: figures.executed,
    cummulativeQuoteQty: figures.executedQuote,
    status: order.status,
    timeInForce: timeInForce(order),
    type: order.kind,
    side: order.side,
    stopPrice: ZERO_FIGURE,
    icebergQty: ZERO_FIGURE,
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: true,
    workingTime: order.createdAt,
    origQuoteOrderQty: figures.quoteQuantity,
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
  const figures = orderFigures(desk, order);
  return {
    transactTime: order.updatedAt,
    executionId,
    amendedOrder: {
      symbol: order.symbol,
      orderId: order.orderId,
      orderListId: -1,
      origClientOrderId: before.clientId,
      clientOrderId: order.clientId,
      price: figures.price,
      qty: figures.quantity,
      executedQty: figures.executed,
      preventedQty: ZERO_FIGURE,
      quoteOrderQty: figures.quoteQuantity,
      cumulativeQuoteQty: figures.executedQuote,
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
  const figures = desk.figures.of(market.symbol);
  return {
    symbol: fill.symbol,
    id: fill.tradeId,
    orderId: fill.orderId,
    orderListId: -1,
    price: figures.price(fill.price),
    qty: figures.size(fill.quantity),
    quoteQty: figure(fill.quoteQuantity),
    commission: figure(fill.fee),
    commissionAsset: fill.feeAsset,
    time: fill.time,
    isBuyer: fill.side === 'BUY',
    isMaker: fill.maker,
    isBestMatch: true,
  };
}

/** Commission rates of a test order (computeCommissionRates). */
export function commissionRates(market: MarketFacts): object {
  const none = { maker: ZERO_FIGURE, taker: ZERO_FIGURE };
  return {
    standardCommissionForOrder: { maker: figure(market.makerFee), taker: figure(market.takerFee) },
    specialCommissionForOrder: none,
    taxCommissionForOrder: none,
    discount: {
      enabledForAccount: false,
      enabledForSymbol: false,
      discountAsset: 'BNB',
      discount: figure(stepsToAmount(0, market.tickSize)),
    },
  };
}

import { type Amount, divDown, formatAmountFixed, stepsToAmount } from '@crossbook/domain';
import type { PerpFill, PerpOrder } from '../../../../perp-exchange.ts';
import type { FuturesDesk } from '../desk.ts';
import { exactPrice, money } from '../format.ts';

/** What shapes are written with. */
export type ShapeDesk = Pick<FuturesDesk, 'format'> & {
  readonly perps: Pick<FuturesDesk['perps'], 'contracts'>;
};

/** Average prices have at least so many decimals. */
const AVERAGE_DECIMALS_MIN = 5;

/** The client id that is told: the venue's own orders have names of its choosing. */
export function clientIdOf(order: Pick<PerpOrder, 'origin' | 'clientId' | 'orderId'>): string {
  if (order.origin === 'LIQUIDATION') return `autoclose-${order.orderId}`;
  return order.origin === 'ADL' ? 'adl_autoclose' : order.clientId;
}

/** Post-only is a time in force here; market orders are shown as GTC. */
export function timeInForceOf(order: Pick<PerpOrder, 'kind' | 'timeInForce' | 'origin'>): string {
  if (order.origin !== 'MEMBER') return 'IOC';
  if (order.kind === 'LIMIT_MAKER') return 'GTX';
  return order.kind === 'MARKET' ? 'GTC' : order.timeInForce;
}

/** LIMIT or MARKET. */
export function typeOf(order: Pick<PerpOrder, 'kind'>): string {
  return order.kind === 'MARKET' ? 'MARKET' : 'LIMIT';
}

/** The average price of its fills; zero before the first. */
export function averagePrice(desk: ShapeDesk, order: PerpOrder): string {
  const { priceDecimals } = desk.format.of(order.symbol);
  const decimals = Math.max(AVERAGE_DECIMALS_MIN, priceDecimals);
  const contract = desk.perps.contracts.get(order.symbol);
  const filled = contract === undefined ? 0n : stepsToAmount(order.executed, contract.lotSize);
  const average = filled === 0n ? 0n : divDown(order.executedQuote, filled as Amount);
  return formatAmountFixed(average as Amount, decimals);
}

/** The price of an order as text; a market order has none, which is zero. */
export function limitPrice(desk: ShapeDesk, order: Pick<PerpOrder, 'symbol' | 'price'>): string {
  return order.price === undefined ? '0' : desk.format.of(order.symbol).price(order.price);
}

/** What every answer about an order says. */
function orderFields(desk: ShapeDesk, order: PerpOrder): object {
  const format = desk.format.of(order.symbol);
  return {
    orderId: order.orderId,
    symbol: order.symbol,
    status: order.status,
    clientOrderId: clientIdOf(order),
    price: limitPrice(desk, order),
    avgPrice: averagePrice(desk, order),
    origQty: format.size(order.quantity),
    executedQty: format.size(order.executed),
    cumQuote: formatAmountFixed(order.executedQuote, format.valueDecimals),
    timeInForce: timeInForceOf(order),
    type: typeOf(order),
    reduceOnly: order.reduceOnly,
    closePosition: false,
    side: order.side,
    positionSide: order.positionSide,
    stopPrice: '0',
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    origType: typeOf(order),
    priceMatch: 'NONE',
    selfTradePreventionMode: order.selfTradePrevention,
    goodTillDate: 0,
    updateTime: order.updatedAt,
  };
}

/** The answer to a command about an order. */
export function commandedOrder(desk: ShapeDesk, order: PerpOrder): object {
  return { ...orderFields(desk, order), cumQty: desk.format.of(order.symbol).size(order.executed) };
}

/** The answer to a new order that was only acknowledged: as it was taken, whatever it has done since. */
export function acknowledgedOrder(desk: ShapeDesk, order: PerpOrder): object {
  const taken = { ...order, status: 'NEW', executed: 0, executedQuote: 0n, updatedAt: order.createdAt };
  return commandedOrder(desk, taken as PerpOrder);
}

/** An order as the queries show it. */
export function queriedOrder(desk: ShapeDesk, order: PerpOrder): object {
  return { ...orderFields(desk, order), time: order.createdAt };
}

/** The price of a fill: on a tick, but where a position was taken over, deleveraged or delisted. */
export function fillPrice(desk: ShapeDesk, fill: PerpFill): string {
  const onTick = fill.origin === 'MEMBER' || fill.origin === 'LIQUIDATION';
  return onTick ? desk.format.of(fill.symbol).price(fill.price) : exactPrice(fill.exactPrice);
}

/** One line of userTrades. */
export function ownTrade(desk: ShapeDesk, fill: PerpFill): object {
  const format = desk.format.of(fill.symbol);
  return {
    symbol: fill.symbol,
    id: fill.tradeId,
    orderId: fill.orderId,
    side: fill.side,
    price: fillPrice(desk, fill),
    qty: format.size(fill.quantity),
    realizedPnl: money(fill.realisedPnl),
    quoteQty: money(fill.quoteQuantity),
    commission: money(fill.fee),
    commissionAsset: 'USDT',
    time: fill.time,
    positionSide: fill.positionSide,
    maker: fill.maker,
    buyer: fill.side === 'BUY',
  };
}

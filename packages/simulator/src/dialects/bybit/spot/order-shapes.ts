import {
  type Amount,
  divDown,
  formatAmount,
  type Lots,
  mulDown,
  plus,
  stepsToAmount,
  ZERO,
} from '@crossbook/domain';
import type { MarketFacts, SimFill, SimOrder } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../endpoint.ts';
import { cutAmount } from '../format.ts';
import { attachedTo } from './attached.ts';
import type { OrderFilter } from './order-draft.ts';

/** More fills than this are not added up for one order. */
const FILLS_OF_ORDER_MAX = 20_000;

function marketOf(desk: Desk, symbol: string): MarketFacts {
  const market = desk.venue.spot.markets.get(symbol);
  if (market === undefined) throw new Error(`invariant broken: ${symbol} is listed`);
  return market;
}

/** Under which `orderFilter` it stands: one that has fired is open among the plain ones. */
export function filterOf(order: SimOrder): OrderFilter {
  const open = order.status === 'NEW' || order.status === 'PARTIALLY_FILLED';
  return open && !waits(order) ? 'Order' : kindOf(order);
}

/** Which kind of order it was placed as. */
function kindOf({ trigger, list }: SimOrder): OrderFilter {
  if (trigger === undefined) return 'Order';
  // Its working order and two legs.
  if (list !== undefined && list.orderIds.length > 2) return 'BidirectionalTpslOrder';
  return trigger.fundedWhenFired === true ? 'StopOrder' : 'tpslOrder';
}

/** Whether it waits for its price. */
export function waits({ status, trigger, workingSince }: SimOrder): boolean {
  return status === 'NEW' && trigger !== undefined && workingSince === undefined;
}

/** Bybit's words (enum, "orderStatus", 2026-07-24). An order that ended in part has a word of its own in spot. */
export function orderStatus(order: SimOrder): string {
  if (waits(order)) return 'Untriggered';
  if (order.expiry === 'REFUSED') return 'Rejected';
  const fired = order.trigger === undefined || order.workingSince !== undefined;
  if (!fired && (order.status === 'CANCELED' || order.expiry === 'OTHER_LEG')) return 'Deactivated';
  if (order.status === 'NEW') return 'New';
  if (order.status === 'PARTIALLY_FILLED') return 'PartiallyFilled';
  if (order.status === 'FILLED') return 'Filled';
  return order.executed > 0 ? 'PartiallyFilledCanceled' : 'Cancelled';
}

function cancelType(desk: Desk, order: SimOrder): string {
  const orderId = desk.numbers.spot.orderId(order.symbol, order.orderId);
  if (order.expiry === 'OTHER_LEG')
    return order.trigger?.purpose === 'STOP'
      ? 'CancelByOCOSlCanceledByTpTriggered'
      : 'CancelByOCOTpCanceledBySlTriggered';
  if (order.status === 'CANCELED') return desk.guards.hasCancelled(orderId) ? 'CancelByDCP' : 'CancelByUser';
  return order.status === 'EXPIRED_IN_MATCH' ? 'CancelBySmp' : 'UNKNOWN';
}

function rejectReason(order: SimOrder): string {
  if (order.status !== 'EXPIRED' || order.expiry === 'OTHER_LEG') return 'EC_NoError';
  if (order.expiry === 'REFUSED') return 'EC_Others';
  return order.kind === 'LIMIT_MAKER' ? 'EC_PostOnlyWillTakeLiquidity' : 'EC_NoImmediateQtyToFill';
}

function timeInForce(order: SimOrder): string {
  return order.kind === 'LIMIT_MAKER' ? 'PostOnly' : order.timeInForce;
}

/** `stopOrderType`. */
const STOP_TYPES: Readonly<Record<OrderFilter, string>> = {
  Order: '',
  tpslOrder: 'tpslOrder',
  StopOrder: 'Stop',
  BidirectionalTpslOrder: 'BidirectionalTpslOrder',
};

const SELF_TRADE_WORDS = {
  NONE: 'None',
  EXPIRE_TAKER: 'CancelTaker',
  EXPIRE_MAKER: 'CancelMaker',
  EXPIRE_BOTH: 'CancelBoth',
} as const;

/** The quantities of an order in its own unit: base coin, or quote coin for an order by value. */
function quantitiesOf(order: SimOrder, market: MarketFacts): Record<string, string> {
  const { quantity, quoteQuantity, executed, executedQuote } = order;
  const base = (lots: number) => formatAmount(stepsToAmount(lots, market.lotSize));
  const common = {
    cumExecQty: base(executed),
    cumExecValue: formatAmount(executedQuote),
    avgPrice:
      executed === 0 ? '' : cutAmount(divDown(executedQuote, stepsToAmount(executed, market.lotSize))),
  };
  if (quoteQuantity !== undefined) {
    const left = (quoteQuantity - executedQuote) as Amount;
    const none = order.status === 'FILLED';
    return {
      ...common,
      qty: formatAmount(quoteQuantity),
      leavesQty: '0',
      leavesValue: none ? '0' : formatAmount(left),
    };
  }
  const leftLots = ((quantity ?? 0) - executed) as Lots;
  const price = stepsToAmount(order.price ?? 0, market.tickSize);
  return {
    ...common,
    qty: base(quantity ?? 0),
    leavesQty: base(leftLots),
    leavesValue: formatAmount(mulDown(stepsToAmount(leftLots, market.lotSize), price)),
  };
}

/** What an order has paid in fees, by coin. */
function feesOf(desk: Desk, order: SimOrder, market: MarketFacts): ReadonlyMap<string, Amount> {
  const fees = new Map<string, Amount>();
  if (order.executed === 0 || (market.makerFee === ZERO && market.takerFee === ZERO)) return fees;
  const { account, symbol, orderId } = order;
  for (const fill of desk.venue.spot.fills(account, symbol, { orderId, limit: FILLS_OF_ORDER_MAX })) {
    fees.set(fill.feeAsset, plus(fees.get(fill.feeAsset) ?? ZERO, fill.fee));
  }
  return fees;
}

/** The coin that an order receives: fees are taken from it (enum, "Spot Fee Currency Instruction"). */
function receivedCoin(order: SimOrder, market: MarketFacts): string {
  return order.side === 'BUY' ? market.base : market.quote;
}

/** What came with it: `0` where nothing did, and where what it sends is a market order. */
function attachedFields(desk: Desk, order: SimOrder, { tickSize }: MarketFacts): object {
  const { TAKE_PROFIT: profit, STOP: loss } = attachedTo(desk, order);
  const text = (ticks: number | undefined) => formatAmount(stepsToAmount(ticks ?? 0, tickSize));
  return {
    ...{ takeProfit: text(profit?.trigger?.price), stopLoss: text(loss?.trigger?.price) },
    ...{ tpLimitPrice: text(profit?.price), slLimitPrice: text(loss?.price) },
  };
}

/** An order as lists and the private stream tell it. Spot rows have no `tpslMode`: clients tell contracts by it. */
export function orderRow(desk: Desk, order: SimOrder): Record<string, unknown> {
  const market = marketOf(desk, order.symbol);
  const fees = feesOf(desk, order, market);
  const coin = receivedCoin(order, market);
  const byMarket = order.kind === 'MARKET';
  return {
    orderId: desk.numbers.spot.orderId(order.symbol, order.orderId),
    orderLinkId: order.clientId,
    ...fields(
      'parentOrderLinkId blockTradeId orderIv ocoTriggerBy tpTriggerBy slTriggerBy triggerBy lastPriceOnCreated basePrice placeType smpOrderId',
      '',
    ),
    stopOrderType: STOP_TYPES[kindOf(order)],
    symbol: order.symbol,
    price: byMarket ? '0' : formatAmount(stepsToAmount(order.price ?? 0, market.tickSize)),
    side: order.side === 'BUY' ? 'Buy' : 'Sell',
    triggerPrice: formatAmount(stepsToAmount(order.trigger?.price ?? 0, market.tickSize)),
    isLeverage: '0',
    ...attachedFields(desk, order, market),
    positionIdx: 0,
    orderStatus: orderStatus(order),
    cancelType: cancelType(desk, order),
    rejectReason: rejectReason(order),
    ...quantitiesOf(order, market),
    cumExecFee: formatAmount(fees.get(coin) ?? ZERO),
    timeInForce: timeInForce(order),
    orderType: byMarket ? 'Market' : 'Limit',
    marketUnit: !byMarket ? '' : order.quoteQuantity === undefined ? 'baseCoin' : 'quoteCoin',
    triggerDirection: 0,
    reduceOnly: false,
    closeOnTrigger: false,
    smpType: SELF_TRADE_WORDS[order.selfTradePrevention],
    smpGroup: 0,
    createdTime: String(order.createdAt),
    updatedTime: String(order.updatedAt),
    cumFeeDetail: Object.fromEntries([...fees].map(([asset, fee]) => [asset, formatAmount(fee)])),
  };
}

/** What the private stream's order rows have beside those of the lists. */
export function streamedOrderRow(desk: Desk, order: SimOrder): object {
  const coin = receivedCoin(order, marketOf(desk, order.symbol));
  return { category: 'spot', ...orderRow(desk, order), feeCurrency: coin, closedPnl: '0' };
}

/** One execution. `order` is missing where the history has forgotten it. */
export function executionRow(
  desk: Desk,
  fill: SimFill,
  order: SimOrder | undefined,
): Record<string, unknown> {
  const market = marketOf(desk, fill.symbol);
  const quantities = order === undefined ? undefined : quantitiesOf(order, market);
  const limit = order?.price === undefined ? '0' : formatAmount(stepsToAmount(order.price, market.tickSize));
  return {
    symbol: fill.symbol,
    orderId: desk.numbers.spot.orderId(fill.symbol, fill.orderId),
    orderLinkId: order?.clientId ?? '',
    side: fill.side === 'BUY' ? 'Buy' : 'Sell',
    orderPrice: limit,
    orderQty: quantities?.qty ?? '0',
    leavesQty: quantities?.leavesQty ?? '0',
    orderType: order?.kind === 'MARKET' ? 'Market' : 'Limit',
    ...fields(
      'stopOrderType tradeIv markIv markPrice indexPrice underlyingPrice blockTradeId closedSize extraFees',
      '',
    ),
    execFee: formatAmount(fill.fee),
    execId: desk.numbers.spot.executionId(fill.symbol, fill.tradeId, fill.maker),
    execPrice: formatAmount(stepsToAmount(fill.price, market.tickSize)),
    execQty: formatAmount(stepsToAmount(fill.quantity, market.lotSize)),
    execType: 'Trade',
    execValue: formatAmount(fill.quoteQuantity),
    execTime: String(fill.time),
    feeCurrency: fill.feeAsset,
    isMaker: fill.maker,
    feeRate: formatAmount(fill.maker ? market.makerFee : market.takerFee),
    seq: fill.tradeId,
  };
}

/** The fast stream's few words of an execution: makers are not told their own id (websocket/private/fast-execution). */
export function fastExecution(desk: Desk, fill: SimFill, order: SimOrder): object {
  const { symbol, orderId, orderLinkId, side, execId, execPrice, execQty, execTime, isMaker, seq } =
    executionRow(desk, fill, order);
  const linkId = fill.maker ? '' : orderLinkId;
  return {
    category: 'spot',
    ...{ symbol, execId, execPrice, execQty, orderId, isMaker, orderLinkId: linkId, side, execTime, seq },
  };
}

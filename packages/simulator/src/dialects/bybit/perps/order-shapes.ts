import {
  type Amount,
  divDown,
  formatAmount,
  type Lots,
  minus,
  mulDown,
  plus,
  stepsToAmount,
  ZERO,
} from '@crossbook/domain';
import type { PerpFill, PerpIncome, PerpOrder } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../endpoint.ts';
import { cutAmount, plain } from '../format.ts';
import { isEnded } from '../order-lists.ts';
import { linkIdOf } from './link-ids.ts';
import { positionIdx } from './order-draft.ts';

const RATE_DECIMALS = 8;
const SELF_TRADE_WORDS = {
  NONE: 'None',
  EXPIRE_TAKER: 'CancelTaker',
  EXPIRE_MAKER: 'CancelMaker',
  EXPIRE_BOTH: 'CancelBoth',
} as const;

/** The facts of a contract that orders were taken in. */
export function contractOf(desk: Desk, symbol: string): PerpFacts {
  const contract = desk.venue.perps.contracts.get(symbol);
  if (contract === undefined) throw new Error(`invariant broken: ${symbol} is listed`);
  return contract;
}

/** Bybit's word for a side. */
export function sideWord(side: 'BUY' | 'SELL'): 'Buy' | 'Sell' {
  return side === 'BUY' ? 'Buy' : 'Sell';
}

/** Bybit's words (enum, "orderStatus", 2026-07-24). A contract's order that ended in part is cancelled. */
export function contractOrderStatus({ status }: Pick<PerpOrder, 'status'>): string {
  if (status === 'NEW') return 'New';
  if (status === 'PARTIALLY_FILLED') return 'PartiallyFilled';
  return status === 'FILLED' ? 'Filled' : 'Cancelled';
}

function cancelType({ status, endReason }: PerpOrder): string {
  if (endReason === 'REDUCE_ONLY') return 'CancelByReduceOnly';
  if (endReason === 'LIQUIDATION') return 'CancelByPrepareLiq';
  if (endReason === 'ADL') return 'CancelByPrepareAdl';
  if (endReason === 'SELF_TRADE') return 'CancelBySmp';
  return status === 'CANCELED' ? 'CancelByUser' : 'UNKNOWN';
}

function rejectReason({ endReason }: PerpOrder): string {
  if (endReason === 'POST_ONLY') return 'EC_PostOnlyWillTakeLiquidity';
  return endReason === 'IOC' ? 'EC_NoImmediateQtyToFill' : 'EC_NoError';
}

/** Who made an order; of the venue's own ones a position that was taken over tells itself from one sold step by step. */
function createType(origin: PerpFill['origin']): string {
  if (origin === 'LIQUIDATION') return 'CreateByLiq';
  if (origin === 'TAKEOVER') return 'CreateByTakeOver_PassThrough';
  return origin === 'ADL' ? 'CreateByAdl_PassThrough' : 'CreateByUser';
}

function execType(origin: PerpFill['origin']): string {
  if (origin === 'TAKEOVER') return 'BustTrade';
  return origin === 'ADL' ? 'AdlTrade' : 'Trade';
}

function limitPrice(order: PerpOrder, contract: PerpFacts): string {
  return order.kind === 'MARKET' ? '0' : formatAmount(stepsToAmount(order.price ?? 0, contract.tickSize));
}

/** An order as lists tell it. */
export function contractOrderRow(desk: Desk, order: PerpOrder): Record<string, unknown> {
  const contract = contractOf(desk, order.symbol);
  const size = (lots: number) => stepsToAmount(lots, contract.lotSize);
  const left = isEnded(order) ? 0 : order.quantity - order.executed;
  const price = stepsToAmount(order.price ?? 0, contract.tickSize);
  const postOnly = order.kind === 'LIMIT_MAKER';
  const { executed, executedQuote } = order;
  return {
    orderId: desk.numbers.linear.orderId(order.symbol, order.orderId),
    orderLinkId: linkIdOf(order),
    ...fields(
      'parentOrderLinkId blockTradeId isLeverage stopOrderType orderIv marketUnit triggerPrice takeProfit stopLoss tpslMode ocoTriggerBy tpLimitPrice slLimitPrice tpTriggerBy slTriggerBy triggerBy lastPriceOnCreated basePrice placeType smpOrderId',
      '',
    ),
    symbol: order.symbol,
    price: limitPrice(order, contract),
    qty: formatAmount(size(order.quantity)),
    side: sideWord(order.side),
    positionIdx: positionIdx(order.positionSide),
    orderStatus: contractOrderStatus(order),
    createType: createType(order.origin),
    cancelType: cancelType(order),
    rejectReason: rejectReason(order),
    avgPrice: executed === 0 ? '' : cutAmount(divDown(executedQuote, size(executed))),
    leavesQty: formatAmount(size(left)),
    leavesValue: cutAmount(mulDown(size(left), price)),
    cumExecQty: formatAmount(size(executed)),
    cumExecValue: cutAmount(executedQuote),
    cumExecFee: cutAmount(order.fee),
    timeInForce: postOnly ? 'PostOnly' : order.timeInForce,
    orderType: order.kind === 'MARKET' ? 'Market' : 'Limit',
    triggerDirection: 0,
    reduceOnly: order.reduceOnly,
    closeOnTrigger: false,
    smpType: SELF_TRADE_WORDS[order.selfTradePrevention],
    smpGroup: 0,
    createdTime: String(order.createdAt),
    updatedTime: String(order.updatedAt),
    cumFeeDetail: executed === 0 ? {} : { USDT: cutAmount(order.fee) },
  };
}

/** What the fills of an order closed, with its share of all fees: as `closed-pnl` has it. */
export function closedPnlOf(fills: readonly PerpFill[]): Amount {
  return fills.reduce((sum, fill) => plus(sum, closedPnl(fill)), ZERO);
}

/** Of one fill: gross profit less the fees of opening and closing that belong to what closed. */
export function closedPnl(fill: PerpFill): Amount {
  if (fill.closedQuantity === 0) return ZERO;
  return minus(minus(fill.realisedPnl, fill.entryFee), closeFeeOf(fill));
}

/** The part of a fill's fee that belongs to what it closed. */
export function closeFeeOf({ fee, closedQuantity, quantity }: PerpFill): Amount {
  return ((fee * BigInt(closedQuantity)) / BigInt(quantity)) as Amount;
}

/** What the private stream's order rows have beside those of the lists. */
export function streamedContractOrder(desk: Desk, order: PerpOrder): object {
  const { account, symbol, orderId } = order;
  const fills =
    order.executed === 0 ? [] : desk.venue.perps.perpFills(account, { symbol, orderId, limit: FILLS_MAX });
  const row = contractOrderRow(desk, order);
  return { category: 'linear', ...row, feeCurrency: 'USDT', closedPnl: cutAmount(closedPnlOf(fills)) };
}

/** More fills than this are not added up for one order. */
export const FILLS_MAX = 30_000;

/** One execution. `order` is missing where the history has forgotten it. */
export function contractExecutionRow(
  desk: Desk,
  fill: PerpFill,
  order: PerpOrder | undefined,
): Record<string, unknown> {
  const contract = contractOf(desk, fill.symbol);
  const size = (lots: number) => formatAmount(stepsToAmount(lots, contract.lotSize));
  const { makerFee, takerFee } = contract;
  const forced = fill.origin !== 'MEMBER';
  return {
    symbol: fill.symbol,
    orderId: desk.numbers.linear.orderId(fill.symbol, fill.orderId),
    orderLinkId: order === undefined ? '' : linkIdOf(order),
    side: sideWord(fill.side),
    orderPrice: order === undefined ? '0' : limitPrice(order, contract),
    orderQty: size(order?.quantity ?? fill.quantity),
    leavesQty: size(order === undefined ? 0 : order.quantity - order.executed),
    createType: createType(fill.origin),
    orderType: order?.kind === 'MARKET' ? 'Market' : 'Limit',
    stopOrderType: 'UNKNOWN',
    execFee: cutAmount(fill.fee),
    execId: executionId(desk, fill),
    execPrice: cutAmount(fill.exactPrice),
    execQty: size(fill.quantity),
    execPnl: cutAmount(fill.realisedPnl),
    execType: execType(fill.origin),
    execValue: cutAmount(fill.quoteQuantity),
    execTime: String(fill.time),
    feeCurrency: 'USDT',
    isMaker: fill.maker,
    feeRate: forced ? '0' : formatAmount(fill.maker ? makerFee : takerFee),
    ...fields('tradeIv markIv markPrice indexPrice underlyingPrice blockTradeId marketUnit extraFees', ''),
    isLeverage: '0',
    closedSize: size(fill.closedQuantity),
    seq: fill.sequence,
  };
}

/** The id under which an execution stands in lists, streams and the transaction log. */
export function executionId(desk: Desk, fill: Pick<PerpFill, 'symbol' | 'tradeId' | 'maker'>): string {
  return desk.numbers.linear.tradeUuid(fill.symbol, fill.tradeId, fill.maker ? 'maker' : 'taker');
}

/** The fast stream's few words of an execution: makers are not told their own id (websocket/private/fast-execution). */
export function fastContractExecution(desk: Desk, fill: PerpFill, order: PerpOrder): object {
  const contract = contractOf(desk, fill.symbol);
  return {
    category: 'linear',
    symbol: fill.symbol,
    execId: executionId(desk, fill),
    execPrice: cutAmount(fill.exactPrice),
    execQty: formatAmount(stepsToAmount(fill.quantity, contract.lotSize)),
    orderId: desk.numbers.linear.orderId(fill.symbol, fill.orderId),
    isMaker: fill.maker,
    orderLinkId: fill.maker ? '' : linkIdOf(order),
    side: sideWord(fill.side),
    execTime: String(fill.time),
    seq: fill.sequence,
  };
}

/** What funding says, in the parts that its execution and its entry of the log share. */
export function fundingParts(desk: Desk, income: PerpIncome & { readonly symbol: string }) {
  const contract = contractOf(desk, income.symbol);
  const lots = (income.quantity ?? 0) as Lots;
  const long = lots > 0;
  const size = stepsToAmount(Math.abs(lots), contract.lotSize);
  const rate = income.rate ?? 0;
  return {
    execId: desk.numbers.linear.tradeUuid(income.symbol, income.sequence, 'funding'),
    orderId: `${income.time}-8-${desk.numbers.linear.of(income.symbol)}-${income.sequence}`,
    side: long ? 'Buy' : 'Sell',
    size,
    // Above 0 whoever is asked pays: the market's rate for longs, its opposite for shorts.
    rate: plain(long ? rate : -rate, RATE_DECIMALS),
    price: income.markPrice ?? ZERO,
  } as const;
}

/** Funding as an execution: what was paid is above 0 here, and below in the log. */
export function fundingExecutionRow(desk: Desk, income: PerpIncome & { readonly symbol: string }): object {
  const { execId, orderId, side, size, rate, price } = fundingParts(desk, income);
  return {
    symbol: income.symbol,
    orderId,
    orderLinkId: '',
    side,
    orderPrice: '0',
    orderQty: '0',
    leavesQty: '0',
    createType: '',
    orderType: 'UNKNOWN',
    stopOrderType: 'UNKNOWN',
    execFee: cutAmount(minus(ZERO, income.amount)),
    execId,
    execPrice: cutAmount(price),
    execQty: formatAmount(size),
    execPnl: '',
    execType: 'Funding',
    execValue: cutAmount(mulDown(size, price)),
    execTime: String(income.time),
    feeCurrency: 'USDT',
    isMaker: false,
    feeRate: rate,
    markPrice: cutAmount(price),
    ...fields('tradeIv markIv indexPrice underlyingPrice blockTradeId marketUnit extraFees closedSize', ''),
    isLeverage: '0',
    seq: income.sequence,
  };
}

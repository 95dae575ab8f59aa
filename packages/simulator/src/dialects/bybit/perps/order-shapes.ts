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
import type { PerpConditional } from '../../../perp-conditionals.ts';
import type { PerpFill, PerpIncome, PerpOrder } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../endpoint.ts';
import { cutAmount, plain } from '../format.ts';
import { isEnded } from '../order-lists.ts';
import { type ContractOrder, ownConditional, ownOrder, unfiredOf } from './contract-order.ts';
import { linkIdOf } from './link-ids.ts';
import { positionIdx } from './order-draft.ts';
import { stopCreateType, stopFields, stopOrderType, unfiredCancelType, unfiredStatus } from './stop-words.ts';

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
export function contractOrderStatus(order: ContractOrder): string {
  const { status } = order;
  const unfired = unfiredOf(order);
  if (unfired !== undefined) return unfiredStatus(unfired);
  if (status === 'NEW') return 'New';
  if (status === 'PARTIALLY_FILLED') return 'PartiallyFilled';
  return status === 'FILLED' ? 'Filled' : 'Cancelled';
}

function cancelType(desk: Desk, order: ContractOrder): string {
  const { status, endReason } = order;
  const unfired = unfiredOf(order);
  if (unfired !== undefined) return unfiredCancelType(unfired);
  if (endReason === 'REDUCE_ONLY') return 'CancelByReduceOnly';
  if (endReason === 'LIQUIDATION') return 'CancelByPrepareLiq';
  if (endReason === 'ADL') return 'CancelByPrepareAdl';
  if (endReason === 'DELISTED') return 'CancelBySettle';
  if (endReason === 'SELF_TRADE') return 'CancelBySmp';
  if (status !== 'CANCELED') return 'UNKNOWN';
  const orderId = desk.numbers.linear.orderId(order.symbol, order.orderId);
  return desk.guards.hasCancelled(orderId) ? 'CancelByDCP' : 'CancelByUser';
}

function rejectReason({ endReason, status }: ContractOrder): string {
  if (status === 'REJECTED') return 'EC_Others';
  if (endReason === 'POST_ONLY') return 'EC_PostOnlyWillTakeLiquidity';
  return endReason === 'IOC' ? 'EC_NoImmediateQtyToFill' : 'EC_NoError';
}

/** Who made an order; of the venue's own ones a position that was taken over tells itself from one sold step by step. */
function createType(origin: PerpFill['origin'], stop: ContractOrder['stop']): string {
  if (origin === 'LIQUIDATION') return 'CreateByLiq';
  if (origin === 'TAKEOVER') return 'CreateByTakeOver_PassThrough';
  if (origin === 'ADL') return 'CreateByAdl_PassThrough';
  if (origin === 'DELISTING') return 'CreateBySettle';
  return stop === undefined ? 'CreateByUser' : stopCreateType(stop);
}

function execType(origin: PerpFill['origin']): string {
  if (origin === 'TAKEOVER') return 'BustTrade';
  if (origin === 'DELISTING') return 'Delivery';
  return origin === 'ADL' ? 'AdlTrade' : 'Trade';
}

function limitPrice(order: PerpOrder, contract: PerpFacts): string {
  return order.kind === 'MARKET' ? '0' : formatAmount(stepsToAmount(order.price ?? 0, contract.tickSize));
}

/** An order as lists tell it. */
export function contractOrderRow(desk: Desk, order: ContractOrder): Record<string, unknown> {
  const contract = contractOf(desk, order.symbol);
  const size = (lots: number) => stepsToAmount(lots, contract.lotSize);
  const left = isEnded(order) ? 0 : order.quantity - order.executed;
  const price = stepsToAmount(order.price ?? 0, contract.tickSize);
  const postOnly = order.kind === 'LIMIT_MAKER';
  const byMarket = order.kind === 'MARKET';
  const { executed, executedQuote } = order;
  return {
    orderId: desk.numbers.linear.orderId(order.symbol, order.orderId),
    orderLinkId: linkIdOf(order),
    ...fields(
      'blockTradeId isLeverage orderIv marketUnit ocoTriggerBy lastPriceOnCreated basePrice placeType smpOrderId',
      '',
    ),
    symbol: order.symbol,
    price: limitPrice(order, contract),
    qty: formatAmount(size(order.quantity)),
    side: sideWord(order.side),
    positionIdx: positionIdx(order.positionSide),
    orderStatus: contractOrderStatus(order),
    createType: createType(order.origin, order.stop),
    cancelType: cancelType(desk, order),
    rejectReason: rejectReason(order),
    avgPrice: executed === 0 ? '' : cutAmount(divDown(executedQuote, size(executed))),
    leavesQty: formatAmount(size(left)),
    leavesValue: cutAmount(mulDown(size(left), price)),
    cumExecQty: formatAmount(size(executed)),
    cumExecValue: cutAmount(executedQuote),
    cumExecFee: cutAmount(order.fee),
    timeInForce: byMarket ? 'IOC' : postOnly ? 'PostOnly' : order.timeInForce,
    orderType: byMarket ? 'Market' : 'Limit',
    ...stopFields(desk, order, contract),
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

/** What the private stream's order rows have beside those of the lists. @param order as the core has it. */
export function streamedContractOrder(desk: Desk, order: PerpOrder): object {
  const { account, symbol, orderId } = order;
  const fills =
    order.executed === 0 ? [] : desk.venue.perps.perpFills(account, { symbol, orderId, limit: FILLS_MAX });
  return { ...streamed(desk, ownOrder(desk, order)), closedPnl: cutAmount(closedPnlOf(fills)) };
}

/** The same of one that waits, or ended before it was in the market. */
export function streamedConditional(desk: Desk, stop: PerpConditional): object {
  return { ...streamed(desk, ownConditional(desk, stop)), closedPnl: '0' };
}

function streamed(desk: Desk, order: ContractOrder): object {
  return { category: 'linear', ...contractOrderRow(desk, order), feeCurrency: 'USDT' };
}

/** More fills than this are not added up for one order. */
export const FILLS_MAX = 30_000;

/** One execution. @param known its order as the core has it; missing where the history has forgotten it. */
export function contractExecutionRow(
  desk: Desk,
  fill: PerpFill,
  known: PerpOrder | undefined,
): Record<string, unknown> {
  const order = known === undefined ? undefined : ownOrder(desk, known);
  const contract = contractOf(desk, fill.symbol);
  const size = (lots: number) => formatAmount(stepsToAmount(lots, contract.lotSize));
  const { makerFee, takerFee } = contract;
  const forced = fill.origin !== 'MEMBER';
  return {
    symbol: fill.symbol,
    orderId: desk.numbers.linear.orderId(fill.symbol, order?.orderId ?? fill.orderId),
    orderLinkId: order === undefined ? '' : linkIdOf(order),
    side: sideWord(fill.side),
    orderPrice: order === undefined ? '0' : limitPrice(order, contract),
    orderQty: size(order?.quantity ?? fill.quantity),
    leavesQty: size(order === undefined ? 0 : order.quantity - order.executed),
    createType: createType(fill.origin, order?.stop),
    orderType: order?.kind === 'MARKET' ? 'Market' : 'Limit',
    stopOrderType: order?.stop === undefined ? 'UNKNOWN' : stopOrderType(order.stop),
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
export function fastContractExecution(desk: Desk, fill: PerpFill, known: PerpOrder): object {
  const order = ownOrder(desk, known);
  const contract = contractOf(desk, fill.symbol);
  return {
    category: 'linear',
    symbol: fill.symbol,
    execId: executionId(desk, fill),
    execPrice: cutAmount(fill.exactPrice),
    execQty: formatAmount(stepsToAmount(fill.quantity, contract.lotSize)),
    orderId: desk.numbers.linear.orderId(fill.symbol, order.orderId),
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

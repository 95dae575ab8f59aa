import type { SimRefusal } from '../../exchange.ts';

/**
 * A refusal as Bybit words it (bybit-exchange/docs v5, error, 2026-07-24). Business refusals travel behind
 * HTTP 200; never 500: everything a client may send has one of these.
 */
export interface BybitError {
  readonly code: number;
  readonly message: string;
  /** HTTP status; 200 unless said. */
  readonly status?: number;
  /** What is told beside the refusal, where it is more than nothing. */
  readonly result?: object;
  readonly retExtInfo?: object;
}

function error(code: number, message: string): BybitError {
  return { code, message };
}

/** Refusals without a parameter. */
export const ERRORS = {
  /** The outcome is unknown: the answer that the fault box gives, and the one behind a fault of ours. */
  timeout: error(10_000, 'Server Timeout'),
  internal: error(10_016, 'Internal System Error.'),
  badJson: error(10_001, 'params error: the body is not a JSON object'),
  badQuery: error(10_001, 'params error: the query is not percent-encoded text'),
  badKey: error(10_003, 'API key is invalid.'),
  badSignature: error(10_004, 'Error sign, please check your signature generation algorithm.'),
  noPermission: error(10_005, 'Permission denied, please check your API key permissions.'),
  tooManyVisits: error(10_006, 'Too many visits. Exceeded the API Rate Limit.'),
  noRoute: { code: 10_017, message: 'Route not found.', status: 404 },
  tooManyRequests: { code: 10_018, message: 'access too frequent', status: 403 },
  bodyTooLarge: { code: 10_001, message: 'params error: the body is too large', status: 413 },
  /** Public calls. The connectors tell an unknown symbol by the word in the text. */
  badSymbol: error(10_001, 'params error: Symbol Is Invalid'),
  unsupportedSymbols: error(10_001, 'Not supported symbols'),
  badCategory: error(10_001, 'params error: Category Is Invalid'),
  notLive: error(110_074, 'This contract is not live'),
  orderSymbol: error(170_121, 'Invalid symbol.'),
  badSide: error(170_117, 'Invalid side.'),
  badOrderType: error(170_116, 'Invalid orderType.'),
  badTimeInForce: error(170_115, 'Invalid timeInForce.'),
  badOrderFilter: error(170_202, 'Invalid orderFilter parameter.'),
  notSupported: error(170_227, 'This feature is not supported.'),
  pairClosed: error(170_157, 'The trading pair is not available for api trading.'),
  amountTooLarge: error(170_124, 'Order amount too large.'),
  balance: error(170_131, 'Insufficient balance.'),
  priceTooHigh: error(170_132, 'Order price too high.'),
  priceTooLow: error(170_133, 'Order price lower than the minimum.'),
  priceDecimals: error(170_134, 'Order price has too many decimals.'),
  quantityTooLarge: error(170_135, 'Order quantity too large.'),
  quantityTooSmall: error(170_136, 'Order quantity exceeded lower limit.'),
  quantityDecimals: error(170_137, 'Order quantity has too many decimals.'),
  valueTooSmall: error(170_140, 'Order value exceeded lower limit.'),
  duplicateLinkId: error(170_141, 'Duplicate clientOrderId'),
  amountDecimals: error(170_148, 'Market order amount decimal too long.'),
  buyAboveBand: error(170_193, 'Buy order price cannot be higher than the price limit.'),
  sellBelowBand: error(170_194, 'Sell order price cannot be lower than the price limit.'),
  makerPrice: error(170_218, 'The LIMIT-MAKER order is rejected due to invalid price.'),
  noSuchOrder: error(170_213, 'Order does not exist.'),
  tooManyOrders: error(170_810, 'Cannot exceed maximum of 500 conditional, TP/SL and active orders.'),
  badMember: error(131_202, 'Invalid memberId'),
  badAccountType: error(131_204, 'Account info error'),
  amountAccuracy: error(131_210, 'Amount accuracy error'),
  sameAccount: error(131_211, "fromAccountType can't be the same as toAccountType"),
  transferBalance: error(131_212, 'Insufficient balance'),
  transferExists: error(131_214, 'TransferId exist'),
  transferAmount: error(131_215, 'Amount error'),
  transferType: error(131_231, 'Transfers into this account are not supported'),
  unchanged: error(10_001, 'The order remains unchanged as the parameters entered match the existing ones.'),
  memberExists: error(10_001, 'The username already exists.'),
} as const satisfies Record<string, BybitError>;

/** 10001: a parameter that must be there is not. */
export function missing(name: string): BybitError {
  return error(10_001, `params error: ${name} is required`);
}

/** 10001: a parameter is not what it may be. */
export function invalid(name: string): BybitError {
  return error(10_001, `params error: ${name} is invalid`);
}

/** 170130: the same about an order's figures. */
export function badNumber(name: string): BybitError {
  return error(170_130, `Data sent for parameter '${name}' is not valid.`);
}

/** 10002: the request's time is outside of its window. */
export function outsideWindow(timestamp: string, now: number, receiveWindow: number): BybitError {
  const facts = `req_timestamp[${timestamp}],server_timestamp[${now}],recv_window[${receiveWindow}]`;
  return error(10_002, `invalid request, please check your server timestamp or recv_window param. ${facts}`);
}

/** Bybit's word for a refusal of the core where that needs no further look at the order. */
export const REFUSALS: Record<SimRefusal, BybitError> = {
  UNKNOWN_SYMBOL: ERRORS.orderSymbol,
  MARKET_CLOSED: ERRORS.pairClosed,
  PRICE_FILTER: ERRORS.priceTooLow,
  LOT_SIZE: ERRORS.quantityTooSmall,
  MARKET_LOT_SIZE: ERRORS.quantityTooLarge,
  NOTIONAL: ERRORS.valueTooSmall,
  PERCENT_PRICE_BY_SIDE: ERRORS.buyAboveBand,
  ICEBERG_EXCEEDS: invalid('qty'),
  ICEBERG_PARTS: invalid('qty'),
  TRAILING_DELTA: invalid('triggerPrice'),
  MAX_NUM_ORDERS: ERRORS.tooManyOrders,
  MAX_NUM_ALGO_ORDERS: ERRORS.tooManyOrders,
  MAX_NUM_ORDER_LISTS: ERRORS.tooManyOrders,
  DUPLICATE_CLIENT_ID: ERRORS.duplicateLinkId,
  LIST_PRICES: invalid('triggerPrice'),
  WOULD_TRIGGER: invalid('triggerPrice'),
  INSUFFICIENT_BALANCE: ERRORS.balance,
  // Of amends alone: a new order that would take is acknowledged and cancelled at once.
  WOULD_TAKE: ERRORS.makerPrice,
  UNKNOWN_ORDER: ERRORS.noSuchOrder,
};

import type { SimRefusal } from '../../exchange.ts';

/**
 * A refusal as Binance words it: HTTP status, code and text (binance-spot-api-docs errors.md).
 * Never 500: everything a client may send has one of these.
 */
export interface BinanceError {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  /** cancelReplace: what became of both halves; on sockets, when to come again. */
  readonly data?: unknown;
  /** With 429: seconds until the window ends; with 418, until the ban does. */
  readonly retryAfterSeconds?: number;
}

function error(status: number, code: number, msg: string): BinanceError {
  return { status, code, msg };
}

/** Refusals without a parameter, by the name errors.md gives them. */
export const ERRORS = {
  unknown: error(400, -1000, 'An unknown error occurred while processing the request.'),
  timeout: error(
    504,
    -1007,
    'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
  ),
  unsupported: error(400, -1020, 'This operation is not supported.'),
  late: error(400, -1021, 'Timestamp for this request is outside of the recvWindow.'),
  early: error(400, -1021, "Timestamp for this request was 1000ms ahead of the server's time."),
  badSignature: error(400, -1022, 'Signature for this request is not valid.'),
  illegalCharacters: error(400, -1100, 'Illegal characters found in a parameter.'),
  duplicateParameter: error(400, -1101, 'Duplicate values for a parameter detected.'),
  badTimeInForce: error(400, -1115, 'Invalid timeInForce.'),
  badOrderType: error(400, -1116, 'Invalid orderType.'),
  badSide: error(400, -1117, 'Invalid side.'),
  badInterval: error(400, -1120, 'Invalid interval.'),
  badSymbol: error(400, -1121, 'Invalid symbol.'),
  badSymbolStatus: error(400, -1122, 'Invalid symbolStatus.'),
  noListenKey: error(400, -1125, 'This listenKey does not exist.'),
  dayAtMost: error(400, -1127, 'More than 24 hours between startTime and endTime.'),
  badCombination: error(400, -1128, 'Combination of optional parameters invalid.'),
  recvWindowTooLarge: error(400, -1131, 'recvWindow must be less than 60000.'),
  badStrategyType: error(400, -1134, 'strategyType was less than 1000000.'),
  badJson: error(400, -1135, 'Invalid JSON Request'),
  badTickerType: error(400, -1139, 'Invalid ticker type.'),
  badCancelRestrictions: error(
    400,
    -1145,
    'cancelRestrictions has to be either ONLY_NEW or ONLY_PARTIALLY_FILLED.',
  ),
  ocoType: error(400, -1158, 'Order type not supported in OCO.'),
  buyLimitBelow: error(400, -1165, 'A limit order in a buy OCO must be below.'),
  sellLimitAbove: error(400, -1166, 'A limit order in a sell OCO must be above.'),
  twoLimits: error(400, -1168, 'At least one OCO order must be contingent.'),
  buyStopAbove: error(400, -1196, 'A stop loss order in a buy OCO must be above.'),
  sellStopBelow: error(400, -1197, 'A stop loss order in a sell OCO must be below.'),
  buyTargetBelow: error(400, -1198, 'A take profit order in a buy OCO must be below.'),
  sellTargetAbove: error(400, -1199, 'A take profit order in a sell OCO must be above.'),
  duplicateSymbols: error(400, -1151, 'Symbol is present multiple times in the list.'),
  invalidQuantity: error(400, -1013, 'Invalid quantity.'),
  invalidPrice: error(400, -1013, 'Invalid price.'),
  insufficientBalance: error(400, -2010, 'Account has insufficient balance for requested action.'),
  badIceberg: error(400, -2010, 'Unsupported order combination'),
  selfTradeMode: error(400, -2010, 'This symbol does not allow the specified self-trade prevention mode.'),
  unknownOrder: error(400, -2011, 'Unknown order sent.'),
  cancelWithoutId: error(400, -2011, 'Cancel order is invalid. Check origClOrdId and orderId.'),
  cancelRestricted: error(400, -2011, 'Order was not canceled due to cancel restrictions.'),
  noSuchOrder: error(400, -2013, 'Order does not exist.'),
  badKeyFormat: error(401, -2014, 'API-key format invalid.'),
  rejectedKey: error(401, -2015, 'Invalid API-key, IP, or permissions for action.'),
  subscriptionActive: error(400, -2035, 'User Data Stream subscription already active.'),
  subscriptionInactive: error(400, -2036, 'User Data Stream subscription not active.'),
  amendNothing: error(400, -2038, 'The requested action would change no state; rejecting.'),
  amendIncrease: error(400, -2038, 'Order amend (quantity increase) is not supported.'),
  badTimeUnit: error(400, -1194, 'Invalid value for time unit; expected either MICROSECOND or MILLISECOND.'),
  hmacLogon: error(400, -4056, 'HMAC_SHA256 API key is not supported.'),
} as const satisfies Record<string, BinanceError>;

/** -1100 with the parameter's name and the characters it may have. */
export function illegalCharacters(name: string, legalRange: string): BinanceError {
  return error(
    400,
    -1100,
    `Illegal characters found in parameter '${name}'; legal range is '${legalRange}'.`,
  );
}

/** -1102: a parameter that must be there is not. */
export function mandatory(name: string): BinanceError {
  return error(400, -1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
}

/** -1102: one of two must be there. */
export function mandatoryEither(first: string, second: string): BinanceError {
  return error(400, -1102, `Param '${first}' or '${second}' must be sent, but both were empty/null!`);
}

/** -1101: more parameters than the call has. */
export function tooManyParameters(expected: number, received: number): BinanceError {
  return error(400, -1101, `Too many parameters; expected '${expected}' and received '${received}'.`);
}

/** -1104: a parameter the call does not know. */
export function unreadParameters(read: number, sent: number): BinanceError {
  return error(
    400,
    -1104,
    `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${sent}'.`,
  );
}

/** -1105: sent, but empty. */
export function emptyParameter(name: string): BinanceError {
  return error(400, -1105, `Parameter '${name}' was empty.`);
}

/** -1106: does not belong to this kind of order. */
export function notRequired(name: string): BinanceError {
  return error(400, -1106, `Parameter '${name}' sent when not required.`);
}

/** -1108: does not fit. */
export function overflowed(name: string): BinanceError {
  return error(400, -1108, `Parameter '${name}' overflowed.`);
}

/** -1111: more decimals than the asset has. */
export function tooPrecise(name: string): BinanceError {
  return error(400, -1111, `Parameter '${name}' has too much precision.`);
}

/** -1130: a value outside what the parameter may be. */
export function invalidData(name: string): BinanceError {
  return error(400, -1130, `Data sent for parameter '${name}' is not valid.`);
}

/** -1013: one of the symbol's filters. */
export function filterFailure(filter: string): BinanceError {
  return error(400, -1013, `Filter failure: ${filter}`);
}

/** -1003: the weight of this address's minute is used up. */
export function tooMuchWeight(limit: number, retryAfterSeconds: number): BinanceError {
  const text = `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.`;
  return { status: 429, code: -1003, msg: text, retryAfterSeconds };
}

/** -1003 with 418: the address went on after it was told to wait. */
export function bannedUntil(until: number, retryAfterSeconds: number): BinanceError {
  const msg = `Way too much request weight used; IP banned until ${until}. Please use WebSocket Streams for live updates to avoid bans.`;
  return { status: 418, code: -1003, msg, retryAfterSeconds };
}

/** -1015: the account placed too many orders. */
export function tooManyOrders(limit: number, window: string, retryAfterSeconds: number): BinanceError {
  const msg = `Too many new orders; current limit is ${limit} orders per ${window}.`;
  return { status: 429, code: -1015, msg, retryAfterSeconds };
}

/** -2022 or -2021: both halves of a cancelReplace failed, or one of them. */
export function cancelReplaceFailure(bothFailed: boolean, data: unknown): BinanceError {
  return bothFailed
    ? { status: 400, code: -2022, msg: 'Order cancel-replace failed.', data }
    : { status: 409, code: -2021, msg: 'Order cancel-replace partially failed.', data };
}

const REFUSALS: Record<SimRefusal, BinanceError> = {
  UNKNOWN_SYMBOL: ERRORS.badSymbol,
  MARKET_CLOSED: error(400, -2010, 'Market is closed.'),
  PRICE_FILTER: filterFailure('PRICE_FILTER'),
  LOT_SIZE: filterFailure('LOT_SIZE'),
  MARKET_LOT_SIZE: filterFailure('MARKET_LOT_SIZE'),
  NOTIONAL: filterFailure('NOTIONAL'),
  PERCENT_PRICE_BY_SIDE: filterFailure('PERCENT_PRICE_BY_SIDE'),
  ICEBERG_EXCEEDS: error(400, -2010, 'IcebergQty exceeds QTY.'),
  ICEBERG_PARTS: filterFailure('ICEBERG_PARTS'),
  TRAILING_DELTA: filterFailure('TRAILING_DELTA'),
  MAX_NUM_ORDERS: filterFailure('MAX_NUM_ORDERS'),
  MAX_NUM_ALGO_ORDERS: filterFailure('MAX_NUM_ALGO_ORDERS'),
  MAX_NUM_ORDER_LISTS: filterFailure('MAX_NUM_ORDER_LISTS'),
  DUPLICATE_CLIENT_ID: error(400, -2010, 'Duplicate order sent.'),
  LIST_PRICES: error(400, -2010, 'The relationship of the prices for the orders is not correct.'),
  WOULD_TRIGGER: error(400, -2010, 'Order would trigger immediately.'),
  INSUFFICIENT_BALANCE: ERRORS.insufficientBalance,
  WOULD_TAKE: error(400, -2010, 'Order would immediately match and take.'),
  UNKNOWN_ORDER: ERRORS.unknownOrder,
};

/** Binance's words for a refusal of the core. */
export function refusalError(refusal: SimRefusal): BinanceError {
  return REFUSALS[refusal];
}

/** The JSON body of a refusal. */
export function errorBody(refusal: BinanceError): object {
  return refusal.data === undefined
    ? { code: refusal.code, msg: refusal.msg }
    : { code: refusal.code, msg: refusal.msg, data: refusal.data };
}

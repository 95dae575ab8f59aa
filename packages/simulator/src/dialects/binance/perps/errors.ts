import type { PerpRefusal } from '../../../perp-exchange.ts';
import { type BinanceError, ERRORS } from '../errors.ts';

function error(code: number, msg: string): BinanceError {
  return { status: 400, code, msg };
}

/** Refusals that futures word otherwise than spot; all others are spot's own (`../binance/errors.ts`). */
export const FUTURES_ERRORS = {
  /** A depth that is not on the venue's list; larger ones are not clamped. */
  badDepthLimit: error(-4021, 'Invalid depth limit.'),
  /** What the simulator leaves out of the futures: conversions, portfolio margin. */
  notSimulated: error(-1020, 'This call is not simulated.'),
  badPrecision: error(-1111, 'Precision is over the maximum defined for this asset.'),
  /** The venue writes the name in small letters. */
  reduceOnlyInHedge: error(-1106, "Parameter 'reduceonly' sent when not required."),
  priceTooLow: error(-4013, 'Price less than min price.'),
  priceNotPositive: error(-4001, 'Price less than 0.'),
  priceTooHigh: error(-4002, 'Price greater than max price.'),
  priceOffTick: error(-4014, 'Price not increased by tick size.'),
  sizeNotPositive: error(-4003, 'Quantity less than zero.'),
  sizeTooSmall: error(-4004, 'Quantity less than min quantity.'),
  sizeTooLarge: error(-4005, 'Quantity greater than max quantity.'),
  sizeOffStep: error(-4023, 'Qty not increased by step size.'),
  badClientId: error(-4015, 'Client order id is not valid.'),
  badPositionSide: error(-4060, 'Invalid position side.'),
  /** Conditional orders moved to the algo service on 2025-12-09. */
  algoOrder: error(
    -4120,
    'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.',
  ),
  closePosition: error(-4136, 'Target strategy invalid for orderType MARKET,closePosition true'),
  closesWithoutQuantity: error(-4137, 'Quantity must be zero with closePosition equals true'),
  closesWithoutReduceOnly: error(-4138, 'Reduce only must be true with closePosition equals true'),
  wouldTrigger: error(-2021, 'Order would immediately trigger.'),
  tooManyStops: error(-4045, 'Reach max stop order limit.'),
  closeExists: error(
    -4130,
    'An open stop or take profit order with GTE and closePosition in the direction is existing.',
  ),
  noPositionToEndWith: error(
    -4509,
    'Time in Force (TIF) GTE can only be used with open positions. Please ensure that positions are available.',
  ),
  timeSpan: error(-4165, 'Invalid time interval, maximum time interval is 7 days.'),
  marginNotPositive: error(-4055, 'Amount must be positive.'),
  assetModeUnchanged: error(
    -4171,
    'Adjusted asset mode is currently set and does not need to be adjusted repeatedly.',
  ),
  amendsLimitOnly: error(-5025, 'Only limit order is supported.'),
  amendsNothing: error(-5027, 'No need to modify the order.'),
} as const satisfies Record<string, BinanceError>;

/** -5000: a path or method that the futures' host does not have. */
export function invalidPath(method: string, path: string): BinanceError {
  const shown = path.slice(0, 80).replace(/[^\w/.-]/g, '?');
  return { status: 404, code: -5000, msg: `Path ${shown}, Method ${method.slice(0, 16)} is invalid` };
}

/** -1003: the weight of this address's minute, or its budget for funding calls, is used up. */
export function tooManyCalls(limit: number, window: string, retryAfterSeconds: number): BinanceError {
  const msg = `Too many requests; current limit is ${limit} requests per ${window}. Please use the websocket for live updates to avoid polling the API.`;
  return { status: 429, code: -1003, msg, retryAfterSeconds };
}

/** -1003 with 418: the address went on after it was told to wait. */
export function futuresBannedUntil(until: number, retryAfterSeconds: number): BinanceError {
  const msg = `Way too many requests; IP banned until ${until}. Please use the websocket for live updates to avoid bans.`;
  return { status: 418, code: -1003, msg, retryAfterSeconds };
}

/** -4028: a leverage that the contract does not have. */
export function badLeverage(leverage: number): BinanceError {
  return error(-4028, `Leverage ${leverage} is not valid`);
}

/** -4016 or -4024: a limit price beyond the band around the mark. */
export function beyondBand(side: 'BUY' | 'SELL', bound: string): BinanceError {
  return side === 'BUY'
    ? error(-4016, `Limit price can't be higher than ${bound}.`)
    : error(-4024, `Limit price can't be lower than ${bound}.`);
}

/** -4164: an order that opens is worth too little. */
export function tooLittle(notional: string): BinanceError {
  return error(
    -4164,
    `Order's notional must be no smaller than ${notional} (unless you choose reduce only).`,
  );
}

const REFUSALS: Record<PerpRefusal, BinanceError> = {
  UNKNOWN_SYMBOL: ERRORS.badSymbol,
  MARKET_CLOSED: error(-4141, 'Symbol is closed.'),
  PRICE_FILTER: FUTURES_ERRORS.priceOffTick,
  LOT_SIZE: FUTURES_ERRORS.sizeOffStep,
  MARKET_LOT_SIZE: FUTURES_ERRORS.sizeTooLarge,
  NOTIONAL: tooLittle('5'),
  PRICE_BAND: error(-4131, "The counterparty's best price does not meet the PERCENT_PRICE filter limit."),
  MAX_NUM_ORDERS: error(-2025, 'Reach max open order limit.'),
  DUPLICATE_CLIENT_ID: error(-4116, 'ClientOrderId is duplicated.'),
  INSUFFICIENT_MARGIN: error(-2019, 'Margin is insufficient.'),
  TIER_EXCEEDED: error(-2027, 'Exceeded the maximum allowable position at current leverage.'),
  WOULD_TAKE: error(
    -5022,
    'Due to the order could not be executed as maker, the Post Only order will be rejected. The order will not be recorded in the order history.',
  ),
  WOULD_LIQUIDATE: error(-2023, 'User in liquidation mode now.'),
  UNKNOWN_ORDER: ERRORS.unknownOrder,
  POSITION_SIDE_MISMATCH: error(-4061, "Order's position side does not match user's setting."),
  REDUCE_ONLY_NOTHING: error(-2022, 'ReduceOnly Order is rejected.'),
  REDUCE_ONLY_WOULD_GROW: error(-2022, 'ReduceOnly Order is rejected.'),
  CLOSE_TOO_LARGE: error(-2022, 'ReduceOnly Order is rejected.'),
  HAS_ORDERS: error(-4047, 'Margin type cannot be changed if there exists open orders.'),
  HAS_POSITIONS: error(-4048, 'Margin type cannot be changed if there exists position.'),
  UNCHANGED: error(-4046, 'No need to change margin type.'),
  LEVERAGE_TOO_HIGH: error(-4028, 'Leverage is not valid'),
  LEVERAGE_TOO_LOW_ISOLATED: error(
    -4161,
    'Leverage reduction is not supported in Isolated Margin Mode with open positions.',
  ),
  NOT_ISOLATED: error(-4049, 'Add margin only support for isolated position.'),
  NO_POSITION: error(-4054, 'Cannot add position margin: position is 0.'),
  MARGIN_AMOUNT: error(-4051, 'Isolated balance insufficient.'),
  // Nothing is attached to an order here.
  ATTACHED_PRICE: FUTURES_ERRORS.priceOffTick,
};

/** The venue's words for a refusal of the core, where a call has no others for it. */
export function perpRefusalError(refusal: PerpRefusal): BinanceError {
  return REFUSALS[refusal];
}

type Words = Partial<Record<PerpRefusal, BinanceError>>;

/** Where calls other than orders word a refusal otherwise. */
export const LEVERAGE_WORDS: Words = {
  INSUFFICIENT_MARGIN: error(-2028, 'Leverage is smaller than permitted: insufficient margin balance.'),
  WOULD_LIQUIDATE: error(-2028, 'Leverage is smaller than permitted: insufficient margin balance.'),
};
export const POSITION_MODE_WORDS: Words = {
  UNCHANGED: error(-4059, 'No need to change position side.'),
  HAS_ORDERS: error(-4067, 'Position side cannot be changed if there exists open orders.'),
  HAS_POSITIONS: error(-4068, 'Position side cannot be changed if there exists position.'),
};
export const ADDED_MARGIN_WORDS: Words = {
  INSUFFICIENT_MARGIN: error(-4050, 'Cross balance insufficient.'),
  MARGIN_AMOUNT: error(-4050, 'Cross balance insufficient.'),
};
export const TAKEN_MARGIN_WORDS: Words = {
  INSUFFICIENT_MARGIN: REFUSALS.MARGIN_AMOUNT,
  WOULD_LIQUIDATE: REFUSALS.MARGIN_AMOUNT,
};

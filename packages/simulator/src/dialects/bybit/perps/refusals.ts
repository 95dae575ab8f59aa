import type { ConditionalRefusal } from '../../../perp-conditionals.ts';
import type { PerpRefusal } from '../../../perp-exchange.ts';
import { type BybitError, ERRORS, invalid } from '../errors.ts';

function error(code: number, message: string): BybitError {
  return { code, message };
}

/**
 * Refusals of linear contracts (bybit-exchange/docs v5, error, 2026-07-24). Texts that clients were seen to meet are
 * worded as they were seen.
 */
export const LINEAR = {
  noSuchOrder: error(110_001, 'order not exists or too late to cancel'),
  noOrderToAmend: error(110_001, 'order not exists or too late to replace'),
  priceOutOfRange: error(110_003, 'Order price exceeds the allowable range.'),
  notEnough: error(110_007, 'ab not enough for new order'),
  leverageTooHigh: error(110_013, 'Cannot set leverage due to risk limit level.'),
  tooManyStops: error(110_009, 'The number of stop orders exceeds the maximum allowable limit'),
  marginToAdd: error(110_014, 'Insufficient available balance to add additional margin.'),
  crossMargin: error(110_015, 'The position is in cross margin mode.'),
  nothingToReduce: error(110_017, 'current position is zero, cannot fix reduce-only order qty'),
  wouldGrow: error(110_017, 'reduce-only order has same side with current position'),
  tooManyOrders: error(110_020, 'Not allowed to have more than 500 active orders.'),
  hasPosition: error(110_024, 'You have an existing position, so the position mode cannot be switched.'),
  modeUnchanged: error(110_025, 'Position mode has not been modified.'),
  marginUnchanged: error(110_027, 'Margin has not been modified.'),
  hasOrders: error(110_028, 'You have existing open orders, so the position mode cannot be switched.'),
  noHedge: error(110_029, 'Hedge mode is not supported for this symbol.'),
  noPosition: error(110_033, "You can't set margin without an open position"),
  wouldLiquidate: error(110_039, 'Maintenance margin rate is too high. This may trigger liquidation.'),
  leverageUnchanged: error(110_043, 'Set leverage has not been modified.'),
  marginForLeverage: error(110_044, 'Available margin is insufficient.'),
  stopsOfStop: error(110_057, 'Conditional order or limit order contains TP/SL related params'),
  stopsOfPartlyFilled: error(110_059, 'Not allowed to modify the TP/SL of a partially filled open order'),
  stopSize: error(
    110_058,
    "You can't set take profit and stop loss due to insufficient size of remaining position size.",
  ),
  tooManyPartial: error(110_061, 'Not allowed to have more than 20 TP/SLs under Partial tpSlMode'),
  belowFilled: error(
    110_064,
    'The modified contract quantity cannot be less than or equal to the filled quantity.',
  ),
  duplicateLinkId: error(110_072, 'OrderLinkedID is duplicate'),
  onlyIsolated: error(110_076, 'Only isolated mode can set auto-add-margin'),
  marginToTake: error(110_078, 'Added margin more than max can reduce margin'),
  positionTooLarge: error(
    110_090,
    'Order placement failed as your position may exceed the max limit. Please adjust your leverage to increase the max. position limit',
  ),
  valueTooSmall: error(110_094, 'Order does not meet minimum order value'),
  badPrice: error(10_001, 'params error: Price Is Invalid'),
  badQuantity: error(10_001, 'params error: Qty Is Invalid'),
  tooSmall: error(10_001, 'The number of contracts exceeds minimum limit allowed'),
  tooLarge: error(10_001, 'The number of contracts exceeds maximum limit allowed: too large'),
  triggerPrice: error(10_001, 'params error: TriggerPrice Is Invalid'),
  triggerDirection: error(10_001, 'TriggerDirection invalid'),
  bracketPrice: error(10_001, 'params error: TP/SL price is on the wrong side of base_price'),
  limitOfWhole: error(10_001, 'params error: tpOrderType and slOrderType of Full are Market'),
  onlyFull: error(10_001, 'params error: of Partial nothing is taken away, and nothing trails'),
  closesWithStops: error(10_001, 'params error: reduceOnly orders cannot have TP/SL'),
  noPositionToStop: error(10_001, 'can not set tp/sl/ts for zero position'),
  stopsUnchanged: error(34_040, 'not modified'),
  positionIdx: error(10_001, 'position idx not match position mode'),
  takes: error(10_001, 'params error: a post-only order may not take'),
  unequalLeverage: error(10_001, 'buy leverage not equal sell leverage'),
  noCollateral: error(
    182_111,
    'The requested currency has a non guaranteed gold currency or does not support switching status currencies',
  ),
  unifiedAccount: error(100_028, 'The API cannot be accessed by unified account users.'),
} as const satisfies Record<string, BybitError>;

/** 10001: something that the simulated venue does not do, by name. */
export function notHere(what: string): BybitError {
  return error(10_001, `params error: ${what} is not supported`);
}

/** The core's refusals of orders. */
export const ORDER_REFUSALS: Readonly<Record<PerpRefusal, BybitError>> = {
  UNKNOWN_SYMBOL: ERRORS.notLive,
  MARKET_CLOSED: ERRORS.notLive,
  PRICE_FILTER: LINEAR.badPrice,
  LOT_SIZE: LINEAR.tooSmall,
  MARKET_LOT_SIZE: LINEAR.tooLarge,
  NOTIONAL: LINEAR.valueTooSmall,
  PRICE_BAND: LINEAR.priceOutOfRange,
  MAX_NUM_ORDERS: LINEAR.tooManyOrders,
  DUPLICATE_CLIENT_ID: LINEAR.duplicateLinkId,
  INSUFFICIENT_MARGIN: LINEAR.notEnough,
  TIER_EXCEEDED: LINEAR.positionTooLarge,
  WOULD_TAKE: LINEAR.takes,
  WOULD_LIQUIDATE: LINEAR.wouldLiquidate,
  UNKNOWN_ORDER: LINEAR.noSuchOrder,
  POSITION_SIDE_MISMATCH: LINEAR.positionIdx,
  REDUCE_ONLY_NOTHING: LINEAR.nothingToReduce,
  REDUCE_ONLY_WOULD_GROW: LINEAR.wouldGrow,
  CLOSE_TOO_LARGE: LINEAR.nothingToReduce,
  HAS_ORDERS: LINEAR.hasOrders,
  HAS_POSITIONS: LINEAR.hasPosition,
  UNCHANGED: LINEAR.modeUnchanged,
  LEVERAGE_TOO_HIGH: LINEAR.leverageTooHigh,
  LEVERAGE_TOO_LOW_ISOLATED: LINEAR.leverageTooHigh,
  NOT_ISOLATED: LINEAR.crossMargin,
  NO_POSITION: LINEAR.noPosition,
  MARGIN_AMOUNT: LINEAR.marginUnchanged,
  ATTACHED_PRICE: LINEAR.bracketPrice,
};

/** Those of the calls that change leverage. */
export const LEVERAGE_REFUSALS: Readonly<Record<PerpRefusal, BybitError>> = {
  ...ORDER_REFUSALS,
  TIER_EXCEEDED: LINEAR.leverageTooHigh,
  INSUFFICIENT_MARGIN: LINEAR.marginForLeverage,
};

/** Those of orders that wait for a price. */
export const STOP_REFUSALS: Readonly<Record<Exclude<ConditionalRefusal, 'WOULD_TRIGGER'>, BybitError>> = {
  ...ORDER_REFUSALS,
  TRIGGER_PRICE: LINEAR.triggerPrice,
  TRAILING_RANGE: invalid('trailingStop'),
  MAX_NUM_ALGO_ORDERS: LINEAR.tooManyStops,
  CLOSE_EXISTS: LINEAR.stopsUnchanged,
};

/** The price is there already, or on the wrong side. @param price the one waited for. @param now where the market is. */
export function wouldTrigger(direction: 'RISE' | 'FALL', price: string, now: string, by: string): BybitError {
  return direction === 'RISE'
    ? error(110_092, `expect Rising, but trigger_price[${price}] <= current[${now}]??${by}`)
    : error(110_093, `expect Falling, but trigger_price[${price}] >= current[${now}]??${by}`);
}

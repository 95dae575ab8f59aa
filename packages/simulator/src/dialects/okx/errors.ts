import type { SimRefusal } from '../../exchange.ts';

/**
 * A refusal as OKX words it: HTTP status, code and text (OKX v5 guide, "Error Code", 2026). Never 500:
 * everything a client may send has one of these.
 */
export interface OkxError {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
}

function error(status: number, code: string, msg: string): OkxError {
  return { status, code, msg };
}

/** Refusals without a parameter. */
export const ERRORS = {
  emptyBody: error(400, '50000', 'Body for POST request cannot be empty.'),
  badJson: error(400, '50002', 'JSON syntax error'),
  /** What a lost answer looks like: it proves neither success nor failure. */
  timeout: error(
    400,
    '50004',
    'API endpoint request timeout (does not mean that the request was successful or failed, please check the request result).',
  ),
  badContentType: error(400, '50006', 'Invalid Content-Type. Please use "application/JSON".'),
  tooMany: error(429, '50011', 'Too Many Requests'),
  /** New and changed orders of all an account's contracts together ("Sub-account rate limit"). */
  tooManyOrders: error(200, '50061', "You've reached the maximum order rate limit for this account."),
  expiryPassed: error(
    200,
    '50036',
    "The expTime can't be earlier than the current system time. Please adjust the expTime and try again.",
  ),
  timestampExpired: error(401, '50102', 'Timestamp request expired'),
  noKey: error(401, '50103', 'Request header OK-ACCESS-KEY cannot be empty.'),
  noPassphrase: error(401, '50104', 'Request header OK-ACCESS-PASSPHRASE cannot be empty.'),
  badPassphrase: error(401, '50105', 'Request header OK-ACCESS-PASSPHRASE incorrect.'),
  noSign: error(401, '50106', 'Request header OK-ACCESS-SIGN cannot be empty.'),
  noTimestamp: error(401, '50107', 'Request header OK-ACCESS-TIMESTAMP cannot be empty.'),
  badKey: error(401, '50111', 'Invalid OK-ACCESS-KEY'),
  badTimestamp: error(401, '50112', 'Invalid OK-ACCESS-TIMESTAMP'),
  badSign: error(401, '50113', 'Invalid Sign'),
  // Documented with status 200, seen with 401.
  noPermission: error(401, '50120', "This API key doesn't have permission to use this function"),
  badMethod: error(405, '50115', 'Invalid request method'),
  notFound: error(404, '404', 'Not Found'),
  noInstrument: error(200, '51001', "Instrument ID, Instrument ID code, or Spread ID doesn't exist."),
  noOrderId: error(200, '51003', 'Either client order ID or order ID is required'),
  noToken: error(200, '51012', "Token doesn't exist"),
  noIndex: error(200, '51014', "Index doesn't exist"),
  otherType: error(200, '51015', "Instrument ID doesn't match instrument type"),
  duplicateClientId: error(200, '51016', 'Client order ID already exists'),
  accountMode: error(200, '51010', "You can't complete this request under your current account mode."),
  tooSmall: error(200, '51020', 'Your order should meet or exceed the minimum order amount.'),
  suspended: error(200, '51022', 'Contract suspended'),
  lotMultiple: error(200, '51121', 'Order quantity must be a multiple of the lot size.'),
  tooLarge: error(200, '51005', 'Your order amount exceeds the max order amount.'),
  priceLimit: error(200, '51006', 'Order price is not within the price limit'),
  tooManyOpen: error(200, '51174', 'The number of pending orders reached the upper limit (orders).'),
  marketTooLarge: error(200, '51202', 'Market order amount exceeds the max amount.'),
  valueTooLarge: error(200, '51185', 'The maximum value allowed per order is exceeded.'),
  noPrice: error(200, '51204', 'The price for the limit order cannot be empty'),
  batchTooLong: error(200, '51111', 'Maximum 20 orders can be placed in bulk'),
  cancelNotThere: error(
    200,
    '51400',
    'Order cancellation failed as the order has been filled, canceled or does not exist.',
  ),
  cancelCanceled: error(200, '51401', 'Cancellation failed as the order is already canceled.'),
  cancelFilled: error(200, '51402', 'Cancellation failed as the order is already completed.'),
  amendNothing: error(200, '51500', 'You must enter a price, quantity, or TP/SL'),
  amendFunds: error(200, '51502', 'Order modification failed for insufficient margin or balance.'),
  amendNotThere: error(200, '51503', "Order modification failed as the order doesn't exist."),
  amendCanceled: error(200, '51509', 'Modification failed as the order has been canceled.'),
  amendFilled: error(200, '51510', 'Modification failed as the order has been completed.'),
  attachedProfitLow: error(200, '51046', 'The take profit trigger price must be higher than the order price'),
  attachedLossHigh: error(200, '51047', 'The stop loss trigger price must be lower than the order price'),
  attachedProfitHigh: error(200, '51048', 'The take profit trigger price must be lower than the order price'),
  attachedLossLow: error(200, '51049', 'The stop loss trigger price must be higher than the order price'),
  duplicateAlgoId: error(200, '51065', 'algoClOrdId already exists.'),
  splitOneWay: error(
    200,
    '51076',
    "TP/SL orders in Split TPs only support one-way TP/SL. You can't use slTriggerPx&slOrdPx and tpTriggerPx&tpOrdPx at the same time.",
  ),
  splitPairs: error(
    200,
    '51077',
    "Setting multiple TP and cost-price SL orders isn't supported for spot and margin trading.",
  ),
  splitTargets: error(
    200,
    '51079',
    'The number of TP orders with Split TPs attached in a same order cannot exceed 10',
  ),
  splitPriceTypes: error(
    200,
    '51080',
    'Take-profit trigger price types (tpTriggerPxType) must be the same in an order with Split TPs attached',
  ),
  splitPrices: error(
    200,
    '51081',
    'Take-profit trigger prices (tpTriggerPx) cannot be the same in an order with Split TPs attached',
  ),
  splitMarket: error(
    200,
    '51082',
    'TP trigger prices (tpOrdPx) in one order with multiple TPs must be market prices.',
  ),
  splitSum: error(
    200,
    '51083',
    'The total size of TP orders with Split TPs attached in a same order should equal the size of this order',
  ),
  splitStops: error(
    200,
    '51084',
    'The number of SL orders with Split TPs attached in a same order cannot exceed 1',
  ),
  splitCost: error(
    200,
    '51085',
    'The number of TP orders cannot be less than 2 when cost-price SL is enabled (amendPxOnTriggerType set as 1) for Split TPs',
  ),
  splitKinds: error(200, '51091', 'All TP orders in one order must be of the same type.'),
  splitLimitPrices: error(200, '51092', 'TP order prices (tpOrdPx) in one order must be different.'),
  splitLimitPrice: error(
    200,
    '51093',
    "TP limit order prices (tpOrdPx) in one order can't be –1 (market price).",
  ),
  limitTargetOfPair: error(
    200,
    '51094',
    "You can't place TP limit orders in spot, margin, or options trading.",
  ),
  splitSize: error(200, '51089', 'The size of the TP order among split TPs attached cannot be empty'),
  attachedNotThere: error(
    200,
    '51527',
    'Order modification failed. At least 1 of the attached TP/SL orders does not exist.',
  ),
  attachedUsed: error(
    200,
    '51538',
    'You need to use attachAlgoOrds if you used attachAlgoOrds when placing an order. attachAlgoOrds is not supported if you did not use attachAlgoOrds when placing this order.',
  ),
  attachedTwice: error(
    200,
    '51539',
    'attachAlgoId or attachAlgoClOrdId cannot be identical when modifying any TP/SL within your split TPs order',
  ),
  algoPrice: error(200, '51250', 'Algo order price is out of the available range'),
  profitAbove: error(200, '51277', 'TP trigger price can not be higher than the last price'),
  lossBelow: error(200, '51278', 'SL trigger price can not be lower than the last price'),
  profitBelow: error(200, '51279', 'TP trigger price can not be lower than the last price'),
  lossAbove: error(200, '51280', 'SL trigger price can not be higher than the last price'),
  triggerTarget: error(200, '51281', 'Trigger order do not support the tgtCcy parameter.'),
  profitAboveMark: error(200, '51300', 'TP trigger price cannot be higher than the mark price'),
  lossBelowMark: error(200, '51302', 'SL trigger price cannot be lower than the mark price'),
  profitBelowMark: error(200, '51303', 'TP trigger price cannot be lower than the mark price'),
  lossAboveMark: error(200, '51304', 'SL trigger price cannot be higher than the mark price'),
  profitAboveIndex: error(200, '51305', 'TP trigger price cannot be higher than the index price'),
  lossBelowIndex: error(200, '51306', 'SL trigger price cannot be lower than the index price'),
  profitBelowIndex: error(200, '51307', 'TP trigger price cannot be lower than the index price'),
  lossAboveIndex: error(200, '51308', 'SL trigger price cannot be higher than the index price'),
  trailRange: error(200, '51257', 'Trailing stop order callback rate error.'),
  trailLow: error(
    200,
    '51258',
    'Trailing stop order placement failed. The trigger price of a sell order must be higher than the last transaction price.',
  ),
  trailHigh: error(
    200,
    '51259',
    'Trailing stop order placement failed. The trigger price of a buy order must be lower than the last transaction price.',
  ),
  tooManyAlgos: error(200, '51261', 'The number of pending stop orders reached the upper limit.'),
  fractionPairs: error(
    200,
    '51327',
    'closeFraction is only available for Expiry Futures and Perpetual Futures',
  ),
  onlyLastPrice: error(
    200,
    '51415',
    'Unable to place order. Spot trading only supports using the last price as trigger price. Please select "Last" and try again.',
  ),
  fractionReduces: error(200, '51328', 'closeFraction is only available for reduceOnly orders'),
  fractionNet: error(200, '51329', 'closeFraction is only available in NET mode'),
  fractionMarket: error(200, '51330', 'closeFraction is only available for stop market orders'),
  noOrder: error(200, '51603', 'Order does not exist'),
  noPosition: error(200, '51023', 'Position does not exist.'),
  tierLimit: error(
    200,
    '51004',
    'Order failed. The sum of the order, the position and pending orders of the same direction exceeds what the leverage allows.',
  ),
  closeTooLarge: error(200, '51112', 'Close order size exceeds available size for this position.'),
  closersPending: error(429, '51115', 'Cancel all pending close-orders before liquidation.'),
  nothingToClose: error(
    200,
    '51169',
    "Order failed because you don't have any positions in this direction for this contract to reduce or close.",
  ),
  wouldGrow: error(
    200,
    '51170',
    "Failed to place order. A reduce-only order can't be the same trading direction as your existing positions.",
  ),
  wouldTake: error(200, '51511', 'The order would take liquidity'),
  settingBusy: error(
    200,
    '59000',
    'Settings failed. Close any open positions or orders before modifying settings.',
  ),
  tooManyCountdowns: error(
    200,
    '51071',
    "You've reached the maximum limit for tag level cancel all after timers.",
  ),
  otherMode: error(
    200,
    '51070',
    'You do not meet the requirements for switching to this account mode. Please upgrade the account mode on the OKX website or App',
  ),
  isolatedOrders: error(
    200,
    '59101',
    "Leverage can't be modified. Please cancel all pending isolated margin orders before adjusting the leverage.",
  ),
  leverageTooHigh: error(200, '59102', 'Leverage exceeds the maximum limit. Please lower the leverage.'),
  leverageTooLow: error(
    200,
    '59103',
    'Account margin is insufficient and leverage is too low. Please increase the leverage.',
  ),
  leverageTier: error(
    200,
    '59104',
    'The position exceeds the maximum position of this leverage. Please lower the leverage.',
  ),
  crossOrders: error(
    200,
    '59107',
    "Leverage can't be modified. Please cancel all pending cross-margin orders before adjusting the leverage.",
  ),
  noMarginPosition: error(200, '59300', 'Margin call failed. Position does not exist.'),
  marginLimit: error(200, '59301', 'Margin adjustment failed for exceeding the max limit.'),
  transferAmount: error(200, '58114', 'Transfer amount must be greater than 0'),
  noSubAccount: error(200, '58115', 'Sub-account does not exist.'),
  transferFunds: error(200, '58350', 'Insufficient balance.'),
  duplicateTransfer: error(200, '58119', 'Client ID already exists with other parameters.'),
  transferType: error(
    200,
    '58127',
    "Main account API key does not support current transfer 'type' parameter. Please refer to the API documentation.",
  ),
  subTransferType: error(
    200,
    '58128',
    "Sub-account API key does not support current transfer 'type' parameter. Please refer to the API documentation.",
  ),
  noTransfer: error(200, '58129', 'Incorrect transId or clientId, or it does not match the transfer type.'),
  masterOnly: error(200, '59500', 'Only the API key of the main account has permission'),
  badPassphraseForm: error(200, '59505', 'The passphrase format is incorrect'),
  subAccountExists: error(200, '59601', 'Subaccount name already exists'),
} as const satisfies Record<string, OkxError>;

/** 50014: a parameter that must be there is not. */
export function cannotBeEmpty(name: string): OkxError {
  return error(400, '50014', `Parameter ${name} cannot be empty.`);
}

/** 50015: one of two must be there. */
export function eitherRequired(first: string, second: string): OkxError {
  return error(400, '50015', `Either parameter ${first} or ${second} is required.`);
}

/** 51000: a value that the parameter cannot have. */
export function parameterError(name: string): OkxError {
  return error(400, '51000', `Parameter ${name} error`);
}

/** 51008: the margin behind contracts is short. */
export function insufficientMargin(asset: string): OkxError {
  return error(200, '51008', `Order failed. Insufficient ${asset} margin in account.`);
}

/** 51008 with the asset that is short. */
export function insufficient(asset: string): OkxError {
  return error(200, '51008', `Order failed. Insufficient ${asset} balance in account.`);
}

const REFUSALS: Record<SimRefusal, OkxError> = {
  UNKNOWN_SYMBOL: ERRORS.noInstrument,
  MARKET_CLOSED: ERRORS.suspended,
  PRICE_FILTER: parameterError('px'),
  LOT_SIZE: ERRORS.tooSmall,
  MARKET_LOT_SIZE: ERRORS.marketTooLarge,
  // A value has no least one here, only a largest.
  NOTIONAL: ERRORS.tooLarge,
  PERCENT_PRICE_BY_SIDE: ERRORS.priceLimit,
  ICEBERG_EXCEEDS: parameterError('sz'),
  ICEBERG_PARTS: parameterError('sz'),
  TRAILING_DELTA: ERRORS.trailRange,
  MAX_NUM_ORDERS: ERRORS.tooManyOpen,
  MAX_NUM_ALGO_ORDERS: ERRORS.tooManyAlgos,
  MAX_NUM_ORDER_LISTS: ERRORS.tooManyOpen,
  DUPLICATE_CLIENT_ID: ERRORS.duplicateClientId,
  LIST_PRICES: parameterError('triggerPx'),
  WOULD_TRIGGER: parameterError('triggerPx'),
  INSUFFICIENT_BALANCE: insufficient(''),
  WOULD_TAKE: ERRORS.wouldTake,
  UNKNOWN_ORDER: ERRORS.cancelNotThere,
};

/** OKX's words for a refusal of the core; `asset` is the one that an order would spend. */
export function refusalError(refusal: SimRefusal, asset: string): OkxError {
  return refusal === 'INSUFFICIENT_BALANCE' ? insufficient(asset) : REFUSALS[refusal];
}

/** The body of a refusal of a whole call. Those of the limiter and of the door have no `data`, as recorded. */
export function errorBody(refusal: OkxError): object {
  if (refusal.status === 401 || refusal.status === 429) return { msg: refusal.msg, code: refusal.code };
  return { code: refusal.code, data: [], msg: refusal.msg };
}

import type { PerpRefusal } from '../../../perp-exchange.ts';
import { ERRORS, insufficientMargin, type OkxError, parameterError } from '../errors.ts';

const REFUSALS: Record<PerpRefusal, OkxError> = {
  UNKNOWN_SYMBOL: ERRORS.accountMode,
  MARKET_CLOSED: ERRORS.suspended,
  PRICE_FILTER: parameterError('px'),
  LOT_SIZE: ERRORS.tooSmall,
  MARKET_LOT_SIZE: ERRORS.marketTooLarge,
  NOTIONAL: ERRORS.tooSmall,
  PRICE_BAND: ERRORS.priceLimit,
  MAX_NUM_ORDERS: ERRORS.tooManyOpen,
  DUPLICATE_CLIENT_ID: ERRORS.duplicateClientId,
  INSUFFICIENT_MARGIN: insufficientMargin('USDT'),
  TIER_EXCEEDED: ERRORS.tierLimit,
  WOULD_TAKE: ERRORS.wouldTake,
  WOULD_LIQUIDATE: ERRORS.marginLimit,
  UNKNOWN_ORDER: ERRORS.cancelNotThere,
  POSITION_SIDE_MISMATCH: parameterError('posSide'),
  REDUCE_ONLY_NOTHING: ERRORS.nothingToClose,
  REDUCE_ONLY_WOULD_GROW: ERRORS.wouldGrow,
  CLOSE_TOO_LARGE: ERRORS.closeTooLarge,
  HAS_ORDERS: ERRORS.settingBusy,
  HAS_POSITIONS: ERRORS.settingBusy,
  UNCHANGED: ERRORS.settingBusy,
  LEVERAGE_TOO_HIGH: ERRORS.leverageTooHigh,
  LEVERAGE_TOO_LOW_ISOLATED: ERRORS.leverageTooLow,
  NOT_ISOLATED: ERRORS.noMarginPosition,
  NO_POSITION: ERRORS.noMarginPosition,
  MARGIN_AMOUNT: ERRORS.marginLimit,
  ATTACHED_PRICE: parameterError('attachAlgoOrds'),
};

/** OKX's words for a refusal of the core, where a call has no others for it. */
export function perpError(refusal: PerpRefusal): OkxError {
  return REFUSALS[refusal];
}

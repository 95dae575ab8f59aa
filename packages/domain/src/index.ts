/**
 * The vocabulary of all packages: amounts, ids, instruments, books, orders, candles, and the rules of orders. No I/O, no clock, no
 * dependency.
 */

export {
  type AlgoKind,
  type AlgoLeg,
  type AlgoLegName,
  type AlgoOffer,
  type AlgoPlan,
  type Iceberg,
  isFinalAlgo,
  TARGETS_MIN,
  type Trailing,
  type TriggerBy,
  type TriggerPlan,
  type VenueAlgoState,
  type VenueAlgoStatus,
} from './algo-order.ts';
export {
  AMOUNT_MAX,
  AMOUNT_ONE,
  AMOUNT_SCALE,
  type Amount,
  amount,
  ceilTo,
  decimalsOf,
  divDown,
  floorTo,
  formatAmount,
  formatAmountFixed,
  lesser,
  minus,
  mulDown,
  mulUp,
  parseAmount,
  parseSignedAmount,
  plus,
  toNumberForDisplay,
  ZERO,
} from './amount.ts';
export { BOOK_LEVELS_PER_SIDE_MAX, Book } from './book.ts';
export type { Brand } from './brand.ts';
export {
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  candleOpen,
  intervalMillis,
  nextCandleOpen,
} from './candle.ts';
export { composedPassword } from './composed-password.ts';
export { breakEvenAfterOrder } from './contract-rules/break-even.ts';
export {
  type ContractSizeBound,
  contractTierRoom,
  largestContractOrder,
} from './contract-rules/largest-order.ts';
export {
  liquidationAfterOrder,
  liquidationEstimate,
  marginRatioAfterOrder,
} from './contract-rules/liquidation-estimate.ts';
export { type HeldContract, liquidationInMode } from './contract-rules/liquidation-in-mode.ts';
export type {
  ContractOrderRequest,
  ContractScene,
  MarginTerms,
} from './contract-rules/margin-terms.ts';
export { contractOrderCost, feeToClose, marginAtEntry } from './contract-rules/order-cost.ts';
export {
  type FillEffect,
  positionAfter,
  realisedEstimate,
} from './contract-rules/position-after.ts';
export {
  isEmail,
  isVerificationCode,
  normaliseEmail,
  type PasswordGap,
  passwordGaps,
} from './form-rules.ts';
export {
  type Millis,
  type OrderId,
  orderIdOfVenueClientId,
  parseOrderId,
  type UserId,
  uuidV7,
  type VenueClientId,
  type VenueOrderId,
  type VenueTradeId,
  venueClientId,
} from './ids.ts';
export {
  amountToSteps,
  bandPrices,
  formatTicks,
  type Instrument,
  type Lots,
  notionalDown,
  notionalUp,
  type PriceBand,
  parseSteps,
  type StepScale,
  type SymbolType,
  stepScale,
  stepsToAmount,
  symbolKey,
  type Ticks,
} from './instrument.ts';
export { createLanes, type Lanes } from './lanes.ts';
export type { BookChange, BookLevel, BookProof, PublicTrade, Seq, Ticker } from './market.ts';
export {
  type CurrencyTerms,
  MEMO_RULES,
  type MemoRule,
  NETWORK_IDS,
  type NetworkId,
  type NetworkTerms,
  networkFacts,
  type RewardTerms,
  SHIPPED_CURRENCY,
  SHIPPED_NETWORKS,
  SHIPPED_REWARDS,
  shippedNetwork,
} from './offer-terms.ts';
export {
  isFinal,
  isResting,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderEvent,
  type OrderStatus,
  type OrderType,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type TimeInForce,
  type VenueFill,
  type VenueOrderState,
} from './order.ts';
export { algoFaults } from './order-rules/algo-checks.ts';
export { algoHold } from './order-rules/algo-hold.ts';
export {
  ALGO_FAULT_NAMES,
  type AlgoFault,
  type AlgoFaultName,
  type AlgoField,
  type AlgoMarket,
  type AlgoRequest,
} from './order-rules/algo-request.ts';
export {
  balanceFault,
  NOT_OF_CLOSING,
  ORDER_FAULT_NAMES,
  type OrderFault,
  orderFaults,
} from './order-rules/checks.ts';
export {
  type OrderMarket,
  type OrderRequest,
  type OrderTerms,
  PRICE_AGE_MILLIS_MAX,
  type SpotOrderOffer,
} from './order-rules/order-request.ts';
export { REFUSAL_CAUSES, type RefusalCause } from './order-rules/refusal-causes.ts';
export {
  SCALED_COUNT,
  SCALED_SKEW_MAX,
  type ScaledOrder,
  type ScaledPart,
  scaledFault,
  scaledParts,
} from './order-rules/scaled-order.ts';
export { largestSpotQuantity, spotTerms } from './order-rules/spot-terms.ts';
export { type OrderTargets, type PartTarget, targetsFault } from './order-rules/target-checks.ts';
export {
  PLATFORMS,
  type Platform,
  type PlatformSlug,
  type PlatformState,
  type PlatformType,
  platformFacts,
  platformOfSlug,
  platformOfType,
} from './platform.ts';
export {
  type ContractSetting,
  type IncomeKind,
  type LeverageTier,
  type MarginMode,
  type MarginPool,
  POSITION_SIDE,
  type PositionKey,
  type PositionMode,
  type PositionSide,
  type PositionUpdate,
  type VenueIncome,
  type VenuePosition,
} from './position.ts';
export { createRemembered, type Remembered } from './remembered.ts';
export { assert, ok, type Result, refused } from './result.ts';
export { shippedLimits, TIERS, type Tier, type TierLimits } from './tier-limits.ts';

export {
  askPublic,
  feedHttp,
  hearPublic,
  type PublicDoor,
  type PublicHost,
} from './arbiter/public-requests.ts';
export { VenueArbiter } from './arbiter/venue-arbiter.ts';
export { createBinanceTrading } from './binance/trading/binance-trading.ts';
export { createBybitTrading } from './bybit/trading/bybit-trading.ts';
export { createOkxTrading } from './okx/trading/okx-trading.ts';
export { causeOfRefusal } from './refusal-causes.ts';
export { LOCAL_CODES } from './trading/local-codes.ts';
export type {
  HttpAnswer,
  HttpRequest,
  OpenTextSocket,
  SendHttp,
  TextSocket,
  TextSocketEvents,
  Timers,
} from './transport.ts';
export type {
  AlgoChange,
  AlgoChangeOutcome,
  AlgoKey,
  AlgoSendOutcome,
  FoundAlgo,
  ListedAlgo,
  ShownAlgo,
  VenueAlgoRequest,
  VenueAlgos,
} from './venue-algos.ts';
export type {
  FindOutcome,
  VenueCredentials,
  VenueRead,
  VenueRefusal,
} from './venue-answers.ts';
export type {
  ContractEvent,
  ContractOrderTerms,
  ContractReadFor,
  SettingOutcome,
  VenueContracts,
} from './venue-contracts.ts';
export type { CountdownRequest, VenueCountdown } from './venue-countdown.ts';
export type {
  Pocket,
  VenueBalance,
  VenueTransferOutcome,
} from './venue-funds.ts';
export { PUBLIC_LIMITS } from './venue-limits.ts';
export type {
  AmendOutcome,
  AskedFor,
  CancelOutcome,
  ListedLegs,
  OrderAmendment,
  OrderName,
  OrderTerms,
  SendOutcome,
  VenueOrderCalls,
  VenueOrderRequest,
} from './venue-orders.ts';
export type { UserStream, UserStreamHandlers } from './venue-streams.ts';
export type { VenueTrading } from './venue-trading.ts';

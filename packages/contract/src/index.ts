/**
 * What server and browser share: the calls of the own service, frames of the live connection, the catalogue of errors. The schemas that
 * check a call are `@crossbook/contract/schema`, for the server alone.
 */

export {
  ADMIN_CALLS,
  type AdminCaller,
  type AdminCallName,
  type AdminFileKind,
  type AdminHandlers,
  type AdminInput,
  type AdminRequest,
  type AdminResponse,
  type AdminRole,
  APPROVERS,
  type ApprovalKind,
  ASKED_BY,
  mayCall,
  type RefusedAct,
} from './admin.ts';
export type { BootConfig, BootPlatform } from './boot.ts';
export {
  CALLS,
  type CallFacts,
  type CallInput,
  type CallName,
  type CallRequest,
  type CallResponse,
  type Envelope,
} from './calls.ts';
export {
  channelId,
  PUBLIC_CHANNELS,
  parseChannelId,
  streamMarket,
  streamSymbolType,
} from './channel.ts';
export {
  CODE_SUCCESS,
  CODE_TOKEN_INVALID,
  ERRORS,
  type ErrorName,
  errorFacts,
} from './errors.ts';
export type {
  CallAnswer,
  Caller,
  CallHandlers,
  DeviceCookie,
  MemberCaller,
  SessionCookie,
} from './handler.ts';
export { type Refusal, refusalText, type VenueReason, venueReason } from './refusal.ts';
export { causeText } from './refusal-causes.ts';
export type {
  AdminAuditRow,
  AdminFundedAccount,
  AdminFundsRow,
  AdminKycRow,
  AdminMemberRow,
  ApprovalRow,
} from './schema/admin.ts';
export type { AdminContent, AdminContentRow } from './schema/admin-content.ts';
export type {
  AdminCurrencyRow,
  AdminFeeRow,
  AdminLimitRow,
  AdminMailRow,
  AdminNetworkRow,
  AdminPlatformRow,
  AdminReferralRow,
  AdminRewardRow,
} from './schema/admin-platforms.ts';
export type { AdminRecoveryRow, AdminStaffRow } from './schema/admin-staff.ts';
export type { AlgoRow } from './schema/algo-orders.ts';
export type { ContentRow, ContentText } from './schema/content.ts';
export type {
  ClosedPositionRow,
  CloseRow,
  FundingRow,
  MarginRow,
  PositionRow,
  ReverseRow,
  SettingRow,
  TierRow,
} from './schema/contracts.ts';
export type {
  BalanceRow,
  CurrencyRow,
  FillRow,
  NetworkRow,
  OrderRow,
  PastOrderRow,
  PriceAlertRow,
  SymbolRow,
  TransferRow,
} from './schema/rows.ts';
export type { CountdownRow } from './schema/trading.ts';
export type { InviteeRow } from './schema/wallets.ts';
export {
  type BestFrame,
  type BookFrame,
  type CandleFrame,
  type ChannelArg,
  type ClientFrame,
  type EventFrame,
  type ServerFrame,
  STREAM_LIMITS,
  type StreamMarket,
  type TickerFrame,
  type TradesFrame,
  type UserEvent,
  type UserFrame,
  type VenueFrame,
} from './stream.ts';
export {
  isTransferReason,
  TRANSFER_REFUSED_BY_VENUE,
  transferReasonText,
} from './transfer-reasons.ts';

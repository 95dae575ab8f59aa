import {
  type Amount,
  amountToSteps,
  type Lots,
  ok,
  type Result,
  refused,
  type Ticks,
} from '@crossbook/domain';
import type { MarketFacts, NewSimOrder, SelfTradePrevention, SimOrder } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import type { Desk } from '../desk.ts';
import { ERRORS, type OkxError, parameterError } from '../errors.ts';
import { ownClientId } from '../ids.ts';
import type { Listed } from '../listing.ts';
import type { ParamReader } from '../params.ts';

/** The words of an order that pairs and contracts share. */

/** Types of orders without a condition. */
export const ORDER_TYPES = ['limit', 'market', 'post_only', 'fok', 'ioc'] as const;
/** One of them. */
export type OrderType = (typeof ORDER_TYPES)[number];

/** Letters and digits, both cases. */
const CLIENT_ID = /^[A-Za-z0-9]{1,32}$/;
/** What an order may be marked with. */
export const TAG = /^[A-Za-z0-9]{1,16}$/;
const OWN_ID_LENGTH = 20;

const PREVENTIONS: Readonly<Record<string, SelfTradePrevention>> = {
  cancel_maker: 'EXPIRE_MAKER',
  cancel_taker: 'EXPIRE_TAKER',
  cancel_both: 'EXPIRE_BOTH',
};

/** How self-trade prevention is told. */
export const PREVENTION_WORDS: Readonly<Record<SelfTradePrevention, string>> = {
  NONE: '',
  EXPIRE_MAKER: 'cancel_maker',
  EXPIRE_TAKER: 'cancel_taker',
  EXPIRE_BOTH: 'cancel_both',
};

/** The instrument by name or, on sockets since 2026, by code. */
export function readInstrument(reader: ParamReader, desk: Desk): Listed | undefined {
  const code = reader.integer('instIdCode');
  const listed =
    code !== undefined && !reader.has('instId')
      ? desk.listing.findCode(code)
      : desk.listing.find(reader.instId());
  if (listed === undefined) reader.refuse(ERRORS.noInstrument);
  return listed;
}

/** What belongs to orders that are not simulated is refused rather than left out silently. */
export function refuseUnsupported(reader: ParamReader, ...more: readonly string[]): void {
  for (const name of ['pxUsd', 'pxVol', ...more]) {
    if (reader.has(name)) reader.refuse(parameterError(name));
  }
}

/** What an owner writes beside a new order. */
export interface OrderLabels {
  readonly tag: string;
  readonly clientId: string;
  readonly selfTradePrevention: SelfTradePrevention;
}

/** Reads it; an order without an id gets one of ours that no client can choose. */
export function readLabels(reader: ParamReader, desk: Desk): OrderLabels {
  const clientId = reader.pattern('clOrdId', CLIENT_ID) ?? ownClientId(desk.randomText(OWN_ID_LENGTH));
  const tag = reader.pattern('tag', TAG) ?? '';
  const prevention = reader.choice('stpMode', ['cancel_maker', 'cancel_taker', 'cancel_both']);
  const selfTradePrevention = PREVENTIONS[prevention ?? 'cancel_maker'] ?? 'EXPIRE_MAKER';
  return { tag, clientId, selfTradePrevention };
}

/** Counts a size in lots. */
export function lotsOf(size: Amount, market: MarketFacts): Result<Lots, OkxError> {
  const lots = amountToSteps(size, market.lotSize);
  return lots === undefined ? refused(ERRORS.lotMultiple) : ok(lots as Lots);
}

/** Counts a price in ticks. */
export function ticksOf(price: Amount, market: MarketFacts, name: string): Result<Ticks, OkxError> {
  const ticks = amountToSteps(price, market.tickSize);
  return ticks === undefined ? refused(parameterError(name)) : ok(ticks as Ticks);
}

/** Which of the core's refusals of a quantity it was: OKX tells too small from too large. */
export function sizeRefusal(order: { readonly quantity?: Lots }, market: MarketFacts): OkxError {
  const size = BigInt(order.quantity ?? 0) * market.lotSize;
  return size > market.maxQty ? ERRORS.tooLarge : ERRORS.tooSmall;
}

/** A type of order in the core's words. */
export function kindOf(type: OrderType): Pick<NewSimOrder, 'kind' | 'timeInForce' | 'whenTaking'> {
  if (type === 'market') return { kind: 'MARKET', timeInForce: 'IOC' };
  // OKX takes a post-only order on and cancels it at once where it would take.
  if (type === 'post_only') return { kind: 'LIMIT_MAKER', timeInForce: 'GTC', whenTaking: 'EXPIRE' };
  return { kind: 'LIMIT', timeInForce: type === 'fok' ? 'FOK' : type === 'ioc' ? 'IOC' : 'GTC' };
}

const STATES: Readonly<Record<SimOrder['status'], string>> = {
  NEW: 'live',
  PENDING_NEW: 'live',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'canceled',
  EXPIRED: 'canceled',
  EXPIRED_IN_MATCH: 'canceled',
  REJECTED: 'canceled',
};

/** `state` of an order by what the core says of it. */
export function stateWord(status: SimOrder['status']): string {
  return STATES[status];
}

/** `ordType` of an order. */
export function typeWord({ kind, timeInForce }: Pick<SimOrder, 'kind' | 'timeInForce'>): string {
  if (kind === 'MARKET') return 'market';
  if (kind === 'LIMIT_MAKER') return 'post_only';
  return timeInForce === 'GTC' ? 'limit' : timeInForce.toLowerCase();
}

/** `cancelSource` and its reason of an order that was cancelled before its end: its owner, or a countdown of his. */
export function cancelledBy(desk: Desk, ordId: string): readonly [source: string, reason: string] {
  if (desk.orderNotes.endedByCountdown(ordId)) return ['20', 'Cancel all after triggered'];
  return ['1', 'Order canceled by user'];
}

/** What orders without a condition never have. */
export const ORDER_EMPTY_FIELDS = fields(
  'algoClOrdId algoId attachAlgoClOrdId ccy lever pxType pxUsd pxVol quickMgnType slOrdPx slTriggerPx slTriggerPxType source stpId tpOrdPx tpTriggerPx tpTriggerPxType',
  '',
);

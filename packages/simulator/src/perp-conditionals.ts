import type { Lots, Millis, Result, Ticks } from '@crossbook/domain';
import type { AccountNumber } from './exchange.ts';
import type { AttachedStops, NewPerpOrder, PerpRefusal, SimPositionKey, StopLeg } from './perp-orders.ts';
import type { SimMarginMode } from './perp-settings.ts';
import type { ConditionalOrder, Waiting } from './triggers/conditional-order.ts';
import type { TrailingTrigger, Trigger } from './triggers/trigger.ts';

/**
 * Conditional orders on contracts, as dialects see them. They hold no margin; what they send is checked when they fire
 * and may be refused then.
 */

/** What one sends when it fires. The margin mode is settled when it is placed. */
export interface PerpSends extends NewPerpOrder {
  readonly marginMode: SimMarginMode;
}

/** A conditional order and how far it has come. */
export type PerpConditional = ConditionalOrder<PerpSends>;
/** One that has not fired. */
export type WaitingConditional = Waiting<PerpSends>;

/** Which one is meant. */
export type ConditionalRef = { readonly algoId: number } | { readonly clientId: string };

/** One leg as a member asks for it. */
export interface NewConditionalLeg {
  readonly purpose: PerpConditional['purpose'];
  readonly trigger: Trigger;
  /** Its `clientId` is that of the conditional order, and of the order that it sends. `WHOLE` is worked out when it fires. */
  readonly sends: NewPerpOrder;
  /** It waits on while the last price and the mark are too far apart. */
  readonly guarded?: true;
}

/** One conditional order, or several of one account and contract of which one fires. */
export interface NewConditional {
  readonly legs: readonly [NewConditionalLeg, ...NewConditionalLeg[]];
  /** They end with the position they close; refused without one. One `WHOLE` of a purpose and side stands at a time. */
  readonly position?: 'WHOLE' | 'PART';
}

/** Why a conditional order was refused when it was placed or changed. */
export type ConditionalRefusal =
  | PerpRefusal
  /** Off the tick, or out of the contract's range. */
  | 'TRIGGER_PRICE'
  /** A distance or share to come back by that the venue does not take. */
  | 'TRAILING_RANGE'
  /** The price is there already. */
  | 'WOULD_TRIGGER'
  | 'MAX_NUM_ALGO_ORDERS'
  /** Another one closes all of this position for the same purpose. */
  | 'CLOSE_EXISTS';

/** What is changed of one that waits. What is absent stays. */
export interface ConditionalChange {
  /** Of one that waits for a price. */
  readonly trigger?: Ticks;
  readonly by?: Trigger['by'];
  /** Of a trailing one, which then follows anew. */
  readonly back?: TrailingTrigger['back'];
  readonly activation?: Ticks;
  readonly quantity?: Lots;
  /** Of what it sends; `MARKET` makes that a market order. */
  readonly price?: Ticks | 'MARKET';
  /** What comes with what it sends. */
  readonly attached?: AttachedStops | 'NONE';
}

/** What is to protect a position. What is absent stays, `NONE` is taken away. */
export interface PositionStops {
  readonly takeProfit?: StopLeg | 'NONE';
  readonly stopLoss?: StopLeg | 'NONE';
  readonly trailing?: Pick<TrailingTrigger, 'by' | 'back' | 'activation'> | 'NONE';
}

/** One thing that happened to a conditional order, reported in its place among the orders' own events. */
export interface PerpConditionalEvent {
  readonly cause:
    | 'NEW'
    | 'AMENDED'
    /** A trailing one follows the price. */
    | 'MOVED'
    | 'TRIGGERING'
    /** What it sent is about to be reported. */
    | 'TRIGGERED'
    | 'FINISHED'
    | 'REFUSED'
    | 'CANCELLED'
    | 'EXPIRED';
  readonly order: PerpConditional;
}

/** A page of conditional orders, oldest first; as pages of orders are. */
export interface ConditionalPage {
  readonly symbol?: string;
  readonly fromId?: number;
  readonly startTime?: Millis;
  readonly endTime?: Millis;
  readonly limit: number;
}

type Answer<Value> = Promise<Result<Value, ConditionalRefusal>>;

/** What members do with them. Promises resolve after the journal is on disk. */
export interface PerpConditionals {
  check(asked: NewConditional): Result<true, ConditionalRefusal>;
  /** @returns them in the order of their legs; of several the first's `algoId` is the `group` of all. */
  place(asked: NewConditional): Answer<readonly WaitingConditional[]>;
  /** Its place in the order of placement stays. */
  amend(account: AccountNumber, ref: ConditionalRef, change: ConditionalChange): Answer<WaitingConditional>;
  /** Cancels one that waits; with the others of its group where the venue binds them to each other (OKX, Bybit). */
  cancel(account: AccountNumber, ref: ConditionalRef): Answer<readonly PerpConditional[]>;
  /** Cancels all that wait, of one contract or of all. @returns them; none is no fault. */
  cancelAll(account: AccountNumber, symbol?: string): Promise<readonly PerpConditional[]>;
  /**
   * Sets what closes all of a position (one of a purpose at a time, changed in place), or with `lots` adds a pair for a
   * part of it. Refused: NO_POSITION, WOULD_TRIGGER, TRIGGER_PRICE, LOT_SIZE, UNCHANGED.
   */
  protect(key: SimPositionKey, stops: PositionStops, lots?: Lots): Answer<readonly WaitingConditional[]>;

  find(account: AccountNumber, ref: ConditionalRef): PerpConditional | undefined;
  /** Those that wait or whose child is open, oldest first. */
  open(account: AccountNumber, symbol?: string): readonly PerpConditional[];
  /** All that are kept, whatever became of them. */
  history(account: AccountNumber, page: ConditionalPage): readonly PerpConditional[];
  /** What stands behind a position: those that wait and end with it. */
  protecting(key: SimPositionKey): readonly WaitingConditional[];
}

import type { Lots, Millis, Ticks } from '@crossbook/domain';
import type { Trigger } from './trigger.ts';

/**
 * An order that waits at the venue until its trigger is reached, and then sends another one. What it sends is the
 * market's own kind of order, which this room does not look into: everything that a child says (side, market or limit,
 * time in force, position side, reduce-only, whole position) stands there.
 */

/** What any market's orders say. */
export interface SentOrder {
  readonly account: number;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly price?: Ticks;
  /** `WHOLE`: all of the position that is there when it fires. */
  readonly quantity?: Lots | 'WHOLE';
  readonly clientId: string;
}

/** What a conditional order hangs on. */
export interface Attachment {
  /** The order whose fills it protects. */
  readonly parentId?: number;
  /** It ends with its position: for all of it, whatever its size becomes, or for a part. */
  readonly position?: 'WHOLE' | 'PART';
  /** Which of its parent's several targets it is: they do not end each other, and each takes its part from the stop. */
  readonly target?: number;
  /** Of the stop beside targets: it goes to its parent's average price when the first of them fires. */
  readonly atCost?: true;
  /** It waits for no price: what it sends rests from the fill on, and takes from the stop as it fills. */
  readonly rests?: true;
}

/** What stays the same, or changes only while it waits. */
export interface ConditionalTerms<Sends extends SentOrder = SentOrder> {
  /** Grows with every conditional order of the venue, over all markets: who was placed first has the smaller one. */
  readonly algoId: number;
  readonly clientId: string;
  readonly purpose: 'STOP' | 'TAKE_PROFIT' | 'TRAILING';
  readonly trigger: Trigger;
  readonly sends: Sends;
  /** Of several with the same group one fires, which ends the others: the `algoId` of the first of them. */
  readonly group?: number;
  readonly attached?: Attachment;
  /** It waits on while the last price and the mark are further apart than `TRIGGER_GAP_MAX`. */
  readonly guarded?: true;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** When and at which price it fired. */
interface Fired {
  readonly firedAt: Millis;
  /** In ticks, as the followed price stood. */
  readonly firedPrice: number;
}

/** Why it ended without firing. */
export type UnfiredEnd =
  | 'MEMBER'
  /** Another one of its group fired. */
  | 'SIBLING'
  /** The position it was for is closed, or another. */
  | 'POSITION';

/** It waits for its price. */
export interface Waiting<Sends extends SentOrder = SentOrder> extends ConditionalTerms<Sends> {
  readonly state: 'WAITING';
}
/** Its price came; what it sends is on its way. */
export interface Triggering<Sends extends SentOrder = SentOrder> extends ConditionalTerms<Sends>, Fired {
  readonly state: 'TRIGGERING';
}
/** What it sent was taken, and is open. */
export interface Triggered<Sends extends SentOrder = SentOrder> extends ConditionalTerms<Sends>, Fired {
  readonly state: 'TRIGGERED';
  readonly childId: number;
}
/** What it sent has ended, filled or not. */
export interface Finished<Sends extends SentOrder = SentOrder> extends ConditionalTerms<Sends>, Fired {
  readonly state: 'FINISHED';
  readonly childId: number;
}
/** What it sent was refused. */
export interface Refused<Sends extends SentOrder = SentOrder> extends ConditionalTerms<Sends>, Fired {
  readonly state: 'REFUSED';
  /** The market's own word for it. */
  readonly refusal: string;
}
/** It was taken back: by its member, or because what it was for is gone. */
export interface Cancelled<Sends extends SentOrder = SentOrder> extends ConditionalTerms<Sends> {
  readonly state: 'CANCELLED';
  readonly cause: UnfiredEnd;
}
/** The venue ended it. */
export interface Expired<Sends extends SentOrder = SentOrder> extends ConditionalTerms<Sends> {
  readonly state: 'EXPIRED';
  readonly cause: UnfiredEnd;
}

export type ConditionalOrder<Sends extends SentOrder = SentOrder> =
  | Waiting<Sends>
  | Triggering<Sends>
  | Triggered<Sends>
  | Finished<Sends>
  | Refused<Sends>
  | Cancelled<Sends>
  | Expired<Sends>;

export type ConditionalState = ConditionalOrder['state'];

/** Which state may come after which; the functions below make no other step, and types allow none. */
export const NEXT_STATES: Readonly<Record<ConditionalState, readonly ConditionalState[]>> = {
  WAITING: ['TRIGGERING', 'CANCELLED', 'EXPIRED'],
  TRIGGERING: ['TRIGGERED', 'REFUSED'],
  TRIGGERED: ['FINISHED'],
  FINISHED: [],
  REFUSED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** Whether nothing more becomes of it. */
export function isOver({ state }: { readonly state: ConditionalState }): boolean {
  return NEXT_STATES[state].length === 0;
}

/** Its price came. @param price the followed one, in ticks. */
export function fired<Sends extends SentOrder>(
  order: Waiting<Sends>,
  price: number,
  time: Millis,
): Triggering<Sends> {
  return { ...order, state: 'TRIGGERING', firedAt: time, firedPrice: price, updatedAt: time };
}

/** What it sent is an order now. */
export function sent<Sends extends SentOrder>(
  order: Triggering<Sends>,
  childId: number,
  time: Millis,
): Triggered<Sends> {
  return { ...order, state: 'TRIGGERED', childId, updatedAt: time };
}

/** What it sent was refused. */
export function refusedWith<Sends extends SentOrder>(
  order: Triggering<Sends>,
  refusal: string,
  time: Millis,
): Refused<Sends> {
  return { ...order, state: 'REFUSED', refusal, updatedAt: time };
}

/** What it sent has ended. */
export function finished<Sends extends SentOrder>(order: Triggered<Sends>, time: Millis): Finished<Sends> {
  return { ...order, state: 'FINISHED', updatedAt: time };
}

/** It ends before its price came. */
export function ended<Sends extends SentOrder>(
  order: Waiting<Sends>,
  how: { readonly state: 'CANCELLED' | 'EXPIRED'; readonly cause: UnfiredEnd },
  time: Millis,
): Cancelled<Sends> | Expired<Sends> {
  const { state, cause } = how;
  return { ...order, state, cause, updatedAt: time };
}

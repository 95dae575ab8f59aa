import type {
  AlgoLegName,
  AlgoPlan,
  Amount,
  Millis,
  OrderId,
  Platform,
  Side,
  SymbolType,
  TimeInForce,
  UserId,
  VenueAlgoStatus,
  VenueClientId,
  VenueOrderId,
} from '@crossbook/domain';
import { venueClientId } from '@crossbook/domain';
import { type CompanionWrite, type HoldId, holdId } from '@crossbook/ledger';
import type { AccountOwner, PageRequest, StoredPage } from './account-pages.ts';
import type { ContractPart } from './order.ts';
import type { TargetStore } from './targets.ts';

/** `placing`: the venue has not confirmed it. The rest is what the venue says. `fired` only once the child is stored. */
export type AlgoState = 'placing' | VenueAlgoStatus;

/** What of an algo order a change may touch, and what that holds. */
export interface WhatWaits {
  readonly plan: AlgoPlan;
  readonly quantity?: Amount | undefined;
  readonly holdAmount: Amount;
}

/** An order that waits for a price, as it is stored. */
export interface StoredAlgo {
  readonly id: OrderId;
  readonly user: UserId;
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly side: Side;
  readonly plan: AlgoPlan;
  /** Absent: the whole position when it fires. */
  readonly quantity?: Amount;
  readonly timeInForce: TimeInForce;
  /** Present exactly for contracts. */
  readonly contract?: ContractPart;
  /** The order whose take-profit or stop-loss it is. */
  readonly parent?: OrderId;
  readonly payloadHash: string;
  /** Which placement of it this is: a change that cannot be amended places it anew. */
  readonly attempt: number;
  readonly holdId: HoldId;
  readonly holdAsset: string;
  readonly holdAmount: Amount;
  readonly state: AlgoState;
  /** What became of a placement, a change or a cancel is not known. */
  readonly unknown: boolean;
  readonly cancelPending: boolean;
  readonly venueAlgoId?: VenueOrderId;
  /** It was cancelled for a change, or is about to be: what waited, until the next placement stands. */
  readonly changedFrom?: WhatWaits;
  /** Of an iceberg: how much its orders have executed, as far as they are known. */
  readonly executed: Amount;
  readonly childId?: OrderId;
  readonly childLeg?: AlgoLegName;
  readonly reason?: string;
  /** After this time the venue must refuse the request, so that "not found" becomes proof. */
  readonly deadlineAt?: Millis;
  readonly lookups: number;
  readonly firstLookupAt?: Millis;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** In place of a request's hash: the venue made it of the targets that came with an order, and binds its legs itself. */
export const ATTACHED = 'made by the exchange';
/** The same of the leg that it made of what a pair's order had filled: its size is told when it is first seen. */
export const OF_FILLS = 'made of the fills of its order';
/** The same where a leg was never placed, because as many wait as may. */
export const NO_ROOM = 'no room';

/** Why something is not held for: the money was spent on the way. Pages know the words. */
export const SPENT = 'the balance did not suffice';
/** Why the hub cancels what its member had waiting; pages know the words. */
export const POSITION_CLOSED = 'its position was closed';

/** Which of a member's algo orders. */
export interface AlgoFilter {
  readonly platform?: Platform;
  readonly symbolType?: SymbolType;
  readonly symbol?: string;
}

/** A platform, or one member's contract there. */
export interface PlaceOfAlgos {
  readonly platform: Platform;
  readonly user?: UserId;
  readonly symbol?: string;
}

/** Where algo orders are kept; writes travel with the money. */
export interface AlgoStore {
  /** Take-profit and stop-loss that orders bring along. */
  readonly targets: TargetStore;
  byId(id: OrderId): Promise<StoredAlgo | undefined>;
  /** All that have not ended, oldest first. */
  open(): Promise<readonly StoredAlgo[]>;
  openOf(user: UserId, filter: AlgoFilter): Promise<readonly StoredAlgo[]>;
  /** Whose algo orders have not ended, in a fixed order. */
  openOwners(): Promise<readonly AccountOwner[]>;
  /** A member's by the venue's id of it, whatever became of it. */
  byVenueId(
    of: Pick<StoredAlgo, 'user' | 'platform' | 'symbol'>,
    id: VenueOrderId,
  ): Promise<StoredAlgo | undefined>;
  /** Those of an order that brought them along. */
  ofParent(id: OrderId): Promise<readonly StoredAlgo[]>;
  /**
   * What waits, or is a leg still to be sent, and only reduces, and whose position has been flat since: since the last fill
   * of the order that brought it along, or since it was placed. Those that are being cancelled are left out.
   */
  withoutPosition(limit: number, of: PlaceOfAlgos): Promise<readonly StoredAlgo[]>;
  page(user: UserId, page: PageRequest & AlgoFilter): Promise<StoredPage<StoredAlgo>>;
  /** A new row. Refused when its id exists. */
  insert(algo: StoredAlgo): CompanionWrite;
  /** The changed part of a row. Refused when the state may not move that way. */
  progress(algo: StoredAlgo): CompanionWrite;
}

/** Whether nothing more happens to it: what follows is told of the child. */
export function isEnded({ state }: Pick<StoredAlgo, 'state'>): boolean {
  return state !== 'placing' && state !== 'waiting' && state !== 'firing';
}

/** Whether the venue has made a leg of its own larger or smaller than it is with us. */
export function isResized(
  { payloadHash, quantity, state }: StoredAlgo,
  reported: { readonly quantity?: Amount },
): boolean {
  const asMade = payloadHash === ATTACHED || (payloadHash === OF_FILLS && state === 'placing');
  return asMade && reported.quantity !== undefined && reported.quantity !== quantity;
}

/** An id made of another one and what it is for: the same after every crash. */
function derivedId(...parts: readonly [string, OrderId, number | string]): OrderId {
  return holdId(...parts) as string as OrderId;
}

/** The id of one placement at the venue. */
export function algoClientId({ id, attempt }: Pick<StoredAlgo, 'id' | 'attempt'>): VenueClientId {
  return venueClientId(attempt === 0 ? id : derivedId('algo-attempt', id, attempt));
}

/** The id that the child of a leg has with us. */
export function childIdOf({ id, attempt }: Pick<StoredAlgo, 'id' | 'attempt'>, leg: AlgoLegName): OrderId {
  return derivedId('algo-child', id, `${attempt} ${leg}`);
}

/** The id that an order of an iceberg has with us. */
export function sliceIdOf({ id }: Pick<StoredAlgo, 'id'>, venueOrderId: VenueOrderId): OrderId {
  return derivedId('algo-slice', id, venueOrderId);
}

/** The ids that we ask the venue to give the children: take-profit, then stop-loss. */
export function childClientIds(
  algo: Pick<StoredAlgo, 'id' | 'attempt'>,
): readonly [VenueClientId, VenueClientId] {
  return [venueClientId(childIdOf(algo, 'take-profit')), venueClientId(childIdOf(algo, 'stop-loss'))];
}

/** A hold in place of its own, where another amount is needed. */
export function nextHoldId({ holdId: before }: Pick<StoredAlgo, 'holdId'>): HoldId {
  return holdId('algo', before, 'next');
}

/** The hold of one placement. */
export function algoHoldId({ id, attempt }: Pick<StoredAlgo, 'id' | 'attempt'>): HoldId {
  return holdId('algo', id, attempt);
}

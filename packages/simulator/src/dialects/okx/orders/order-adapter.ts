import type { Lots, Millis, Result, Ticks } from '@crossbook/domain';
import type { AccountNumber, OrderRef, SimOrder, SimOrderId } from '../../../exchange.ts';
import type { Desk } from '../desk.ts';
import type { OkxError } from '../errors.ts';
import type { Listed } from '../listing.ts';
import type { ParamBag, ParamReader } from '../params.ts';

/** How orders of pairs and of contracts come together in the same calls: each kind of market has an adapter like this. */

/** Whose orders of which market. */
export interface Place {
  readonly account: AccountNumber;
  readonly listed: Listed;
}

/** An order that a call names. */
export interface NamedOrder extends Place {
  readonly order: Pick<SimOrder, 'account' | 'orderId' | 'clientId' | 'status'>;
}

/** What an amendment changes. */
export interface OrderChange {
  readonly price?: Ticks;
  readonly quantity?: Lots;
  /** Of what is attached to it, as it was asked for. */
  readonly attached?: readonly ParamBag[];
}

/** Something with a place in time: lists are newest first, and of one moment the highest id. */
export interface Dated {
  readonly time: number;
  readonly id: bigint;
}

/** An order as lists have it. */
export interface OrderEntry extends Dated {
  readonly state: string;
  readonly ordType: string;
  /** Without a fill it is forgotten a while after its end. */
  readonly unfilled: boolean;
  readonly updatedAt: Millis;
  row(): object;
}

/** A fill as lists have it. */
export interface FillEntry extends Dated {
  row(): object;
}

/** Orders of one kind of market. */
export interface OrderAdapter {
  /** @returns `ordId` of the new order. */
  place(desk: Desk, reader: ParamReader, place: Place): Promise<Result<string, OkxError>>;
  find(desk: Desk, place: Place, ref: OrderRef): NamedOrder | undefined;
  /** @returns whether it was still open. */
  cancel(desk: Desk, named: NamedOrder): Promise<boolean>;
  /** `ENDED`: it was not open any more. */
  amend(desk: Desk, named: NamedOrder, change: OrderChange): Promise<Result<true, OkxError | 'ENDED'>>;
  entry(desk: Desk, place: Place, ref: OrderRef): OrderEntry | undefined;
  open(desk: Desk, place: Place): readonly OrderEntry[];
  /** Orders since a time, open ones too. */
  orders(desk: Desk, place: Place, since: Millis): readonly OrderEntry[];
  fills(desk: Desk, place: Place, page: FillPage): readonly FillEntry[];
  /** Where the fill of a trade stands. */
  fillOf(desk: Desk, place: Place, tradeId: number): FillEntry | undefined;
}

/** Which fills. */
export interface FillPage {
  readonly since: Millis;
  readonly orderId?: SimOrderId;
}

/** Orders or fills of one market that a list looks through. */
export const SEARCHED_MAX = 25_000;

import type { Amount, Lots, Millis, Result, Ticks } from '@crossbook/domain';
import type { AccountNumber, SimOrderId } from '../../../exchange.ts';
import type { ConditionalChange, NewConditional } from '../../../perp-conditionals.ts';
import type { AttachedStops, NewPerpOrder } from '../../../perp-exchange.ts';
import type { ConditionalOrder, SentOrder } from '../../../triggers/conditional-order.ts';
import type { Desk } from '../desk.ts';
import type { OkxError } from '../errors.ts';
import type { Listed } from '../listing.ts';

/** How algo orders of pairs and of contracts come together in the same calls: each kind of market has a adapter of them. */

/** What a leg sends, as rows tell it. */
export interface AlgoSends extends SentOrder {
  /** In place of a quantity: a market order of a pair that buys for so much. */
  readonly quoteQuantity?: Amount;
  /** What comes with it on a contract. */
  readonly attached?: AttachedStops;
}

/** One leg: on a contract numbered by the core, on a pair the order itself, which has the same number when it works. */
export type AlgoLeg = ConditionalOrder<AlgoSends>;

/** One algo order: one leg, or the two of a pair, of which one fires. */
export interface AlgoOrder {
  readonly listed: Listed;
  readonly legs: readonly [AlgoLeg, ...AlgoLeg[]];
}

/** One that is asked for; on a pair only account, symbol, side, size and price of what it sends matter. */
export interface AskedAlgo extends NewConditional {
  readonly quoteQuantity?: Amount;
}

/** An order that a leg sent. */
export interface AlgoChild extends Pick<SentOrder, 'price' | 'quantity'> {
  readonly ordId: string;
}

/** One slice of an iceberg: an ordinary order at a limit. */
export interface AlgoSlice {
  readonly clientId: string;
  readonly orderId: SimOrderId;
  readonly price: Ticks;
  readonly executed: number;
  readonly open: boolean;
}

/** How a row says where and how a leg's order trades. */
export interface AlgoTerms {
  readonly tdMode: string;
  readonly posSide: string;
  readonly reduceOnly: boolean;
  /** In what the size of a pair's market order is counted. */
  readonly tgtCcy: string;
  /** The leverage of a contract as it is set now. */
  readonly lever: string;
}

/** Algo orders of one kind of market. */
export interface AlgoAdapter {
  /** @returns its first leg. */
  place(desk: Desk, listed: Listed, asked: AskedAlgo): Promise<Result<AlgoLeg, OkxError>>;
  /** Changes legs that wait. @returns why not. */
  amend(
    desk: Desk,
    order: AlgoOrder,
    changes: ReadonlyMap<AlgoLeg, ConditionalChange>,
  ): Promise<OkxError | undefined>;
  /** Cancels one that waits, all of its legs. @returns whether it was still waiting. */
  cancel(desk: Desk, leg: AlgoLeg): Promise<boolean>;
  /** Legs that wait. */
  waiting(desk: Desk, account: AccountNumber): readonly AlgoLeg[];
  history(desk: Desk, account: AccountNumber, startTime: Millis): readonly AlgoLeg[];
  /** The first leg of what is numbered or named so; a name of several is that of the newest. */
  byId(desk: Desk, account: AccountNumber, algoId: string): AlgoLeg | undefined;
  byClientId(desk: Desk, account: AccountNumber, clientId: string): AlgoLeg | undefined;
  /** All legs of the order that a leg belongs to, as they are now. */
  legsOf(desk: Desk, leg: AlgoLeg): AlgoOrder['legs'];
  /** `algoId`: of a pair that of its first leg. */
  idOf(listed: Listed, leg: Pick<AlgoLeg, 'algoId' | 'group'>): string;
  childOf(desk: Desk, listed: Listed, leg: AlgoLeg): AlgoChild | undefined;
  termsOf(desk: Desk, leg: AlgoLeg): AlgoTerms;
  /** What an iceberg has sent, oldest first. */
  slices(desk: Desk, listed: Listed, leg: AlgoLeg): readonly AlgoSlice[];
  /** One of them by the core's client id. */
  slice(desk: Desk, leg: AlgoLeg, clientId: string): AlgoSlice | undefined;
  /** Sends one. @returns its client id; nothing where it was refused. */
  sendSlice(
    desk: Desk,
    leg: AlgoLeg,
    asked: { readonly price: Ticks; readonly quantity: Lots; readonly clientId: string },
  ): Promise<string | undefined>;
  cancelSlice(desk: Desk, leg: AlgoLeg, slice: AlgoSlice): Promise<void>;
  /** `failCode` of what was refused when it fired. */
  failCode(refusal: string): string;
}

/** What a leg sends when it is asked for. */
export type AskedSends = Omit<NewPerpOrder, 'kind' | 'timeInForce' | 'price'>;

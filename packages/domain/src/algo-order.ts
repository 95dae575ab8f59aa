import type { Amount } from './amount.ts';
import type { Millis, VenueClientId, VenueOrderId } from './ids.ts';
import type { TimeInForce } from './order.ts';

/**
 * Algo orders: what waits at the exchange until a price is reached, and then becomes an ordinary order, its child. In our
 * own vocabulary; prices and quantities are counted as in orders (contracts of the venue for perpetuals).
 */

/**
 * `stop` fires when the price has gone against the side (a buy above the market, a sell below it), `take-profit` when it
 * has come towards it, `trailing` a way back from the best price since, `oco` is a take-profit and a stop of which the
 * first to work cancels the other. An `iceberg` waits for nothing: the venue makes one order of it after another.
 */
export type AlgoKind = 'stop' | 'take-profit' | 'trailing' | 'oco' | 'iceberg';

/** The price that a trigger follows. Pairs have `last` alone. */
export type TriggerBy = 'last' | 'mark' | 'index';

/** One leg: when it fires, and what it then sends. */
export interface AlgoLeg {
  /** Absent: the leg rests in the book as a limit order from placement (the take-profit of an `oco` on a pair). */
  readonly trigger?: { readonly price: Amount; readonly by: TriggerBy };
  /** The limit price of what it sends; absent: a market order. */
  readonly limit?: Amount;
}

/** How far a trailing stop follows behind the best price. */
export interface Trailing {
  /** A fraction of the best price (0.01 is 1 %), or a distance in the quote asset; exactly one is present. */
  readonly ratio?: Amount;
  readonly distance?: Amount;
  /** From here on it follows; absent: from the placement. */
  readonly activation?: Amount;
  readonly by: TriggerBy;
}

/** How an iceberg shows itself: a slice rests at a time, and another one follows once it has filled. */
export interface Iceberg {
  /** Never dearer than this, or cheaper where it sells; while the market is beyond it nothing rests. */
  readonly limit: Amount;
  /** About how much one slice is, counted as the quantity. */
  readonly visible: Amount;
  /**
   * How far behind the best price of its side a slice rests: a fraction of it (0.01 is 1 %), or a distance in the quote
   * asset; exactly one is present.
   */
  readonly ratio?: Amount;
  readonly distance?: Amount;
}

/** What waits for a price, and what it does then. */
export type TriggerPlan =
  | { readonly kind: 'stop' | 'take-profit'; readonly leg: AlgoLeg }
  | { readonly kind: 'trailing'; readonly trailing: Trailing }
  | { readonly kind: 'oco'; readonly takeProfit: AlgoLeg; readonly stopLoss: AlgoLeg };

/** What an algo order waits for and what it does then; an iceberg shows itself bit by bit. */
export type AlgoPlan = TriggerPlan | { readonly kind: 'iceberg'; readonly iceberg: Iceberg };

/** Which leg of an `oco`. */
export type AlgoLegName = 'take-profit' | 'stop-loss';

/**
 * How far the venue is with an algo order. `firing`: triggered, its child not known yet. `fired`: the child is an order
 * of its own and tells the rest. `refused`: triggered, and what it sent was refused. The last four are final. An iceberg
 * waits until its slices have filled all of it (`fired`), or it is cancelled.
 */
export type VenueAlgoStatus = 'waiting' | 'firing' | 'fired' | 'refused' | 'cancelled' | 'expired';

/** What a venue says of an algo order, from a stream event, a call's answer or a query. */
export interface VenueAlgoState {
  /** Ours, or one that we did not send: of an order that the venue attached itself. */
  readonly clientId: VenueClientId;
  /** The venue's own id: of the algo order, of the order where both are one, of the list at Binance's pairs. */
  readonly venueAlgoId: VenueOrderId;
  readonly symbol: string;
  readonly status: VenueAlgoStatus;
  /** The order that it became, once the venue names it. */
  readonly child?: { readonly venueOrderId: VenueOrderId; readonly leg?: AlgoLegName };
  /** Of an iceberg: how much its slices have executed, where the venue says it. */
  readonly executed?: Amount;
  /** The order that it was attached to, where the venue placed it with one of ours. */
  readonly parent?: VenueClientId;
  /** Which of that order's targets it is, where the venue makes one for each; absent of one that is all of them. */
  readonly leg?: AlgoLegName;
  /** Which of that order's several take-profits it is, from 1; absent of every other leg. */
  readonly part?: number;
  /** How much it sends, as orders count; absent where the venue does not say, or means a whole position. */
  readonly quantity?: Amount;
  /** What the venue says of a refusal or an end. */
  readonly reason?: string;
  readonly time: Millis;
}

/** Whether the venue is done with it: what follows is told of the child. */
export function isFinalAlgo(status: VenueAlgoStatus): boolean {
  return status !== 'waiting' && status !== 'firing';
}

/**
 * What may come with an order at a venue beyond what the hub sends with one: a target that `rests` in the book, a `share` of the price
 * filled in place of a price; or, where the hub brings one of target and stop, `both`.
 */
export type UnsentTarget = 'rests' | 'share' | 'both';

/** Take-profits that an order may bring along besides a single one: from so many on they are several. */
export const TARGETS_MIN = 2;

/** What a venue offers of algo orders on one type of market. */
export interface AlgoOffer {
  readonly kinds: readonly AlgoKind[];
  readonly triggerBy: readonly TriggerBy[];
  /** The take-profit of an `oco` may rest in the book; absent: both legs wait for a price. */
  readonly targetRests?: true;
  /** Whether a quantity may be left out so that the whole position is closed when it fires. */
  readonly whole: 'never' | 'one-way' | 'always';
  /** What closes the whole position may send a limit order; absent: only one at market. */
  readonly wholeAtLimit?: true;
  /** Times in force that a limit leg may have. */
  readonly limitTimes: readonly TimeInForce[];
  /** How a trailing stop is told; absent without that kind. Fractions as in {@link Trailing}. */
  readonly trailing?: {
    readonly ratio?: { readonly min: Amount; readonly max: Amount; readonly step: Amount };
    readonly distance: boolean;
    /** The prices that it may follow; absent: those that triggers may. */
    readonly by?: readonly TriggerBy[];
    /** It hangs on a position: one of each, which closes all of it. Absent: an order with a size like any other. */
    readonly ofPosition?: true;
  };
  /** How an iceberg is told, and in how many slices at most; absent without that kind. */
  readonly iceberg?: {
    readonly ratio: { readonly min: Amount; readonly max: Amount; readonly step: Amount };
    readonly distance: boolean;
    readonly slicesMax: number;
    /** How many an account may have under way: the orders of each are read again and again. */
    readonly openMax: number;
  };
  /** Whether one that waits can be changed; else it is cancelled and placed anew. */
  readonly amends: boolean;
  /** Whether the venue locks what it needs from placement. The ledger holds for every pair's from placement. */
  readonly locks: boolean;
  /** How many an account may have that wait; of one symbol where `perSymbol`. */
  readonly openMax: number;
  readonly perSymbol: boolean;
  /**
   * Who places an order's targets: the venue with it, or the hub (a contract's as it fills, a pair's once it is over). `list`: those of
   * a limit order are the rest of one list with it, which the venue carries out once that has filled wholly; else the hub. `fills`:
   * those of a pair's buy go with it, and the venue makes one leg of what has filled once it is over.
   */
  readonly attached: 'venue' | 'hub' | 'list' | 'fills';
  /** Where the venue places them: once, for what the order has filled when it is over. Absent: as it fills. */
  readonly attachedOnce?: true;
  /**
   * So many take-profits may come with an order, each for a part of it and all at market, and one stop-loss for the whole: the venue
   * makes them once the order has filled wholly, and none of one that has not. Absent: a single one.
   */
  readonly targetsMax?: number;
  /** A trailing stop may come with an order in place of targets. */
  readonly attachedTrails?: true;
  /** What the venue takes with an order besides, and the hub does not send with one: its ticket says so. */
  readonly unsent?: readonly UnsentTarget[];
  /** Changing one of the two legs that the venue attached may unbind them: the other then stays when one fires. */
  readonly unbinds?: true;
}

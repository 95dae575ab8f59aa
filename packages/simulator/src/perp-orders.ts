import type { Lots, Ticks } from '@crossbook/domain';
import type { AccountNumber, SelfTradePrevention, SimOrderKind, SimTimeInForce } from './exchange.ts';
import type { SimMarginMode, SimPositionSide } from './perp-settings.ts';
import type { PriceKind, TrailingTrigger } from './triggers/trigger.ts';

/** What members ask for on contracts, and why it is refused. */

/** What makes a position of an account that one: at OKX a symbol may have a cross and an isolated one side by side. */
export interface SimPositionKey {
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly side: SimPositionSide;
  readonly marginMode: SimMarginMode;
}

/** An order on a contract as a member asks for it. */
export interface NewPerpOrder {
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly positionSide: SimPositionSide;
  /** Absent: as the symbol or account is set (Binance, Bybit). At OKX every order says it. */
  readonly marginMode?: SimMarginMode;
  readonly kind: SimOrderKind;
  readonly timeInForce: SimTimeInForce;
  readonly price?: Ticks;
  /** Contracts in lots; `WHOLE` closes what is there when it is matched (reduce-only). */
  readonly quantity: Lots | 'WHOLE';
  readonly reduceOnly: boolean;
  readonly clientId: string;
  readonly selfTradePrevention: SelfTradePrevention;
  /** LIMIT_MAKER that would take: refused when absent, accepted and expired at once with `EXPIRE`. */
  readonly whenTaking?: 'EXPIRE';
  /** What protects the position that it opens, as far as it fills. */
  readonly attached?: AttachedStops;
}

/** One leg of a bracket: what it does follows from what it protects. */
export interface StopLeg {
  readonly by: PriceKind;
  readonly trigger: Ticks;
  /** Sends a limit order at this price; absent: a market order. */
  readonly limit?: Ticks;
  /** By so much of the price of the fill that it protects, in hundredths of a percent, above (or below 0 below) it; `trigger` is then a guess. */
  readonly shareBips?: number;
  /** It waits for nothing: a limit order rests from the fill on, by this name where its member gave one. */
  readonly rests?: { readonly clientId?: string };
}

/** One of several take profits: for a part of what its order fills. */
export interface SplitTarget {
  readonly leg: StopLeg;
  readonly lots: Lots;
  /** Where its member named it; absent: numbered. */
  readonly clientId?: string;
}

/** Take profit and stop loss of an order, which come alive with its fills. */
export interface AttachedStops {
  /** `PART`: for what the order has filled. `WHOLE`: they become those of the position, in place of those it had. */
  readonly extent: 'WHOLE' | 'PART';
  readonly takeProfit?: StopLeg;
  /** Several take profits in place of one, of a `PART`: in all as much as the order. Fills go to them in this order. */
  readonly targets?: readonly SplitTarget[];
  /** Beside targets it is for what they leave. */
  readonly stopLoss?: StopLeg;
  /** It goes to the order's average price once the first of the targets has fired. */
  readonly stopAtCost?: true;
  /** A trailing stop in place of any other. */
  readonly trailing?: Pick<TrailingTrigger, 'back' | 'activation'>;
  /** Where the venue lets the member name them; absent: numbered. Beside targets the stop's own. */
  readonly clientId?: string;
}

/** Why the core refused something about contracts. Each dialect has a code and a text for every one. */
export type PerpRefusal =
  | 'UNKNOWN_SYMBOL'
  | 'MARKET_CLOSED'
  | 'PRICE_FILTER'
  | 'LOT_SIZE'
  | 'MARKET_LOT_SIZE'
  | 'NOTIONAL'
  | 'PRICE_BAND'
  | 'MAX_NUM_ORDERS'
  | 'DUPLICATE_CLIENT_ID'
  | 'INSUFFICIENT_MARGIN'
  | 'TIER_EXCEEDED'
  | 'WOULD_TAKE'
  | 'WOULD_LIQUIDATE'
  | 'UNKNOWN_ORDER'
  | 'POSITION_SIDE_MISMATCH'
  | 'REDUCE_ONLY_NOTHING'
  | 'REDUCE_ONLY_WOULD_GROW'
  | 'CLOSE_TOO_LARGE'
  | 'HAS_ORDERS'
  | 'HAS_POSITIONS'
  | 'UNCHANGED'
  | 'LEVERAGE_TOO_HIGH'
  | 'LEVERAGE_TOO_LOW_ISOLATED'
  | 'NOT_ISOLATED'
  | 'NO_POSITION'
  | 'MARGIN_AMOUNT'
  /** A leg of a bracket lies on the wrong side of the order's price, or of the last one. */
  | 'ATTACHED_PRICE';

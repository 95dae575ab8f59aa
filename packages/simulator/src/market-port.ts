import type { CandleInterval, Lots, Millis, Ticks } from '@crossbook/domain';
import type {
  MarketFacts,
  SimCandle,
  SimDepth,
  SimOrderId,
  SimTicker,
  SimTrade,
  TradePage,
} from './exchange.ts';

/**
 * The port between the core (matching, accounts, journal) and the market side (instrument list, fair
 * price, agents, tape and its statistics). The core implements `HouseTrading`, the market side `MarketSide`.
 */

/** An order that an agent sends for the house. Prices and quantities obey the market's steps by construction. */
export interface HouseOrder {
  readonly side: 'BUY' | 'SELL';
  /** MARKET needs no price; IOC takes what crosses; POST is dropped when it would take; GTC rests. */
  readonly kind: 'GTC' | 'IOC' | 'POST' | 'MARKET';
  /** Absent for MARKET. */
  readonly price?: Ticks;
  readonly quantity: Lots;
}

/** What became of a house order. */
export interface HousePlacement {
  /** The order's id while it rests, otherwise `undefined`. */
  readonly resting: SimOrderId | undefined;
  readonly executed: Lots;
}

/** A resting house order. */
export interface HouseOpenOrder {
  readonly orderId: SimOrderId;
  readonly side: 'BUY' | 'SELL';
  readonly price: Ticks;
  readonly remaining: Lots;
}

/**
 * Trading for account 0. Synchronous and without journal; what it does to members' orders is journalled
 * by the core. House orders do not survive a restart: agents rebuild their quotes.
 */
export interface HouseTrading {
  /** Places nothing (`executed` 0, not resting) in a market that is not TRADING or while ids run out. */
  place(symbol: string, order: HouseOrder): HousePlacement;
  /** @returns false when the order no longer rests. */
  cancel(symbol: string, orderId: SimOrderId): boolean;
  /** Lots still resting; 0 when the order is gone. */
  remaining(symbol: string, orderId: SimOrderId): Lots;
  /** Best prices and their sizes without allocating the whole book; `undefined` for an empty side. */
  bestBid(symbol: string): Ticks | undefined;
  bestAsk(symbol: string): Ticks | undefined;
  depth(symbol: string, limit: number): SimDepth;
  /** All resting house orders of a market, in no particular order. */
  openOrders(symbol: string): readonly HouseOpenOrder[];
  /** Whether the market is open: nothing trades in one that is not. */
  isTrading(symbol: string): boolean;
  /** The last trade id that was given out, or set aside before a restart. */
  lastTradeId(symbol: string): number;
  /**
   * Uses up so many trade ids in a row, for trades that nobody was there to see.
   * @returns the first of them; `undefined` while they may not be given out.
   */
  takeTradeIds(symbol: string, count: number): number | undefined;
  /** Whether any member has an order resting in this market (full agents are worth their cost there). */
  membersRest(symbol: string): boolean;
}

/** What the market side offers to the core. It owns its timers, seeds and clock; all were handed to it when it was made. */
export interface MarketSide {
  /** Every listed market, in listing order. `maxPrice / tickSize` stays below 2^31. */
  readonly markets: readonly MarketFacts[];
  /** Fair price in quote at a time; random access. */
  fairPrice(symbol: string, time: Millis): number;
  /** 5-minute average price, for PERCENT_PRICE_BY_SIDE and NOTIONAL of market orders. */
  averagePrice(symbol: string): number;
  ticker(symbol: string): SimTicker;
  trades(symbol: string, page: TradePage): readonly SimTrade[];
  candles(
    symbol: string,
    interval: CandleInterval,
    page: { readonly startTime?: Millis; readonly endTime?: Millis; readonly limit: number },
  ): readonly SimCandle[];
  /**
   * Somebody looks at a market or is about to trade in it: its agents must be there with a full book when this returns.
   * They stay for a while after the last look.
   */
  look?(symbol: string): void;
  /** Somebody reads a market's newest trades or bars. Who does so again within a minute polls, and that is a look. */
  read?(symbol: string): void;
  /** What a market that nobody looks at offers best on both sides; `undefined` while its book says that. */
  restingTouch?(symbol: string): Omit<SimDepth, 'lastUpdateId'> | undefined;
  /** Takes every trade of every market, house and members alike, synchronously, in trade id order per market. */
  onTrade(trade: SimTrade): void;
  /** Seeds the books and starts the agents. Called once, after recovery. */
  start(house: HouseTrading): void;
  /** Stops every timer and flushes what the market side keeps. Trading by the house ends before it resolves. */
  stop(): Promise<void>;
  setAgentsPaused(paused: boolean): void;
  /** Multiplies a market's fair price from now on. */
  shock(symbol: string, factor: number): void;
}

/** Trade ids up to this one belong to the invented history; a fresh market's first own trade comes after it. */
export const TRADE_ID_ORIGIN = 1_000_000_000;

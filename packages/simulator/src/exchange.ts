import type { Amount, Brand, Candle, CandleInterval, Lots, Millis, Result, Ticks } from '@crossbook/domain';
import type { SimExpiry, SimTrigger, WaitingChange } from './conditional-terms.ts';

/**
 * The facade between the simulator's core (matching, accounts, journal, market) and its dialects.
 * A dialect only translates: every rule of trading lives behind this interface.
 */

/** Internal account number; 0 is the house that the agents trade for and whose funds never run out. */
export type AccountNumber = Brand<number, 'AccountNumber'>;
/** Numeric order id that contains the slot in the order pool: index and generation. A safe integer. */
export type SimOrderId = Brand<number, 'SimOrderId'>;

/** One listed market: the venue's filters and fees. */
export interface MarketFacts {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly status: 'TRADING' | 'BREAK';
  readonly tickSize: Amount;
  readonly lotSize: Amount;
  readonly minPrice: Amount;
  readonly maxPrice: Amount;
  readonly minQty: Amount;
  readonly maxQty: Amount;
  readonly maxMarketQty: Amount;
  readonly minNotional: Amount;
  readonly maxNotional: Amount;
  /** PERCENT_PRICE_BY_SIDE multipliers, applied to the 5-minute average price. */
  readonly bidMultiplierUp: Amount;
  readonly bidMultiplierDown: Amount;
  readonly askMultiplierUp: Amount;
  readonly askMultiplierDown: Amount;
  readonly maxOpenOrders: number;
  /** Of those, how many may wait for a price; absent: `SPOT_LIMITS`. */
  readonly maxConditionalOrders?: number;
  /** How many lists of orders an account may have open there; absent: `SPOT_LIMITS`. */
  readonly maxOrderLists?: number;
  /** How far one may trail, in hundredths of a percent; absent: `SPOT_LIMITS`. */
  readonly maxTrailingBips?: number;
  /** Fee as a fraction of the amount received: 0.001 = 10 bp. Taken from what the account receives. */
  readonly makerFee: Amount;
  readonly takerFee: Amount;
  /** Where the seeded fair price starts, in quote. */
  readonly startPrice: number;
  /** Volatility of the fair price per square root of a day (0.03 = 3 %). */
  readonly dailyVolatility: number;
}

/** Self-trade prevention, in the core's own words. */
export type SelfTradePrevention = 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH';
/** Order kinds of the core. */
export type SimOrderKind = 'LIMIT' | 'MARKET' | 'LIMIT_MAKER';
/** Time in force of the core. */
export type SimTimeInForce = 'GTC' | 'IOC' | 'FOK';
/** Status of an order in the core; PENDING_NEW waits for the working order of its list. */
export type SimOrderStatus =
  | 'NEW'
  | 'PENDING_NEW'
  | 'PARTIALLY_FILLED'
  | 'FILLED'
  | 'CANCELED'
  | 'REJECTED'
  | 'EXPIRED'
  | 'EXPIRED_IN_MATCH';

/** An order as a member asks for it. Exactly one of `quantity` and `quoteQuantity`; the latter for MARKET only. */
export interface NewSimOrder {
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly kind: SimOrderKind;
  readonly timeInForce: SimTimeInForce;
  readonly price?: Ticks;
  readonly quantity?: Lots;
  readonly quoteQuantity?: Amount;
  /** Unique among the account's open orders only, as at Binance. */
  readonly clientId: string;
  readonly selfTradePrevention: SelfTradePrevention;
  /** LIMIT_MAKER that would take: refused when absent (Binance), accepted and expired at once (OKX, Bybit). */
  readonly whenTaking?: 'EXPIRE';
  /** Present: it waits for this price, its money locked, and is placed then. */
  readonly trigger?: SimTrigger;
  /** An iceberg: so much of it shows at a time. */
  readonly visible?: Lots;
}

/** Which list an order belongs to, and as what. */
export interface SimListPlace {
  readonly listId: number;
  /** The list's own client id, unique among the account's open lists. */
  readonly clientId: string;
  readonly contingency: 'OCO' | 'OTO';
  /** Of two LEGs one is carried out. PENDING ones are placed once the WORKING one is filled; two of them are then a pair. */
  readonly role: 'LEG' | 'WORKING' | 'PENDING';
  /** All orders of the list, itself included, in the order they were named. */
  readonly orderIds: readonly SimOrderId[];
  readonly since: Millis;
  /** What is pending is for what the working order has filled once that is over, whole or not. */
  readonly follows?: true;
}

/** What an order keeps besides what was asked, once it waits or has waited. */
export interface WaitingFacts {
  readonly list?: SimListPlace;
  /** When an order that waited began to work; absent on one that waits, and on one that never did. */
  readonly workingSince?: Millis;
  /** The price by which it keeps money locked, where that is not its own; 0: the other order of its pair does. */
  readonly heldAt?: Ticks;
  /** Since when it follows the price, and the best price since then. */
  readonly trailing?: { readonly since: Millis; readonly best: Ticks };
  readonly expiry?: SimExpiry;
}

/** A member's order and how far it has come. */
export interface SimOrder extends NewSimOrder, WaitingFacts {
  readonly orderId: SimOrderId;
  readonly status: SimOrderStatus;
  readonly executed: Lots;
  readonly executedQuote: Amount;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** One fill of a member's order. */
export interface SimFill {
  readonly tradeId: number;
  readonly orderId: SimOrderId;
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly quoteQuantity: Amount;
  readonly fee: Amount;
  readonly feeAsset: string;
  readonly maker: boolean;
  readonly time: Millis;
}

/** Why the core refused an order, in the order the checks run. */
export type SimRefusal =
  | 'UNKNOWN_SYMBOL'
  | 'MARKET_CLOSED'
  | 'PRICE_FILTER'
  | 'LOT_SIZE'
  | 'MARKET_LOT_SIZE'
  | 'NOTIONAL'
  | 'PERCENT_PRICE_BY_SIDE'
  | 'ICEBERG_EXCEEDS'
  | 'ICEBERG_PARTS'
  | 'TRAILING_DELTA'
  | 'MAX_NUM_ORDERS'
  | 'MAX_NUM_ALGO_ORDERS'
  | 'MAX_NUM_ORDER_LISTS'
  | 'DUPLICATE_CLIENT_ID'
  | 'LIST_PRICES'
  | 'WOULD_TRIGGER'
  | 'INSUFFICIENT_BALANCE'
  | 'WOULD_TAKE'
  | 'UNKNOWN_ORDER';

/** What happened to an order in one step: its state after it, its fills in order. */
export interface SimOrderReport {
  readonly order: SimOrder;
  readonly fills: readonly SimFill[];
}

/** One public trade of the tape. */
export interface SimTrade {
  readonly symbol: string;
  readonly tradeId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly buyerIsMaker: boolean;
  readonly time: Millis;
}

/**
 * Which trades are asked for: with `fromId` the oldest from it on, otherwise the newest, below an id and up to and
 * including a time where these are given. History reaches back a day: where it ends, fewer come than were asked for.
 */
export interface TradePage {
  readonly fromId?: number;
  readonly beforeId?: number;
  readonly endTime?: number;
  readonly limit: number;
}

/** A change of a book: absolute sizes, 0 removes; update ids first..last are consecutive with the previous change. */
export interface SimBookChange {
  readonly symbol: string;
  readonly firstUpdateId: number;
  readonly lastUpdateId: number;
  readonly bids: readonly (readonly [Ticks, Lots])[];
  readonly asks: readonly (readonly [Ticks, Lots])[];
  readonly time: Millis;
}

/** A book at one update id, best level first. */
export interface SimDepth {
  readonly lastUpdateId: number;
  readonly bids: readonly (readonly [Ticks, Lots])[];
  readonly asks: readonly (readonly [Ticks, Lots])[];
}

/** Which wallet of an account: contracts have their own where the venue keeps them apart (Binance). */
export type SimPocket = 'SPOT' | 'FUTURES';

/** Free and locked of one asset. */
export interface SimBalance {
  readonly asset: string;
  readonly free: Amount;
  readonly locked: Amount;
}

/** A candle with everything Binance reports of it. */
export interface SimCandle extends Candle {
  readonly quoteVolume: number;
  readonly trades: number;
  readonly takerBaseVolume: number;
  readonly takerQuoteVolume: number;
}

/** Rolling 24-hour statistics, prices and volumes as floats for display. */
export interface SimTicker {
  readonly symbol: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly last: number;
  readonly lastQuantity: number;
  readonly previousClose: number;
  readonly volume: number;
  readonly quoteVolume: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly trades: number;
  readonly openTime: Millis;
  readonly closeTime: Millis;
}

/** What the core tells its dialects. Called synchronously after the step is applied; member events only after they are durable. */
export interface ExchangeListener {
  onBookChange?(change: SimBookChange): void;
  onTrade?(trade: SimTrade): void;
  /** `cause` NEW, TRIGGERED, TRADE, CANCELED, REPLACED, EXPIRED, TRADE_PREVENTION; `fill` with TRADE. */
  onOrder?(event: {
    readonly cause: 'NEW' | 'TRIGGERED' | 'TRADE' | 'CANCELED' | 'REPLACED' | 'EXPIRED' | 'TRADE_PREVENTION';
    readonly order: SimOrder;
    readonly fill?: SimFill;
    /** The client id of the cancel request, where one was given. */
    readonly cancelClientId?: string;
  }): void;
  /**
   * After what happened to its orders: the list, or what was pending in it, was placed; an order has another client id; it
   * is over. `orders` are all of the list.
   */
  onOrderList?(event: {
    readonly cause: 'STARTED' | 'UPDATED' | 'DONE';
    readonly orders: readonly SimOrder[];
  }): void;
  /** Balances that changed by orders, and `delta` for credits and transfers. */
  onBalances?(
    account: AccountNumber,
    balances: readonly SimBalance[],
    delta?: { asset: string; amount: Amount },
  ): void;
}

/** Which order is meant. */
export type OrderRef = { readonly orderId: SimOrderId } | { readonly clientId: string };

/** A new key, the only time its secret is told. */
export interface NewKey {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase?: string;
}

/** What a key may be used to trade. Whatever it may not trade, it may read. */
export interface KeyRights {
  readonly pairs: boolean;
  readonly contracts: boolean;
}

/** Whose key it is, and what signs with it. */
export interface KeyOwner {
  readonly account: AccountNumber;
  readonly secret: string;
  /** Present where the key was made with one. */
  readonly passphrase?: string;
  /** Absent: it may trade all. */
  readonly rights?: KeyRights;
}

/** The simulated exchange. Promises resolve after the journal is on disk (decision 0011). */
export interface Exchange {
  readonly markets: ReadonlyMap<string, MarketFacts>;
  now(): Millis;
  subscribe(listener: ExchangeListener): () => void;

  /** Makes the account with this label, or returns the one that has it. */
  openAccount(label: string): Promise<AccountNumber>;
  accountOfLabel(label: string): AccountNumber | undefined;
  /** Every account with its label, in the order they were opened: what a venue's list of sub-accounts is made from. */
  accounts(): readonly { readonly account: AccountNumber; readonly label: string }[];
  /** Makes a key of an account. @param passphrase kept with the key, where the venue's keys have one (OKX). */
  createKey(account: AccountNumber, passphrase?: string, rights?: KeyRights): Promise<NewKey>;
  /** Gives a key other rights. @throws Error when there is no such key. */
  permitKey(apiKey: string, rights: KeyRights): Promise<void>;
  keyOwner(apiKey: string): KeyOwner | undefined;
  balances(account: AccountNumber): readonly SimBalance[];
  /** Adds funds from outside; the same `creditId` again changes nothing and returns false. */
  credit(account: AccountNumber, asset: string, amount: Amount, creditId: string): Promise<boolean>;
  /** Moves free funds between accounts, or pockets of one (`SPOT` when absent); the same id again returns the first answer. */
  transfer(move: {
    readonly from: AccountNumber;
    readonly to: AccountNumber;
    readonly asset: string;
    readonly amount: Amount;
    readonly transferId: string;
    readonly fromPocket?: SimPocket;
    readonly toPocket?: SimPocket;
  }): Promise<Result<{ readonly sequence: number }, 'INSUFFICIENT_BALANCE' | 'ID_REUSED'>>;
  findTransfer(transferId: string):
    | {
        readonly sequence: number;
        readonly time: Millis;
        readonly asset: string;
        readonly amount: Amount;
        readonly from?: AccountNumber;
        readonly to?: AccountNumber;
        readonly fromPocket?: SimPocket;
        readonly toPocket?: SimPocket;
      }
    | undefined;

  /** Checks an order without placing it. */
  check(order: NewSimOrder): Result<true, SimRefusal>;
  place(order: NewSimOrder): Promise<Result<SimOrderReport, SimRefusal>>;
  /** Cancels an order; with one of a list all of the list. */
  cancel(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    cancelClientId?: string,
  ): Promise<Result<SimOrderReport, SimRefusal>>;
  /** Lowers the quantity and keeps the place in the queue. */
  amendKeepPriority(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    quantity: Lots,
    newClientId?: string,
  ): Promise<Result<SimOrderReport, SimRefusal>>;
  /**
   * Changes price, quantity (in all, executed part included) or both under the order's own id. Unless it only lowers the
   * quantity, the order loses its place, takes what its new price reaches, and rests with what is left.
   */
  amend(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    change: { readonly price?: Ticks; readonly quantity?: Lots },
  ): Promise<Result<SimOrderReport, SimRefusal>>;
  /** Changes orders that wait for a price, all or none: one alone, or both of a pair, which has one quantity. */
  amendWaiting(
    account: AccountNumber,
    symbol: string,
    changes: ReadonlyMap<SimOrderId, WaitingChange>,
  ): Promise<Result<readonly SimOrderReport[], SimRefusal>>;
  order(account: AccountNumber, symbol: string, ref: OrderRef): SimOrder | undefined;
  openOrders(account: AccountNumber, symbol?: string): readonly SimOrder[];
  /** Ascending by order id; orders with id >= `fromId`, created within the times, at most `limit`. */
  orders(
    account: AccountNumber,
    symbol: string,
    page: { fromId?: number; startTime?: Millis; endTime?: Millis; limit: number },
  ): readonly SimOrder[];
  /** Ascending by trade id. */
  fills(
    account: AccountNumber,
    symbol: string,
    page: { orderId?: SimOrderId; fromId?: number; startTime?: Millis; endTime?: Millis; limit: number },
  ): readonly SimFill[];

  /** Resolves when all that the private reads show now is on disk: await it before answering one, or a crash may take back what was told. */
  durable(): Promise<void>;

  /** The book. With `limit` 1 a market that nobody looks at tells its best prices without waking its agents. */
  depth(symbol: string, limit: number): SimDepth;
  /** Ascending. */
  trades(symbol: string, page: TradePage): readonly SimTrade[];
  ticker(symbol: string): SimTicker;
  /** 5-minute average price. */
  averagePrice(symbol: string): number;
  /** Ascending by open time. With only `endTime`: the newest up to it (bars opening at or before it); with `startTime`: the oldest from it. */
  candles(
    symbol: string,
    interval: CandleInterval,
    page: { startTime?: Millis; endTime?: Millis; limit: number },
  ): readonly SimCandle[];

  /** Admin: stops and resumes all agents, moves a market's fair price by a factor, changes a market's status. */
  setAgentsPaused(paused: boolean): void;
  shock(symbol: string, factor: number): void;
  setStatus(symbol: string, status: MarketFacts['status']): void;
  /** Flushes the journal, writes a snapshot and stops all timers. */
  close(): Promise<void>;
}

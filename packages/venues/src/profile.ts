import type {
  AlgoOffer,
  Amount,
  CandleInterval,
  MarginTerms,
  OrderType,
  Platform,
  SpotOrderOffer,
  SymbolType,
  TimeInForce,
} from '@crossbook/domain';

import type { RelayFields } from './relay-fields.ts';

/**
 * What differs from exchange to exchange, as data. Hub, interface and pages read it here and know no exchange by its
 * number or name. Isomorphic, like the whole public half.
 */
export interface VenueProfile {
  readonly platform: Platform;
  readonly markets: Readonly<Record<SymbolType, MarketProfile>>;
  readonly trading: TradingProfile;
  readonly relay: RelayProfile;
}

/** Fees as fractions: 0.001 is 0.1 %. Taken from what is received. */
export interface FeeRates {
  readonly maker: Amount;
  readonly taker: Amount;
}

/** The public data of one type of market, and what trading in it costs. */
export interface MarketProfile {
  /** Standard fees of an ordinary account. */
  readonly fees: FeeRates;
  /** The market that opens where nothing else is known: the default trading links of spec section 2. */
  readonly defaultSymbol: string;
  readonly candles: CandleProfile;
  /** Levels a side of the largest snapshot by REST. */
  readonly depthLevelsMax: number;
  /** Trades of one page. */
  readonly tradesPerPageMax: number;
  /**
   * What one address may ask of this market's host in a fixed window; shared with the other market where the host is
   * the same. Absent where the venue counts by endpoint only.
   */
  readonly addressBudget?: AddressBudget;
}

/** A venue's limit of one address: Binance counts weight, Bybit requests. */
export interface AddressBudget {
  readonly costMax: number;
  readonly windowMillis: number;
}

/** Bars of a market. */
export interface CandleProfile {
  /** Resolutions that the venue has. */
  readonly native: readonly CandleInterval[];
  /** Resolutions that it lacks, each with the largest native one that divides it. One-second bars are never built. */
  readonly built: ReadonlyMap<CandleInterval, CandleInterval>;
  /** Bars of the newest page, and of a page further back: what the chart asks for (spec section 9). */
  readonly newestPageMax: number;
  readonly olderPageMax: number;
}

/** How the venue treats requests that change something, and the orders of each type of market that can be traded. */
export interface TradingProfile {
  /** How long after its timestamp the venue may take a request of ours, where a call has such a window. */
  readonly receiveWindowMillis: number;
  /**
   * After this long an order or a cancel whose sender is gone can no longer arrive: the window, and a margin for clocks.
   */
  readonly orderDeadlineMillis: number;
  /** The same of a transfer. */
  readonly transferDeadlineMillis: number;
  /** Decimals of an amount that the venue moves between accounts; of no asset more, and no other minimum is documented. */
  readonly transferDecimals: number;
  /** After this long the venue no longer knows an order that ended without a fill. */
  readonly forgetsUnfilledMillis: number;
  /**
   * The hub reads the balances of one member after the other with this pause, ms.
   * All members are read once in as many pauses as there are members (docs/venues/capabilities.md).
   */
  readonly balanceReadEveryMillis: number;
  /**
   * Pause between two members' lists of open orders that are read in turns, for each instrument, ms: with the balances
   * at most 5 % of what the hub uses of the venue's budget.
   */
  readonly openOrdersReadEveryMillis: number;
  readonly spot: SpotOrderOffer;
  readonly contracts: ContractOffer;
  /** Whether a limit order that rests is changed under its own id; else it is cancelled and placed anew. */
  readonly amends: Readonly<Record<SymbolType, boolean>>;
  /** Orders of one market that one call cancels by their ids; 1: the venue has no such call. */
  readonly cancelsAtOnce: Readonly<Record<SymbolType, number>>;
  /** Orders of one market that one call places; 1: the venue has no such call. */
  readonly placesAtOnce: Readonly<Record<SymbolType, number>>;
  /** How the venue cancels what rests once it has not heard of its owner. */
  readonly countdown: CountdownOffer;
  /** Orders that wait for a price, by type of market. */
  readonly algos: Readonly<Record<SymbolType, AlgoOffer>>;
}

/** What the venue counts down to the end of resting orders for, and what that costs. */
export interface CountdownOffer {
  /** Markets whose orders in the book it cancels; those that wait for a price are in none. */
  readonly covers: Readonly<Record<SymbolType, boolean>>;
  /** What one call covers. `connection`: it counts from the end of the account's private streams. */
  readonly counts: 'account' | 'symbol' | 'connection';
  /** What a member may choose of, s. */
  readonly seconds: readonly number[];
  /** Calls a minute that the counts of all members may take together; what has no room is not begun. */
  readonly callsPerMinuteMax: number;
}

/** How the venue's contracts are traded. */
export interface ContractOffer {
  readonly orderTypes: readonly OrderType[];
  readonly timesInForce: readonly TimeInForce[];
  /** What a change of each setting concerns; `order`: it is said with every order and never set. */
  readonly reach: {
    readonly leverage: 'symbol' | 'family';
    readonly marginMode: 'order' | 'symbol' | 'account';
    readonly positionMode: 'symbol' | 'account';
  };
  /** Contracts have a wallet of their own, to which their money has to be moved; else pairs and contracts share one. */
  readonly ownPocket: boolean;
  /** What the estimates of cost, size and liquidation need to know. */
  readonly margin: MarginTerms;
  /** How the venue itself states how near liquidation is. Ours is what is needed by what there is: 1 = liquidation. */
  readonly ratio: {
    /** `safety` is the reverse of ours: larger is safer. */
    readonly stated: 'need' | 'safety';
    /** Where the venue's own warning begins, as a ratio of ours; absent: it has no mark of its own. */
    readonly warnsFrom?: number;
  };
  /** Whether the leverage of an isolated position can be lowered while it is held. */
  readonly lowersIsolated: boolean;
}

/** How the hub passes on the venue's public calls. */
export interface RelayProfile {
  /** Public market data; nothing else is passed on. */
  readonly rules: readonly RelayRule[];
  /** What the first 300 bytes of an answer with status 200 match when it is no error. */
  readonly success: RegExp;
  /** Statuses by which the venue asks for fewer requests. */
  readonly fewerRequestsStatuses: readonly number[];
}

/** How one kind of public call is relayed. */
export interface RelayRule {
  /** Which of the venue's hosts has the call. */
  readonly market: SymbolType;
  readonly path: RegExp;
  /** The parameters that are passed on; a question with another one is refused. */
  readonly fields: RelayFields;
  /** How long its answer may be given to others, ms (0 is not at all); pages of bars by what they hold. */
  readonly kept: number | KeptBars;
  /** How long the list of all instruments is kept, where the call without `symbol` weighs much more; ms. */
  readonly keptWhole?: number;
}

/** Names of the query fields that tell whether all bars of a page have ended: such a page does not change any more. */
export interface KeptBars {
  readonly intervalField: string;
  readonly endField: string;
}

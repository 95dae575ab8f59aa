import type { MemberCaller, Refusal, UserEvent } from '@crossbook/contract';
import type {
  Amount,
  Instrument,
  Millis,
  OrderId,
  Platform,
  PlatformState,
  SymbolType,
  UserId,
  VenueOrderId,
} from '@crossbook/domain';
import type { CompanionWrite, LedgerStore, TradingWallet } from '@crossbook/ledger';
import type { VenueCredentials, VenueTrading } from '@crossbook/venues/trading';
import type { Incidents } from '../intents/intent.ts';
import type { AccountOwner, PageRequest, StoredPage } from './account-pages.ts';
import type { AlgoStore } from './algo.ts';
import type { ContractStore } from './contract-store.ts';
import type { OperatorStore } from './operator-store.ts';
import type { StoredFill, StoredOrder } from './order.ts';

/** What the orders that the venue made of an iceberg come to, as far as they are known here. */
export interface IcebergSum {
  /** Of those that are settled. */
  readonly executed: Amount;
  /** Those that are not: one rests at a time, so few. */
  readonly unsettled: readonly (Pick<StoredOrder, 'id' | 'cumQuantity'> & {
    readonly venueOrderId: VenueOrderId;
    readonly quantity: Amount;
  })[];
  /** The last of them. */
  readonly newest?: { readonly id: OrderId; readonly createdAt: Millis };
}

/** What fills cost, by asset. */
export type OrderFees = readonly { readonly asset: string; readonly amount: Amount }[];

/** Where orders and fills are kept. Writes travel as companion rows of a ledger unit, so they are atomic with the money. */
export interface OrderStore {
  byId(id: OrderId): Promise<StoredOrder | undefined>;
  /** The member's order in an instrument that the venue knows by this id. */
  byVenueId(
    owner: AccountOwner,
    id: VenueOrderId,
    of: { readonly symbol: string; readonly symbolType?: SymbolType | undefined },
  ): Promise<StoredOrder | undefined>;
  /** All of the member's orders that the venue knows by this id, newest first: Binance counts each instrument by itself. */
  ofVenueId(owner: AccountOwner, id: VenueOrderId): Promise<readonly StoredOrder[]>;
  /** Orders that are not settled, oldest first: what a start must look at. */
  unsettled(): Promise<readonly StoredOrder[]>;
  /** Whose orders are not settled, and where, in a fixed order. */
  unsettledOwners(): Promise<readonly AccountOwner[]>;
  /** The member's orders at the platform that are not settled, whatever their status. */
  unsettledOf(owner: AccountOwner): Promise<readonly StoredOrder[]>;
  /** What the orders of an iceberg come to. */
  ofIceberg(id: OrderId): Promise<IcebergSum>;
  /** Which of the venue's order ids belong to orders of the same member, platform and symbol. */
  knownVenueIds(
    around: Pick<StoredOrder, 'user' | 'platform' | 'symbol' | 'symbolType'>,
    ids: readonly VenueOrderId[],
  ): Promise<ReadonlySet<VenueOrderId>>;
  openOf(
    user: UserId,
    platform: Platform,
    only?: { readonly symbol?: string; readonly symbolType?: SymbolType },
  ): Promise<readonly StoredOrder[]>;
  history(
    user: UserId,
    platform: Platform,
    page: PageRequest & { readonly symbol?: string; readonly symbolType?: SymbolType },
  ): Promise<StoredPage<StoredOrder>>;
  fills(
    user: UserId,
    platform: Platform,
    page: PageRequest & {
      readonly symbol?: string;
      readonly symbolType?: SymbolType;
      readonly orderId?: OrderId;
    },
  ): Promise<StoredPage<StoredFill>>;
  fillsOfOrder(id: OrderId): Promise<readonly StoredFill[]>;
  /**
   * What the booked fills of some orders cost: an entry an asset. One without fills is absent, `too-many` one with more than
   * `FEE_FILLS_MAX`: what a page reads has a bound.
   */
  feesOf(ids: readonly OrderId[]): Promise<ReadonlyMap<OrderId, OrderFees | 'too-many'>>;
  /** A new order's row. Refused when its id exists. */
  insert(order: StoredOrder): CompanionWrite;
  /** An order's changed part. Refused when the status may not move that way (invariant I17). */
  progress(order: StoredOrder): CompanionWrite;
  /** An order's terms, its hold and the change that is under way. */
  amend(order: StoredOrder): CompanionWrite;
  /** A fill's row; nothing when it is there already. */
  fill(fill: StoredFill): CompanionWrite;
}

/** Where an order counts: 200 of them may be open there. */
export type OrderPlace = Pick<StoredOrder, 'id' | 'user' | 'platform' | 'symbol' | 'symbolType'>;

/** How many orders a member has open in an instrument, without reading them for every new one. */
export interface OpenOrders {
  /**
   * Takes a place for an order that is about to be written, so that calls side by side count each other.
   * @returns how many other orders are open or about to be, and what gives the place back once the row is written or not.
   */
  take(order: OrderPlace): Promise<{ readonly others: number; readonly giveBack: () => void }>;
}

/** Tells members what their wallets hold after a movement, after whoever moved it has its answer. */
export interface BalanceUpdates {
  /** Returns at once. Movements that follow while a wallet is being read are told together, by one more reading. */
  tell(owner: AccountOwner, assets: readonly string[], wallet?: TradingWallet): void;
  /** Resolves when everything is told. */
  idle(): Promise<void>;
}

/** Ledger and venue differ for a member: in which asset or contract first, and by how much. */
export interface Doubt {
  readonly of: string;
  readonly amount: Amount;
}

/** A member's account at a venue (decision 0030.5). */
export type VenueAccount =
  | {
      readonly state: 'none' | 'creating' | 'failed';
      /** Present where our own budget kept it from being made: there may be room after so long. */
      readonly retryAfterMillis?: number;
    }
  | { readonly state: 'ready'; readonly accountId: string; readonly credentials: VenueCredentials };

/** Where members' venue accounts are kept; keys are sealed at rest. */
export interface VenueAccountStore {
  find(user: UserId, platform: Platform): Promise<VenueAccount>;
  /** Owners of ready accounts in a fixed order, those behind `after`. */
  ready(limit: number, after?: AccountOwner): Promise<readonly AccountOwner[]>;
  /** Marks the intent before the venue is asked. */
  begin(user: UserId, platform: Platform): Promise<void>;
  complete(
    user: UserId,
    platform: Platform,
    account: { readonly accountId: string; readonly credentials: VenueCredentials },
  ): Promise<void>;
}

/** What members want counted down, and where they have something that may rest. */
export interface CountdownStore {
  /** Every wish: read once, at a start. */
  all(): Promise<readonly (AccountOwner & { readonly seconds: number })[]>;
  keep(owner: AccountOwner, seconds: number, now: Millis): Promise<void>;
  end(owner: AccountOwner): Promise<void>;
  /** Markets in which those who want it, or one of them, have orders that are not settled. */
  resting(user?: UserId): Promise<readonly (AccountOwner & Pick<StoredOrder, 'symbolType' | 'symbol'>)[]>;
}

/** One platform as trading sees it. */
export interface VenueDesk {
  readonly platform: Platform;
  readonly name: string;
  readonly state: PlatformState;
  readonly trading: VenueTrading;
  /** The operator's master account, which owns the members' accounts. */
  readonly master: VenueCredentials;
}

/** What trading asks of the market side. */
export interface MarketView {
  instrument(platform: Platform, symbolType: SymbolType, symbol: string): Instrument | undefined;
  /** Of all types of market. */
  instruments(platform: Platform): readonly Instrument[];
  /** Best prices and when the book last heard from the venue; waits a moment for a book nobody followed before. */
  best(
    platform: Platform,
    symbolType: SymbolType,
    symbol: string,
  ): Promise<{ readonly bid: Amount; readonly ask: Amount; readonly receivedAt: Millis } | undefined>;
  /** The mark of a contract as the venue told it last. */
  mark(platform: Platform, symbol: string): Promise<Amount | undefined>;
}

/** Points in the life of an order or of a change of settings where a test may kill the process. */
export type CrashPoint =
  | 'before-hold'
  | 'after-hold'
  | 'before-send'
  | 'after-send'
  | 'after-answer'
  | 'before-post'
  | 'after-post'
  | 'before-child'
  | 'after-child'
  | 'before-legs'
  | 'after-legs'
  | 'before-end'
  | 'after-end';

/** Facts for the operator. `incident` is for what should never happen and needs a person. */
export interface TradingLog {
  note(event: string, facts: Readonly<Record<string, unknown>>): void;
  incident(event: string, facts: Readonly<Record<string, unknown>>): void;
}

/** Timers, handed in so that tests own time. */
export interface Timers {
  /** Runs again and again; returns what stops it. */
  every(millis: number, run: () => void): () => void;
  after(millis: number, run: () => void): () => void;
}

/** Everything trading needs from outside. */
export interface TradingDeps {
  readonly ledger: LedgerStore;
  readonly orders: OrderStore;
  readonly openOrders: OpenOrders;
  readonly contracts: ContractStore;
  readonly algos: AlgoStore;
  readonly countdowns: CountdownStore;
  readonly balances: BalanceUpdates;
  /** Oldest an order may be before it is held and before it is sent; ms from the arrival of its request. */
  readonly orderAgeMillisMax: number;
  readonly accounts: VenueAccountStore;
  readonly market: MarketView;
  /** Whether a transfer of the member to or from the platform is under way; wallets implement it (decision 0030.29). */
  readonly transferMoving: (owner: AccountOwner) => Promise<boolean>;
  readonly venue: (platform: Platform) => VenueDesk | undefined;
  readonly clock: () => Millis;
  readonly random: (bytes: number) => Uint8Array;
  readonly timers: Timers;
  readonly publish: (user: UserId, event: UserEvent) => void;
  readonly crash: (point: CrashPoint) => void;
  readonly log: TradingLog;
  /** Why no money may move at the moment: asked before an order is reserved, never by cancelling, closing or reading. */
  readonly moneyGate: () => Refusal | undefined;
  /** Why the member may open nothing at the moment; accounts implement it. Asked by what opens, never by closing. */
  readonly openingAllowed: (user: UserId) => Promise<Refusal | undefined>;
  /** Whether the member's tier may open positions in contracts. */
  readonly mayOpenContracts: (user: UserId) => Promise<boolean>;
  /** What all wallets of the caller are worth in USDT; wallets implement it (decision 0030.29). */
  readonly equity: (caller: MemberCaller) => Promise<Amount>;
  /** What needs a person, kept until it is over. */
  readonly incidents: Incidents;
  /** Requests of the operator; with real money none is granted. */
  readonly operator: { readonly store: OperatorStore; readonly realMoney: boolean };
}

/** A refusal of the catalogue, as a value. */
export type Refused = { readonly ok: false; readonly code: Refusal };

/** Makes a refusal of the catalogue. */
export function refusal(code: Refusal): Refused {
  return { ok: false, code };
}

/**
 * What keeps an order from being placed or changed before it is looked at: no money moves at the moment, or its member may open
 * nothing.
 * @param opens a buy of a pair, or an order of a contract that does not only close.
 */
export async function tradeBar(
  deps: Pick<TradingDeps, 'moneyGate' | 'openingAllowed'>,
  user: UserId,
  opens: boolean,
): Promise<Refusal | undefined> {
  return deps.moneyGate() ?? (opens ? deps.openingAllowed(user) : undefined);
}

import type {
  Amount,
  MarginMode,
  Millis,
  OrderStatus,
  Platform,
  PositionKey,
  PositionSide,
  Side,
  SymbolType,
  UserId,
  VenueFill,
  VenueIncome,
  VenuePosition,
} from '@crossbook/domain';
import type { CompanionWrite } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';
import type { AccountOwner, PageRequest, StoredPage } from './account-pages.ts';
import type { ContractWallet } from './contract-settle.ts';
import type { StoredOrder } from './order.ts';
import type { SettingChangeStore } from './setting-change.ts';

/** A position as booked fills make it. */
export interface BookedPosition extends PositionKey {
  /** Ours: one from flat to flat. */
  readonly positionId: string;
  readonly user: UserId;
  /** Signed in one-way mode; never 0 here. */
  readonly quantity: Amount;
  readonly leverage: number;
  /** Since it was opened: gross profit, fees paid (above 0) and funding received (above 0). */
  readonly realisedPnl: Amount;
  readonly fees: Amount;
  readonly funding: Amount;
  readonly openedAt: Millis;
}

/** A position that has become flat, made of booked fills. */
export interface ClosedPosition extends Omit<BookedPosition, 'quantity'> {
  readonly direction: 'long' | 'short';
  readonly maxQuantity: Amount;
  readonly entryPrice: Amount;
  readonly exitPrice: Amount;
  readonly ended: 'closed' | 'liquidated' | 'deleveraged';
  readonly closedAt: Millis;
}

/** A payment of funding that is booked. */
export interface StoredFunding {
  readonly id: string;
  readonly platform: Platform;
  readonly symbol: string;
  readonly side: PositionSide;
  readonly quantity?: Amount;
  readonly markPrice?: Amount;
  readonly rate?: Amount;
  /** Above 0 received. */
  readonly amount: Amount;
  readonly time: Millis;
}

/** Which rows of one member: over all platforms, unless one is named. */
export interface Whose {
  readonly user: UserId;
  readonly platform?: Platform;
  readonly symbol?: string;
}

/** Which orders of the hub's own store. */
export interface OrderFilter extends Whose {
  readonly symbolType?: SymbolType;
  readonly side?: Side;
  readonly status?: OrderStatus;
  readonly begin?: Millis;
  readonly end?: Millis;
}

/** Sums of some orders. */
export interface OrderTotals {
  readonly orders: number;
  readonly filled: number;
  readonly cumQuote: Amount;
  readonly realisedPnl: Amount;
  readonly fees: readonly { readonly asset: string; readonly amount: Amount }[];
}

/** An account with something open on contracts. */
export interface ExposedOwner extends AccountOwner {
  /** Whether it is a position, with orders or without. */
  readonly holds: boolean;
}

/** Where positions, income and what is counted over orders are kept. */
export interface ContractStore extends SettingChangeStore {
  /** Members who trade contracts, in a fixed order, those behind `after`. */
  owners(limit: number, after?: AccountOwner): Promise<readonly AccountOwner[]>;
  /** Those with a position by what is booked, or with an order on a contract that is not settled; in the same order. */
  exposed(limit: number, after?: AccountOwner): Promise<readonly ExposedOwner[]>;
  /** Which of these are among them. */
  exposedAmong(owners: readonly AccountOwner[]): Promise<readonly AccountOwner[]>;
  /** Up to when the venue's income was read; `undefined` for who never traded contracts there. */
  incomeUntil(owner: AccountOwner): Promise<Millis | undefined>;
  /** Sets it; it never goes back. */
  readUntil(owner: AccountOwner, until: Millis): Promise<void>;
  /**
   * When positions last were those of the venue, or before they ever were, when the first order on a contract was placed;
   * `undefined` before that. What happened earlier is booked, or none of ours.
   */
  agreedAt(owner: AccountOwner): Promise<Millis | undefined>;
  /** Sets it. */
  agreed(owner: AccountOwner, at: Millis): Promise<void>;
  /** Positions that are not flat by what is booked. */
  booked(whose: Whose): Promise<readonly BookedPosition[]>;
  /** What the venue stated last. */
  stated(owner: AccountOwner): Promise<readonly VenuePosition[]>;
  /** Keeps what the venue states, unless newer is there. */
  state(owner: AccountOwner, positions: readonly VenuePosition[]): Promise<void>;
  /** The account has another margin mode, and with it what is booked, what was stated and what waits for a price. */
  modeMoved(owner: AccountOwner, marginMode: MarginMode): Promise<void>;
  closed(whose: Whose, page: PageRequest): Promise<StoredPage<ClosedPosition>>;
  /** How far closed positions are counted. */
  closedCount(): Promise<string>;
  /** The few positions of a contract that ended last, at a time or later, counted behind `count`; newest first. */
  closedSince(
    owner: AccountOwner,
    symbol: string,
    from: { readonly since: Millis; readonly count: string },
  ): Promise<readonly ClosedPosition[]>;
  funding(whose: Whose, page: PageRequest): Promise<StoredPage<StoredFunding>>;
  /** Which of these entries are booked, as `kind id`. */
  knownIncome(owner: AccountOwner, rows: readonly VenueIncome[]): Promise<ReadonlySet<string>>;
  /** Which of these trades of a contract are booked. */
  knownTrades(owner: AccountOwner, symbol: string, tradeIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of these fills of a contract are booked, as `trade order`: both sides of one trade may be the member's. */
  knownFills(
    owner: AccountOwner,
    symbol: string,
    fills: readonly Pick<VenueFill, 'tradeId'>[],
  ): Promise<ReadonlySet<string>>;
  /** Makes positions of a contract anew that are not the sum of their booked fills. @returns whether one was not. */
  madeAnew(owner: AccountOwner, symbol: string): Promise<boolean>;
  /** What stands as a debt because the member's account was too small, by asset; assets without one are left out. */
  debts(owner: AccountOwner): Promise<ReadonlyMap<string, Amount>>;
  /** Members with a debt that is older than a time. */
  debtsOlder(than: Millis): Promise<readonly (AccountOwner & { readonly amount: Amount })[]>;
  /** Profit less fees, with funding and the like, of fills and entries in a time. */
  realised(user: UserId, from: Millis, to: Millis): Promise<Amount>;
  orders(filter: OrderFilter, page: PageRequest): Promise<StoredPage<StoredOrder>>;
  totals(filter: OrderFilter): Promise<OrderTotals>;
  /** An entry's row, written with its movement; refused when it is there. */
  income(owner: AccountOwner, row: VenueIncome): CompanionWrite;
  debtChange(wallet: ContractWallet, change: Amount, now: Millis): CompanionWrite;
}

/**
 * What of a key tells positions of one member at one platform apart. A margin mode of the whole account does not: when it
 * changes, each position stays the one that it is.
 */
export function positionName({ platform, symbol, side, marginMode }: PositionKey): string {
  const mode = movesWithAccount(platform) ? '' : ` ${marginMode}`;
  return `${symbol} ${side}${mode}`;
}

/** Whether the margin mode is the account's, so that all that is held goes along with it. */
export function movesWithAccount(platform: Platform): boolean {
  return venueProfile(platform).trading.contracts.reach.marginMode === 'account';
}

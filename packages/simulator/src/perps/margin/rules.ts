import type { Amount } from '@crossbook/domain';
import type { PerpTier, SimMarginMode, SimPositionSide } from '../../perp-exchange.ts';
import type { PerpFacts } from '../../venue.ts';

/**
 * The figures of contract accounts by one venue's formulas, over plain views: no state, no clock. Money is USDT at
 * 1e-18; what a venue states in eight decimals comes in eight.
 */

/** A contract at one moment. */
export interface ContractView
  extends Pick<PerpFacts, 'symbol' | 'contractValue' | 'lotSize' | 'tickSize' | 'maxPrice' | 'takerFee'> {
  /** Smallest positions first. */
  readonly tiers: readonly PerpTier[];
  readonly mark: Amount;
  /** Best prices of the book when they are read, for market orders; absent where that side is empty. */
  readonly bestBid?: Amount | undefined;
  readonly bestAsk?: Amount | undefined;
}

/** A position that is not flat. */
export interface PositionView {
  readonly contract: ContractView;
  readonly side: SimPositionSide;
  readonly marginMode: SimMarginMode;
  /** Below 0 for short, legs too; never 0. */
  readonly lots: number;
  readonly entryPrice: Amount;
  readonly leverage: number;
  /** Isolated: what is set aside, without unrealised profit (at Bybit with the fee to close); 0 when cross. */
  readonly isolatedWallet: Amount;
  /** Since it was opened: gross profit, fees paid, funding received. */
  readonly realisedPnl: Amount;
  readonly feesPaid: Amount;
  readonly funding: Amount;
}

/** What is open of an order, or an order that is asked for. Conditional orders that wait are none. */
export interface OrderView {
  readonly contract: ContractView;
  readonly side: 'BUY' | 'SELL';
  readonly positionSide: SimPositionSide;
  readonly marginMode: SimMarginMode;
  /** Above 0. */
  readonly lots: number;
  /** Absent: at market. */
  readonly price?: Amount;
  readonly reduceOnly: boolean;
  /** Of the leg or symbol as it is set now. */
  readonly leverage: number;
}

/** An account's contract money. One-way and hedge mode are told apart by the sides of its positions and orders. */
export interface AccountView {
  /** Paid in and realised, isolated margin included. */
  readonly wallet: Amount;
  /** Of the same wallet: held by resting spot orders; 0 where spot has a wallet of its own (Binance). */
  readonly spotLocked: Amount;
  /** At most one of each symbol, side and margin mode. */
  readonly positions: readonly PositionView[];
  readonly orders: readonly OrderView[];
}

/** A fill as isolated margin is concerned: signed lots, above 0 bought. */
export interface FillView {
  readonly contract: ContractView;
  readonly lots: number;
  readonly price: Amount;
  readonly leverage: number;
}

/** The money behind an account's contracts, as its venue states it. */
export interface PoolStats {
  /** The wallet without what isolated positions have set aside. */
  readonly crossWallet: Amount;
  readonly unrealisedPnl: Amount;
  readonly crossUnrealisedPnl: Amount;
  /** Of all positions, and of those in cross mode. */
  readonly positionInitial: Amount;
  readonly crossInitial: Amount;
  readonly orderInitial: Amount;
  readonly maintenance: Amount;
  readonly crossMaintenance: Amount;
  /** What cross positions must have behind them: maintenance and the cost of a liquidation. */
  readonly crossRequirement: Amount;
  /** Cross wallet and cross profit: `available` and `inUse` are its two parts until more is in use than is there. */
  readonly equity: Amount;
  readonly inUse: Amount;
  readonly available: Amount;
  readonly withdrawable: Amount;
  /** Of the cross positions: 1 = liquidation, smaller is safer; 0 without one. */
  readonly ratio: number;
}

/** The formulas of one venue. An account that is handed in has the position that is handed in among its positions. */
export interface MarginRules {
  /** Size in base coins at the mark. */
  notional(position: PositionView): Amount;
  unrealisedPnl(position: PositionView): Amount;
  positionInitial(position: PositionView): Amount;
  /** Isolated margin that its owner may not take away. */
  marginToKeep(position: PositionView): Amount;
  /** Needs the account where one leg covers another (Bybit, cross). */
  maintenance(position: PositionView, account: AccountView): Amount;
  /** Number of the tier that the position's own size lies in; the last one beyond the table. */
  tier(position: PositionView): number;
  /** Of the cross pool or of the isolated position; from `BANKRUPT_RATIO` on nothing is left. */
  ratio(position: PositionView, account: AccountView): number;
  /** The mark at which the ratio is 1; `undefined` when no price above 0 does that. */
  liquidationPrice(position: PositionView, account: AccountView): Amount | undefined;
  /** The same as the venue prints it: ticks added or rounded, absent beyond the highest price. */
  shownLiquidationPrice(position: PositionView, account: AccountView): Amount | undefined;
  /** Where nothing is left of what stands behind the position: its own margin, or its share of the pool by notional. */
  bankruptcyPrice(position: PositionView, account: AccountView): Amount;
  breakEvenPrice(position: PositionView): Amount;
  /** Higher is deleveraged first; among positions of one direction of a contract. */
  adlScore(position: PositionView, account: AccountView): number;
  /** Above 0 the account receives it. @param rate as a fraction: 0.0001 = 1 bp. */
  fundingAmount(position: PositionView, rate: Amount): Amount;
  /** Taken of what is left after a forced close of that much at that price. */
  liquidationFee(contract: ContractView, notional: Amount): Amount;
  /** Lots, above 0, that one step of liquidation closes. Isolated margin of the closed part stays with the rest. */
  liquidationStep(position: PositionView, account: AccountView): number;
  /** What goes from the cross wallet into the isolated one at a fill; below 0 comes back. Profit is not in it. */
  isolatedMove(position: PositionView | undefined, fill: FillView): Amount;

  pool(account: AccountView): PoolStats;
  /** The pool's `available` alone. */
  available(account: AccountView): Amount;
  /** What must be available for an order to be accepted, with open loss and fees where the venue counts them. */
  cost(order: OrderView, account: AccountView): Amount;
  /** Whether position and orders of that direction, the order included, stay in a tier that allows their leverage. */
  fitsTier(order: OrderView, account: AccountView): boolean;
  /** Largest size that the tiers allow at a leverage. */
  largestLots(contract: ContractView, leverage: number): number;
}

/** Stands for every ratio of a pool whose equity is gone. */
export const BANKRUPT_RATIO = 1e9;

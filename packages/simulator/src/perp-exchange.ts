import type { Amount, Lots, Millis, Result, Ticks } from '@crossbook/domain';
import type { AccountNumber, OrderRef, SimOrderId, SimOrderStatus } from './exchange.ts';
import type { PerpConditionalEvent, PerpConditionals } from './perp-conditionals.ts';
import type { AttachedStops, NewPerpOrder, PerpRefusal, SimPositionKey } from './perp-orders.ts';
import type {
  LeverageAsked,
  LeverageTrial,
  PerpSetting,
  SimMarginMode,
  SimPositionMode,
  SimPositionSide,
} from './perp-settings.ts';
import type { PerpMarkets, PerpTier } from './venue.ts';

/**
 * The facade between the simulator's contract accounts (matching, margin, funding, liquidation) and its dialects.
 * A dialect only translates: every rule and every figure lives behind this interface, by the venue's own formulas.
 * Lots count contracts. Money is USDT at 1e-18, prices of positions are exact to 1e-18 as well.
 */

/** Whose hand an order is: a member's, or the venue's own. */
export type PerpOrderOrigin = 'MEMBER' | 'LIQUIDATION' | 'ADL' | 'DELISTING';
/** Why an order ended that was neither filled nor cancelled by its member. */
export type PerpOrderEnd =
  | 'IOC'
  | 'SELF_TRADE'
  | 'REDUCE_ONLY'
  | 'LIQUIDATION'
  | 'ADL'
  | 'DELISTED'
  | 'POST_ONLY'
  /** It cost margin that positions needed: because of a mark, or of funding. */
  | 'MARGIN'
  | 'FUNDING';

/** An order on a contract and how far it has come. */
export interface PerpOrder extends Omit<NewPerpOrder, 'quantity' | 'marginMode'> {
  readonly marginMode: SimMarginMode;
  readonly quantity: Lots;
  readonly orderId: SimOrderId;
  readonly status: SimOrderStatus;
  readonly executed: Lots;
  /** Of a reduce-only order that is larger than its position: how much of `quantity` may be filled at all. */
  readonly fillable?: Lots;
  /** Sum of price x size of its fills, in quote. */
  readonly executedQuote: Amount;
  /** Sum over its fills; fees above 0 were paid. */
  readonly realisedPnl: Amount;
  readonly fee: Amount;
  /** Leverage of the symbol when it was placed. */
  readonly leverage: number;
  readonly origin: PerpOrderOrigin;
  /** The conditional order that sent it. */
  readonly algoId?: number;
  readonly endReason?: PerpOrderEnd;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** One fill of an order on a contract. */
export interface PerpFill {
  readonly tradeId: number;
  /** Grows by one with every fill of the venue, over all symbols. */
  readonly sequence: number;
  readonly orderId: SimOrderId;
  readonly account: AccountNumber;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly positionSide: SimPositionSide;
  readonly marginMode: SimMarginMode;
  readonly price: Ticks;
  /** At a takeover, a deleveraging or a delisting: the exact price, which need not lie on a tick. */
  readonly exactPrice: Amount;
  readonly quantity: Lots;
  readonly quoteQuantity: Amount;
  /** Above 0 paid, below 0 received. */
  readonly fee: Amount;
  /** Of the part that closed; fees not counted. */
  readonly realisedPnl: Amount;
  readonly closedQuantity: Lots;
  /** Fees of opening that belong to the part that closed. */
  readonly entryFee: Amount;
  readonly maker: boolean;
  readonly origin: PerpOrderOrigin | 'TAKEOVER';
  readonly time: Millis;
}

/** A position as the venue's formulas see it at the present mark. Flat ones are not listed. */
export interface PerpPosition extends SimPositionKey {
  /** Grows from one position of the key to the next: a new one after it was flat or flipped. */
  readonly positionId: number;
  /** Contracts in lots, below 0 for short (legs too: a SHORT leg is below 0). */
  readonly quantity: number;
  readonly entryPrice: Amount;
  readonly breakEvenPrice: Amount;
  readonly markPrice: Amount;
  /** Size x mark in quote. */
  readonly notional: Amount;
  readonly leverage: number;
  /** Isolated: margin set aside, without unrealised profit; 0 when cross. */
  readonly isolatedWallet: Amount;
  readonly unrealisedPnl: Amount;
  readonly initialMargin: Amount;
  readonly maintenanceMargin: Amount;
  /** 1 = liquidation, smaller is safer; of the pool when cross. */
  readonly ratio: number;
  readonly liquidationPrice: Amount | undefined;
  readonly bankruptcyPrice: Amount;
  /** Number of the leverage tier, from 1. */
  readonly tier: number;
  /** 1 to 5, 5 is deleveraged first. */
  readonly adlRank: number;
  /** Since it was opened: gross profit, fees paid, funding received. */
  readonly realisedPnl: Amount;
  readonly feesPaid: Amount;
  readonly funding: Amount;
  /** What forced closes of a part of it have cost besides. */
  readonly liquidationFee: Amount;
  readonly openedAt: Millis;
  readonly updatedAt: Millis;
}

/** The money behind an account's contracts. */
export interface PerpPool {
  readonly account: AccountNumber;
  /** Paid in and realised, isolated margin included; without unrealised profit. */
  readonly wallet: Amount;
  /** The same without what isolated positions have set aside. */
  readonly crossWallet: Amount;
  readonly unrealisedPnl: Amount;
  readonly crossUnrealisedPnl: Amount;
  readonly positionInitial: Amount;
  readonly orderInitial: Amount;
  readonly maintenance: Amount;
  readonly available: Amount;
  readonly withdrawable: Amount;
  readonly ratio: number;
  readonly updatedAt: Millis;
}

/** One entry of what changed an account's contract money. */
export interface PerpIncome {
  /** The venue's id of the entry: grows over all accounts. */
  readonly sequence: number;
  readonly account: AccountNumber;
  readonly kind: 'REALIZED_PNL' | 'COMMISSION' | 'FUNDING' | 'LIQUIDATION_FEE' | 'INSURANCE' | 'TRANSFER';
  readonly symbol?: string;
  readonly positionSide?: SimPositionSide;
  readonly marginMode?: SimMarginMode;
  /** Above 0 the account received it. */
  readonly amount: Amount;
  readonly walletAfter: Amount;
  readonly tradeId?: number;
  readonly orderId?: SimOrderId;
  /** Of funding: the rate, the signed position in lots, and the mark it was paid at. */
  readonly rate?: number;
  readonly quantity?: number;
  readonly markPrice?: Amount;
  readonly time: Millis;
}

/** A position from opening to flat: what lists of closed positions show. */
export interface ClosedPosition extends SimPositionKey {
  readonly positionId: number;
  readonly leverage: number;
  /** Largest size it had, and the averages of its opening and closing fills. */
  readonly maxQuantity: Lots;
  readonly closedQuantity: Lots;
  readonly direction: 'LONG' | 'SHORT';
  readonly entryPrice: Amount;
  readonly exitPrice: Amount;
  readonly realisedPnl: Amount;
  readonly feesPaid: Amount;
  readonly funding: Amount;
  readonly liquidationFee: Amount;
  readonly ended: 'CLOSED' | 'LIQUIDATED' | 'DELEVERAGED';
  readonly openedAt: Millis;
  readonly closedAt: Millis;
}

export type {
  AttachedStops,
  NewPerpOrder,
  PerpRefusal,
  SimPositionKey,
  SplitTarget,
  StopLeg,
} from './perp-orders.ts';
export type { PerpSetting, SimMarginMode, SimPositionMode, SimPositionSide } from './perp-settings.ts';
export type { PerpTier } from './venue.ts';

/** What happened to an order in one step. */
export interface PerpOrderReport {
  readonly order: PerpOrder;
  readonly fills: readonly PerpFill[];
}

/** One thing that happened to an order, told in the order in which it happened. */
export interface PerpOrderEvent {
  readonly cause: 'NEW' | 'TRADE' | 'CANCELED' | 'REPLACED' | 'EXPIRED' | 'TRADE_PREVENTION' | 'LIQUIDATION';
  readonly order: PerpOrder;
  readonly fill?: PerpFill;
  readonly cancelClientId?: string;
}

/** A change of an account's money or positions, all of one step. */
export interface PerpAccountEvent {
  readonly account: AccountNumber;
  readonly cause:
    | 'ORDER'
    | 'FUNDING'
    | 'TRANSFER'
    | 'LEVERAGE'
    | 'MARGIN_MODE'
    | 'POSITION_MODE'
    | 'MARGIN_MOVED'
    | 'MARGIN_CALL'
    /** What is about to be closed by force, as it stands when its orders are gone. */
    | 'LIQUIDATING'
    | 'LIQUIDATION'
    | 'INSURANCE'
    | 'ADL';
  /** After the step. Flat now: in `closed`. */
  readonly positions: readonly PerpPosition[];
  readonly closed: readonly SimPositionKey[];
  readonly pool: PerpPool;
  readonly income: readonly PerpIncome[];
  readonly setting?: PerpSetting;
  readonly time: Millis;
}

/** A liquidation as the public hears of it. */
export interface PerpLiquidation {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: Amount;
  readonly averagePrice: Amount;
  readonly quantity: Lots;
  readonly time: Millis;
}

/** What a dialect hears; after it is on disk, one account's messages in the order they happened. */
export interface PerpListener {
  onPerpOrder?(event: PerpOrderEvent): void;
  onPerpConditional?(event: PerpConditionalEvent): void;
  onPerpAccount?(event: PerpAccountEvent): void;
  onLiquidation?(liquidation: PerpLiquidation): void;
}

/** A page of a list, ascending; ids from `fromId`, at most `limit`; newest ones with neither id nor start time. */
export interface PerpPage {
  readonly symbol?: string;
  readonly fromId?: number;
  readonly startTime?: Millis;
  readonly endTime?: Millis;
  readonly limit: number;
}

/** What an account needs, in cross margin: what stands behind it, and how much of that is used. */
export interface MarginNeed {
  readonly equity: Amount;
  /** Of positions and orders. */
  readonly initial: Amount;
  readonly maintenance: Amount;
}

/** The highest price of a buy and the lowest of a sell that the band takes now. */
export interface BandEdges {
  readonly highestBuy: Ticks;
  readonly lowestSell: Ticks;
}

/** What would be with another leverage, or were an order filled, and which prices would be taken. */
export interface PerpTrials {
  /** Whether it would be allowed or not. */
  leverage(account: AccountNumber, symbol: string, asked: LeverageAsked): LeverageTrial;
  edges(symbol: string): BandEdges;
  /** Before an order, and as if all of it had filled at the mark. */
  order(order: NewPerpOrder): { readonly before: MarginNeed; readonly after: MarginNeed };
}

/** The contract half of a simulated venue. Promises resolve after the journal is on disk. */
export interface PerpExchange extends PerpMarkets {
  subscribePerps(listener: PerpListener): () => void;
  readonly conditionals: PerpConditionals;

  checkPerp(order: NewPerpOrder): Result<true, PerpRefusal>;
  placePerp(order: NewPerpOrder): Promise<Result<PerpOrderReport, PerpRefusal>>;
  cancelPerp(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    cancelClientId?: string,
  ): Promise<Result<PerpOrderReport, PerpRefusal>>;
  /**
   * Price, quantity (in all, executed part included) and what protects its position from its next fill on; keeps its place
   * only when it merely gets smaller.
   */
  amendPerp(
    account: AccountNumber,
    symbol: string,
    ref: OrderRef,
    change: {
      readonly price?: Ticks;
      readonly quantity?: Lots;
      readonly attached?: AttachedStops | 'NONE';
    },
  ): Promise<Result<PerpOrderReport, PerpRefusal>>;
  perpOrder(account: AccountNumber, symbol: string, ref: OrderRef): PerpOrder | undefined;
  openPerpOrders(account: AccountNumber, symbol?: string): readonly PerpOrder[];
  perpOrders(account: AccountNumber, page: PerpPage): readonly PerpOrder[];
  perpFills(account: AccountNumber, page: PerpPage & { readonly orderId?: SimOrderId }): readonly PerpFill[];

  /** Lots that the position of a fill had after it, below 0 for short. @param fill one that a list handed out. */
  lotsAfter(fill: PerpFill): number;

  positions(account: AccountNumber, symbol?: string): readonly PerpPosition[];
  closedPositions(account: AccountNumber, page: PerpPage): readonly ClosedPosition[];
  pool(account: AccountNumber): PerpPool;
  income(account: AccountNumber, page: PerpPage): readonly PerpIncome[];
  tiers(symbol: string): readonly PerpTier[];

  /** Whether the account is switched to trade contracts; always at venues that know no such switch. */
  tradesContracts(account: AccountNumber): boolean;
  /** Switches it (OKX); back only without positions and orders. */
  setTradesContracts(account: AccountNumber, trades: boolean): Promise<Result<true, PerpRefusal>>;

  /** Whether a limit price beyond the band is moved to its edge (Bybit), or refused. */
  movesPrices(account: AccountNumber): boolean;
  setMovesPrices(account: AccountNumber, moves: boolean): Promise<Result<true, PerpRefusal>>;

  /** @param marginMode whose leverage is asked for, where modes have one each (OKX). */
  setting(account: AccountNumber, symbol: string, marginMode?: SimMarginMode): PerpSetting;
  setLeverage(
    account: AccountNumber,
    symbol: string,
    change: LeverageAsked,
  ): Promise<Result<PerpSetting, PerpRefusal>>;
  /** What would be; nothing changes. */
  readonly trials: PerpTrials;
  /**
   * Of the symbol at Binance, without positions; of the whole account at Bybit, where positions go along; refused at OKX,
   * where the order says it.
   */
  setMarginMode(
    account: AccountNumber,
    symbol: string,
    mode: SimMarginMode,
  ): Promise<Result<PerpSetting, PerpRefusal>>;
  /** Of the whole account at Binance and OKX, of the symbol at Bybit. */
  setPositionMode(
    account: AccountNumber,
    symbol: string | undefined,
    mode: SimPositionMode,
  ): Promise<Result<true, PerpRefusal>>;
  /** Adds (above 0) or takes (below 0) isolated margin. */
  moveMargin(key: SimPositionKey, amount: Amount): Promise<Result<PerpPosition, PerpRefusal>>;
  /** Whether isolated margin is added to a position by itself before it would be liquidated. */
  autoMargin(key: Omit<SimPositionKey, 'marginMode'>): boolean;
  /** Switches that, with or without a position; refused in cross mode. */
  setAutoMargin(key: Omit<SimPositionKey, 'marginMode'>, on: boolean): Promise<Result<true, PerpRefusal>>;
  /**
   * Between spot and futures wallet of one account, at venues that keep them apart (Binance). The same id again returns
   * the first answer. @param amount above 0 goes to futures.
   */
  movePocket(
    account: AccountNumber,
    amount: Amount,
    transferId: string,
  ): Promise<Result<{ readonly sequence: number }, 'INSUFFICIENT_BALANCE' | 'ID_REUSED'>>;

  /** What the venue's insurance fund holds. */
  insuranceFund(): Amount;
}

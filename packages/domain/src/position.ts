import type { Amount } from './amount.ts';
import type { Millis } from './ids.ts';
import type { Platform } from './platform.ts';

/**
 * Contracts in our own vocabulary: positions, margin, leverage and what is paid for holding them. Quantities count what
 * the venue counts (`Instrument.contractValue` base coins each: contracts at OKX, coins elsewhere); money is in the
 * contract's settlement asset, USDT.
 */

/** Position effect codes of spec section 4: the one position of one-way mode, or one leg of hedge mode. */
export const POSITION_SIDE = { NET: 0, LONG: 1, SHORT: 2 } as const;
/** One position effect code. */
export type PositionSide = (typeof POSITION_SIDE)[keyof typeof POSITION_SIDE];

/** Whether a position stands behind itself alone, or the whole pool behind all positions. */
export type MarginMode = 'cross' | 'isolated';
/** One position a symbol, or a long and a short one side by side. */
export type PositionMode = 'one-way' | 'hedge';

/** What makes a position of an account that one and no other; a margin mode of the whole account (Bybit) does not. */
export interface PositionKey {
  readonly platform: Platform;
  readonly symbol: string;
  readonly side: PositionSide;
  readonly marginMode: MarginMode;
}

/** A position as its venue states it. Figures that the venue leaves out are absent, never computed here. */
export interface VenuePosition extends PositionKey {
  /** Signed in one-way mode (below 0 is short), at least 0 in hedge mode; 0 when it has just been closed. */
  readonly quantity: Amount;
  readonly entryPrice: Amount;
  readonly breakEvenPrice?: Amount;
  readonly markPrice: Amount;
  readonly leverage: number;
  /** Money set aside for an isolated position, without its unrealised profit. */
  readonly isolatedMargin?: Amount;
  readonly unrealisedPnl: Amount;
  readonly initialMargin: Amount;
  readonly maintenanceMargin: Amount;
  /** Absent where no price in range would liquidate it. */
  readonly liquidationPrice?: Amount;
  /** 0 none, 1 to 5: the place in the queue of auto-deleveraging, 5 is next. */
  readonly adlRank: number;
  readonly status: 'normal' | 'liquidating' | 'deleveraging';
  /** Grows with every change at the venue: an older one never replaces a newer one. */
  readonly version: number;
  readonly updatedAt: Millis;
}

/**
 * What a private message says of a position: always which one it is, its size and its entry; of the other figures those
 * that the message carries (Binance tells neither mark nor margin there). What it leaves out stays as it was.
 */
export type PositionUpdate = Pick<
  VenuePosition,
  keyof PositionKey | 'quantity' | 'entryPrice' | 'version' | 'updatedAt'
> &
  Partial<VenuePosition>;

/** The money behind an account's contracts, as its venue states it. */
export interface MarginPool {
  readonly asset: string;
  /** What was paid in and realised; without unrealised profit. This is what the ledger's account must equal. */
  readonly wallet: Amount;
  readonly unrealisedPnl: Amount;
  readonly positionInitial: Amount;
  readonly orderInitial: Amount;
  readonly maintenance: Amount;
  /** What an opening order may still take. */
  readonly available: Amount;
  /** What may leave the account. */
  readonly withdrawable: Amount;
  /** 1 = liquidation, smaller is safer, at every venue (OKX states the inverse); absent without a cross position. */
  readonly ratio?: number;
  readonly updatedAt: Millis;
}

/** One step of a venue's leverage table: how much may be held at which leverage, and what must stay behind it. */
export interface LeverageTier {
  /** From 1, the smallest positions first. */
  readonly tier: number;
  /** Above `floor` and up to `cap`: notional in quote (Binance, Bybit) or contracts (OKX). */
  readonly unit: 'notional' | 'contracts';
  readonly floor: Amount;
  readonly cap: Amount;
  /** Maintenance margin as a fraction of the notional: 0.004 = 0.4 %. */
  readonly maintenanceRate: Amount;
  readonly maxLeverage: number;
  /** Taken off the maintenance margin, so that it is continuous at the borders; 0 at OKX, which jumps. */
  readonly deduction: Amount;
}

/** How an account trades one contract. Which of it is set for the symbol, the family or the account: the venue's profile. */
export interface ContractSetting {
  readonly platform: Platform;
  readonly symbol: string;
  readonly marginMode: MarginMode;
  readonly positionMode: PositionMode;
  readonly leverageLong: number;
  readonly leverageShort: number;
}

/** What an entry of a venue's income list or bills is. */
export type IncomeKind =
  | 'realised-pnl'
  | 'commission'
  | 'funding'
  | 'insurance'
  | 'liquidation-fee'
  | 'transfer'
  | 'other';

/** One entry of a venue's income list, bills or transaction log: the proof by which funding and the like are booked. */
export interface VenueIncome {
  /** The venue's id of the entry (`tranId`, `billId`, `execId`); unique together with platform and kind. */
  readonly id: string;
  readonly kind: IncomeKind;
  readonly symbol?: string;
  readonly side?: PositionSide;
  readonly marginMode?: MarginMode;
  readonly asset: string;
  /** Above 0 the account received it. */
  readonly amount: Amount;
  /** The trade it belongs to, where it belongs to one. */
  readonly tradeId?: string;
  /** Of funding: the rate as a fraction, the position's quantity and the mark at that instant, where the venue says so. */
  readonly rate?: Amount;
  readonly quantity?: Amount;
  readonly markPrice?: Amount;
  readonly time: Millis;
}

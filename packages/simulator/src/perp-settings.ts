import type { Amount } from '@crossbook/domain';

/** How an account may trade contracts, in the words of the facade. */

/** Margin of a position: the account's pool, or its own. */
export type SimMarginMode = 'CROSS' | 'ISOLATED';
/** One position a symbol, or a long and a short leg. */
export type SimPositionMode = 'ONE_WAY' | 'HEDGE';
/** Whose position an order changes: the one of one-way mode, or a leg. */
export type SimPositionSide = 'BOTH' | 'LONG' | 'SHORT';

/** How an account trades a symbol. */
export interface PerpSetting {
  readonly symbol: string;
  readonly marginMode: SimMarginMode;
  readonly positionMode: SimPositionMode;
  readonly leverageLong: number;
  readonly leverageShort: number;
}

/** What is asked of a leverage. */
export interface LeverageAsked {
  readonly leverage: number;
  /** At venues where legs differ (OKX and Bybit, isolated hedge); `BOTH` sets both. */
  readonly side: SimPositionSide;
  readonly marginMode?: SimMarginMode;
}

/** What would be with another leverage, at the mark and the book of now. */
export interface LeverageTrial {
  /** What the positions concerned need: cross at the mark, isolated at the entry. */
  readonly margin: Amount;
  readonly liquidationPrice: Amount | undefined;
  /** What could be taken out of the account. */
  readonly withdrawable: Amount;
  /** What isolated positions could give back. */
  readonly spare: Amount;
  /** The largest orders at market. */
  readonly buyLots: number;
  readonly sellLots: number;
}

import type { Amount, Lots, Millis } from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type { PerpConditional } from '../perp-conditionals.ts';
import type {
  ClosedPosition,
  PerpFill,
  PerpIncome,
  PerpOrder,
  SimMarginMode,
  SimPositionKey,
  SimPositionMode,
  SimPositionSide,
} from '../perp-exchange.ts';

/** A position as it is kept: nothing of it follows the mark. */
export interface HeldPosition extends SimPositionKey {
  readonly positionId: number;
  /** Contracts in lots, below 0 for short; 0 once it is closed. */
  readonly quantity: number;
  readonly entryPrice: Amount;
  /** Margin set aside for it; 0 when cross. */
  readonly isolatedWallet: Amount;
  /** Since it was opened: gross profit, fees paid (liquidation's apart), funding received. */
  readonly realisedPnl: Amount;
  readonly feesPaid: Amount;
  readonly funding: Amount;
  readonly liquidationFee: Amount;
  /** Fees of opening that belong to what is still open. */
  readonly openFees: Amount;
  /** All opening fills: their quote value and size; the largest size, and what closing fills brought. */
  readonly openedQuote: Amount;
  readonly openedQuantity: Lots;
  readonly maxQuantity: Lots;
  readonly exitQuote: Amount;
  readonly closedQuantity: Lots;
  readonly openedAt: Millis;
  readonly updatedAt: Millis;
}

/** How an account trades: of one symbol where there is one, of the whole account otherwise. */
export interface KeptSetting {
  readonly account: AccountNumber;
  readonly symbol?: string;
  readonly marginMode?: SimMarginMode;
  readonly positionMode?: SimPositionMode;
  /** Whether the account may trade contracts at all. */
  readonly tradesContracts?: boolean;
  /** Whether a limit price beyond the band is moved to its edge (Bybit). */
  readonly movesPrices?: boolean;
  /** Whether margin is added by itself to the position of a side. */
  readonly autoMargin?: { readonly side: SimPositionSide; readonly on: boolean };
  /** Leverage of one margin mode and leg; at venues where they do not differ, of all. */
  readonly leverage?: {
    readonly marginMode: SimMarginMode;
    readonly side: SimPositionSide;
    readonly leverage: number;
  };
}

/** One thing that became so. Later entries of the same order, position or setting replace earlier ones. */
export type ContractEntry =
  | { readonly put: 'order'; readonly order: PerpOrder }
  | { readonly put: 'fill'; readonly fill: PerpFill }
  | { readonly put: 'position'; readonly position: HeldPosition }
  /** Moves the wallet too, except transfers, whose own record did. */
  | { readonly put: 'income'; readonly income: PerpIncome }
  | { readonly put: 'closed'; readonly closed: ClosedPosition }
  | { readonly put: 'setting'; readonly setting: KeptSetting }
  | { readonly put: 'conditional'; readonly order: PerpConditional }
  /** The insurance fund gained this much from the house. */
  | { readonly put: 'fund'; readonly amount: Amount }
  /** Funding and liquidations were worked out up to this time. */
  | { readonly put: 'settled'; readonly time: Millis };

/** What one step did to contract accounts. */
export interface ContractsRecord {
  readonly kind: 'contracts';
  readonly entries: readonly ContractEntry[];
  /** Snapshots only: the money of the entries is in the totals already. */
  readonly snapshot?: true;
}

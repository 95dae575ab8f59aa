import type { Amount, Brand } from '@crossbook/domain';
import type { AccountRef } from './account.ts';

/** A movement's id, made by us before it is sent: a UUID derived from what caused it, so a replay is a no-op. */
export type TransferId = Brand<string, 'TransferId'>;
/** A hold's id; likewise derived (of an order: f(order id)). */
export type HoldId = Brand<string, 'HoldId'>;

/** Why money moved; shown in statements. The set is closed: a new kind is a new line here and in the SQL check. */
export type TransferKind =
  | 'test-funds'
  | 'universal-transfer'
  | 'order-hold'
  | 'fill'
  | 'trade-fee'
  | 'transfer-hold'
  | 'correction'
  | 'realised-pnl'
  | 'funding'
  | 'liquidation'
  | 'insurance'
  | 'promo-funding'
  | 'referral-reward';

/** One instruction to the ledger. Every amount is above zero. */
export type LedgerCommand =
  | {
      readonly do: 'post';
      readonly id: TransferId;
      readonly from: AccountRef;
      readonly to: AccountRef;
      readonly amount: Amount;
      readonly kind: TransferKind;
    }
  | {
      readonly do: 'hold';
      readonly id: HoldId;
      readonly account: AccountRef;
      readonly amount: Amount;
      readonly kind: TransferKind;
    }
  /** Pays out of a hold; may happen many times, never more in all than was held. */
  | {
      readonly do: 'post-held';
      readonly id: TransferId;
      readonly hold: HoldId;
      readonly to: AccountRef;
      readonly amount: Amount;
      readonly kind: TransferKind;
    }
  /** Ends a hold and frees what is left of it; at most once with effect, again is a no-op. */
  | { readonly do: 'release'; readonly hold: HoldId };

/** Why a whole unit was refused: certainly nothing of it took effect. Never says that an outcome is unknown. */
export type LedgerRefusal =
  | 'insufficient-funds'
  /** Same id, other payload (invariant I6). */
  | 'id-reused'
  | 'unknown-hold'
  | 'hold-exceeded'
  | 'hold-resolved'
  | 'asset-mismatch'
  /** A companion row's own guard refused (unique key, status transition). */
  | 'write-refused'
  /** A balance would pass the largest figure the ledger keeps (20 digits before the point). */
  | 'balance-out-of-range'
  /** Too many units are waiting for the database, or it has no room for this one now; the same unit may be sent again. */
  | 'busy'
  /** The database could not be reached, so that the unit was never sent; it may be sent again. */
  | 'unavailable';

import type {
  Amount,
  MarginMode,
  Millis,
  OrderId,
  Platform,
  PositionMode,
  PositionSide,
  UserId,
} from '@crossbook/domain';
import type { CompanionWrite } from '@crossbook/ledger';

/** What a member asked a venue to change about contracts. */
export type SettingChange =
  | {
      readonly kind: 'leverage';
      readonly leverage: number;
      readonly marginMode: MarginMode;
      readonly side: PositionSide;
    }
  | { readonly kind: 'margin-mode'; readonly marginMode: MarginMode }
  | { readonly kind: 'position-mode'; readonly positionMode: PositionMode }
  | {
      /** Margin of an isolated position: above 0 added, below 0 taken. */
      readonly kind: 'margin';
      readonly side: PositionSide;
      readonly amount: Amount;
      /** What stood behind the position before. */
      readonly before: Amount;
    };

/** A change as it is stored: what was wanted, and how far it has come. */
export interface StoredSettingChange {
  readonly id: OrderId;
  readonly user: UserId;
  readonly platform: Platform;
  readonly symbol: string;
  readonly change: SettingChange;
  readonly payloadHash: string;
  /** `unproved`: over, but whether margin was moved nobody can say, for something else moved it too. */
  readonly state: 'asked' | 'unknown' | 'done' | 'refused' | 'unproved';
  readonly reason?: string;
  /** After this time the request cannot arrive any more. */
  readonly deadlineAt?: Millis;
  readonly lookups: number;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** Where changes are kept. */
export interface SettingChangeStore {
  settingChange(id: OrderId): Promise<StoredSettingChange | undefined>;
  /** Changes without an end, oldest first. */
  openSettingChanges(): Promise<readonly StoredSettingChange[]>;
  /** A new row. Refused when its id exists, or while another change of the account is open. */
  insertSettingChange(change: StoredSettingChange): CompanionWrite;
  /** What has become of it; one that has ended stays as it is. */
  updateSettingChange(change: StoredSettingChange): CompanionWrite;
}

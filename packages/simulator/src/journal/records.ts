import type { Amount, Millis } from '@crossbook/domain';
import type { AccountNumber, MarketFacts, SimFill, SimOrder } from '../exchange.ts';
import type { EngineCounters } from '../matching/engine-order.ts';

/** A transfer between accounts as it is kept for its idempotency. */
export interface TransferRecord {
  readonly kind: 'transfer';
  readonly sequence: number;
  readonly from: AccountNumber;
  readonly to: AccountNumber;
  readonly asset: string;
  readonly amount: Amount;
  readonly transferId: string;
  readonly time: Millis;
}

/** Outcome of one step of matching for members: every order it touched as it is afterwards, and their fills in order. */
export interface StepRecord {
  readonly kind: 'step';
  readonly orders: readonly SimOrder[];
  readonly fills: readonly SimFill[];
}

/**
 * One line of the journal: an outcome, never a command to be worked out again. Applying the records of a snapshot
 * and of the journals after it in order gives the members' state back exactly.
 */
export type JournalRecord =
  | { readonly kind: 'account'; readonly account: AccountNumber; readonly label: string }
  | {
      readonly kind: 'key';
      readonly account: AccountNumber;
      readonly apiKey: string;
      readonly secret: string;
      /** Where the venue's keys have one (OKX). */
      readonly passphrase?: string;
    }
  | {
      readonly kind: 'credit';
      readonly account: AccountNumber;
      readonly asset: string;
      readonly amount: Amount;
      readonly creditId: string;
      readonly time: Millis;
    }
  | TransferRecord
  | StepRecord
  /** No id up to these was used before a restart beyond this record; the ids in between may be skipped. */
  | { readonly kind: 'reserve'; readonly symbol: string; readonly counters: EngineCounters }
  | { readonly kind: 'status'; readonly symbol: string; readonly status: MarketFacts['status'] }
  /** Snapshots only: a total, locked part included. */
  | {
      readonly kind: 'total';
      readonly account: AccountNumber;
      readonly asset: string;
      readonly total: Amount;
    }
  /** Snapshots only: history whose money is in the totals already; open orders lock their part. */
  | { readonly kind: 'history'; readonly orders: readonly SimOrder[]; readonly fills: readonly SimFill[] }
  | { readonly kind: 'credited'; readonly creditId: string }
  | { readonly kind: 'transferred'; readonly transfer: TransferRecord };

// The only fields that hold an `Amount`; JSON has no integers of that size.
const AMOUNT_FIELDS = new Set(['amount', 'total', 'quoteQuantity', 'executedQuote', 'fee']);

/** A record as UTF-8 JSON, amounts as decimal strings of 1e-18 units. */
export function encodeRecord(record: JournalRecord): Buffer {
  return Buffer.from(
    JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  );
}

/** Reads what `encodeRecord` wrote; the frame's checksum has vouched for the bytes. */
export function decodeRecord(payload: Buffer): JournalRecord {
  return JSON.parse(payload.toString(), (field, value: unknown) =>
    AMOUNT_FIELDS.has(field) && typeof value === 'string' ? BigInt(value) : value,
  ) as JournalRecord;
}

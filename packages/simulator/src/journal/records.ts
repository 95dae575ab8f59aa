import type { Amount, Millis } from '@crossbook/domain';
import type { AccountNumber, KeyRights, MarketFacts, SimFill, SimOrder, SimPocket } from '../exchange.ts';
import type { EngineCounters } from '../matching/engine-order.ts';
import type { ContractsRecord } from './contract-entries.ts';

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
  /** Absent: spot. */
  readonly fromPocket?: SimPocket;
  readonly toPocket?: SimPocket;
}

/** Outcome of one step of matching for members: every order it touched as it is afterwards, and their fills in order. */
export interface StepRecord {
  readonly kind: 'step';
  readonly orders: readonly SimOrder[];
  readonly fills: readonly SimFill[];
}

/** No id up to these was used before a restart beyond this record; the ids in between may be skipped. */
export interface ReserveRecord {
  readonly kind: 'reserve';
  readonly symbol: string;
  readonly counters: EngineCounters;
  /** The book of a contract; absent: of a spot market. */
  readonly half?: 'CONTRACTS';
}

/** A market was opened or closed. */
export interface StatusRecord {
  readonly kind: 'status';
  readonly symbol: string;
  readonly status: MarketFacts['status'];
  readonly half?: 'CONTRACTS';
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
      /** Absent: it may trade all, as every key might once. */
      readonly rights?: KeyRights;
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
  | ReserveRecord
  | StatusRecord
  | ContractsRecord
  /** Snapshots only: a total, locked part included. */
  | {
      readonly kind: 'total';
      readonly account: AccountNumber;
      readonly asset: string;
      readonly total: Amount;
      /** Absent: spot. */
      readonly pocket?: SimPocket;
    }
  /** Snapshots only: history whose money is in the totals already; open orders lock their part. */
  | { readonly kind: 'history'; readonly orders: readonly SimOrder[]; readonly fills: readonly SimFill[] }
  | { readonly kind: 'credited'; readonly creditId: string }
  | { readonly kind: 'transferred'; readonly transfer: TransferRecord };

// The only fields that hold an `Amount`; JSON has no integers of that size.
const AMOUNT_FIELDS = new Set([
  ...['amount', 'total', 'quoteQuantity', 'executedQuote', 'fee'],
  ...[
    'exactPrice',
    'realisedPnl',
    'entryFee',
    'entryPrice',
    'exitPrice',
    'feesPaid',
    'funding',
    'liquidationFee',
  ],
  ...['isolatedWallet', 'openedQuote', 'exitQuote', 'openFees', 'walletAfter', 'markPrice'],
]);

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

import {
  type IncomeKind,
  type Millis,
  ok,
  type Result,
  refused,
  type VenueIncome,
  ZERO,
} from '@crossbook/domain';
import { failedRead } from '../../../trading/call-answers.ts';
import type { VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import type { IncomePage } from '../../../venue-contracts.ts';
import { asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, asSignedAmount } from '../../../wire/numbers.ts';
import type { Asking, Call } from '../../account/calls.ts';
import { ACCOUNT_CALLS } from '../../limits.ts';
import { asIdText, asTextCounter } from '../../wire.ts';
import { marginModeOf } from './normalise.ts';

const BILLS_PER_PAGE = 100;
/** Pages read for one question. */
const BILL_PAGES_MAX = 100;
/** `bills` reaches back seven days; a question about an earlier time asks `bills-archive`. */
const RECENT_MILLIS_MAX = 6.5 * 86_400_000;
/** Our clock and the venue's may differ by so much. */
const SINCE_MARGIN_MILLIS = 1_000;

/**
 * Entries since a moment of OUR clock (widened by a second for its error). The venue lists bills newest first, so that
 * all of them are read before the oldest is known: there is always one page.
 */
export async function readIncome(
  calls: Asking,
  credentials: VenueCredentials,
  since: Millis,
): Promise<Result<IncomePage, VenueReadFailure>> {
  const bills = await readBills(calls, credentials, {
    ...{ since, requestClass: 'reconciliation', parameters: {}, read: normaliseBill },
  });
  return bills.ok ? ok({ rows: bills.value.flatMap(({ entries }) => entries) }) : bills;
}

/** Which bills of swaps are asked for. */
interface BillsAsked<Row> extends Pick<Call, 'requestClass'> {
  readonly since: Millis;
  readonly parameters: Readonly<Record<string, string>>;
  readonly read: (entry: unknown) => Row | undefined;
}

/** Bills since a moment of OUR clock (widened by a second for its error), oldest first. */
export async function readBills<Row extends { readonly billId: string }>(
  calls: Asking,
  credentials: VenueCredentials,
  { since, requestClass, parameters, read }: BillsAsked<Row>,
): Promise<Result<readonly Row[], VenueReadFailure>> {
  const begin = Math.max(0, calls.venueClock.toVenue(since) - SINCE_MARGIN_MILLIS);
  const recent = calls.venueClock.now() - begin < RECENT_MILLIS_MAX;
  const bills: Row[] = [];
  const seen = new Set<string>();
  let after: string | undefined;
  for (let page = 0; page < BILL_PAGES_MAX; page += 1) {
    const { answer } = await calls.send(credentials, {
      method: 'GET',
      path: recent ? '/api/v5/account/bills' : '/api/v5/account/bills-archive',
      limit: recent ? ACCOUNT_CALLS.bills : ACCOUNT_CALLS.billsArchive,
      requestClass,
      parameters: {
        ...{ instType: 'SWAP', ...parameters, begin: String(begin), limit: String(BILLS_PER_PAGE) },
        ...(after === undefined ? {} : { after }),
      },
    });
    if (answer.kind !== 'result') return failedRead(answer);
    for (const entry of answer.rows) {
      const bill = read(entry);
      // A page that repeats what was read would go in a circle.
      if (bill === undefined || seen.has(bill.billId)) return refused('malformed');
      seen.add(bill.billId);
      bills.push(bill);
    }
    if (answer.rows.length < BILLS_PER_PAGE) return ok(bills.reverse());
    after = bills.at(-1)?.billId;
  }
  return refused('refused');
}

interface Bill {
  readonly billId: string;
  readonly entries: readonly VenueIncome[];
}

/** Profit and fee of a bill by its type; a bill of another type is one entry with the change of the balance. */
const KINDS: ReadonlyMap<unknown, { readonly pnl: IncomeKind; readonly fee: IncomeKind }> = new Map([
  ['2', { pnl: 'realised-pnl', fee: 'commission' }],
  ['3', { pnl: 'realised-pnl', fee: 'commission' }],
  // The fee of a forced trade is in its fill too; what a liquidation costs besides has a bill of its own.
  ['5', { pnl: 'realised-pnl', fee: 'commission' }],
  ['8', { pnl: 'funding', fee: 'commission' }],
  ['9', { pnl: 'realised-pnl', fee: 'commission' }],
]);

/** Sub-types of a liquidation without a trade: its fee, what the insurance fund pays an account or takes of it. */
const FORCED: ReadonlyMap<unknown, IncomeKind> = new Map<string, IncomeKind>([
  ['109', 'liquidation-fee'],
  ['110', 'insurance'],
  ['111', 'insurance'],
]);

/** One bill: a trade states its profit and its fee in one row, which are two entries under one id. */
export function normaliseBill(entry: unknown): Bill | undefined {
  const row = asObject(entry);
  const billId = asIdText(row?.billId);
  const asset = asText(row?.ccy);
  const time = asTextCounter(row?.ts);
  const pnl = signedOrNothing(row?.pnl);
  const fee = signedOrNothing(row?.fee);
  const change = signedOrNothing(row?.balChg);
  if (row === undefined || billId === undefined || asset === undefined || time === undefined)
    return undefined;
  if (pnl === undefined || fee === undefined || change === undefined) return undefined;
  const common = { id: billId, asset, time: time as Millis, ...furtherOf(row) };
  const forced = row.type === '5' ? FORCED.get(row.subType) : undefined;
  if (forced !== undefined) return { billId, entries: [{ ...common, kind: forced, amount: change }] };
  const kinds = KINDS.get(row.type);
  if (kinds === undefined) return { billId, entries: [{ ...common, kind: 'other', amount: change }] };
  // What funding changed is its profit; older bills state it as the change of the balance alone.
  const earned = kinds.pnl === 'funding' && pnl === ZERO ? change : pnl;
  const paid = [
    { ...common, kind: kinds.pnl, amount: earned },
    { ...common, kind: kinds.fee, amount: fee },
  ];
  return { billId, entries: paid.filter(({ amount }) => amount !== ZERO) };
}

function signedOrNothing(value: unknown) {
  return value === '' || value === undefined ? ZERO : asSignedAmount(value);
}

function furtherOf(row: WireObject): Partial<VenueIncome> {
  const symbol = asText(row.instId);
  const marginMode = marginModeOf(row.mgnMode);
  // What is delivered has no trade: it is found by its bill (deliveries.ts).
  const tradeId = asIdText(row.type === '3' ? row.billId : row.tradeId);
  const funding = row.type === '8';
  const quantity = funding ? asAmount(row.sz) : undefined;
  const markPrice = funding ? asAmount(row.px) : undefined;
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(marginMode === undefined ? {} : { marginMode }),
    ...(tradeId === undefined || tradeId === '0' ? {} : { tradeId }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(markPrice === undefined ? {} : { markPrice }),
  };
}

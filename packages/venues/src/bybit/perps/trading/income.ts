import {
  type Amount,
  type IncomeKind,
  type Millis,
  minus,
  ok,
  type Result,
  refused,
  type VenueIncome,
  ZERO,
} from '@crossbook/domain';
import type { VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import type { IncomePage } from '../../../venue-contracts.ts';
import { asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asAmount, asSignedAmount, rowsOf } from '../../../wire/numbers.ts';
import type { Asking } from '../../account/calls.ts';
import { readPages } from '../../account/pages.ts';
import { asMillis } from '../../wire.ts';

const ROWS_PER_PAGE = 50;
/** One question spans at most seven days (account/transaction-log). */
const SPAN_MILLIS_MAX = 7 * 86_400_000;
/** The venue keeps two years. */
const SPANS_MAX = 105;
/** Our clock and the venue's may differ by so much. */
const MARGIN_MILLIS = 1_000;

/** Entries since a moment of OUR clock (widened by a second for its error), oldest first; there is always one page. */
export async function readIncome(
  calls: Asking,
  credentials: VenueCredentials,
  since: Millis,
): Promise<Result<IncomePage, VenueReadFailure>> {
  const now = calls.venueClock.now() + MARGIN_MILLIS;
  const entries: VenueIncome[][] = [];
  let startTime = Math.max(0, calls.venueClock.toVenue(since) - MARGIN_MILLIS);
  for (let span = 0; span < SPANS_MAX && startTime <= now; span += 1) {
    const endTime = Math.min(startTime + SPAN_MILLIS_MAX - 1, now);
    const read = await readPages(calls, credentials, {
      path: '/v5/account/transaction-log',
      requestClass: 'reconciliation',
      parameters: {
        ...{ accountType: 'UNIFIED', category: 'linear', currency: 'USDT', limit: ROWS_PER_PAGE },
        ...{ startTime, endTime },
      },
      read: (list) => rowsOf(list, normaliseLogEntry),
    });
    if (!read.ok) return read;
    // Newest first, as all lists of the venue.
    entries.push(...[...read.value].reverse());
    startTime = endTime + 1;
  }
  return startTime > now ? ok({ rows: entries.flat() }) : refused('refused');
}

/** Profit and fee of a row by its type; a row of another type is one entry with the change of the balance. */
const KINDS: ReadonlyMap<unknown, { readonly flow: IncomeKind; readonly fee: IncomeKind }> = new Map([
  ['TRADE', { flow: 'realised-pnl', fee: 'commission' }],
  ['LIQUIDATION', { flow: 'realised-pnl', fee: 'liquidation-fee' }],
  ['ADL', { flow: 'realised-pnl', fee: 'commission' }],
  ['DELIVERY', { flow: 'realised-pnl', fee: 'commission' }],
  ['SETTLEMENT', { flow: 'realised-pnl', fee: 'commission' }],
]);

/** Of a liquidation what flows without a trade is the insurance fund's. */
function kindsOf(row: WireObject): ReturnType<typeof KINDS.get> {
  const kinds = KINDS.get(row.type);
  const funded = row.type === 'LIQUIDATION' && asText(row.tradeId) === undefined;
  return kinds !== undefined && funded ? { ...kinds, flow: 'insurance' } : kinds;
}

/**
 * One row of the transaction log: what it realised, the funding it brought and the fee it cost are entries of their own
 * under the id of its execution. `funding` is above 0 when it was received, `fee` when it was paid.
 */
export function normaliseLogEntry(entry: unknown): VenueIncome[] | undefined {
  const row = asObject(entry);
  const id = asText(row?.tradeId) ?? asText(row?.id);
  const asset = asText(row?.currency);
  const time = asMillis(row?.transactionTime);
  const flow = orNothing(row?.cashFlow);
  const funding = orNothing(row?.funding);
  const fee = orNothing(row?.fee);
  const change = orNothing(row?.change);
  if (row === undefined || id === undefined || asset === undefined || time === undefined) return undefined;
  if (flow === undefined || funding === undefined || fee === undefined || change === undefined)
    return undefined;
  const common = { id, asset, time, ...furtherOf(row) };
  const kinds = kindsOf(row);
  if (kinds === undefined)
    return [{ ...common, kind: TRANSFERS.has(row.type) ? 'transfer' : 'other', amount: change }];
  const entries: VenueIncome[] = [
    { ...common, kind: kinds.flow, amount: flow },
    { ...common, ...fundingOf(row), kind: 'funding', amount: funding },
    { ...common, kind: kinds.fee, amount: minus(ZERO, fee) },
  ];
  return entries.filter(({ amount }) => amount !== ZERO);
}

const TRANSFERS: ReadonlySet<unknown> = new Set(['TRANSFER_IN', 'TRANSFER_OUT']);

function orNothing(value: unknown): Amount | undefined {
  return value === '' || value === undefined ? ZERO : asSignedAmount(value);
}

function furtherOf(row: WireObject): Partial<VenueIncome> {
  const symbol = asText(row.symbol);
  const tradeId = asText(row.tradeId);
  return {
    ...(symbol === undefined ? {} : { symbol }),
    ...(tradeId === undefined ? {} : { tradeId }),
  };
}

/** Of funding the row says the rate, the size and the mark at that instant. */
function fundingOf(row: WireObject): Partial<VenueIncome> {
  const rate = asSignedAmount(row.feeRate);
  const quantity = asAmount(row.qty);
  const markPrice = asAmount(row.tradePrice);
  return {
    ...(rate === undefined ? {} : { rate }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(markPrice === undefined ? {} : { markPrice }),
  };
}

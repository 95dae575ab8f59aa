import { type IncomeKind, type Millis, ok, type Result, type VenueIncome } from '@crossbook/domain';
import type { VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import type { IncomePage } from '../../../venue-contracts.ts';
import { asCounter, asObject, asText, type WireObject } from '../../../wire/guards.ts';
import { asSignedAmount, rowsOf } from '../../../wire/numbers.ts';
import { type Asking, readCall } from '../../account/calls.ts';

/** Rows of one page of the income list. */
const INCOME_PER_PAGE = 1_000;
/** Our clock and the venue's may differ by so much. */
const SINCE_MARGIN_MILLIS = 1_000;

const KINDS: ReadonlyMap<string, IncomeKind> = new Map<string, IncomeKind>([
  ['REALIZED_PNL', 'realised-pnl'],
  ['COMMISSION', 'commission'],
  ['FUNDING_FEE', 'funding'],
  ['INSURANCE_CLEAR', 'insurance'],
  ['TRANSFER', 'transfer'],
]);

/** Entries since a moment of OUR clock (widened by a second for its error), oldest first. */
export async function readIncome(
  calls: Asking,
  credentials: VenueCredentials,
  { since, next }: { readonly since: Millis; readonly next?: string },
): Promise<Result<IncomePage, VenueReadFailure>> {
  const page = next === undefined ? 1 : Number(next);
  const call = {
    market: 'SWAP',
    method: 'GET',
    path: '/fapi/v1/income',
    weight: 30,
    requestClass: 'reconciliation',
    parameters: {
      startTime: Math.max(0, calls.venueClock.toVenue(since) - SINCE_MARGIN_MILLIS),
      page,
      limit: INCOME_PER_PAGE,
    },
  } as const;
  const rows = await readCall(calls, credentials, call, normaliseIncome);
  if (!rows.ok) return rows;
  return ok({ rows: rows.value, ...(rows.value.length < INCOME_PER_PAGE ? {} : { next: String(page + 1) }) });
}

/** An `income` answer. */
export function normaliseIncome(answer: unknown): VenueIncome[] | undefined {
  return rowsOf(answer, (entry) => {
    const row = asObject(entry);
    const type = asText(row?.incomeType);
    const asset = asText(row?.asset);
    const paid = asSignedAmount(row?.income);
    const time = asCounter(row?.time);
    const id = row && idOf(row, type);
    if (row === undefined || type === undefined || asset === undefined || paid === undefined)
      return undefined;
    if (time === undefined || id === undefined) return undefined;
    const symbol = asText(row.symbol);
    const tradeId = asText(row.tradeId) ?? counterText(row.tradeId);
    return {
      id,
      kind: KINDS.get(type) ?? 'other',
      ...(symbol === undefined ? {} : { symbol }),
      asset,
      amount: paid,
      ...(tradeId === undefined ? {} : { tradeId }),
      time: time as Millis,
    };
  });
}

/**
 * `tranId` is unique within its type. Types that have no kind of their own carry their name in it; one that is no exact
 * integer of JSON carries what else tells it from others, so that two entries are never taken for one.
 */
function idOf(row: WireObject, type: string | undefined): string | undefined {
  const { tranId, time, symbol, income } = row;
  const exact = asText(tranId) ?? counterText(tranId);
  if (exact === undefined && typeof tranId !== 'number') return undefined;
  const id = exact ?? [tranId, time, symbol, income].join(':');
  return KINDS.has(type ?? '') ? id : `${type ?? ''}:${id}`;
}

function counterText(value: unknown): string | undefined {
  const counter = asCounter(value);
  return counter === undefined ? undefined : String(counter);
}

import {
  type Instrument,
  type Millis,
  ok,
  type Result,
  refused,
  type VenueFill,
  type VenueOrderId,
} from '@crossbook/domain';
import type { VenueCredentials, VenueReadFailure } from '../../../venue-answers.ts';
import type { Asking } from '../../account/calls.ts';
import { readPages } from '../../account/pages.ts';
import { normaliseFills } from './normalise.ts';

const FILLS_PER_PAGE = 100;
/** One question spans at most seven days (order/execution). */
const SPAN_MILLIS_MAX = 7 * 86_400_000;
/** The venue keeps two years. */
const SPANS_MAX = 105;
/** Our clock and the venue's may differ by this much. */
const MARGIN_MILLIS = 1_000;

/** All fills of one order, oldest first, however many pages. */
export async function listFillsOfOrder(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  venueOrderId: VenueOrderId,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const fills = await executions(calls, credentials, instrument, { orderId: venueOrderId });
  if (!fills.ok) return fills;
  // What was not asked for shows that the question was not understood.
  if (!fills.value.every((fill) => fill.venueOrderId === venueOrderId)) return refused('malformed');
  return ok(oldestFirst(fills.value));
}

/** Fills of every order of an instrument since a moment of OUR clock (widened by a second for its error). */
export async function listFillsSince(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  since: Millis,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const now = calls.venueClock.now() + MARGIN_MILLIS;
  const found: VenueFill[] = [];
  let start = Math.max(0, calls.venueClock.toVenue(since) - MARGIN_MILLIS);
  for (let span = 0; span < SPANS_MAX && start <= now; span += 1) {
    const end = Math.min(start + SPAN_MILLIS_MAX - 1, Math.max(now, start));
    const fills = await executions(calls, credentials, instrument, { startTime: start, endTime: end });
    if (!fills.ok) return fills;
    const from = start;
    if (!fills.value.every((fill) => fill.time >= from && fill.time <= end)) return refused('malformed');
    found.push(...fills.value);
    start = end + 1;
  }
  return start > now ? ok(oldestFirst(found)) : refused('refused');
}

function executions(
  calls: Asking,
  credentials: VenueCredentials,
  instrument: Instrument,
  question: Readonly<Record<string, string | number>>,
): Promise<Result<readonly VenueFill[], VenueReadFailure>> {
  const { symbol } = instrument;
  return readPages(calls, credentials, {
    path: '/v5/execution/list',
    requestClass: 'lookup',
    parameters: { category: 'spot', symbol, execType: 'Trade', limit: FILLS_PER_PAGE, ...question },
    read: (list) => normaliseFills(list, instrument),
  });
}

/** Fills of one moment come in no particular order; a page may repeat what moved over its edge while it was read. */
function oldestFirst(fills: readonly VenueFill[]): readonly VenueFill[] {
  const known = new Map(fills.map((fill) => [fill.tradeId, fill]));
  return [...known.values()].sort((left, right) => left.time - right.time);
}
